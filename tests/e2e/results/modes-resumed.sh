# Every value of --feasibility and --relax-checks, with a limit and --resume, on programs without a bug, with one, and
# with lost paths: status, `complete` and paths are at the end those of an uninterrupted run, and the paths are those of
# an eager run.
# RUN: bash %s %t
# REQUIRES: run
set -eu
tamar=$TAMAR_BINARY work=$1
rm -rf "$work" && mkdir -p "$work" && cd "$work"

cat >program.c <<'END'
#include <pthread.h>
#include <stdio.h>
#include <tamar.h>
static int table[8];
static void *nothing(void *p) { return p; }
int main(void) {
    int a = getchar(), b = getchar(), sum = 0;
    if (a == EOF || b == EOF) return 1;
#ifdef LOST
    pthread_t other;
    pthread_create(&other, NULL, nothing, NULL);
    pthread_join(other, NULL);
#endif
    for (int i = 0; i < 3; i++) {
        if (a >> i & 1) sum += i + 1;
        if (b > 60 * i + 60) sum += 2;
    }
    table[sum & 7] = b;
#ifdef BUG
    if (sum > 5) return table[a & 8 ? sum : 0];
#endif
    return table[sum & 7] == b ? 0 : 2;
}
END

status() { # WANTED COMMAND...
    local wanted=$1 got=0
    shift
    "$@" >out.text 2>err.text || got=$?
    [ $got = "$wanted" ] || { echo "wanted $wanted, got $got: $*"; cat err.text; exit 1; }
}

for kind in CLEAN BUG LOST; do
    case $kind in CLEAN) last=0 ;; BUG) last=1 ;; LOST) last=3 ;; esac
    "$tamar" cc -g -O0 -D$kind -c -emit-llvm program.c -o $kind.bc
    for mode in eager pending relaxed; do
        case $mode in eager) how= ;; pending) how='--feasibility pending' ;; relaxed) how=--relax-checks ;; esac
        status $last "$tamar" run -q --emit all --sym-stdin 2 $how --out full-$kind-$mode $kind.bc
        status 3 "$tamar" run -q --emit all --sym-stdin 2 $how --max-tests 2 --search dfs --out part-$kind-$mode $kind.bc
        "$tamar" run -q --resume part-$kind-$mode --max-tests 4 >out.text 2>&1 && exit 1 # a bug may be among them or not
        status $last "$tamar" run -q --resume part-$kind-$mode
        status $last "$tamar" run -q --resume part-$kind-$mode # nothing is left
    done
done

python3 - <<'END'
import glob, json
def load(folder):
    summary = json.load(open(folder + "/summary.json"))
    tests = [json.load(open(name)) for name in sorted(glob.glob(folder + "/tests/*.json"))]
    return summary, sorted((test["decisions"], test["outcome"]) for test in tests)
for kind in ("CLEAN", "BUG", "LOST"):
    eager = None
    for mode in ("eager", "pending", "relaxed"):
        full, paths = load(f"full-{kind}-{mode}")
        part, resumed = load(f"part-{kind}-{mode}")
        where = kind, mode
        for key in ("tests", "complete", "coverage", "end"):
            assert full[key] == part[key], (where, key, full[key], part[key])
        for key in ("completed", "errors", "pending", "killed", "incomplete"):
            assert full["paths"][key] == part["paths"][key], (where, key, full["paths"], part["paths"])
        count = full["paths"]["completed"] + full["paths"]["errors"]
        assert len(paths) == full["tests"] == count and not full["paths"]["pending"], (where, len(paths), full["paths"])
        assert paths == resumed, where
        assert full["complete"] == (kind != "LOST"), where
        assert any(one["lost"] for one in full["gave_up"]) == any(one["lost"] for one in part["gave_up"]) == (kind == "LOST"), where
        bugs = [sorted((bug["kind"], bug["line"]) for bug in one["bugs"]) for one in (full, part)]
        assert bugs[0] == bugs[1] and len(bugs[0]) == (kind == "BUG"), (where, bugs)
        eager = eager or (count, full["coverage"], bugs[0])
        assert eager == (count, full["coverage"], bugs[0]), (where, eager, count)
END
