// RUN: status 125 %tamar exec %s 2>%t
// RUN: FileCheck %s <%t
// REQUIRES: exec
#include <limits.h>

int main(int argc, char **argv) {
    long least = LONG_MIN, minus_one = -argc;
    return (int)(least % minus_one); // CHECK: tamar: div-by-zero: {{.*}}remainder-overflow.c:[[#@LINE]]
}
