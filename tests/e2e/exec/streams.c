// Standard output and standard error stay apart.
// RUN: %tamar exec %s >%t.out 2>%t.err
// RUN: FileCheck %s --check-prefix=OUT <%t.out
// RUN: FileCheck %s --check-prefix=ERR <%t.err
// REQUIRES: exec
#include <stdio.h>

int main(void) {
    puts("to output");           // OUT: {{^}}to output{{$}}
    fputs("to error\n", stderr); // ERR: {{^}}to error{{$}}
    return 0;
}
// OUT-NOT: {{.}}
// ERR-NOT: {{.}}
