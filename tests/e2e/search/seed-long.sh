# The number of states that wait along a seed's long path is bounded; dropped ones make the run incomplete.
# RUN: bash %s %t %tamar
# REQUIRES: run
set -eu
work=$1
rm -rf "$work" && mkdir "$work" && cd "$work"
cat >hash.c <<'END'
#include <unistd.h>
static unsigned char in[8];
int main(int argc, char **argv) {
    if (read(0, in, 8) != 8) return 1;
    unsigned hash = 5381, odd = 0;
    for (int i = 0; i < N; i++) {
        hash = hash * 33 + in[i & 7];
        if (hash >> 16 & 1) odd++;
    }
    return odd & 127;
}
END
mkdir seeds && printf 'abcdefgh' >seeds/one
for n in 2000 50000; do
    "$TAMAR_BINARY" run -q -DN=$n hash.c --seeds seeds --sym-stdin 8 --max-paths 1 --emit all --out "$n" || test $? = 3
    python3 - "$n" <<'END'
import json, sys
n = int(sys.argv[1])
s = json.load(open(sys.argv[1] + "/summary.json"))
symbolic = s["symbolic"]
assert s["queries"]["total"] == 0, s["queries"]
assert n - 2 <= symbolic["branches"] <= n, symbolic # the first values of the hash have not as many bits
assert s["paths"]["pending"] + symbolic["left_out"] == symbolic["branches"], s["paths"]
assert not s["complete"]
left_out = [one for one in s["gave_up"] if one["lost"] and "alternatives on the path of a seed" in one["what"]]
if n == 2000:
    assert symbolic["left_out"] == 0 and not left_out, s["gave_up"]
else:
    assert s["paths"]["pending"] < 9000, s["paths"]
    assert left_out and left_out[0]["line"] == 8, s["gave_up"]
END
done
