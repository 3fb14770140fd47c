// Change taint propagates with values, beside their terms: through memory, copies, calls and the C library, to choices
// on unchanged lines. A term from an unchanged line is not tainted, even if a changed line computes an equal term.
// RUN: rm -rf %t && mkdir %t && cd %t && grep -v '// new' %s >old.c && cp %s values.c
// RUN: printf abcdefg >in && %tamar record -q --into seeds values.c -- in
// RUN: status 3 %tamar regress -q --seeds seeds --old old.c --no-compare --max-paths 60 --out out values.c >report.md
// RUN: python3 %S/Inputs/taint-classes out values.c
// RUN: status 3 %tamar regress -q --seeds seeds --old old.c --no-compare --max-paths 60 --out again values.c >again.md
// RUN: cmp out/regress.json again/regress.json
// REQUIRES: regress
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct pair {
    unsigned char x, y;
};

static int pass(int value) { return value; }

int main(int argc, char **argv) {
    unsigned char in[8] = {0};
    struct pair one = {0, 0}, two;
    char word[4] = "";
    FILE *file = fopen(argv[1], "r");
    fread(in, 1, 7, file);
    one.x = in[0] + 1;
    one.y = in[1] + 1;
    one.x = in[0] + 1;                                       // new
    if (in[2] == 'z') word[0] = 'w';                         // new
    word[1] = in[3];                                         // new
    memcpy(&two, &one, sizeof two);
    int result = 0;
    if (pass(two.x) == 'q') result += 1;                     // by value: new
    if (two.y == 'q') result += 2;                           // by value: old
    unsigned char same = in[0] + 1;
    if (same == 'r') result += 4;                            // by value: old
    if (strcmp(word + 1, "v") == 0) result += 8;             // by value: new
    if (in[4] == 'u') result += 16;                          // by value: old
    if (strchr("xyz", in[5])) result += 32;                  // by value: old
    if (abs(in[6] - 100) > (two.x == 7 ? 50 : 60)) result += 64; // by value: either
    return result;
}
