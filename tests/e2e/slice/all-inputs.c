// Every input of the sliced program is tried on the original: six of its eight paths cover nothing new there, but each
// of the eight covers another line of the original. With a time limit, the remaining time goes to the original.
// RUN: rm -rf %t.1 %t.2 && status 3 %tamar run -q --slice 5 --sym-arg 3 --out %t.1 %s
// RUN: python3 %S/../search/Inputs/summary %t.1 'coverage.line.covered == coverage.line.total - 1' 'sliced[0].tried >= 8' 'sliced[0].inputs >= 8' 'sliced[0].inputs <= sliced[0].tried' 'sliced[0].slicing > 0' 'sliced[0].trying > 0' 'sliced[0].trying < sliced[0].seconds' 'end == "--slice"'
// RUN: status 0 %tamar run -q --slice 5 --sym-arg 3 --max-time 60 --out %t.2 %s
// RUN: python3 %S/../search/Inputs/summary %t.2 'complete' 'len(sliced) == 1'
// REQUIRES: slice
#include <stdio.h>

static int twice(int n) {
    int sum = 0;
    for (int i = 0; i < n; i++) sum += 2; // goes round once in the sliced program, which then returns 0
    return sum;
}

int main(int argc, char **argv) {
    int n = 0;
    if (argv[1][0] == 'a') n += 1;
    if (argv[1][0] && argv[1][1] == 'b') n += 2;
    if (argv[1][0] && argv[1][1] && argv[1][2] == 'c') n += 4;
    switch (twice(n)) {
    case 0: return 10;
    case 2: return 11;
    case 4: return 12;
    case 6: return 13;
    case 8: return 14;
    case 10: return 15;
    case 12: return 16;
    case 14: return 17;
    }
    return 0;
}
