// An undeclared alloca or malloc has its usual type, as in compilers that know these functions.
// RUN: %tamar exec -w %s
// RUN: rm -rf %t && %tamar run -w %s --sym-stdin 1 --out %t | grep 'every path was explored'
int getchar(void);
static int use(int n) {
    char *p = alloca(n), *q = (char *)alloca(2 * sizeof *p);
    for (int i = 0; i < n; i++) p[i] = (char)i;
    q[0] = q[1] = 1;
    char *block = malloc(n), *copy = strcpy(block, "ab"), *found = strchr(copy, 98);
    char *again = realloc(found - 1, 3 * n);
    return p[n - 1] + q[1] - n + again[1] - 98;
}
int main(void) { return getchar() == 'x' ? use(40) : use(7); }
