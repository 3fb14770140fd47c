# A step that a time limit interrupts loses nothing: the resumed run ends like a run without limits.
# RUN: bash %s %t
# REQUIRES: run
# UNSUPPORTED: sanitized, hostile
set -eu
work=$1 tamar=$TAMAR_BINARY
rm -rf "$work" && mkdir "$work" && cd "$work"
cat >large.c <<'END'
#include <stdlib.h>
#include <tamar.h>
int main(void) {
    int n = tamar_int("n"), k = 0;
    for (int i = 0; i < 3; i++) // decisions before the long instruction
        if (n > i * 10) k++;
    unsigned long size = 3ul << 19;
    unsigned char *p = malloc(size);
    tamar_symbolic(p, size, "p");
    if (p[size - 1] == 3) return 20 + k;
    return k;
}
END
"$tamar" run -q --search dfs --out whole large.c >/dev/null 2>&1
for limit in 1 2 4 8; do # a busy machine may need the first second to load the program
    status=0
    rm -rf cut
    "$tamar" run -q --search dfs --max-time $limit --out cut large.c >/dev/null 2>&1 || status=$?
    [ ! -e cut/summary.json ] || break
done
[ $status = 3 ] || { echo "the machine is too fast for this test"; exit 1; }
for i in 1 2 3 4 5 6 7 8 9; do
    status=0
    "$tamar" run -q --resume cut --max-time $((i * 10)) >/dev/null 2>&1 || status=$?
    [ $status = 0 ] && break
done
python3 - <<'END'
import json
whole, cut = (json.load(open(f"{name}/summary.json")) for name in ("whole", "cut"))
assert whole["complete"] and cut["complete"], (whole["complete"], cut["complete"])
assert whole["paths"]["completed"] == cut["paths"]["completed"] == 8, (whole["paths"], cut["paths"])
END
