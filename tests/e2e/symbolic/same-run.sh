# The same seed gives the same run; another strategy gives the same paths. Memory does not grow with finished paths; if
# it is short, states are dropped and the run continues.
# RUN: bash %s %t
# REQUIRES: run
set -eu
tamar=$TAMAR_BINARY work=$1
rm -rf "$work" && mkdir -p "$work" && cd "$work"
cat > program.c <<'END'
#include <tamar.h>
int main(void) {
    unsigned char text[4];
    int state = 0;
    tamar_symbolic(text, sizeof text, "text");
    for (int i = 0; i < 4; i++) {
        if (text[i] == '(') state++;
        else if (text[i] == ')') state--;
        else if (text[i] > 'a' && text[i] < text[0]) state += 2;
        if (state < 0) return 1;
    }
    return state + 2;
}
END
explore() { "$tamar" run -q --emit all "$@" program.c > /dev/null; }
explore --random-seed 7 --out first
explore --random-seed 7 --out second
explore --search dfs --out deep
explore --search bfs --out broad
python3 - <<'END'
import glob, json
def load(folder):
    summary = json.load(open(folder + "/summary.json"))
    for varying in ("time", "peak_memory", "options", "next"):
        del summary[varying]
    for layer in summary["layers"].values():
        del layer["seconds"]
    return summary, [open(name).read() for name in sorted(glob.glob(folder + "/tests/*.json"))]
first, second = load("first"), load("second")
assert first == second, "the same seed, another run"
paths = lambda tests: {str(json.loads(test)["decisions"]) for test in tests}
wanted = paths(first[1])
assert len(wanted) == len(first[1]) > 50
for folder in ("deep", "broad"):
    summary, tests = load(folder)
    assert summary["paths"] == first[0]["paths"] and paths(tests) == wanted, folder
END

# Depth first, few states are alive, however many paths have ended: ten times the paths need no more memory.
cat > many.c <<'END'
#include <tamar.h>
int main(void) {
    unsigned char text[BYTES];
    unsigned sum = 0;
    tamar_symbolic(text, sizeof text, "text");
    for (int i = 0; i < BYTES; i++)
        if (text[i] > 100 + i) sum = sum * 3 + text[i];
    return sum == 12345;
}
END
# Not with a sanitizer, which keeps freed memory for a while.
export ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}quarantine_size_mb=1:thread_local_quarantine_size_kb=64
for bytes in 11 15; do
    "$tamar" run -q --search dfs -DBYTES=$bytes --out many-$bytes many.c > /dev/null
done
python3 - <<'END'
import json
few, many = (json.load(open(f"many-{n}/summary.json")) for n in (11, 15))
ended = [run["paths"]["completed"] for run in (few, many)]
assert ended[1] > 10 * ended[0] > 20000, ended
growth = many["peak_memory"] - few["peak_memory"]
assert growth < 16 << 20, (growth, ended)
END

# Too little memory: one message, states are dropped, the rest is explored, status 3.
status=0
"$tamar" run --search bfs --max-memory 8 -DBYTES=13 --out short many.c > said.txt 2>&1 || status=$?
[ $status = 3 ] && grep -q -- "--max-memory is reached: states are dropped" said.txt || { cat said.txt; exit 1; }
python3 - <<'END'
import json
run = json.load(open("short/summary.json"))
assert run["paths"]["killed"] > 0 and run["paths"]["completed"] > 0 and not run["complete"], run["paths"]
END
