// RUN: same-as-native %tamar %s </dev/null
// REQUIRES: exec
// Initialisers of every shape: addresses, differences, unions, nested arrays, strings, constructors,
// thread-locals.
#include <stdio.h>

struct node {
    const char *name;
    const struct node *next;
    int (*function)(int);
    union {
        int i;
        float f;
    } value;
};
static int twice(int x) { return 2 * x; }
static int square(int x) { return x * x; }
extern const struct node list[3];
const struct node list[3] = {
    {"one", &list[1], twice, {.i = 5}}, {"two", &list[2], square, {.f = 2.5f}}, {"three"}};
static int matrix[3][4] = {[1] = {1, 2, 3, 4}, [2][3] = 9};
static int *inside = &matrix[1][2];
static const char *const words[] = {"alpha", "beta", 0};
static char text[] = "modifiable";
static long address_difference = (char *)&matrix[2] - (char *)&matrix[0];
static _Thread_local int thread_local_counter = 7;
static int order[4], order_count;
__attribute__((constructor(201))) static void second(void) { order[order_count++] = 2; }
__attribute__((constructor(101))) static void first(void) { order[order_count++] = 1; }
__attribute__((constructor)) static void third(void) { order[order_count++] = 3; }
__attribute__((destructor)) static void last(void) { puts("destructor"); }
int original = 11;
extern int alias_of_it __attribute__((alias("original")));
__attribute__((weak)) int weak_one(void) { return 77; }
extern int nowhere(void) __attribute__((weak));

static int counter(void) {
    static int calls = 100;
    return calls++;
}

int main(void) {
    for (const struct node *n = list; n; n = n->next)
        printf("%s %d\n", n->name, n->function ? n->function(6) : -1);
    printf("%d %g %d %d %ld\n", list[0].value.i, list[1].value.f, *inside, matrix[2][3], address_difference);
    text[0] = 'M', inside[1] = 44, alias_of_it++, thread_local_counter *= 2;
    printf("%s %d %s %d %d\n", text, matrix[1][3], words[1], original, thread_local_counter);
    printf("%d%d%d %d %d\n", order[0], order[1], order[2], weak_one(), nowhere != 0);
    counter(), counter();
    printf("%d\n", counter());
    return 0;
}
