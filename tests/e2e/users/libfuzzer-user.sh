# A user whose libFuzzer harness got stuck: the same file, the same corpus, and tests returned to the corpus.
# RUN: bash %s %t
# REQUIRES: run, replay, export
set -eu
work=$1
rm -rf "$work" && mkdir "$work" && cd "$work"
PATH=$(dirname "$TAMAR_BINARY"):$PATH
cat >harness.c <<'END'
#include <stddef.h>
#include <stdint.h>
#include <string.h>
static uint32_t sum(const uint8_t *data, size_t size) {
    uint32_t result = 17;
    for (size_t i = 0; i < size; i++) result = result * 31 + data[i];
    return result;
}
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    uint32_t wanted;
    if (size < 8) return 0;
    memcpy(&wanted, data, 4);
    if (wanted != sum(data + 4, 4)) return 0; // the checksum that fuzzers do not guess
    char kind[2] = {0};
    if (data[4] == 'L') kind[data[5] & 3] = 1;
    return kind[0];
}
END
# The fuzzer alone, with a fixed seed and few runs, does not get past it.
clang-19 -g -O0 -fsanitize=fuzzer,address harness.c -o harness.fuzz
mkdir corpus && printf 'abcdefgh' >corpus/one
./harness.fuzz -runs=2000 -seed=7 -use_value_profile=0 -use_cmp=0 -max_len=8 corpus >fuzz.log 2>&1
status 1 tamar run harness.c --sym-input 8 --seeds corpus --max-time 60 --out out >text
grep -q 'out-of-bounds: harness.c:15' text
tamar replay out >replay.text || { cat replay.text; exit 1; }
grep -q 'of 1 that show a bug confirmed\|1 of 1' replay.text
# The found input crashes the fuzzer's own binary, and the others extend its corpus.
tamar show out/bugs/out-of-bounds*.txt --as raw >crash
status=0
./harness.fuzz crash >crash.log 2>&1 || status=$?
test $status != 0 && grep -q 'stack-buffer-overflow' crash.log
tamar export out --to found
test "$(ls found | wc -l)" -ge 3
before=$(./harness.fuzz -runs=0 corpus 2>&1 | sed -n 's/.*INITED cov: \([0-9]*\).*/\1/p')
mkdir passing # those that do not crash
for test in out/tests/*.json; do
    if grep -q '"outcome": "exit"' "$test"; then tamar show "$test" --as raw >"passing/$(basename "$test")"; fi
done
after=$(./harness.fuzz -runs=0 corpus passing 2>&1 | sed -n 's/.*INITED cov: \([0-9]*\).*/\1/p')
test "$after" -gt "$before"
