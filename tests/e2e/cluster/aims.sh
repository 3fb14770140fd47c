# Workers on other hosts, which have no file of the program, get all settings of the run: lines to reach (`tamar reach`,
# --target), known reports (--ignore, without its expired entries), and changed lines (`tamar regress`). The starter
# explores nothing itself, and the result is that of a run in one process. Options that work on one machine only are
# rejected.
# RUN: bash %s %t
# REQUIRES: run
set -eu
work=$1 tamar=$TAMAR_BINARY folder=$(builtin cd "$(dirname "$0")" && pwd)
rm -rf "$work" && mkdir "$work" && cd "$work"
source "$folder/hosts.bash"
cat >aims.c <<'EOF'
#include <unistd.h>
int main(void) {
    unsigned char b[6];
    volatile int n = 0;
    if (read(0, b, sizeof b) != sizeof b) return 1;
    for (int i = 0; i < 6; i++) {
        if (b[i] > 100) n += i;
        for (volatile int k = 0; k < 2000; k++) {}
    }
    if (n == 9)
        n = 2; // reached
    if (n > 15)
        n = 3; // not reachable
    if (n == 12) n = 1 / (b[5] / 255);
    return 1 / (n - 11 + b[0] / 256);
}
EOF
"$tamar" cc -g aims.c -o aims
server
shared() { # NAME STATUS COMMAND...: with a worker on another host
    name=$1 expected=$2
    shift 2
    begin head "$name.txt" "$tamar" "$@" --workers "redis://:secret@$address:$port/$name" --worker-timeout 5 --jobs 0 --out "$name"
    collector=$begun
    mkdir "$work/$name-host" && cd "$work/$name-host"
    begin one "$work/$name-worker.txt" env REDISCLI_AUTH=secret "$tamar" worker "redis://$address:$port/$name" --jobs 2
    cd "$work"
    status=0
    wait "$collector" || status=$?
    test $status = "$expected" || { cat "$name.txt" "$name-worker.txt"; exit 1; }
    wait "$begun" || { cat "$name-worker.txt"; exit 1; }
}

# lines to reach
status=0
"$tamar" reach -q aims.c:11 aims --target aims.c:13 --sym-stdin 6 --out reach-alone >/dev/null || status=$?
shared reach $status reach -q aims.c:11 aims --target aims.c:13 --sym-stdin 6
grep -q '^reached .*aims.c:11' reach.txt
grep -q '^unreachable .*aims.c:13' reach.txt
shared first 0 reach -q aims.c:11 aims --sym-stdin 6
grep -q '^reached .*aims.c:11' first.txt
"$tamar" run -q aims --target aims.c:11 --sym-stdin 6 --emit all --out target-alone >/dev/null || test $? = 1
shared target 1 run -q aims --target aims.c:11 --sym-stdin 6 --emit all
python3 "$folder/../jobs/compare.py" target-alone target

# known reports: one bug is known, the entry of the other has expired
cat >list <<'EOF'
div-by-zero aims.c:15 until=2001-01-01
div-by-zero aims.c:14
EOF
"$tamar" run -q aims --ignore list --sym-stdin 6 --emit all --out known-alone >/dev/null 2>&1 || test $? = 1
shared known 1 run -q aims --ignore list --sym-stdin 6 --emit all
grep -q 'the entry has expired' known.txt
python3 "$folder/../jobs/compare.py" known-alone known
python3 - <<'EOF'
import json
alone, shared = (json.load(open(f"{name}/summary.json")) for name in ("known-alone", "known"))
for one in (alone, shared):
    assert [b["line"] for b in one["bugs"]] == [15] and [b["line"] for b in one["ignored"]] == [14], one
    assert "list:2: div-by-zero aims.c:14" in json.dumps(one["ignored"]), one["ignored"]
reached, nearest = (json.load(open(f"{name}/summary.json")) for name in ("reach-alone", "reach"))
outcomes = [[(t["file"], t["line"], t["outcome"]) for t in one["targets"]] for one in (reached, nearest)]
assert outcomes[0] == outcomes[1], outcomes
EOF

# lines that have changed: the old version is a folder, the seed a recorded run
mkdir old && cp aims.c old
"$tamar" record -q aims.c -- <<<abcdef >/dev/null 2>&1
status=0
sed -i 's/n == 9)/n == 10)/' aims.c
"$tamar" regress -q aims.c --old old --no-compare --emit all --out regress-alone >/dev/null || status=$?
shared regress $status regress -q aims.c --old old --no-compare --emit all
python3 "$folder/../jobs/compare.py" regress-alone regress
python3 - <<'EOF'
import json
alone, shared = (json.load(open(f"{name}/regress.json")) for name in ("regress-alone", "regress"))
assert alone["lines"] == shared["lines"] and len(alone["lines"]), (alone, shared)
EOF

# options that are refused, with the reason
echo '#0  0x0 in main () at aims.c:11' >trace
for wrong in '--trace trace' '--slice 1' '--solver-cache cache' '--log-queries queries' '--afl-sync .' '--search ccbse(rp) --target aims.c:11'; do
    status=0
    "$tamar" run aims --sym-stdin 6 $wrong --workers "redis://$address:$port/wrong" --out wrong >text 2>&1 || status=$?
    test $status = 2
    grep -q -e '--workers: .* works on one machine only' text || { cat text; exit 1; }
    test ! -e wrong
done
