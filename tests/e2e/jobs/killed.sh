# Workers are killed at random moments: others explore their states, no path is lost or counted twice, and the summary
# says so. A worker that gets SIGTERM returns its states. If workers are killed again and again, the run ends with its
# results so far.
# RUN: bash %s %t
# REQUIRES: run
set -eu
work=$1 tamar=$TAMAR_BINARY folder=$(cd "$(dirname "$0")" && pwd)
rm -rf "$work" && mkdir "$work" && cd "$work"
cat >slow.c <<'END'
#include <unistd.h>
int main(void) {
    unsigned char b[9];
    volatile int n = 0;
    if (read(0, b, sizeof b) != sizeof b) return 1;
    for (int i = 0; i < 9; i++) {
        if (b[i] > 100) n += i;
        for (volatile int k = 0; k < 60000; k++) {}
    }
    return 1 / (n - 36 + b[0] / 256 + (n == 36)) + n;
}
END
export ASAN_OPTIONS=detect_leaks=0 # a sanitizer's build would count its leak checker among the children
"$tamar" cc -g slow.c -o slow # so that the children of a run are its workers alone
"$tamar" run -q slow --sym-stdin 9 --emit all --out alone >/dev/null || true
workers() { ps -o pid= --ppid "$1" 2>/dev/null || true; }
until_running() { # the folder has tests
    for i in $(seq 6000); do
        if test -e "$1/tests/000001.json"; then return; fi
        sleep 0.01
    done
    echo "$1: no test after a minute" >&2
    exit 1
}
kill_held() { # PID SIGNAL SIGNAL: each signal kills a worker while both stand still, so neither is done
    local held=()
    while kill -0 "$1" && test ${#held[@]} -lt 2; do held=($(workers "$1")); done
    kill -STOP "${held[@]}"
    kill "-$2" "${held[0]}"
    kill "-$3" "${held[1]}"
    kill -CONT "${held[0]}" # or it would not end
}
kill_some() { # PID SIGNAL HOW_MANY
    for i in $(seq "$3"); do
        for pid in $(workers "$1" | shuf -n 1 --random-source=<(yes "$i")); do kill "-$2" "$pid" 2>/dev/null || true; done
        sleep 0.3
    done
}
for signal in KILL TERM; do
    "$tamar" run -q slow --sym-stdin 9 --emit all --jobs 3 --out $signal >/dev/null 2>$signal.txt &
    run=$!
    until_running $signal
    test $signal = TERM || kill_held $run ABRT KILL
    kill_some $run $signal 5
    wait $run || true
    python3 "$folder/compare.py" alone $signal
done
python3 - <<'END'
import json
killed = [j for j in json.load(open("KILL/summary.json"))["jobs"] if j["killed"]]
gone = json.load(open("TERM/summary.json"))["jobs"]
assert killed and len(gone) > 3, (killed, gone) # each is replaced
assert not any(j["killed"] for j in gone), gone
END
grep -q 'worker . ended by signal 6; its states go to another worker' KILL.txt
grep -q 'worker . was killed; its states go to another worker' KILL.txt

"$tamar" run -q slow --sym-stdin 9 --emit all --jobs 2 --out again >/dev/null 2>again.txt &
run=$!
while kill -0 $run 2>/dev/null; do
    for pid in $(workers $run); do kill -KILL "$pid" 2>/dev/null || true; done
done
status=0
wait $run || status=$?
test $status = 3
grep -q 'workers have ended unexpectedly: the run ends' again.txt
grep -q '"end": "workers that were killed"' again/summary.json
"$tamar" run -q --resume again --jobs 3 >/dev/null || true # nothing is lost
python3 "$folder/compare.py" alone again
