// Tests of --entry run natively through the same driver: each function has one bug, which both builds confirm.
// RUN: rm -rf %t && mkdir %t && cd %t && for f in wide by_value bits choice text buffer arguments stream callback returned static_one tagged kinds flexible; do %S/Inputs/entry-check $f %s || exit 1; done
// RUN: cd %t && %tamar show text/tests/000001.json --as gdb | grep -q 'clang-19 -g -fsanitize=address -no-pie -x ir program.bc'
// RUN: cd %t && for t in 000001 $(ls by_value/tests | sed -n "s/.json//p" | tail -1); do %tamar show by_value/tests/$t.json --as c-test >test.c && sh -e -c "$(sed -n 's,^// *\(opt-19 .*\),\1,p; s,^// *\(clang-19 .*\) && .*,\1,p' test.c | sed 's/this-file/test/')" && { ./a.out 2>/dev/null; echo $?; } >>statuses; done; sort statuses | uniq -c | awk '{ print $2 }' | tr '\n' ' ' | grep -qx '0 134 '
// REQUIRES: run, replay
#include <complex.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void wide(long double a, __int128 b, double complex c, float complex d, long double complex e, _Bool f) {
    if (a == 2.5L && b == (__int128)9 << 80 && cimag(c) == 4 && crealf(d) == 3 && cimagl(e) == -1 && f) abort();
}

struct small { int a; double b; };
struct floats { float x, y, z; };
struct empty {};
struct big { long v[5]; const char *s; };
struct __attribute__((packed)) odd { char c; long l; };
void by_value(struct small s, struct empty e, struct floats f, struct big b, struct odd o, int k) {
    if (s.a == 7 && f.z == 2 && b.v[2] == 9 && b.s[0] == 'x' && o.l == -4 && k == 3) abort();
}

struct bits { unsigned a : 3; int b : 5; _Bool c : 1; long d : 40; };
void bits(struct bits *b, struct bits by_value) {
    if (b->a == 5 && b->b == -2 && b->c && b->d == -1000 && by_value.d == 77) abort();
}

enum color { RED, GREEN = 5, BLUE = -3 };
int choice(enum color c) {
    switch (c) {
    case RED: return 1;
    case GREEN: abort();
    case BLUE: return 3;
    }
    __builtin_unreachable();
}

int text(const char *s) { return s[0] == 'a' && s[1] == 'b' ? s[3] : 0; } // past the NUL of "ab"

int buffer(const unsigned char *bytes, size_t len) { return len == 5 ? bytes[5] : 0; }

void arguments(int argc, char **argv) {
    for (int i = 0; i < argc; i++)
        if (!argv[i]) abort(); // never
    if (argv[argc]) abort();   // never
    if (argc == 2 && argv[1][0] == 'q') abort();
}

void stream(FILE *file) {
    int c = fgetc(file), d = fgetc(file);
    if (c == 'a' && d == EOF) abort();
}

static int twice(int x) { return 2 * x; }
static int negative(int x) { return -x; }
int (*volatile passed[])(int) = {twice, negative};
void callback(int (*f)(int), long double (*g)(const char *), void *(*allocate)(size_t, size_t)) {
    int y = f(3);
    if (y != 6 && y != -3) abort(); // never: these are the functions that the program passes around
    char *memory = allocate(3, 4);
    if (memory) memory[11] = 1;
    if (y == 6 && g("x") == 3) abort();
}

struct big returned(int a) {
    struct big b = {{a}, ""};
    if (a == 5) abort();
    return b;
}

static void static_one(short x, ...) {
    if (x == -300) abort();
}

union number { int i; float f; unsigned char bytes[4]; };
void tagged(union number n) {
    if (n.f == 1.5f) abort();
}

enum flags { ONE = 1, TWO = 2, FOUR = 4 };
struct node { enum flags flags; struct node *left, *right; };
void kinds(const struct node *tree) {
    if ((unsigned)tree->flags > 7) abort(); // never
    if (tree->left && !tree->right && tree->left->flags == (ONE | FOUR)) abort();
}

struct packet { unsigned short size; unsigned char data[]; };
int flexible(const struct packet *p) {
    for (unsigned i = 0; i < p->size; i++)
        if (p->data[i] > 255) return 1;
    if (p->size == 3 && p->data[2] == 9) abort();
    return 0;
}
