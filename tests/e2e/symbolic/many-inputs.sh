# Many inputs of one name on one path: the engine's own instructions (callgrind counts them) grow linearly with their
# number, not quadratically; all inputs reach the test and the native program.
# RUN: bash %s %t
# REQUIRES: run, replay
# UNSUPPORTED: sanitized, hostile
set -eu
tamar=$TAMAR_BINARY work=$1
rm -rf "$work" && mkdir -p "$work" && cd "$work"

cat >many.c <<'END'
#include <stdlib.h>
#include <tamar.h>
int main(void) {
    int sum = 0, *all = malloc(N * sizeof *all);
    for (int i = 0; i < N; i++) sum += tamar_int("n");
    for (int i = 0; i < N; i++) tamar_symbolic(&all[i], sizeof all[i], "all");
    if (all[N - 1] == 3) return 1;
    return sum == 3;
}
END
objcopy --strip-debug "$tamar" counted # valgrind does not know this version of debug information
share=$(dirname "$tamar")/../../share/tamar
count() { # N
    clang-19 -O0 -DN="$1" -I"$share/include" -emit-llvm -c many.c -o many.bc
    rm -rf out
    TAMAR_RUNTIME=$share valgrind --tool=callgrind --callgrind-out-file=calls --toggle-collect=explore_run \
        ./counted run -q --out out many.bc >log.text 2>&1 || { cat log.text; exit 1; }
    # few objects are files, many are one list: 20 bytes each
    files=$(find out/tests/000001/objects -type f 2>/dev/null | wc -l)
    listed=$(cat out/tests/000001/objects.list 2>/dev/null | wc -c)
    [ $((files + listed / 20)) = $((2 * $1)) ] || { echo "not all inputs are in the test"; exit 1; }
    [ "$files" -le 1000 ] || { echo "too many files"; exit 1; }
    awk '$1 == "summary:" { print $2 }' calls
}
few=$(count 250) many=$(count 2000)
python3 -c "
import math
exponent = math.log($many / $few) / math.log(8)
print($few, $many, exponent)
assert exponent < 1.15, exponent"

"$tamar" run -q -DN=3000 many.c --emit all --out replayed >/dev/null
"$tamar" replay --exact replayed >log.text || { cat log.text; exit 1; }
grep -q "2 as predicted" log.text || { cat log.text; exit 1; }
