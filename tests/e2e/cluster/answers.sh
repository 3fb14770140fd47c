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
    for (volatile int k = 0; k < 400000; k++) {} // so that the run is not over before the second worker comes
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
"$tamar" cc -g main.c kind.c -o fields
"$tamar" run -q fields --sym-stdin 28 --emit all --layers model,cache,disk,sat --out alone >/dev/null
server
begin head run.txt "$tamar" run -q fields --sym-stdin 28 --emit all --layers model,cache,disk,sat --out shared --workers "redis://:secret@$address:$port/answers" --jobs 0
collector=$begun
worker() {
    begin "$1" "$1.txt" env REDISCLI_AUTH=secret "$tamar" worker "redis://$address:$port/answers" --jobs 1
    helper=$begun
}
worker one
until_tests shared 3
for i in $(seq 600); do
    kill -0 "$helper" # the run is not over
    if test "$(ask xlen 'tamar:{answers}:answers')" != 0; then break; fi
    sleep 0.05
done
kill -TERM "$helper"
wait "$helper" || test $? = 3 || { cat one.txt; exit 1; }
worker two
wait "$collector" || { cat run.txt; exit 1; }
wait "$helper" || { cat two.txt; exit 1; }
python3 "$folder/../jobs/compare.py" alone shared
python3 - <<'EOF'
import json
shared = json.load(open("shared/summary.json"))
assert len(shared["jobs"]) == 2 and all(job["paths"] for job in shared["jobs"]), shared["jobs"]
assert shared["layers"]["disk"]["answered"] > 0, shared["layers"] # only the second worker can have asked for what is there
EOF
