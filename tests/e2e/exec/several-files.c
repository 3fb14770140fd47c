// Several C files with the compiler's own flags.
// RUN: rm -rf %t && mkdir -p %t/inc
// RUN: echo 'int twice(int);' >%t/inc/twice.h
// RUN: echo 'int twice(int x) { return FACTOR * x; }' >%t/twice.c
// RUN: status 42 %tamar exec %s %t/twice.c -I %t/inc -DFACTOR=2 -lm
// RUN: status 63 %tamar exec %s %t/twice.c -I%t/inc -D FACTOR=3 -O1
// REQUIRES: exec
#include "twice.h"

int main(void) { return twice(21); }
