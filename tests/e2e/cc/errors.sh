# Errors come from the compiler with the compiler's status; refused options have a message. No file is left.
# RUN: bash %s %tamar %t
set -u
tamar=$1 work=$2
rm -rf "$work"
mkdir -p "$work/tmp"
cd "$work"
export TMPDIR=$work/tmp
failing() { # STATUS PATTERN WORDS...
    local wanted=$1 pattern=$2 status=0
    shift 2
    "$tamar" cc "$@" >output 2>&1 </dev/null || status=$?
    [ $status = "$wanted" ] || { echo "status $status of: $*"; cat output; exit 1; }
    grep -q -e "$pattern" output || { echo "no '$pattern' from: $*"; cat output; exit 1; }
    [ -z "$(ls "$TMPDIR")" ] || { echo "left in TMPDIR by: $*"; ls "$TMPDIR"; exit 1; }
}
echo 'int main(void) { return undeclared; }' >wrong.c
echo 'int other(void); int main(void) { return other(); }' >unresolved.c
echo 'int main(void) { return 0; }' >good.c
echo 'int main(void) { return 0; }' >good2.c
failing 1 'wrong.c:1:.*undeclared' wrong.c -o x
failing 1 'wrong.c:1:.*undeclared' -c wrong.c
failing 1 'undefined reference to .other' unresolved.c -o x
failing 1 'multiple definition' good.c good2.c -o x
failing 1 'no such file' missing.c
failing 1 'no such file' -c missing.c
failing 1 'no input files'
failing 1 'no input files' -c
failing 1 "argument to '-o' is missing" good.c -o
failing 1 "argument to '-I' is missing" good.c -I
failing 1 "unsupported option '-mavx2'" -mavx2 -c good.c
failing 1 "unsupported option '-m32'" -m32 -c good.c
failing 1 'unknown argument' -fno-such-flag-at-all -c good.c
failing 1 'cannot find -lnone' good.c -lnone -o x
failing 1 'unable to open output file\|cannot open output' -c good.c -o none/x.o
echo garbage >bad.o
failing 1 'bad.o' bad.o -o x
head -c 100 /bin/sh >cut.o
failing 1 'cut.o' cut.o good.c -o x
[ ! -e x ] || { echo "an executable was left"; exit 1; }
# the runtime is not there
status=0
TAMAR_RUNTIME=$work/none "$tamar" cc good.c -o x >output 2>&1 || status=$?
[ $status != 0 ] || { echo "compiled without a runtime"; exit 1; }
# glibc's headers stay out, musl's are in
printf '#include <features.h>\n#ifdef __GLIBC__\n#error glibc\n#endif\nint main(void){return 0;}' >libc.c
"$tamar" cc -I/usr/include -isystem /usr/include -c libc.c || exit 1
printf '#include <linux/limits.h>\n#include <asm/types.h>\n#include <immintrin.h>\n#include <tamar.h>\n#include <klee/klee.h>\nint main(void){return 0;}' >headers.c
"$tamar" cc headers.c -o headers && ./headers || exit 1
# GNU functions beyond musl
printf '#define _GNU_SOURCE\n#include <string.h>\nint main(void){return *(char *)rawmemchr("abc", 99) != 99;}' >gnu.c
"$tamar" cc gnu.c -o gnu && ./gnu || exit 1
