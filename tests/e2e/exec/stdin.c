// RUN: printf 'abc\0def\nsecond\n' >%t.in
// RUN: %tamar exec %s <%t.in >%t
// RUN: cmp %t %t.in
// RUN: %tamar exec %s </dev/null >%t && test ! -s %t
// RUN: head -c 300000 /dev/urandom >%t.in && %tamar exec %s <%t.in >%t && cmp %t %t.in
// REQUIRES: exec
#include <stdio.h>

int main(void) {
    int c;
    while ((c = getchar()) != EOF) putchar(c);
    return 0;
}
