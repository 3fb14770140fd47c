// Pointer arithmetic that leaves its object, or goes through integers, but whose accesses are all valid.
// RUN: echo ab >%t.in
// RUN: same-as-native %tamar %s <%t.in
// RUN: rm -rf %t.out
// RUN: %tamar run %s --sym-stdin 2 --out %t.out >%t
// RUN: FileCheck %s <%t
// CHECK-NOT: out-of-bounds
// CHECK: no bug found
// CHECK: every path was explored
#include <setjmp.h>
#include <stdalign.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define N 40
#define CHECK(condition)                                                                                     \
    do {                                                                                                     \
        if (!(condition)) {                                                                                  \
            printf("failed in line %d: %s\n", __LINE__, #condition);                                         \
            exit(1);                                                                                         \
        }                                                                                                    \
    } while (0)

static int first[N], second[N], third[N];
static double wide[N];
static int *far_before = first - 300, *beside = second - 1;
static const char *const *names_at;
static const char *const names[] = {"a", "b", "c"};
static const char *const *const biased = names - 97;
static int *computed = (int *)((uintptr_t)third - 1000);

struct link {
    struct link *next;
};
struct item {
    char text[100];
    int value;
    struct link link;
    int tail[3];
};
struct flexible {
    int count;
    int at[];
};

// ---- container_of, offsetof, members

static int sum_of(struct link *head) {
    int sum = 0;
    for (struct link *link = head; link; link = link->next)
        sum += ((struct item *)((char *)link - offsetof(struct item, link)))->value;
    return sum;
}

static void containers(int unknown) {
    struct item items[3] = {0};
    for (int i = 0; i < 3; i++) {
        items[i].value = i + 1;
        items[i].link.next = i < 2 ? &items[i + 1].link : NULL;
    }
    CHECK(sum_of(&items[0].link) == 6);
    int *member = (int *)((char *)&items[unknown % 3] + offsetof(struct item, value));
    CHECK(*member == unknown % 3 + 1);
    struct item *whole = (struct item *)((char *)member - offsetof(struct item, value));
    CHECK(whole->value == unknown % 3 + 1 && whole == &items[unknown % 3]);
}

// ---- one-based arrays, and further away

static long based(int *array, int from, int count) { // array[from] is the first element
    long sum = 0;
    for (int i = from; i < from + count; i++) sum += array[i];
    return sum;
}

static void one_based(int unknown) {
    int local[N];
    double reals[N];
    int *heap = malloc(sizeof(int) * N);
    for (int i = 0; i < N; i++) local[i] = heap[i] = first[i] = second[i] = i, reals[i] = wide[i] = i;
    int *p = local - 1;
    CHECK(p[1] == 0 && p[N] == N - 1);
    double *r = reals - 1, *w = wide - 1;
    CHECK(r[1] == 0 && r[N] == N - 1 && w[N] == N - 1);
    long all = N * (N - 1) / 2;
    CHECK(based(local - 500, 500, N) == all && based(heap - 500, 500, N) == all);
    CHECK(based(first - 500, 500, N) == all && based(second + 500, -500, N) == all);
    CHECK(based(far_before, 300, N) == all && based(beside, 1, N) == all);
    CHECK(based(local - unknown, unknown, N) == all && based(heap - 10 * unknown, 10 * unknown, N) == all);
    CHECK((heap - 7 * unknown)[7 * unknown + 3] == 3 && biased['c'][0] == 'c');
    names_at = names - 97;
    CHECK(names_at['b'][0] == 'b');
    free(heap);
}

// ---- through integers

struct node {
    uintptr_t both;
    int value;
};

static int walk(struct node *first_node) {
    uintptr_t before = 0;
    int sum = 0;
    for (struct node *node = first_node; node;) {
        sum = sum * 10 + node->value;
        uintptr_t after = node->both ^ before;
        before = (uintptr_t)node;
        node = (struct node *)after;
    }
    return sum;
}

static void integers(int unknown) {
    struct node *nodes[4];
    for (int i = 0; i < 4; i++) {
        nodes[i] = malloc(sizeof **nodes);
        nodes[i]->value = i + 1;
    }
    for (int i = 0; i < 4; i++)
        nodes[i]->both = (i ? (uintptr_t)nodes[i - 1] : 0) ^ (i < 3 ? (uintptr_t)nodes[i + 1] : 0);
    CHECK(walk(nodes[0]) == 1234 && walk(nodes[3]) == 4321);
    uintptr_t between = (uintptr_t)second - (uintptr_t)first;
    int *reached = (int *)((uintptr_t)first + between);
    second[3] = 33;
    CHECK(reached[3] == 33 && reached == second);
    int *shifted = (int *)((uintptr_t)second - 4 * (uintptr_t)unknown); // may point into another object
    CHECK(shifted[unknown + 3] == 33);
    int *held[2] = {shifted, (int *)((uintptr_t)third - 1000)};
    CHECK(held[0][unknown + 3] == 33 && held[1][250] == 0);
    CHECK(computed[250 + unknown] == 0);
    uintptr_t tagged = (uintptr_t)nodes[2] | 5;
    CHECK(((struct node *)(tagged & ~(uintptr_t)7))->value == 3 && (tagged & 7) == 5);
    long difference = (char *)nodes[3] - (char *)nodes[1];
    CHECK(((struct node *)((intptr_t)nodes[1] + difference))->value == 4);
    for (int i = 0; i < 4; i++) free(nodes[i]);
}

// ---- moving pointers, with steps outside of the object that access nothing

static void moving(int unknown) {
    char buffer[300], *end = buffer + sizeof buffer, *last = end;
    memset(buffer, 'x', sizeof buffer);
    for (char *p = end - 1; p >= buffer; p--) CHECK(*p == 'x');
    for (char *p = end - 20; p >= buffer; p -= 20) CHECK(*p == 'x');
    CHECK(last[-1] == 'x');
    char *far = buffer;
    for (int i = 0; i < 50; i++) far += 100;
    for (int i = 0; i < 50; i++) far -= 100;
    CHECK(*far == 'x');
    for (int i = 0; i < 1000; i++) far -= 3;
    CHECK(far[3000] == 'x');
    far += 1500;
    far += 1500;
    CHECK(far == buffer && *far == 'x');
    char *kept[3] = {buffer - 4000, end + 1000, buffer + 10 * unknown - 5000}, *copied[3];
    memcpy(copied, kept, sizeof kept);
    CHECK(copied[0][4000] == 'x' && copied[1][-1001] == 'x' && copied[2][5000 - 9 * unknown] == 'x');
    CHECK(copied[1] - copied[0] == 5300 && copied[0] < copied[1]);
    char **heap = malloc(sizeof kept);
    for (int i = 0; i < 3; i++) heap[i] = copied[i];
    CHECK(heap[0][4001] == 'x' && (heap[1] - 1300)[1] == 'x');
    char *chosen = unknown & 1 ? heap[0] : heap[1];
    CHECK(*(unknown & 1 ? chosen + 4000 : chosen - 1300) == 'x');
    free(heap);
    union {
        char *pointer;
        uintptr_t number;
    } both = {.pointer = buffer - 2000};
    CHECK(both.number == (uintptr_t)buffer - 2000 && both.pointer[2001] == 'x');
    CHECK((int)((buffer + 5000) - (buffer - 5000)) == 10000);
}

// ---- growing, and parts of larger objects

struct arena {
    char *at, *end;
};
static void *take(struct arena *arena, size_t size) {
    size_t space = (size + 15) & ~(size_t)15;
    if ((size_t)(arena->end - arena->at) < space) return NULL;
    void *part = arena->at;
    arena->at += space;
    return part;
}

static void parts(int unknown) {
    int *data = malloc(4 * sizeof *data), *cursor = data + 3;
    for (int i = 0; i < 4; i++) data[i] = i;
    for (int size = 8; size < 2000; size *= 4) {
        int *moved = realloc(data, (size_t)size * sizeof *data);
        cursor = moved + (cursor - data);
        data = moved;
        CHECK(*cursor == 3);
    }
    int *old = malloc(40), *inside = old + 5;
    old[5] = 55;
    uintptr_t from = (uintptr_t)old;
    old = realloc(old, 4000);
    inside = (int *)((uintptr_t)inside + ((uintptr_t)old - from));
    CHECK(*inside == 55);
    free(old);
    free(data);
    struct flexible *list = malloc(sizeof *list + 100 * sizeof(int));
    for (list->count = 0; list->count < 100; list->count++) list->at[list->count] = list->count;
    CHECK(list->at[90 + unknown % 10] == 90 + unknown % 10);
    free(list);
    char *memory = malloc(4096);
    struct arena arena = {memory, memory + 4096};
    struct item *items[20];
    for (int i = 0; i < 20; i++) {
        items[i] = take(&arena, sizeof **items);
        items[i]->tail[2] = i;
    }
    CHECK(items[19]->tail[2] == 19 && items[unknown % 20]->tail[2] == unknown % 20);
    CHECK(*(int *)((char *)items[3] + ((char *)&items[9]->tail[2] - (char *)items[3])) == 9);
    free(memory);
    char *mapped = mmap(NULL, 20000, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    mapped[0] = mapped[19999] = 'm';
    CHECK((mapped - 10000)[10000] == 'm' && mapped[(unknown & 1) * 19999] == 'm');
    munmap(mapped, 20000);
    char *broken = sbrk(0);
    if (sbrk(8192) != (void *)-1) {
        broken[0] = broken[8000] = 's';
        CHECK(broken[8000 * (unknown & 1)] == 's');
    }
}

// ---- the stack

static int tail_of(int count, int unknown) {
    int array[count];
    int *also = __builtin_alloca(sizeof(int) * (size_t)count);
    for (int i = 0; i < count; i++) array[i] = also[i] = i;
    int *p = array + count - 1, *q = also - 200;
    return *p + q[200 + unknown % count] + (p - 100)[99];
}

static int variadic(int count, ...) {
    va_list list;
    int sum = 0;
    va_start(list, count);
    for (int i = 0; i < count; i++) sum += va_arg(list, int);
    va_end(list);
    return sum;
}

// The bytes of a pointer that has left its object are plain numbers unless they are put together again.
static void bytes(int unknown) {
    int *numbers = malloc(N * sizeof *numbers), *before = numbers - N, *back;
    unsigned char *parts = (unsigned char *)&before, turned[sizeof before], counts[256] = {0};
    unsigned sum = 0;
    numbers[unknown % N] = 9;
    for (unsigned i = 0; i < sizeof before; i++) {
        sum = sum * 31 + parts[i];
        counts[parts[i]]++;
        turned[sizeof before - 1 - i] = parts[i] ^ 0x55;
    }
    CHECK(counts[parts[0]] && sum != 12345);
    for (unsigned i = 0; i < sizeof before; i++)
        ((unsigned char *)&back)[i] = turned[sizeof before - 1 - i] ^ 0x55;
    CHECK(back[N + unknown % N] == 9);
    for (unsigned i = 0; i < sizeof before; i++) ((unsigned char *)&back)[i] = parts[i];
    back += N;
    CHECK(back[unknown % N] == 9);
    free(numbers);
}

static int by_number(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

static void library(int unknown) {
    int numbers[N];
    for (int i = 0; i < N; i++) numbers[i] = (i * 17 + unknown) % N;
    qsort(numbers, N, sizeof *numbers, by_number);
    for (int i = 1; i < N; i++) CHECK(numbers[i - 1] <= numbers[i]);
    int key = unknown % N;
    int *found = bsearch(&key, numbers, N, sizeof *numbers, by_number);
    CHECK(found && *found == key);
    char text[400];
    snprintf(text, sizeof text, "%.3f %300d %s", 1e10 / 3, key, names[1]);
    CHECK(strlen(text) > 300);
    char *copy = strdup(text), *word = strtok(copy, " ");
    CHECK(word && !strcmp(strtok(NULL, " ") + strlen(""), strrchr(text, ' ') - 1 - (key > 9) + 0 * key) + 1);
    free(copy);
    CHECK(variadic(9, 1, 2, 3, 4, 5, 6, 7, 8, 9) == 45);
    FILE *file = tmpfile();
    if (file) {
        fprintf(file, "%d lines\n", 10);
        rewind(file);
        ungetc('x', file);
        CHECK(fgetc(file) == 'x' && fgetc(file) == '1');
        fclose(file);
    }
}

int main(void) {
    int unknown = (getchar() & 31) + (getchar() & 1);
    containers(unknown);
    one_based(unknown);
    integers(unknown);
    moving(unknown);
    parts(unknown);
    bytes(unknown);
    CHECK(tail_of(30, unknown) >= 29);
    library(5);
    puts("all good");
    return 0;
}
