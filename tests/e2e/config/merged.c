// The graph has one node for settings that interact with the same settings; coverage is also printed in % of the program.
// RUN: rm -rf %t && mkdir %t && cd %t && printf 'variable a bool\nvariable b bool\nvariable c bool\nvariable d bool\ntest one: x\n' >options
// RUN: %tamar config options %s --out out >report && FileCheck %s <report && FileCheck --check-prefix=DOT %s <out/interactions.dot
// CHECK: Guaranteed coverage {{.*}} most of program
// CHECK: block {{.*}} 11 12 92 %
// DOT: label="a=1"
// DOT: label="b=1\nc=1\nd=1"
// DOT-NOT: label
// DOT: s[[# ]] -- s[[# ]]
// DOT-NOT: --
// RUN: python3 -c 'import json; d = json.load(open("out/config.json")); assert d["program"]["block"] == 12 and d["reached"]["block"] == 11, d'
// REQUIRES: config
int a, b, c, d;
volatile int statement;
int main(int argc, char **argv) {
    if (a) {
        if (b)
            statement = 1;
        if (c)
            statement = 2;
        if (d)
            statement = 3;
    }
    if (argv[1][0] != 'x') return 1;
    return 0;
}
