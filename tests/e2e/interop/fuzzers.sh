# Tests as a corpus: AFL++ runs each and continues from them, libFuzzer merges them, both see the covered code.
# RUN: bash %s %t
# REQUIRES: run, export
set -eu
work=$1 tamar=$TAMAR_BINARY
rm -rf "$work" && mkdir "$work" && cd "$work"
cat >parse.c <<'END'
#include <stdio.h>
#include <stdlib.h>
int main(void) {
    char text[9] = {0};
    fread(text, 1, 8, stdin);
    if (text[0] == '{' && text[1] == '"') {
        if (text[2] == 'k' && text[3] == ':') puts("key");
        if (*(int *)(text + 4) == 0x21646e65) abort(); // "end!"
    }
    return 0;
}
END
status 1 "$tamar" run parse.c --sym-stdin 8 --out out -q >/dev/null
"$tamar" export out --to corpus
count=$(ls corpus | wc -l)
test "$count" -ge 4
clean="env -u ASAN_OPTIONS -u LSAN_OPTIONS -u UBSAN_OPTIONS" # AFL++ wants its own
export AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES=1 AFL_SKIP_CPUFREQ=1 AFL_NO_AFFINITY=1 AFL_NO_UI=1 AFL_QUIET=1 AFL_DONT_OPTIMIZE=1
afl-clang-fast -w parse.c -o parse.afl >afl-cc.log 2>&1
# Each test takes another path: afl-showmap sees different edges, and the bug crashes.
crashes=0
for file in corpus/*; do
    result=0
    $clean afl-showmap -q -o "map-$(basename "$file")" -- ./parse.afl <"$file" >/dev/null 2>&1 || result=$?
    if [ $result -eq 2 ]; then crashes=$((crashes + 1)); fi
done
test $crashes -ge 1
test "$(sort -u map-* | wc -l)" -gt "$(sort -u "$(ls map-* | head -1)" | wc -l)"
# A fuzzer that starts with the whole corpus accepts all of it.
AFL_BENCH_JUST_ONE=0 timeout 60 $clean afl-fuzz -i corpus -o fuzzed -V 3 -- ./parse.afl >fuzz.log 2>&1 || { tail -20 fuzz.log; exit 1; }
grep -q 'execs_done' fuzzed/default/fuzzer_stats
test "$(ls fuzzed/default/queue | grep -c orig)" -ge 3

cat >harness.c <<'END'
#include <stddef.h>
#include <stdint.h>
#include <string.h>
int found;
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    uint8_t text[4] = {0};
    memcpy(text, data, size & 4); // all four, or none
    if (text[0] == 'F') found = 1;
    if (text[0] == 'F' && text[1] == 'U') found = 2;
    if (text[1] == 'x' && text[3] == '!') found = 3;
    return 0;
}
END
"$tamar" run harness.c --sym-input 4 --out harness -q
"$tamar" export harness
count=$(ls harness/corpus | wc -l)
clang-19 -w -g -fsanitize=fuzzer harness.c -o harness.fuzz
mkdir merged
./harness.fuzz -merge=1 merged harness/corpus >merge.log 2>&1 || { tail merge.log; exit 1; }
grep -q "MERGE-OUTER: $count files" merge.log
test "$(ls merged | wc -l)" -ge 3
# Further fuzzing finds nothing that the corpus does not cover.
full=$(./harness.fuzz -runs=0 harness/corpus 2>&1 | sed -n 's/.*INITED cov: \([0-9]*\).*/\1/p')
more=$(./harness.fuzz -runs=200000 -seed=1 -max_len=4 harness/corpus 2>&1 | sed -n 's/.*DONE *cov: \([0-9]*\).*/\1/p')
test -n "$full" && test "$full" = "$more"
# Wrong usage.
status 2 "$tamar" export out --input nothing --to none 2>error && grep -q 'no test has an input' error
status 2 "$tamar" export nowhere 2>error && grep -q nowhere error
