// If nothing is symbolic, arguments and standard input are made symbolic, with a message; not if the program marks its
// inputs itself.
// RUN: rm -rf %t.a %t.b
// RUN: status 1 %tamar run --out %t.a %s >%t.txt 2>&1
// RUN: FileCheck --check-prefix=PLAIN %s <%t.txt
// RUN: %tamar run -DMARKED --out %t.b %s >%t.txt 2>&1
// RUN: FileCheck --check-prefix=MARKED %s <%t.txt
// REQUIRES: run
// PLAIN: nothing is symbolic: trying --sym-args 0 2 4 --sym-stdin 8
// PLAIN: div-by-zero
// MARKED-NOT: nothing is symbolic
// MARKED: 2 paths
#include <stdio.h>
#include <tamar.h>

int main(int argc, char **argv) {
#ifdef MARKED
    char x;
    tamar_symbolic(&x, 1, "x");
    return x == 'a' ? (argc > 1) : 0;
#else
    return getchar() == 'k' && argc == 2 && argv[1][0] == 'x' ? 1 / (argv[1][1] - 'y') : 0;
#endif
}
