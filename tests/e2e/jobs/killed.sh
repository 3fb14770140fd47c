# Workers are killed at random moments: others explore their states, no path is lost or counted twice, and the summary
# says so. A worker that gets SIGTERM returns its states. If workers are killed again and again, the run ends with its
# results so far.
# RUN: bash %s %t
# REQUIRES: run
set -eu
work=$1 tamar=$TAMAR_BINARY folder=$(cd "$(dirname "$0")" && pwd)
source "$folder/more-work.bash"
rm -rf "$work" && mkdir "$work" && cd "$work"
cat >slow.c <<'END'
#include <unistd.h>
int main(void) {
    unsigned char b[9];
    volatile int n = 0;
    if (read(0, b, sizeof b) != sizeof b) return 1;
    for (int i = 0; i < 9; i++) {
        if (b[i] > 100) n += i;
        for (volatile int k = 0; k < 60000 * WORK; k++) {}
    }
    return 1 / (n - 36 + b[0] / 256 + (n == 36)) + n;
}
END
export ASAN_OPTIONS=detect_leaks=0 # a sanitizer's build would count its leak checker among the children
"$tamar" run -q slow.c -DWORK=1 --sym-stdin 9 --emit all --out alone >/dev/null || true
program() { test -e "slow$WORK" || "$tamar" cc -g slow.c -DWORK="$WORK" -o "slow$WORK"; } # the children of a run are its workers alone
start() { # JOBS NAME: $run, with tests
    program
    rm -rf "$2"
    "$tamar" run -q "slow$WORK" --sym-stdin 9 --emit all --jobs "$1" --out "$2" >/dev/null 2>"$2.txt" &
    run=$!
    until test -e "$2/tests/000001.json"; do
        if over; then return; fi
        sleep 0.01
    done
}
over() { ! kill -0 "$run" 2>/dev/null; }
workers() { ps -o pid= --ppid "$run" 2>/dev/null || true; }
too_soon() { # the test could not disturb the run
    wait "$run" || true
    exit 9
}
kill_held() { # SIGNAL SIGNAL: each ends a worker while both stand still, so neither is done
    local held=()
    until test ${#held[@]} -ge 2; do
        if over; then too_soon; fi
        held=($(workers))
    done
    kill -STOP "${held[@]}" 2>/dev/null || too_soon # one has ended
    kill "-$1" "${held[0]}"
    kill "-$2" "${held[1]}"
    kill -CONT "${held[@]}" 2>/dev/null || true # or it would not end
}
kill_some() { # SIGNAL HOW_MANY
    for i in $(seq "$2"); do
        for pid in $(workers | shuf -n 1 --random-source=<(yes "$i")); do kill "-$1" "$pid" 2>/dev/null || true; done
        sleep 0.3
    done
}
check() { # NAME: the result is that of one process
    wait "$run" || true
    python3 "$folder/compare.py" alone "$1"
}
jobs_of() { # NAME CONDITION
    python3 -c "import json, sys
jobs = json.load(open('$1/summary.json'))['jobs']
killed = [job for job in jobs if job['killed']]
sys.exit(not ($2))"
}
killed() {
    start 3 KILL
    kill_held ABRT KILL
    kill_some KILL 5
    check KILL
    jobs_of KILL killed || exit 9
    grep -q 'worker . ended by signal 6; its states go to another worker' KILL.txt || exit 9
    grep -q 'worker . was killed; its states go to another worker' KILL.txt || exit 9
}
terminated() {
    start 3 TERM
    kill_held TERM TERM
    kill_some TERM 5
    check TERM
    jobs_of TERM 'not killed'
    jobs_of TERM 'len(jobs) > 3' || exit 9 # each that ended while there was work is replaced
}
again_and_again() {
    start 2 again
    until over; do
        for pid in $(workers); do kill -KILL "$pid" 2>/dev/null || true; done
    done
    status=0
    wait $run || status=$?
    test $status = 3 || exit 9 # it has ended between two of these
    grep -q 'workers have ended unexpectedly: the run ends' again.txt
    grep -q '"end": "workers that were killed"' again/summary.json
    "$tamar" run -q --resume again --jobs 3 >/dev/null || true # nothing is lost
    check again
}
more_work killed
more_work terminated
more_work again_and_again
