# A run with workers ends soon after an interrupt and at --max-time, with its tests. It continues with another number of
# workers, or in one process, and gives the result of an uninterrupted run. Options that do not work with workers are
# errors.
# RUN: bash %s %t
# REQUIRES: run
set -eu
work=$1 tamar=$TAMAR_BINARY folder=$(cd "$(dirname "$0")" && pwd)
source "$folder/more-work.bash"
rm -rf "$work" && mkdir "$work" && cd "$work"
cat >slow.c <<'END'
#include <unistd.h>
#ifndef N
#define N 10
#endif
#ifndef WORK
#define WORK 1
#endif
int main(void) {
    unsigned char b[N];
    volatile int n = 0;
    if (read(0, b, sizeof b) != sizeof b) return 1;
    for (int i = 0; i < N; i++) {
        if (b[i] > 100) n += i;
        for (volatile int k = 0; k < 20000 * WORK; k++) {}
    }
    return n;
}
END
cat >endless.c <<'END'
#include <tamar.h>
int main(void) { // a step that does not come to its end
    unsigned n = (unsigned)tamar_int("n"), t = n;
    if (n == 1) return 1;
    for (unsigned i = 0;; i++) {
        t = t * t + i * n;
        if (t % 12345 == 17) n++;
    }
}
END
"$tamar" run -q slow.c --sym-stdin 10 --emit all --out alone >/dev/null
interrupt() { # FOLDER WORDS...
    local out=$1 status=0
    shift
    rm -rf "$out"
    "$tamar" run -q -DWORK="$WORK" "$@" --out "$out" >/dev/null 2>"$out.txt" &
    local run=$!
    until test -e "$out/tests/000001.json" || ! kill -0 $run 2>/dev/null; do sleep 0.01; done
    kill -TERM $run 2>/dev/null || true
    wait $run || status=$?
    if test $status = 0; then exit 9; fi # it had ended
    test $status = 3
    grep -q '"end": "interrupted"' "$out/summary.json"
    test -z "$(ps -o pid= --ppid $run)"
}
more_work interrupt stopped slow.c --sym-stdin 10 --emit all --jobs 3
"$tamar" run -q --resume stopped --jobs 2 --max-paths 300 >/dev/null || test $? = 3
"$tamar" run -q --resume stopped >/dev/null
python3 "$folder/compare.py" alone stopped
more_work interrupt endless endless.c --jobs 2
test -s endless/checkpoint

status=0
"$tamar" run -DN=20 slow.c --sym-stdin 20 --jobs 2 --max-time 4 --out time >text 2>&1 || status=$?
test $status = 3
grep -q 'ended by --max-time' text
status=0
"$tamar" run -DN=20 slow.c --sym-stdin 20 --max-time 4 --out idle >text 2>&1 || status=$?
test "$(nproc)" = 1 || grep -q 'next: tamar run --resume .* --jobs auto   (.*, with .* more processor' text

"$tamar" run -q slow.c --sym-stdin 3 --jobs auto --out auto >/dev/null || test $? = 0
processor=$(python3 -c 'import os; print(min(os.sched_getaffinity(0)))') # auto: as many workers as processors may be used
taskset -c "$processor" "$tamar" run -q slow.c --sym-stdin 10 --jobs auto --out one >/dev/null || test $? = 0
python3 -c 'import json; jobs = json.load(open("one/summary.json"))["jobs"]; assert len(jobs) == 1, jobs'
for wrong in '--jobs 0' '--jobs many' '--jobs 2 --log-queries queries' '--jobs 2 --afl-sync .' '--jobs 1025'; do
    status=0
    "$tamar" run slow.c --sym-stdin 3 $wrong --out wrong >text 2>&1 || status=$?
    test $status = 2
    grep -q -e '--jobs: ' text
    test ! -e wrong
done
# `tamar reach` and `tamar regress` share the run's code.
"$tamar" reach -q slow.c:16 slow.c --sym-stdin 10 --jobs 2 --out reached | grep -q "slow.c:16"
