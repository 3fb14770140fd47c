// A subscript of a vector has no address to check: the index itself is checked, in C files and in plain bitcode.
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: cd %t && status 1 %tamar run -w --sym-stdin 1 --emit all --out a %s >a.txt && grep -c "^tamar: out-of-bounds" a.txt | grep -x 4
// RUN: cd %t && %tamar replay a | grep "4 of 4 that show a bug confirmed"
// RUN: cd %t && clang-19 -g -w -c -emit-llvm %s -o plain.bc
// RUN: cd %t && status 1 %tamar run --sym-stdin 1 --emit all --out b plain.bc >b.txt && grep -c "^tamar: out-of-bounds" b.txt | grep -x 4
// REQUIRES: run, replay
#include <stdio.h>

typedef int vector __attribute__((vector_size(16)));

int main(void) {
    int c = getchar(), result = 0;
    vector v = {1, 2, 3, 4};
    if (c < 0) return 1;
    if (c < 8) result = v[c];
    if (c >= 200) v[c - 200] = 7;
    if (c == 100) result = v[5];
    if (c == 101) v[-1] = 2;
    return result + v[0] > 100;
}
