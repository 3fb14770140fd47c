// Copies on a changed line are tainted: memcpy, an assigned struct, a library call, read and fread. So is the choice of
// a new case, but of no other case. A branch that leads into changed code is explored before others.
// RUN: rm -rf %t && mkdir %t && cd %t && grep -v '// new' %s >old.c && cp %s copies.c
// RUN: printf abcdefghijklmnop >in && %tamar record -q --into seeds copies.c <in
// RUN: status 3 %tamar regress -q --seeds seeds --old old.c --no-compare --search oasis-runs --max-paths 60 --out out copies.c >report.md
// RUN: python3 %S/Inputs/taint-classes out copies.c
// RUN: line=$(grep -n '^    switch' copies.c | cut -d: -f1) && python3 %S/Inputs/regress out "any(t.line == $line and t.new_choice for t in tests)" "any(t.line == $line and not t.new_choice for t in tests)"
// RUN: status 3 %tamar regress -q --seeds seeds --old old.c --no-compare --max-paths 12 --out few copies.c >few.md
// RUN: line=$(grep -n 'toward' copies.c | tail -1 | cut -d: -f1) && python3 %S/Inputs/regress few "reached($line)"
// REQUIRES: regress
#include <stdio.h>
#include <string.h>
#include <unistd.h>

struct large {
    char a;
    long b[6];
};

int main(void) {
    char in[9] = {0}, copy[8] = {0}, text[9] = {0}, now[4] = {0}, later[4] = {0};
    struct large from = {0}, to = {0};
    int result = 0;
    if (read(0, in, 8) != 8) return 1;
    from.a = in[0];
    from.b[3] = in[1];
    if (in[0] == 'A') result++;
    if (in[1] == 'A') result++;
    if (in[6] == 'A') {
        result += 3; // new: toward
        if (in[2] == 'A') result++;
    }
    memcpy(copy, in + 2, 4);       // new
    to = from;                     // new
    strcpy(text, in + 4);          // new
    read(0, now, 2);               // new
    fread(later, 1, 2, stdin);     // new
    if (copy[1] == 'x') result++;  // by value: new
    if (to.a == 'x') result++;     // by value: new
    if (to.b[3] == 'x') result++;  // by value: new
    if (text[1] == 'x') result++;  // by value: new
    if (now[0] == 'x') result++;   // by value: new
    if (later[0] == 'x') result++; // by value: new
    if (in[7] == 'x') result++;    // by value: old
    if (from.a == 'y') result++;   // by value: old
    switch (in[3]) {
    case 'd': result += 2; break;
    case 'q': result += 8; break; // new
    case 'r': result += 16; break;
    }
    return result > 100;
}
