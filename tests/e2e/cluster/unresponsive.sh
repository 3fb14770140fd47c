# A worker that does not end in time when the run ends is ended, within a second of the interrupt, and the summary does
# not call it killed: with --jobs and with --workers. A resumed run loses nothing.
# RUN: bash %s %t
# REQUIRES: run
set -eu
work=$1 tamar=$TAMAR_BINARY folder=$(builtin cd "$(dirname "$0")" && pwd)
rm -rf "$work" && mkdir "$work" && cd "$work"
source "$folder/hosts.bash"
cat >slow.c <<'EOF'
#include <unistd.h>
int main(void) {
    unsigned char b[9];
    volatile int n = 0;
    if (read(0, b, sizeof b) != sizeof b) return 1;
    for (int i = 0; i < 9; i++) {
        if (b[i] > 100) n += i;
        for (volatile int k = 0; k < 100000 * WORK; k++) {}
    }
    return n;
}
EOF
words="--sym-stdin 9 --emit all"
"$tamar" run -q slow.c -DWORK=1 $words --out alone >/dev/null
server
check() { # NAME OPTIONS...
    name=$1
    shift
    end_with_me
    rm -rf "$name"
    test -e "slow$WORK" || "$tamar" cc -g slow.c -DWORK="$WORK" -o "slow$WORK"
    begin head "$name.txt" "$tamar" run "slow$WORK" $words --out "$name" "$@"
    run=$begun
    until_tests "$name" 1
    stopped=$(ps -o pid= --ppid "$run")
    kill -STOP $stopped 2>/dev/null || exit 9 # they cannot report any more
    kill -INT "$run" 2>/dev/null || exit 9
    status=0
    wait "$run" || status=$?
    if test $status = 0; then exit 9; fi # it had ended
    test $status = 3
    ! grep 'killed' "$name.txt"
    python3 - "$name" <<'EOF'
import json, sys
summary = json.load(open(f"{sys.argv[1]}/summary.json"))
assert summary["end"] == "interrupted" and summary["jobs"], summary["end"]
assert not any(j["killed"] for j in summary["jobs"]), summary["jobs"]
EOF
    "$tamar" run -q --resume "$name" >/dev/null
    python3 "$folder/../jobs/compare.py" alone "$name"
}
more_work check processes --jobs 2
shared() { check redis --jobs 2 --workers "redis://:secret@$address:$port/run$WORK"; }
more_work shared
