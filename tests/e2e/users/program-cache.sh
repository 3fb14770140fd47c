# A program that was loaded before comes from the cache, with the same results. A changed program, other checks, a
# damaged cache or one that others can write to: the program is loaded from its files.
# RUN: rm -rf %t && mkdir -p %t && cd %t && bash %s %tamar
set -e
tamar=$1
export TAMAR_PROGRAM_CACHE=$PWD/deep/cache
cat >prog.c <<'END'
#include <assert.h>
#include <stdio.h>
#include <tamar.h>
static int twice(int x) { return x + x; }
int main(int argc, char **argv) {
    unsigned char x;
    tamar_symbolic(&x, sizeof x, "x");
    puts("hello");
    assert(twice(x) != 86);
    return 0;
}
END
$tamar cc -g prog.c -o prog
kept() { ls "$TAMAR_PROGRAM_CACHE" 2>/dev/null | wc -l; }
run() { # NAME OPTION...: explores; the messages are in NAME.said
    name=$1; shift
    rm -rf "$name"
    status 1 $tamar run -v --random-seed 1 --out "$name" "$@" prog >"$name.said" 2>&1
}
from_cache() { grep -q 'taken from the program cache' "$1.said"; }
not() { if "$@"; then echo "not expected: $*"; exit 1; fi; }

run first; not from_cache first; test "$(kept)" = 1
run second; from_cache second; test "$(kept)" = 1
for part in first second; do
    (cd $part && for file in $(find tests bugs -type f | LC_ALL=C sort); do
        echo "$file $(sed "s/$part/RUN/g" "$file" | sha256sum)"
    done) >$part.sums
done
diff first.sums second.sums
test -s first.sums
# results of a cached load can be replayed and show their source
$tamar replay second >replayed
grep -q 'confirmed' replayed
$tamar show second/bugs/*.txt | grep -q 'twice(x) != 86'

# other checks, or a changed file, are another program
run checked --check overflow; not from_cache checked
sed -i 's/86/88/' prog.c
$tamar cc -g prog.c -o prog
run changed; not from_cache changed; $tamar show changed/bugs/*.txt | grep -q '!= 88'
run again; from_cache again

# damaged, shortened, emptied
damage() { for file in "$TAMAR_PROGRAM_CACHE"/*; do "$@" "$file"; done; }
other_byte() { printf '\177' | dd of="$1" bs=1 seek=5000 conv=notrunc status=none; }
damage other_byte; run damaged; not from_cache damaged
run repaired; from_cache repaired
damage truncate -s -1; run shortened; not from_cache shortened
damage truncate -s 0; run emptied; not from_cache emptied
run filled; from_cache filled

# a folder that another user can write to, one that cannot be created, and no cache at all
chmod g+w "$TAMAR_PROGRAM_CACHE"; run writable; not from_cache writable
chmod g-w "$TAMAR_PROGRAM_CACHE"; run back; from_cache back
TAMAR_PROGRAM_CACHE=/proc/nowhere/cache run nowhere; not from_cache nowhere
TAMAR_PROGRAM_CACHE=none run none; not from_cache none
for name in damaged shortened emptied writable nowhere none; do
    (cd $name && find tests -type f | LC_ALL=C sort | xargs sha256sum) | cut -d' ' -f1 >other.sums
    (cd changed && find tests -type f | LC_ALL=C sort | xargs sha256sum) | cut -d' ' -f1 | diff - other.sums
done
