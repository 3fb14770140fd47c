// Inline assembly whose 8-byte input is tied to a 4-byte output in memory: the output is as wide as its variable.
// RUN: %tamar exec %s
// REQUIRES: exec
int main(void) {
    struct { int before, x, after; } s = {1, 2, 3};
    long wide = 0x500000007;
    __asm__("" : "=g"(s.x) : "0"(wide));
    return !(s.before == 1 && s.x == 7 && s.after == 3);
}
