# --max-bugs ends a run at its Nth different bug, over all processes; known reports do not count; a resume continues.
# RUN: bash %s %t
# REQUIRES: run
set -eu
work=$1 tamar=$TAMAR_BINARY
rm -rf "$work" && mkdir "$work" && cd "$work"
cat >many.c <<'END'
#include <tamar.h>
int main(void) {
    unsigned char a = (unsigned char)tamar_int("a"), b = (unsigned char)tamar_int("b");
    int d[4] = {0};
    if (a == 1) d[3] = 7 / (b - 3); // division by zero
    if (a == 2) d[b] = 1;           // out of bounds
    if (a == 3) tamar_assert(b != 9);
    return d[3];
}
END
bugs() { python3 -c 'import json, sys; s = json.load(open(sys.argv[1] + "/summary.json")); print(len(s["bugs"]), s["end"], s["complete"])' "$1"; }
status 1 "$tamar" run many.c --out all -q >/dev/null
test "$(bugs all)" = '3 every path was explored True'
for search in dfs bfs rp; do
    status 1 "$tamar" run many.c --max-bugs 1 --search $search --out one-$search >text
    grep -q 'ended by --max-bugs' text
    test "$(bugs one-$search)" = '1 --max-bugs False'
done
status 1 "$tamar" run many.c --max-bugs 2 --out two -q >/dev/null
test "$(bugs two)" = '2 --max-bugs False'
status 1 "$tamar" run --resume two --max-bugs 0 -q >/dev/null
test "$(bugs two)" = '3 every path was explored True'
status 1 "$tamar" run many.c --max-bugs 4 --out four -q >/dev/null
test "$(bugs four)" = '3 every path was explored True'
# Workers stop when the bugs of all workers suffice: there may be more than N.
status 1 "$tamar" run many.c --max-bugs 1 --jobs 2 --out jobs -q >/dev/null
test "$(bugs jobs | cut -d' ' -f1)" -ge 1
printf 'div-by-zero many.c\n' >known
status 1 "$tamar" run many.c --max-bugs 2 --ignore known --out known-out -q >/dev/null
python3 - <<'END'
import json
kinds = {bug["kind"] for bug in json.load(open("known-out/summary.json"))["bugs"]}
assert len(kinds) == 2 and "div-by-zero" not in kinds, kinds
END
