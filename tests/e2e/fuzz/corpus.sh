# A minimised corpus covers the same code as the whole corpus, also by gcov's count; the dictionary in AFL++'s form.
# RUN: bash %s %t
# REQUIRES: run, export
set -eu
work=$1 tamar=$TAMAR_BINARY
rm -rf "$work" && mkdir "$work" && cd "$work"
cat >parse.c <<'END'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
    char text[64] = {0};
    size_t size = fread(text, 1, sizeof text - 1, stdin);
    if (!strncmp(text, "begin", 5)) {
        int digits = 0, others = 0;
        for (size_t i = 5; i < size; i++) text[i] >= '0' && text[i] <= '9' ? digits++ : others++;
        if (digits > others) puts("number");
    } else if (size >= 4 && *(unsigned *)text == 0xcafe1234u) {
        puts("magic");
    } else if (size > 20) {
        puts("long");
    } else if (size > 8 && !memcmp(text, "\x89PNG\r\n", 6)) {
        puts("image\n");
    }
    return 0;
}
END
status 3 "$tamar" run parse.c --sym-stdin 0..40 --max-paths 30 --out out -q >/dev/null
mkdir big
for i in 1 2 3 4 5 6 7 8; do
    printf 'begin%d' "$i" >big/number$i
    printf 'begin%d and some more' "$i" >big/words$i
    printf '\x34\x12\xfe\xca%s' "$i$i" >big/magic$i
    printf 'a text that is long enough to count %d' "$i" >big/long$i
done
"$tamar" export out --minimise --corpus big --to small >log.txt 2>&1 || { cat log.txt; exit 1; }
sed -n 's/.* cover \([0-9]*\) of \([0-9]*\) edges.*/\1 \2/p' log.txt | awk '{ exit !($1 && $1 == $2) }' || { cat log.txt; exit 1; }
test "$(ls small | wc -l)" -lt 8
lines() { # by gcov
    rm -f parse.gc* gcov.*
    clang-19 -w --coverage parse.c -o counted
    for file in "$1"/*; do ./counted <"$file" >/dev/null; done
    llvm-cov-19 gcov -b counted-parse.gcda parse.c 2>/dev/null | grep -m2 -E 'Lines executed|Branches'
}
lines big >by-big.txt
lines small >by-small.txt
test -s by-big.txt
cmp by-big.txt by-small.txt
# No further input can be left out.
"$tamar" export out --minimise --corpus small --to again 2>/dev/null >/dev/null
test "$(ls again | wc -l)" -eq "$(ls small | wc -l)"
# The run's own tests, without --corpus.
"$tamar" export out --minimise --to own >/dev/null 2>&1
test "$(ls own | wc -l)" -ge 1

"$tamar" export out --as dictionary --to words >/dev/null 2>&1
grep -qxF '"begin"' words
grep -qxF '"\x89PNG\x0d\x0a"' words
if grep -q image words; then exit 1; fi # a message
grep -qxF '"4\x12\xfe\xca"' words
grep -qxF '"\xca\xfe\x124"' words
! grep -v '^"[^"]*"$' words || exit 1

# An input that takes more memory than a concrete run may is cut off.
cat >greedy.c <<'END'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
    int c = getchar();
    if (c == 'm') {
        char *all = malloc((size_t)3 << 30);
        for (size_t i = 0; i < (size_t)3 << 30; i += 1000) all[i] = (char)i;
        puts("much");
    }
    return c == 'x';
}
END
mkdir few && printf m >few/much && printf x >few/x && printf y >few/y
status 3 "$tamar" run greedy.c --sym-stdin 1 --max-paths 1 --out greedy -q >/dev/null
python3 - "$tamar" <<'END'
import resource, subprocess, sys
subprocess.run([sys.argv[1], "export", "greedy", "--minimise", "--corpus", "few", "--to", "kept"], check=True, capture_output=True)
taken = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss >> 10
sys.exit(f"{taken} MB" if taken > 1800 else None)
END
test "$(ls kept | wc -l)" -ge 1
