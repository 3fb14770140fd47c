// Compound literals where they live: in heads of loops, conditions, arguments and macros. No report, and the native result.
// RUN: same-as-native %tamar %s </dev/null
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct s {
    int x, y;
    const char *n;
};
static int get(const struct s *p) { return p ? p->x + p->y : 0; }
static const struct s *id(const struct s *p) { return p; }
static struct s *next(struct s *p) {
    p->x--;
    return p->x > 0 ? p : NULL;
}
#define MAX(a, b)                                                                                            \
    ({                                                                                                       \
        int *q_ = (int[]){(a), (b)};                                                                         \
        q_[0] > q_[1] ? q_[0] : q_[1];                                                                       \
    })
static int vsum(int n, ...) { return n; }
static int sum(const int *v) {
    int t = 0;
    while (*v) t += *v++;
    return t;
}
int main(int argc, char **argv) {
    int t = 0;
    for (int *p = (int[]){3, 2, 1, 0}; *p; p++) t += *p;
    for (struct s *p = &(struct s){5, 6, "a"}; p; p = next(p)) t += p->y;
    const struct s *q = id(&(struct s){1, 2, "b"});
    t += get(q);
    while (get(&(struct s){argc, -argc, "c"})) t++;
    if ((q = &(struct s){4, 5, "d"}) && q->x == 4) {
        t += q->y;
    } else {
        t -= q->y;
    }
    struct s *r;
    if ((r = &(struct s){.x = argc}) != NULL)
        t += r->x;
    else
        t -= r->x;
    switch (argc) {
    case 1:
        r = &(struct s){7, 8, "e"};
        t += r->x;
        break;
    default:
        r = &(struct s){9, 9, "f"};
        t += r->y;
        break;
    }
    const int *c = argc > 1 ? &(int){1} : &(int){2};
    t += *c + MAX(t, argc);
    for (int i = 0; i < 3; i++) {
        struct s *list[2] = {&(struct s){i, i, "x"}, &(struct s){i * 2, 0, "y"}};
        for (int k = 0; k < 2; k++) t += list[k]->x;
        if (i == 1) continue;
        t += sum((int[]){i, i + 1, i + 2, 0});
    }
    char *text = (char[]){"hello"};
    text[0] = 'j';
    int n = 0;
again:
    r = &(struct s){n, n, "g"};
    if (r->x < 3) {
        n = r->x + 1;
        goto again;
    }
    t += r->x;
    do {
        r = &(struct s){t, 1, "h"};
        t += r->y;
    } while (t % 5);
    struct s copy = *&(struct s){1, 1, "i"};
    t += copy.x + vsum(2, &(struct s){1, 2, "z"}, text);
    struct s **pp = (struct s *[]){&(struct s){1, 2, 0}, &(struct s){3, 4, 0}, NULL};
    for (struct s **p = pp; *p; p++) t += (*p)->x;
    qsort((int[]){3, 1, 2}, 0, 4, NULL);
    {
        struct s *u = &(struct s){2, 2, "k"};
        struct s *w = u;
        t += w->x;
    }
    printf("%d %s\n", t, text);
    int any = 0;
    for (const char *const *w = (const char *const[]){"aa", "bb", NULL}; *w; ++w) {
        if (strcmp(*w, argv[0]) == 0) {
            any = 1;
            break;
        }
    }
    return any;
}
