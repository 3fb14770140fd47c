// Compound literals that macros make, in conditions and arguments, with pointers kept within the block.
// RUN: same-as-native %tamar %s </dev/null
#include <stdio.h>
#include <stdlib.h>
struct opt {
    int a;
    struct in {
        int b[3];
    } in;
};
#define OPT(...) (&(struct opt){__VA_ARGS__})
#define LIST(...)                                                                                            \
    (const int *[]) { __VA_ARGS__, NULL }
static int use(struct opt *o) { return o ? o->a + o->in.b[1] : 1; }
static struct opt *keep;
static int set(struct opt *o) {
    keep = o;
    return 1;
}
static int deep(int n) {
    struct opt *o = OPT(.a = n);
    if (n > 0) {
        int r = deep(n - 1);
        return r + o->a;
    }
    return o->a;
}
static struct opt by_value(int n) { return (struct opt){.a = n, .in = {{1, 2, n}}}; }
int main(void) {
    int t = 0, x = 3, y = 4;
    if (set(OPT(.a = 3)) && keep->a == 3) t += keep->a;
    while (set(OPT(.a = t)) && keep->a < 20) {
        t += keep->a ? keep->a : 1;
    }
    for (int i = 0; set(OPT(.a = i)) && i < 4; i += keep->a + 1) t += keep->a;
    switch (set(OPT(.a = 2)) + keep->a) {
    case 3: t += keep->a;
    }
    int arr[] = {use(OPT(1)), use(OPT(2)), *(int[]){4, 5, 6}};
    t += arr[0] + arr[1] + arr[2] + deep(4) + by_value(3).in.b[2];
    for (const int **p = LIST(&x, &y); *p; p++) t += **p;
    struct opt *chosen = x > 2 ? OPT(.a = 9) : OPT(.a = 8);
    t += chosen->a;
    int(*table)[2] = (int[][2]){{1, 2}, {3, 4}};
    t += table[1][1];
    struct opt *nested = OPT(.a = 1, .in = {.b = {1, *(int *)&(int){7}, 2}});
    t += use(nested);
    for (int i = 0; i < 2; i++)
        for (int *q = (int[]){i, i + 1}, *e = q + 2; q < e; q++) t += *q;
    goto in;
    {
        struct opt *z;
    in:
        z = OPT(.a = 5);
        t += z->a;
        if (t > 100000) goto in;
    }
    int n = 3;
    int *v = (int[3]){n, n, n};
    do {
        int *w = (int[]){n};
        t += *w;
        if (!--n) break;
        if (n == 1) continue;
    } while (n);
    t += v[2];
#define BIG                                                                                                  \
    do {                                                                                                     \
        struct opt *b = OPT(.a = t);                                                                         \
        t += b->a;                                                                                           \
    } while (0)
    BIG;
    BIG;
    printf("%d\n", t);
    return 0;
}
