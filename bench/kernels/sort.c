// Sorting: quicksort and heap sort written out, and the library's qsort with its calls through a pointer.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef COUNT
#define COUNT 1300000
#endif

static uint32_t state = 1;
static uint32_t next(void) {
    state ^= state << 13, state ^= state >> 17, state ^= state << 5;
    return state;
}

static void swap(uint32_t *a, uint32_t *b) {
    uint32_t t = *a;
    *a = *b, *b = t;
}

static void quick(uint32_t *at, long low, long high) {
    while (low < high) {
        uint32_t pivot = at[(low + high) / 2];
        long i = low, j = high;
        while (i <= j) {
            while (at[i] < pivot) i++;
            while (at[j] > pivot) j--;
            if (i <= j) swap(&at[i++], &at[j--]);
        }
        if (j - low < high - i) {
            quick(at, low, j);
            low = i;
        } else {
            quick(at, i, high);
            high = j;
        }
    }
}

static void sift(uint32_t *at, long i, long count) {
    for (long child; (child = 2 * i + 1) < count; i = child) {
        if (child + 1 < count && at[child] < at[child + 1]) child++;
        if (at[i] >= at[child]) return;
        swap(&at[i], &at[child]);
    }
}

static void heap(uint32_t *at, long count) {
    for (long i = count / 2; i--;) sift(at, i, count);
    for (long i = count; i-- > 1;) swap(&at[0], &at[i]), sift(at, 0, i);
}

static int compare(const void *a, const void *b) {
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

int main(void) {
    uint32_t *numbers = malloc(COUNT * sizeof *numbers), hash = 0;
    for (int kind = 0; kind < 3; kind++)
        for (int round = 0; round < 2; round++) {
            long count = kind == 2 ? COUNT / 4 : COUNT;
            for (long i = 0; i < count; i++) numbers[i] = next();
            if (kind == 0)
                quick(numbers, 0, count - 1);
            else if (kind == 1)
                heap(numbers, count);
            else
                qsort(numbers, (size_t)count, sizeof *numbers, compare);
            for (long i = 1; i < count; i++) {
                if (numbers[i - 1] > numbers[i]) return 1;
                hash = hash * 31 + numbers[i];
            }
        }
    printf("%08x\n", hash);
    free(numbers);
    return 0;
}
