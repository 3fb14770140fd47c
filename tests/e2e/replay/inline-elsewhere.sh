# An inline function whose definition stays in an archive because optimised code inlined every call, and an undefined
# name that is never called: the program is explored and replayed nevertheless.
# RUN: bash %s %t %tamar
# REQUIRES: run, replay, cc
set -eu
work=$1 tamar=$2
rm -rf "$work" && mkdir "$work" && cd "$work"
cat >upper.h <<'END'
inline int upper(int c) { return c >= 'A' && c <= 'Z'; }
END
cat >upper.c <<'END'
#include "upper.h"
extern inline int upper(int c);
END
cat >main.c <<'END'
#include "upper.h"
#include <stdio.h>
int nowhere(int c);
int main(void) {
    int c = getchar();
    if (upper(c) && c == 'Q') return 3;
    return sizeof c == 5 ? nowhere(c) : 0;
}
END
"$tamar" cc -O2 -c main.c upper.c
ar rcs libupper.a upper.o
"$tamar" cc -O2 -o program main.o -L. -lupper
"$tamar" run --sym-stdin 1 --emit all --out out program >run.txt
grep -q "every path was explored" run.txt
"$tamar" replay --exact out >replay.txt
grep -q "4 tests, 4 as predicted" replay.txt || { cat replay.txt; exit 1; }
# Also with sanitizers: names that only dead code refers to may be undefined.
"$tamar" replay out >replay.txt
grep -q "4 tests, 4 as predicted" replay.txt || { cat replay.txt; exit 1; }
