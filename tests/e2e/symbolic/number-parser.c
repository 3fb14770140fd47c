// A parser of a string: sign, digits, end. Paths counted by hand; "wrong" is a byte that is not a digit: two paths
// (below '0', above '9'). T(n) is the number of paths of the loop over the n remaining bytes and the NUL after them.
//   T(0) = 1: the NUL.  T(n) = 1 (NUL) + 2 (wrong) + T(n - 1) (a digit):  T(1) = 4, T(2) = 7.
// The first byte of three: NUL 1; '-' and then T(2); '+' and then T(2); else the loop, whose first byte is then not
// NUL: 2 (wrong) + T(2). After the loop, `!digits` is known on each of these. 1 + 7 + 7 + 9 = 24 paths.
// RUN: rm -rf %t.out
// RUN: %tamar run --emit all --check all --sym-arg 3 --out %t.out %s | grep "24 paths, 24 tests; every path was explored"
// RUN: %tamar replay %t.out | grep "24 tests, 24 as predicted"
// REQUIRES: run
int main(int argc, char **argv) {
    const char *p = argv[1];
    int negative = 0, value = 0, digits = 0;
    if (!*p) return 100;
    if (*p == '-')
        negative = 1, p++;
    else if (*p == '+')
        p++;
    while (*p) {
        if (*p < '0') return 101;
        if (*p > '9') return 102;
        value = 10 * value + (*p++ - '0');
        digits++;
    }
    if (!digits) return 103;
    return (negative ? value + 1 : value) & 63;
}
