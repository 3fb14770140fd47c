// Objects whose names are too long for a file name: each has its own file, which the native program finds.
// RUN: rm -rf %t && mkdir %t && cd %t && %tamar run %s --emit all -q >/dev/null
// RUN: ls %t/tamar-last/tests/000001/objects | wc -l | grep -qx 11
// RUN: cd %t && %tamar replay tamar-last | FileCheck %s
// REQUIRES: run, replay
// CHECK-NOT: DIFFERS
// CHECK-NOT: ANOTHER PATH
// CHECK-COUNT-12: the same
// CHECK: 12 as predicted
#include <string.h>
#include <tamar.h>

// `length` times a character, then the end of the name.
static const char *name(char c, size_t length, const char *end) {
    static char text[4096];
    memset(text, c, length);
    strcpy(text + length, end);
    return text;
}

static unsigned char byte(const char *name) {
    unsigned char x;
    tamar_symbolic(&x, 1, name);
    return x;
}

int main(void) {
    unsigned char all[] = {byte(name('n', 200, "")),      byte(name('n', 200, "a")),    byte(name('n', 200, "b")),
                           byte(name('n', 200, "a")),     byte(name('n', 199, "")),     byte(name('n', 3000, "a")),
                           byte(name('n', 3000, "b")),    byte(name('/', 100, "a")),    byte(name('/', 100, "b")),
                           byte(name('%', 84, "long")),   byte(name(':', 250, "colon"))};
    for (int i = 0; i < (int)sizeof all; i++)
        if (all[i] == 17 + i) return i + 1;
    return 0;
}
