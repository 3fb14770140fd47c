# The bitcode is clang's output before optimisation, at the user's own -O level, and agrees with the native code.
# RUN: bash %s %tamar %t
set -eu
tamar=$1 work=$2
rm -rf "$work"
mkdir -p "$work"
cd "$work"
bitcode() { # OBJECT: its only part, as text
    llvm-objcopy --dump-section=.tamar.bitcode=section "$1" copy.o
    tail -c +33 section | head -c "$(od -An -t u8 -j 8 -N 8 section | tr -d ' ')" >part.bc # the header holds the size
    llvm-dis part.bc -o -
}
cat >ub.c <<'END'
#include <stdio.h>
int overflow(int x) { return x + 1 < x; }
int null(int *p) { int x = *p; if (!p) return -1; return x; }
int level(void) {
#ifdef __OPTIMIZE__
    return 1;
#else
    return 0;
#endif
}
END
$tamar cc -O2 -c ub.c -o ub.o
bitcode ub.o >ub.ll
grep -q 'icmp slt' ub.ll            # the overflow check survives in the bitcode
grep -q 'icmp ne ptr' ub.ll         # and the null check behind the access
grep -q '!DILocation' ub.ll         # lines, without -g
! grep -q optnone ub.ll
grep -A8 '@level' ub.ll | grep -q 'ret i32 1' # __OPTIMIZE__ is the user's
$tamar cc -O0 -c ub.c -o ub0.o
bitcode ub0.o >ub0.ll
! grep -q optnone ub0.ll
grep -A8 '@level' ub0.ll | grep -q 'ret i32 0'

# inline functions: at -O2 a body that is only "available" is inlined natively, at -O0 it is undefined, as with any
# compiler
cat >inline.c <<'END'
inline int twice(int x) { return 2 * x; }
int main(int argc, char **argv) { return twice(argc); }
END
$tamar cc -O2 inline.c -o inline2
status=0; ./inline2 || status=$?
[ $status = 2 ]
if $tamar cc -O0 inline.c -o inline0 2>/dev/null; then exit 1; fi

# a call in code that only an optimiser finds dead does not prevent linking the native program
cat >dead.c <<'END'
void nowhere(void);
static const int debug = 0;
static int enabled(int x) { return x && debug; }
int main(int argc, char **argv) { if (enabled(argc)) nowhere(); return 5; }
END
$tamar cc -O2 dead.c -o dead
status=0; ./dead || status=$?
[ $status = 5 ]
if $tamar help | grep -q '^  tamar exec '; then
    status=0; $tamar exec dead || status=$?
    [ $status = 5 ]
    status=0; $tamar exec inline2 || status=$?
    [ $status = 2 ]
fi

# harness functions link natively; values come from a test
cat >harness.c <<'END'
#include <stdio.h>
#include <tamar.h>
#include <klee/klee.h>
int __VERIFIER_nondet_int(void);
int main(void) {
    int x, y = tamar_range(-3, 4, "y"), z;
    tamar_symbolic(&x, sizeof x, "x");
    klee_make_symbolic(&z, sizeof z, "x");
    int n = __VERIFIER_nondet_int();
    printf("%d %d %d %d\n", x, y, z, n);
    tamar_assert(x != 3);
    tamar_assume(x != 4);
    puts("end");
    return 0;
}
END
$tamar cc harness.c -o harness
[ "$(./harness)" = "0 0 0 0
end" ]
mkdir -p test/objects
printf '\3\0\0\0' >test/objects/x
printf '\5\0\0\0' >"test/objects/x#1"
printf '\376\377\377\377\377\377\377\377' >test/objects/y
printf '\52\0\0\0' >test/objects/int
status=0; TAMAR_TEST=test ./harness >output 2>&1 || status=$?
[ $status = 134 ]
grep -q '^3 -2 5 42$' output || ! cat output
grep -q 'assert.*x != 3' output
printf '\4\0\0\0' >test/objects/x
[ "$(TAMAR_TEST=test ./harness)" = "4 -2 5 42" ]

# a libFuzzer harness: files are inputs, natively and in Tamar
cat >fuzz.c <<'END'
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    printf("%zu\n", size);
    if (size > 2 && data[0] == 'F' && data[1] == 'U') return data[size];
    return 0;
}
END
$tamar cc -fsanitize=fuzzer,address fuzz.c -o fuzz 2>/dev/null
printf abc >input1
printf FUzz >input2
[ "$(./fuzz input1)" = 3 ]
if $tamar help | grep -q '^  tamar exec '; then
    [ "$($tamar exec fuzz -- input1)" = 3 ]
    status=0; $tamar exec fuzz -- input2 >output 2>&1 || status=$?
    [ $status = 125 ]
    grep -q 'out-of-bounds' output
fi
