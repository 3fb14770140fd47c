// RUN: same-as-native %tamar %s </dev/null
// REQUIRES: exec
// Locals that are used only inside their scopes, however these are entered and left: nothing may be reported, and each
// lifetime begins with the same bytes as natively.
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int calls;
static int touch(int *p) { return *p += ++calls; }
static int *same(int *p) { return p; }

// Each iteration of a loop is a separate lifetime; leaving by break, continue and return.
static int rounds(int limit) {
    int sum = 0;
    for (int i = 0; i < 20; i++) {
        int x = i;
        if (touch(&x) == limit) return sum;
        if (i % 3 == 0) continue;
        {
            int y = x;
            touch(&y);
            if (y > 100) break;
            sum += y;
        }
        while (x-- > 0) {
            char text[8];
            snprintf(text, sizeof text, "%d", x);
            if (text[0] == '7') break;
            sum += text[0];
        }
    }
    return sum;
}

// Jumps into and out of scopes, past declarations, backwards.
static int jumps(int n) {
    int sum = 0;
    if (n == 1) goto inside;
again: {
    int first = n;
    touch(&first);
    sum += first;
    if (0) {
        int second;
    inside:
        second = 5;
        touch(&second);
        sum += second;
    }
}
    if (n++ < 4) goto again;
    for (int i = 0; i < 3; i++) {
    back:;
        int late = i;
        touch(&late);
        if (late % 2 == 0 && sum < 500) {
            sum += 100;
            goto back;
        }
        sum += late;
    }
    return sum;
}

static int cases(int n) {
    int sum = 0;
    switch (n) {
        int shared;
    case 0: shared = 7; touch(&shared); sum += shared; break;
    case 1: {
        int own = 3;
        touch(&own);
        sum += own;
    } // falls through
    case 2: shared = 9; sum += *same(&shared); break;
    default: {
        int other[4] = {1, 2, 3, 4};
        for (int i = 0; i < 4; i++) sum += touch(&other[i]);
        if (n == 4) return sum;
    }
    }
    return sum;
}

static int computed(int n) {
    static const void *const labels[] = {&&one, &&two, &&three};
    int sum = 0, at = 0;
    goto *labels[n % 3];
one: {
    int a = 1;
    sum += touch(&a);
    goto *labels[(at++ ? 2 : 1)];
}
two: {
    int b = 2;
    sum += touch(&b);
    if (at++ < 3) goto *labels[0];
}
three:;
    int c = 3;
    return sum + touch(&c);
}

struct pair {
    int a, b[6];
};
static struct pair make(int n) {
    struct pair p = {n, {n, n + 1}};
    return p;
}
static int take(struct pair p) { return p.a + p.b[1]; }

// Statement expressions, compound literals, temporaries, conditional ones.
static int expressions(int n) {
    int sum = 0;
    for (int i = 0; i < n; i++) {
        sum += ({
            int t = i;
            touch(&t);
            t;
        });
        int *literal = (int[]){1, 2, i};
        sum += touch(&literal[2]);
        sum += take(i % 2 ? make(i) : (struct pair){.a = i});
        struct pair *p = &(struct pair){i, {1, 2}};
        sum += p->b[1] + make(i).b[1];
        const char *text = i % 2 ? (char[]){"odd"} : "even";
        sum += (int)strlen(text);
    }
    return sum;
}

// Scopes of variable-length arrays and alloca, which begin and end differently.
static int lengths(int n) {
    int sum = 0;
    for (int i = 1; i <= n; i++) {
        int list[i];
        int fixed = i;
        for (int k = 0; k < i; k++) list[k] = touch(&fixed);
        if (i == 3) continue;
        char *room = __builtin_alloca((size_t)i);
        memset(room, i, (size_t)i);
        sum += list[i - 1] + room[0];
        if (i == 6) break;
    }
    return sum;
}

// A jump back to a scope that was left, and one out of scopes of several functions.
static jmp_buf here;
static void leap(int *p) {
    int own = *p;
    if (touch(&own) > 0) longjmp(here, own);
}
static int long_jumps(void) {
    volatile int count = 0;
    {
        int local = 4;
        int *p = same(&local);
        int got = setjmp(here);
        count++;
        *p += 1;
        if (got == 0) {
            int deeper = 1;
            leap(&deeper);
        }
        if (count == 3) return *p > 4; // after the jump its value is not defined, but it is there
    }
    {
        int another = 2;
        leap(&another);
    }
    return -1;
}

static inline __attribute__((always_inline)) int inlined(int n) {
    int own = n;
    for (int i = 0; i < 2; i++) {
        int deep = own;
        own += touch(&deep);
    }
    return touch(&own);
}

static int recursive(int n, int *above) {
    if (n == 0) return *above;
    {
        int own = n + *above;
        int result = recursive(n - 1, &own);
        return result + own;
    }
}

static void bye(int *p) { calls += *p; }
static int cleaned(int n) {
    for (int i = 0; i < n; i++) {
        __attribute__((cleanup(bye))) int end = i;
        if (i == 3) return end;
        __attribute__((cleanup(bye))) int second = end * 2;
        if (i == 2) continue;
        touch(&second);
    }
    return calls;
}

static int by_address(const void *a, const void *b) {
    int x = *(const int *)a, y = *(const int *)b;
    return *same(&x) < *same(&y) ? -1 : *same(&x) > *same(&y);
}

int main(int argc, char **argv) {
    int list[] = {5, 3, 9, 1, 7};
    qsort(list, 5, sizeof *list, by_address);
    printf("%d %d\n", list[0], list[4]);
    printf("%d %d\n", rounds(17), rounds(100000));
    for (int i = 0; i < 3; i++) printf("%d ", jumps(i));
    for (int i = 0; i < 6; i++) printf("%d ", cases(i));
    for (int i = 0; i < 3; i++) printf("%d ", computed(i));
    printf("\n%d %d %d\n", expressions(5), lengths(8), long_jumps());
    printf("%d %d %d %d\n", inlined(3), inlined(argc), recursive(5, &(int){1}), cleaned(6));
    return calls % 50;
}
