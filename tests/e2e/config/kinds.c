// All kinds of options: flags, choices, keys of a configuration file, integers whose values the paths distinguish;
// standard input from a file; variables that become symbolic only after the program has read its configuration.
// REQUIRES: config
// RUN: rm -rf %t && mkdir %t && cd %t && cp %s program.c && printf 'color: red\nsize = 3\n' > p.conf && printf 'x\n' > in
// RUN: printf 'flag -v\nchoice mode -a|-b|\nkey p.conf color red|blue\nvariable level 0..100 = 7 in start\ntest p.conf < in\n' > options
// RUN: %tamar config -q --json options program.c > printed.json && FileCheck %s < printed.json
// The values of level: its default, and the smallest value of each side.
// CHECK: "name": "level"
// CHECK-NEXT: "default": "7"
// CHECK: "value": "0"
// CHECK-NEXT: "value": "7"
// CHECK-NEXT: "value": "51"
// CHECK: "paths": 24, "complete": true
// RUN: grep -qx 'color: blue' tamar-last/settings/*-p.conf
// RUN: grep -qx 'size = 3' tamar-last/settings/*-p.conf
//
// RUN: printf 'flag -v\nflag -w\ntest p.conf\n' > many && status 2 %tamar config --max-combinations 3 many program.c 2>&1 | FileCheck --check-prefix=MANY %s
// MANY: many: the flags, choices and keys have more than 3 combinations
#include <assert.h>
#include <stdio.h>
#include <string.h>
int level, verbose;
static void start(void) {}
int main(int argc, char **argv) {
    char line[64], color[16] = "", mode = 0;
    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "-v")) verbose = 1;
        if (!strcmp(argv[i], "-a") || !strcmp(argv[i], "-b")) mode = argv[i][1];
    }
    assert(fgets(line, sizeof line, stdin) && line[0] == 'x');
    FILE *file = fopen(argv[argc - 1], "r");
    assert(file && fgets(line, sizeof line, file) && sscanf(line, "color: %15s", color) == 1);
    level = 3; // as a parser would
    start();
    if (level > 50 && verbose) puts("much");
    else if (level > 50) puts("some");
    if (mode == 'a' && color[0] == 'b') puts("blue");
    return 0;
}
