# A run that ends by itself gives the same paths, bugs, coverage and counts in one process and with 1 to 8 workers.
# RUN: bash %s %t
# REQUIRES: run
set -eu
work=$1 tamar=$TAMAR_BINARY folder=$(cd "$(dirname "$0")" && pwd)
here=$folder/../symbolic compare=$folder/compare.py
source "$folder/more-work.bash"
rm -rf "$work" && mkdir "$work" && cd "$work"
# chain: one deep side; expr: a parser of "1+(2/3)"
cat >chain.c <<'END'
#include <unistd.h>
int main(void) {
    unsigned char b[100];
    if (read(0, b, sizeof b) != sizeof b) return 1;
    for (int i = 0; i < 100; i++)
        if (b[i] != 'x') {
            for (volatile int k = 0; k < 100000; k++) {} // workers start when there is work for them
            return 2 + i % 3;
        }
    return 0;
}
END
cat >sort.c <<'END'
#include <assert.h>
#include <tamar.h>
int main(void) {
    unsigned char a[5];
    tamar_symbolic(a, sizeof a, "a");
    for (int i = 1; i < 5; i++)
        for (int k = i; k > 0 && a[k - 1] > a[k]; k--) {
            unsigned char t = a[k];
            a[k] = a[k - 1], a[k - 1] = t;
        }
    for (int i = 0; i < 4; i++) assert(a[i] <= a[i + 1]);
    assert(a[0] != 7 || a[4] != 9); // fails
    return a[2] / (a[1] + 1 - a[2] ? 1 : a[3]);
}
END
cat >expr.c <<'END'
#include <stdio.h>
#include <stdlib.h>
static int next;
static void step(void) { next = getchar(); }
static int sum(int depth);
static int atom(int depth) {
    if (next == '(' && depth < 3) {
        step();
        int v = sum(depth + 1);
        if (next != ')') exit(2);
        step();
        return v;
    }
    if (next < '0' || next > '9') exit(3);
    int v = next - '0';
    step();
    return v;
}
static int sum(int depth) {
    int v = atom(depth);
    while (next == '+' || next == '/') {
        int op = next;
        step();
        int w = atom(depth);
        v = op == '+' ? v + w : v / w;
    }
    return v;
}
int main(void) {
    step();
    int v = sum(0);
    return next == EOF ? v : 4;
}
END
cat >tree.c <<'END'
#include <unistd.h>
int main(void) {
    unsigned char b[7];
    volatile int n = 0;
    if (read(0, b, sizeof b) != sizeof b) return 1;
    for (int i = 0; i < 7; i++) {
        if (b[i] > 100) n += i;
        for (volatile int k = 0; k < 200000 * WORK; k++) {}
    }
    return n;
}
END
all_start() { # JOBS: so many workers start, and states move between them
    rm -rf "tree-$1"
    "$tamar" run -q --emit all tree.c -DWORK="$WORK" --sym-stdin 7 --jobs "$1" --out "tree-$1" >/dev/null
    python3 - "$1" <<'END' || exit 9
import json, sys
jobs = json.load(open(f"tree-{sys.argv[1]}/summary.json"))["jobs"]
sys.exit(len(jobs) != int(sys.argv[1]) or not sum(job["taken"] for job in jobs))
END
}
both() { # JOBS NAME OPTIONS...: in one process, and with so many workers
    numbers=$1 name=$2 status=0 folders=
    shift 2
    "$tamar" run -q --emit all "$@" --out "$name-0" >/dev/null || status=$?
    for jobs in $numbers; do
        other=0
        "$tamar" run -q --emit all "$@" --jobs $jobs --out "$name-$jobs" >/dev/null || other=$?
        test $status = $other
        folders="$folders $name-$jobs"
    done
    python3 "$compare" "$name-0" $folders
    python3 "$compare" --names $folders
}
both "1 2 3 8" chain chain.c --sym-stdin 100
both "1 2 3 8" sort sort.c
both "1 2 3 8" expr expr.c --sym-stdin 5
"$tamar" run -q --emit all tree.c -DWORK=1 --sym-stdin 7 --out tree-0 >/dev/null
for jobs in 2 3 8; do more_work all_start $jobs; done
python3 "$compare" tree-0 tree-2 tree-3 tree-8
python3 "$compare" --names tree-2 tree-3 tree-8
both 3 pending sort.c --search 'pending(rp)'
both 2 words "$here/arguments.c" --sym-args 0 2 1
both 3 many-cases "$here/many-cases.c"
both 2 hash-table "$here/hash-table.c" --check all --sym-stdin 3
both 8 number-parser "$here/number-parser.c" --check all --sym-arg 3
both 3 stdin-parser "$here/stdin-parser.c" --sym-stdin 5
both 2 wild-pointer "$here/wild-pointer.c"
both 3 symbolic-size "$here/symbolic-size.c"
both 8 three-paths "$here/three-paths.c"
# With --emit new every worker knows what the others cover: each test covers new code or shows a bug.
"$tamar" run -q sort.c --jobs 3 --out new >/dev/null || test $? = 1
python3 - <<'END'
import json, pathlib
for path in pathlib.Path("new/tests").glob("*.json"):
    test = json.loads(path.read_text())
    assert test["covers"] or "bug" in test["outcome"] or test["outcome"] == "exit", path
s = json.loads(pathlib.Path("new/summary.json").read_text())
assert s["complete"] and s["tests"] < s["paths"]["completed"] and len(s["jobs"]) > 0, s
assert sum(j["paths"] for j in s["jobs"]) == s["paths"]["completed"] + s["paths"]["errors"] + s["paths"]["stopped"]
END
"$tamar" stats new | grep -q 'messages .* a path, .* bytes a path'
