# The summary lists each reason for giving up once, with its lines, and names functions that nothing refers to as not
# counted. A replay that is interrupted leaves nothing behind.
# RUN: bash %s %t
# REQUIRES: run, replay
set -eu
work=$1
rm -rf "$work" && mkdir -p "$work/tmp" && cd "$work"
tamar=$TAMAR_BINARY
cat >parts.c <<'E'
#include <stdio.h>
int never(int x) { return x * 3; }
int also(int x) {
    return never(x);
}
static void text(void) { __asm__ volatile("vzeroupper"); }
int main(void) {
    int c = getchar();
    if (c == 'a') text();
    if (c == 'b') text();
    if (c == 'c') __asm__ volatile("vzeroupper");
    return 0;
}
E
status=0
$tamar run parts.c --sym-stdin 1 --out out >log || status=$?
test $status = 3 || { cat log; exit 1; }
grep -q '^not counted: 2 functions that nothing refers to' log || { cat log; exit 1; }
test "$(grep -c '^given up: ' log)" = 1 || { cat log; exit 1; }
grep -q '^given up: .*parts.c:6, parts.c:11 (3 times)' log || { cat log; exit 1; }
python3 - <<'E'
import json
s = json.load(open("out/summary.json"))
assert sorted((one["line"], one["count"]) for one in s["gave_up"]) == [(6, 2), (11, 1)], s["gave_up"]
assert s["not_linked"] == 2 and s["coverage"]["line"]["total"] == 6, s["coverage"]
E
# A replay that is interrupted while a test runs.
cat >slow.c <<'E'
#include <stdio.h>
int main(void) {
    volatile int go = 0;
    if (getchar() != 'x') go = 1;
    while (go) continue;
    return 0;
}
E
$tamar run slow.c --sym-stdin 1 --check hang --out slow >log || true
TMPDIR=$work/tmp $tamar replay slow --max-time 100 >log 2>&1 &
replay=$!
for i in $(seq 100); do [ -z "$(ls tmp)" ] || break; sleep 0.1; done
[ -n "$(ls tmp)" ] || { cat log; echo "the replay made no folder"; exit 1; }
kill -TERM $replay
wait $replay && exit 1
[ -z "$(ls tmp)" ] || { ls tmp; echo "the replay left its folder"; exit 1; }
