// Values of unsigned variables are printed as unsigned, and ranges are unsigned, too.
// REQUIRES: config
// RUN: rm -rf %t && mkdir %t && cd %t && cp %s program.c
// RUN: printf 'variable level int = 1\nvariable share 100..220 = 150\nvariable small int = 0\ntest\n' > options
// RUN: %tamar config -q --json options program.c > printed.json && FileCheck %s < printed.json
// CHECK: "name": "level"
// CHECK: "value": "1"
// CHECK: "value": "200"
// CHECK: "name": "share"
// CHECK: "value": "150"
// CHECK: "value": "210"
// CHECK: "name": "small"
// CHECK: "value": "-3"
// CHECK: "value": "0"
#include <stdint.h>
#include <stdio.h>
unsigned char level = 1;
volatile uint8_t share = 150;
signed char small;
int main(void) {
    if (level >= 200) puts("high");
    if (share >= 210) puts("most");
    if (small == -3) puts("low");
    return 0;
}
