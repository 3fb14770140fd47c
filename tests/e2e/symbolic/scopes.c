// Locals that are used outside of their scopes, on the paths that do so: through one of several pointers, after a jump
// out of the scope, in a block. The sanitizer confirms them natively.
// RUN: rm -rf %t.*out %t.dir && mkdir %t.dir
// RUN: status 1 %tamar run --sym-stdin 1 --emit all -w --out %t.a.out %s | FileCheck %s
// RUN: %tamar replay %t.a.out | FileCheck %s --check-prefix=REPLAY
// Scopes in bitcode of `tamar cc` are used at every -O level, also when it is read from the results:
// RUN: %tamar cc -O2 -w %s -o %t.dir/program
// RUN: status 1 %tamar run --sym-stdin 1 --out %t.b.out %t.dir/program | FileCheck %s
// RUN: %tamar replay %t.b.out | FileCheck %s --check-prefix=REPLAY
// RUN: status 1 %tamar run --sym-stdin 1 --out %t.c.out %t.b.out/program.bc | FileCheck %s
// Bitcode without optimisation, and with it: there loads may have moved out of scopes, so nothing is reported.
// RUN: %tamar cc -O0 -w -c -emit-llvm %s -o %t.dir/plain.bc
// RUN: status 1 %tamar run --sym-stdin 1 --out %t.d.out %t.dir/plain.bc | FileCheck %s
// RUN: %tamar cc -O1 -w -c -emit-llvm %s -o %t.dir/optimised.bc
// RUN: %tamar run --sym-stdin 1 --out %t.e.out %t.dir/optimised.bc | grep "no bug found"
// Each lifetime begins uninitialised:
// RUN: status 3 %tamar run --sym-stdin 1 -w -DLIVES --out %t.f.out %s | grep "no bug found"
// RUN: status 1 %tamar run --check uninit --sym-stdin 1 -w -DLIVES --out %t.g.out %s | FileCheck %s --check-prefix=LIVES
// REQUIRES: run, replay
// CHECK: 3 bugs
// REPLAY: 3 of 3 that show a bug confirmed
#include <stdio.h>
#include <string.h>

#ifdef LIVES
int main(void) {
    int c = getchar();
    for (int i = 0; i < 2; i++) {
        int once;
        int *p = &once;
        if (i == 0) *p = c;
        if (*p == 'x') puts("x"); // LIVES: uninitialised {{.*}}scopes.c:[[#@LINE]]
    }
    return 0;
}
#else
// CHECK: use-after-scope {{.*}}scopes.c:[[#@LINE+1]]
static int read_it(const int *p) { return *p; }

int main(void) {
    int c = getchar(), first = 1, *two[2] = {&first, &first};
    char copy[8], *text = "";
    {
        int second = 2;
        two[1] = &second;
        if (read_it(two[c == 'p']) == 7) return 1;
    }
    if (c == 'p' || c == 'q') return read_it(two[c & 1 ? 0 : 1]);
    for (int i = 0; i < 3; i++) {
        char own[8] = "abc";
        text = own;
        if (i == 1 && c == 'j') goto out;
    }
    text = "outside";
out:
    // CHECK: use-after-scope {{.*}}scopes.c:[[#@LINE+1]]
    memcpy(copy, text, sizeof copy);
    switch (c) {
    case 's': {
        int deep[3] = {1, 2, 3};
        two[0] = deep;
        break;
    }
    default: two[0] = &c;
    }
    // CHECK: use-after-scope {{.*}}scopes.c:[[#@LINE+1]]
    return two[0][0] == 's';
}
#endif
