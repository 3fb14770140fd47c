// Natively the stack, its frames, the heap, variables, functions and command-line strings have the engine's addresses.
// So programs that depend on addresses take the same branches: c-stack parses its stack's bounds from /proc/self/maps,
// tables hash pointers, loops over words test the alignment, Lua seeds its hashes with all these addresses.
// RUN: rm -rf %t && status 3 %tamar run %s --sym-args 1 2 5 --sym-env NAME=3 --emit all --out %t -q
// RUN: %tamar replay --exact %t | FileCheck %s
// REQUIRES: run, replay
// CHECK: 8 tests, 8 as predicted
#include <pthread.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

static uintptr_t read_number(FILE *file, int *after) {
    uintptr_t value = 0;
    for (; (*after = getc(file)) != EOF;) {
        if (*after >= '0' && *after <= '9')
            value = value * 16 + (uintptr_t)(*after - '0');
        else if (*after >= 'a' && *after <= 'f')
            value = value * 16 + (uintptr_t)(*after - 'a' + 10);
        else
            break;
    }
    return value;
}

// Whether the address is on the stack, according to the kernel.
static int on_stack(const void *address) {
    FILE *maps = fopen("/proc/self/maps", "r");
    int after, found = 0;
    while (maps && !feof(maps) && !found) {
        uintptr_t start = read_number(maps, &after), end = read_number(maps, &after);
        char rest[200];
        found = fgets(rest, sizeof rest, maps) && strstr(rest, "[stack]") && (uintptr_t)address >= start &&
                (uintptr_t)address < end;
    }
    if (maps) fclose(maps);
    return found;
}

// One branch for each bit of an address: natively all must be the same.
static int ones(const void *address) {
    int count = 0;
    for (unsigned bit = 0; bit < 48; bit++)
        if ((uintptr_t)address >> bit & 1) count++;
    return count;
}

int main(int argc, char **argv);

static void *run(void *argument) {
    void *p = malloc(20);
    char local[10];
    if (!p || (uintptr_t)local % 8) return NULL;
    int count = ones(p);
    free(p);
    return (void *)(intptr_t)count;
}

static int zero, one = 1, many[3000];
int common_one __attribute__((common));
static const char *const names[] = {"one", "two", "three"};

static int ones_of_variables(void) {
    static char inner[3];
    int sum = ones(&zero) + ones(&one) + ones(&many[one]) + ones(inner) + ones(&common_one);
    for (int i = 0; i < 3; i++) sum += ones(names[i]) + ones(&names[i]);
    return sum + ones(__func__) + (&zero < &one) + ((const void *)names[0] < (const void *)names);
}

static int ones_of_frames(int depth, int size) {
    char one[3], two[40], open[size];
    int sum = ones(one) + ones(two) + ones(open) + ones(&depth);
    open[0] = 1;
    for (int i = 0; i < 2; i++) {
        char inner[size + i]; // gone after each round
        inner[0] = 2;
        sum += ones(inner) + inner[0];
    }
    sum += ones(__builtin_alloca(100)) + ones(__builtin_alloca(7));
    return depth ? sum + ones_of_frames(depth - 1, size + 9) : sum;
}

static jmp_buf place;
static void jump(int depth) {
    char room[100];
    room[depth] = 1;
    if (depth) jump(depth - room[depth]);
    longjmp(place, 1);
}
static int ones_after_jump(void) {
    char local[3];
    if (setjmp(place) == 0) jump(5);
    return ones(local) + ones_of_frames(1, 3);
}

static int ones_of_functions(void) {
    int (*const functions[])(void) = {ones_of_variables, ones_after_jump, ones_of_functions};
    int sum = ones((void *)run) + ones((void *)main);
    for (int i = 0; i < 3; i++) sum += ones((void *)functions[i]);
    return sum + functions[0]() + functions[1]();
}

int main(int argc, char **argv) {
    int local = 0, sum = ones_of_functions() + ones_of_frames(2, 5);
    char few[3];
    sum += ones(&local) + ones(few);
    char *variable = getenv("NAME");
    if (!on_stack(&local) || !on_stack(argv) || !on_stack(variable)) return 1;
    for (int i = 0; i < argc; i++) sum += ones(argv[i]);
    sum += ones(argv) + ones(variable);
    for (size_t size = 0; size < 300000; size = 2 * size + 7) sum += ones(malloc(size));
    // freed slots wait before they are reused
    for (int i = 0; i < 40; i++) {
        void *p = malloc(200000);
        sum += ones(p);
        free(p);
    }
    void *p = realloc(malloc(10), 5000), *q = aligned_alloc(256, 512);
    sum += ones(p) + ones(q);
    free(p);
    void *map = mmap(NULL, 9000, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    sum += ones(map);
    if (munmap(map, 9000) != 0) return 2;
    sum += ones(mmap(NULL, 9000, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    pthread_t thread;
    void *result;
    if (pthread_create(&thread, NULL, run, NULL) != 0 || pthread_join(thread, &result) != 0) return 3;
    sum += (int)(intptr_t)result;
    p = malloc(100);
    sum += ones(p);
    if (((uintptr_t)&local | (uintptr_t)few) & 7) return 100;
    if (argv[1][0] == 'x') return 5;
    if (argv[argc - 1][0] == 'y' && variable[0] == 'z') return sum & 63;
    return sum & 31;
}
