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
        for (volatile int k = 0; k < 30000; k++) {}
    }
    if (n == 30) n = 1 / (b[8] / 255);
    return 1 / (n - 36 + b[0] / 256 + (n == 36)) + n;
}
EOF
"$tamar" cc -g slow.c -o slow
words="slow --sym-stdin 9 --emit all"
"$tamar" run -q $words --out alone >/dev/null || test $? = 1
server
empty() { rm -rf "$work/$1" && mkdir "$work/$1" && cd "$work/$1"; } # a host has nothing of the program
starter() { # NAME: with no workers of its own
    cd "$work"
    begin head "$1.txt" "$tamar" run -q $words --out "$1" --workers "redis://:secret@$address:$port/$1" --worker-timeout 2 --jobs 0
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

# a host stops for longer than --worker-timeout, another joins late and takes over; the delivery of the first host is
# then rejected
everything_of() { echo "$1"; ps -o pid= --ppid "$1"; }
starter late
worker late one 1
helpers=$begun
until_tests late 20
stopped=$(everything_of "$begun")
kill -STOP $stopped
worker late two 1
helpers="$helpers $begun"
until_tests late 300
kill -CONT $stopped
finish late

# a worker process is killed, and later a whole host's
starter killed
worker killed one 2
first=$begun
until_tests killed 20
for pid in $(ps -o pid= --ppid "$first" | head -1); do kill -9 "$pid" || true; done
worker killed two 1
helpers=$begun
until_tests killed 60
kill -9 "$first" || true # it may have ended: the run is short
finish killed
python3 - <<'EOF'
import json
jobs = json.load(open("killed/summary.json"))["jobs"]
assert len(jobs) >= 2, jobs
EOF

# a host is cut off, others take over its states, and it comes back
starter away
worker away one 1
helpers=$begun
worker away two 1
helpers="$helpers $begun"
until_tests away 30
cut two
until_tests away 150
join two
finish away

# Redis stops and starts; the starter is killed, and started again while workers continue
starter again
worker again one 1
helpers=$begun
until_tests again 20
server_stop
sleep 1
server
until_tests again 60
kill -9 "$collector"
worker again two 1
helpers="$helpers $begun"
starter again
finish again
