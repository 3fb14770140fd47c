# Machines share answers of the solver: a first worker solves the difficult queries and leaves, and a second one explores
# the rest with the first one's answers. (Cheap layers of the solver are off: they would answer the queries of a small
# program.) The program has several modules.
# RUN: bash %s %t
# REQUIRES: run
set -eu
work=$1 tamar=$TAMAR_BINARY folder=$(builtin cd "$(dirname "$0")" && pwd)
rm -rf "$work" && mkdir "$work" && cd "$work"
source "$folder/hosts.bash"
cat >kind.c <<'EOF'
static volatile int low;
int kind(unsigned x) { // the same queries for each field; no square is 3 modulo 8
    for (volatile int k = 0; k < 200000 * WORK; k++) {}
    if (((x * x) & 0xffff) == 0x8003) return 2;
    if (x > 1000) low++; // a branch
    return low;
}
EOF
cat >main.c <<'EOF'
#include <unistd.h>
int kind(unsigned x);
static int first[4];
int main(void) {
    unsigned field[7];
    if (read(0, field, sizeof field) != sizeof field) return 1;
    int n = 0;
    for (int i = 0; i < 7; i++) n = n * 3 + kind(field[i]) + first[i & 3];
    return n & 63;
}
EOF
words="--sym-stdin 28 --emit all --layers model,cache,disk,sat"
"$tamar" run -q main.c kind.c -DWORK=1 $words --out alone >/dev/null
server
worker() {
    begin "$1" "$1.txt" env REDISCLI_AUTH=secret "$tamar" worker "redis://$address:$port/answers$WORK" --jobs 1
    helper=$begun
}
second_profits() { # the run must not be over before the second worker comes
    end_with_me
    rm -rf shared
    "$tamar" cc -g main.c kind.c -DWORK="$WORK" -o fields
    begin head run.txt "$tamar" run -q fields $words --out shared --workers "redis://:secret@$address:$port/answers$WORK" --jobs 0
    collector=$begun
    worker one
    until_tests shared 3
    for i in $(seq 600); do
        kill -0 "$helper" 2>/dev/null || exit 9
        if test "$(ask xlen "tamar:{answers$WORK}:answers")" != 0; then break; fi
        sleep 0.05
    done
    kill -TERM "$helper" 2>/dev/null || exit 9
    wait "$helper" || test $? = 3 || { cat one.txt; exit 1; }
    if ! kill -0 "$collector" 2>/dev/null; then exit 9; fi
    worker two
    wait "$collector" || { cat run.txt; exit 1; }
    wait "$helper" || { cat two.txt; exit 1; }
    python3 "$folder/../jobs/compare.py" alone shared
    python3 - <<'EOF' || exit 9
import json, sys
jobs = json.load(open("shared/summary.json"))["jobs"]
sys.exit(not (len(jobs) == 2 and all(job["paths"] for job in jobs)))
EOF
    python3 - <<'EOF'
import json
layers = json.load(open("shared/summary.json"))["layers"]
assert layers["disk"]["answered"] > 0, layers # only the second worker can have asked for what is there
EOF
}
more_work second_profits
