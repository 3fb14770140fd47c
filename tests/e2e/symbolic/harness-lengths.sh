# The input of a harness may have any length; raw seeds become the input of the function where the run begins.
# RUN: bash %s %t
# REQUIRES: run
set -eu
work=$1 tamar=$TAMAR_BINARY
rm -rf "$work" && mkdir "$work" && cd "$work"
cat >harness.c <<'END'
#include <stddef.h>
#include <stdint.h>
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size == 5 && data[4] == 'x') return data[size];
    return 0;
}
END
status 1 "$tamar" run harness.c --sym-input 0..8 --out out -q >/dev/null
grep -q '"size": 5' out/tests/*.json
python3 - <<'END'
import json
s = json.load(open("out/summary.json"))
assert s["complete"] and [(b["kind"], b["line"]) for b in s["bugs"]] == [("out-of-bounds", 4)], s["bugs"]
END
status 0 "$tamar" run harness.c --sym-input 6..8 --out longer -q >/dev/null
status 2 "$tamar" run harness.c --sym-input 8..6 --out wrong >log.txt 2>&1
grep -q -- '--sym-input' log.txt
# A seed has its own length.
mkdir seeds && printf 'abcdx' >seeds/one
status 1 "$tamar" run harness.c --sym-input 0..200 --seeds seeds --max-paths 1 --out seeded -q >/dev/null
grep -q '"6162636478"' seeded/tests/*.json

# If there is also a main, the run begins there, and main reads the seeds.
cat >both.c <<'END'
#include <stdint.h>
#include <stdio.h>
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) { return size == 4 && data[0] == 'a'; }
int main(void) {
    uint8_t bytes[4];
    size_t size = fread(bytes, 1, sizeof bytes, stdin);
    return LLVMFuzzerTestOneInput(bytes, size);
}
END
mkdir words && printf 'abcd' >words/one
"$tamar" run both.c --sym-stdin 4 --seeds words --max-paths 1 --out both -q >/dev/null 2>&1 || true
grep -q '"61626364"' both/tests/000001.json
