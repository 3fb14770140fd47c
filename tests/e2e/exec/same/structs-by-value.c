// RUN: same-as-native %tamar %s </dev/null
// REQUIRES: exec
#include <stdarg.h>
#include <stdio.h>

struct small {
    int x;
    char c;
};
struct pair {
    double a, b;
};
struct mixed {
    long i;
    double d;
};
struct big {
    int v[20];
    struct pair p;
};
struct floats {
    float x, y, z;
};

static struct small make_small(int x) { return (struct small){x, (char)('a' + x)}; }
static struct pair swap(struct pair p) { return (struct pair){p.b, p.a}; }
static struct mixed both(struct mixed m, int k) {
    m.i += k, m.d *= k;
    return m;
}
static struct big change(struct big b, int at) {
    b.v[at] = 100 + at, b.p = swap(b.p);
    return b;
}
static struct floats scale(struct floats f, float s) { return (struct floats){f.x * s, f.y * s, f.z * s}; }

static double sum(int count, ...) {
    va_list list, again;
    double total = 0;
    va_start(list, count);
    va_copy(again, list);
    for (int i = 0; i < count; i++) {
        total += va_arg(list, int);
        total += va_arg(list, double);
        total += va_arg(list, struct mixed).d;
        total += va_arg(list, struct big).v[3];
        total += (double)va_arg(list, long double);
        total += (double)*va_arg(list, char *);
    }
    total += va_arg(again, int);
    va_end(again);
    va_end(list);
    return total;
}

int main(int argc, char **argv) {
    struct small s = make_small(argc);
    struct big b = {{0}, {1.5, 2.5}};
    for (int i = 0; i < 20; i++) b.v[i] = i * argc;
    struct big c = change(b, 3);
    struct mixed m = both((struct mixed){7, 0.5}, 4);
    struct floats f = scale((struct floats){1, 2, 3}, 1.5f);
    printf("%d %c %d %d %g %g %ld %g %g %g %g\n", s.x, s.c, b.v[3], c.v[3], c.p.a, c.p.b, m.i, m.d, f.x, f.y,
           f.z);
    printf("%.3f\n", sum(2, 1, 2.5, m, c, 3.25L, "A", 2, 4.5, m, b, -1.0L, "B"));
    return 0;
}
