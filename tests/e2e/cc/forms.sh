# The forms of a compiler's command line: each gives working native code, and bitcode if its output is code.
# RUN: bash %s %tamar %t
set -eu
tamar=$1 work=$2
rm -rf "$work"
mkdir -p "$work/sub dir"
cd "$work"
cc="$tamar cc"
check() { [ "$2" = "$3" ] || { echo "$1: '$2' is not '$3'"; exit 1; }; }
has_bitcode() { readelf -SW "$1" | grep -q '\.tamar\.bitcode' || { echo "no bitcode in $1"; exit 1; }; }
parts() { objcopy -O binary --only-section=.tamar.bitcode --set-section-flags .tamar.bitcode=alloc "$1" section.bin && grep -c -a -o TAMARBC1 section.bin; }

cat >main.c <<'END'
#include <stdio.h>
#include "value.h"
int main(void) { printf("%d\n", value()); return 0; }
END
cat >value.c <<'END'
#include "value.h"
#ifndef VALUE
#define VALUE 7
#endif
int value(void) { return VALUE; }
END
echo 'int value(void);' >value.h

# -c, separate linking, several sources at once, with and without -o
$cc -c main.c
$cc -O2 -c value.c -o "sub dir/value.o"
has_bitcode main.o
has_bitcode "sub dir/value.o"
$cc main.o "sub dir/value.o" -o separate
check separate "$(./separate)" 7
check "parts of separate" "$(parts separate)" 2
$cc -O1 main.c value.c -o together
check together "$(./together)" 7
$cc main.c value.c
check a.out "$(./a.out)" 7
rm main.o
$cc -c main.c value.c
has_bitcode main.o
has_bitcode value.o

# macros, include files, options joined and separate, unknown options
$cc -DVALUE=8 main.c value.c -o defined
check defined "$(./defined)" 8
$cc -D VALUE=9 -I . -isystem . -Wno-such-warning main.c value.c -o separate-words
check separate-words "$(./separate-words)" 9
echo '#define VALUE 10' >prefix.h
$cc -include prefix.h -O3 -g3 -std=gnu11 -pthread -pipe -fno-common main.c value.c -lm -o included
check included "$(./included)" 10

# preprocessing, assembly, dependencies, syntax only
$cc -E main.c | grep -q 'int main(void)'
$cc -E main.c -o main.i
$cc -c main.i -o from-i.o
has_bitcode from-i.o
$cc -S value.c
grep -q 'value:' value.s
$cc -c value.s -o from-s.o
has_bitcode from-s.o # the assembly carries it
$cc main.o from-s.o -o through-assembly
check through-assembly "$(./through-assembly)" 7
$cc -M main.c | grep -q 'main\.o:.*main\.c'
$cc -MM main.c | grep -q 'value\.h'
$cc -MD -MP -c main.c -o with-dependencies.o
grep -q 'with-dependencies\.o:' with-dependencies.d
$cc -MMD -MF deps -MT target -c main.c -o other.o
grep -q '^target:' deps
$cc -MD main.c value.o -o linked-with-dependencies
grep -q '^linked-with-dependencies:' linked-with-dependencies.d
$cc -fsyntax-only main.c

# standard input, languages
check stdin "$(printf '#include <stdio.h>\nint main(void){puts("stdin");}' | $cc -x c - -o from-stdin && ./from-stdin)" stdin
cp value.c value.text
$cc -x c value.text -x none main.o -o languages
check languages "$(./languages)" 7
printf '.globl answer\nanswer: mov $42,%%eax\nret\n' >answer.S
printf 'int answer(void);\nint main(void){return answer();}' >ask.c
$cc ask.c answer.S -o asm-mixed
status=0; ./asm-mixed || status=$?
check asm-mixed $status 42

# response files
printf -- '-DVALUE=11 main.c\n"value.c" -o\n'"'response file'" >words
$cc @words
check response "$('./response file')" 11
printf '@words' >nested
$cc @nested
printf '@endless' >endless
if $cc @endless 2>message; then exit 1; fi
grep -q 'includes itself' message

# archives: only the members that are needed
echo 'int unused(void) { return 1; }' >unused.c
$cc -c unused.c
ar rcs libvalue.a value.o unused.o
ranlib libvalue.a
$cc main.c -L. -lvalue -o archived
check archived "$(./archived)" 7
check "parts of archived" "$(parts archived)" 2
$cc main.o libvalue.a -Wl,--gc-sections -s -o stripped
check stripped "$(./stripped)" 7
check "parts of stripped" "$(parts stripped)" 2
strip stripped
check "parts after strip" "$(parts stripped)" 2

# partial linking
$cc -r main.o value.o -o partial.o
check "parts of partial.o" "$(parts partial.o)" 2
$cc partial.o -o from-partial
check from-partial "$(./from-partial)" 7

# shared libraries
$cc -fPIC -shared -Wl,-soname,libshared.so value.c -o libshared.so
has_bitcode libshared.so
$cc main.c -L. -lshared -o dynamic
check dynamic "$(LD_LIBRARY_PATH=. ./dynamic)" 7
check "parts of dynamic" "$(parts dynamic)" 2
$cc main.c ./libshared.so -o dynamic2
check dynamic2 "$(LD_LIBRARY_PATH=. ./dynamic2)" 7
if $cc -static main.c -L. -lshared -o never 2>/dev/null; then exit 1; fi

# link flags of other worlds
for flags in -static -pie -no-pie -static-pie -rdynamic "-flto -O2" -march=native "-fstack-protector-strong -D_FORTIFY_SOURCE=2 -O2"; do
    $cc $flags main.c value.c -o flagged
    check "$flags" "$(./flagged)" 7
    has_bitcode flagged
done
$cc -fsanitize=address main.c value.c -o sanitized 2>message
grep -q 'is ignored' message
check sanitized "$(./sanitized)" 7

# questions
[ "$($cc -dumpmachine)" = x86_64-unknown-linux-musl ]
$cc --version | grep -q clang
$cc -v 2>&1 | grep -q Target
[ -e "$($cc -print-file-name=libc.a)" ]
$cc -print-search-dirs | grep -q libraries
$cc -print-prog-name=ld | grep -q ld
tamar-cc() { (exec -a tamar-cc "${TAMAR_BINARY:-$tamar}" "$@"); }
tamar-cc main.c value.c -o as-link
check as-link "$(./as-link)" 7
$cc -c main.c -o /dev/null
