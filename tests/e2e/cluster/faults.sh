# A run that three hosts share through Redis gives exactly the result of one process, whatever fails meanwhile: a worker
# is killed, a host is cut off and comes back, Redis is restarted with its append-only file, the starter is killed and
# started again, a worker joins late.
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
        for (volatile int k = 0; k < 30000 * WORK; k++) {}
    }
    if (n == 30) n = 1 / (b[8] / 255);
    return 1 / (n - 36 + b[0] / 256 + (n == 36)) + n;
}
EOF
options="--sym-stdin 9 --emit all"
"$tamar" run -q slow.c -DWORK=1 $options --out alone >/dev/null || test $? = 1
server
empty() { rm -rf "$work/$1" && mkdir "$work/$1" && cd "$work/$1"; } # a host has nothing of the program
starter() { # NAME: with no workers of its own
    cd "$work"
    begin head "$1.txt" "$tamar" run -q "slow$WORK" $options --out "$1" --workers "redis://:secret@$address:$port/$1" --worker-timeout 2 --jobs 0
    collector=$begun
}
worker() { # NAME HOST JOBS
    empty "$2"
    begin "$2" "$work/$1-$2.txt" env REDISCLI_AUTH=secret "$tamar" worker "redis://$address:$port/$1" --jobs "$3"
    cd "$work"
}
finish() { # NAME: all end by themselves, and the result is that of one process
    status=0
    wait "$collector" || status=$?
    test $status = 1 || { cat "$1.txt"; exit 1; } # there is a bug
    for pid in $helpers; do wait "$pid" || { cat "$1"-*.txt; exit 1; }; done
    python3 "$folder/../jobs/compare.py" alone "$1"
    ! ask keys '*' | grep "{$1}" | grep -v meta # nothing but what says that the run is over
}
kill_9() { kill -9 "$1" 2>/dev/null || exit 9; } # or it was over
everything_of() { echo "$1"; ps -o pid= --ppid "$1"; }

# Each function gets the name of its run.
late() { # a host stops for longer than --worker-timeout, another joins late and takes over; the first's delivery is then rejected
    starter $1
    worker $1 one 1
    helpers=$begun
    until_tests $1 20
    stopped=$(everything_of "$begun")
    kill -STOP $stopped 2>/dev/null || exit 9
    worker $1 two 1
    helpers="$helpers $begun"
    until_tests $1 300
    kill -CONT $stopped
    finish $1
}
killed() { # a worker process is killed, and later a whole host's
    starter $1
    worker $1 one 2
    first=$begun
    until_tests $1 20
    kill_9 "$(ps -o pid= --ppid "$first" | head -1)"
    worker $1 two 1
    helpers=$begun
    until_tests $1 60
    kill_9 "$first"
    finish $1
    python3 - $1 <<'EOF' || exit 9
import json, sys
sys.exit(len(json.load(open(f"{sys.argv[1]}/summary.json"))["jobs"]) < 2)
EOF
}
away() { # a host is cut off, others take over its states, and it comes back
    starter $1
    worker $1 one 1
    helpers=$begun
    worker $1 two 1
    helpers="$helpers $begun"
    until_tests $1 30
    cut two
    until_tests $1 150
    join two
    finish $1
}
again() { # Redis stops and starts; the starter is killed, and started again while workers continue
    starter $1
    worker $1 one 1
    helpers=$begun
    until_tests $1 20
    server_stop
    sleep 1
    server
    until_tests $1 60
    kill_9 "$collector"
    worker $1 two 1
    helpers="$helpers $begun"
    starter $1
    finish $1
}
fault() { # FUNCTION
    end_with_me
    join two
    cd "$work"
    test -e "slow$WORK" || "$tamar" cc -g slow.c -DWORK="$WORK" -o "slow$WORK"
    "$1" "$1$WORK"
}
for one in late killed away again; do more_work fault $one; done
