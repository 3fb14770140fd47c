# Optimised native code refers to fewer symbols than its bitcode: the linker leaves out archive members that only the
# bitcode needs. The program is accepted although variables of such members are undefined; a use of one is reported when
# it is executed.
# RUN: rm -rf %t && mkdir %t && cd %t && bash %s %tamar
# REQUIRES: run
set -eu
tamar=$1
fail() { echo "$1" >&2; exit 1; }
cat >user.c <<'END'
extern int table[4];
static int zero, *const addresses[] = {table, table + 1};
int use(int x) { return zero ? table[x & 3] + *addresses[x & 1] : x; }
END
echo 'int table[4] = {1, 2, 3, 4};' >data.c
printf '#include <stdio.h>\nint use(int); int main(void) { return use(getchar()) == 65; }\n' >main.c
"$tamar" cc -O2 -c user.c data.c main.c
ar crs libuse.a user.o data.o
"$tamar" cc main.o libuse.a -o main
nm main | grep -q ' table$' && fail "the linker took the data after all"
"$tamar" run --sym-stdin 1 --out out main | grep -q 'every path was explored' || fail "the program is not explored"
"$tamar" replay out >replay.text || { cat replay.text; fail "replay"; }

# A use that is executed after all is reported: here the archive that the linker saw had another body.
sed 's/static int zero/static int zero = 1/' user.c >other.c
"$tamar" cc -O2 -c other.c -o other.o
objcopy --dump-section .tamar.bitcode=other.section other.o
objcopy --update-section .tamar.bitcode=other.section user.o
ar crs libuse.a user.o
"$tamar" cc main.o libuse.a -o other
if echo A | "$tamar" exec other 2>errors; then fail "a variable that is not there was used"; fi
grep -q 'the variable table, which no linked object defines' errors || { cat errors; fail "the variable is not named"; }
