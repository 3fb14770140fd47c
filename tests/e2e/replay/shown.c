// A bug as a C test, as raw bytes, as a .ktest and as a script for gdb.
// RUN: rm -rf %t && mkdir %t && cd %t && status 1 %tamar run %s --sym-stdin 1 --sym-arg 1 -q >/dev/null
// RUN: cd %t && %tamar show tamar-last/bugs/*.txt | FileCheck --check-prefix=TEXT %s
// RUN: cd %t && %tamar show tamar-last/bugs/*.txt --as c-test >test.c
// RUN: cd %t && clang-19 -g -w -fsanitize=address -Dmain=program_main -c %s -o program.o && clang-19 -g -Wall -Werror -fsanitize=address test.c program.o -o test
// RUN: cd %t && status 1 ./test 2>&1 | FileCheck --check-prefix=SANITIZER %s
// RUN: cd %t && %tamar show tamar-last/bugs/*.txt --as raw >raw && printf 7 | cmp - raw
// RUN: cd %t && %tamar show tamar-last/bugs/*.txt --as gdb | FileCheck --check-prefix=GDB %s
// RUN: cd %t && %tamar show 1 --as ktest | cmp - tamar-last/tests/000001.ktest
// RUN: cd %t && %tamar show 1 | FileCheck --check-prefix=TEST %s
// RUN: cd %t && status 2 %tamar show something 2>&1 | FileCheck --check-prefix=WRONG %s
// REQUIRES: run, show
// TEXT: out-of-bounds: {{.*}}shown.c
// SANITIZER: global-buffer-overflow
// GDB: break "shown.c:
// GDB: run {{.*}}/stdin
// TEST: test 000001: {{exit|bug}}
// WRONG: 'something' is neither a bug nor a test
#include <stdio.h>

static char names[7];

int main(int argc, char **argv) {
    int c = getchar();
    if (argc > 1 && argv[1][0] == 'n' && c == '7') return names[c - '0'];
    return 0;
}
