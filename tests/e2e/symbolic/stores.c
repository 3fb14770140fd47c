// Writes at symbolic offsets of large objects are array stores: all widths, overlapping and unaligned, read back with
// other widths, by copies, moves and realloc; concrete writes in between; structs; both halves of a large table.
// RUN: rm -rf %t.out
// RUN: %tamar run --out %t.out %s | grep "every path was explored"
// RUN: %tamar replay --exact %t.out | grep "as predicted"
// REQUIRES: run
#include <stdlib.h>
#include <string.h>
#include <tamar.h>

static unsigned char bytes[300];
static struct record {
    short kind;
    char name[5];
    long value;
} records[40];
static int large[1000000];

static unsigned below(const char *name, unsigned limit) {
    unsigned x = (unsigned)tamar_int(name);
    tamar_assume(x < limit);
    return x;
}

static void overlapping(unsigned i, unsigned j) {
    for (int k = 0; k < 300; k++) bytes[k] = (unsigned char)(k * 3);
    unsigned word = 0x11223344;
    unsigned short half = 0x5566;
    memcpy(bytes + i, &word, 4); // unaligned
    bytes[7] = 9;
    memcpy(bytes + j, &half, 2);
    tamar_assert(bytes[j] == 0x66 && bytes[j + 1] == 0x55);
    tamar_assert(bytes[7] == 9 || j == 7 || j == 6);
    tamar_assert(bytes[299] == (unsigned char)897 || i == 295); // the last byte that a write can reach
    unsigned char copy[300];
    memcpy(copy, bytes, 300);
    memmove(bytes + 1, bytes, 250);
    if (j < 200) tamar_assert(bytes[j + 1] == 0x66);
    tamar_assert(copy[j] == 0x66);
}

static void in_structs(unsigned i, unsigned j) {
    records[i].value = 7;
    records[j].kind = 3;
    memcpy(records[j].name, "abcd", 5);
    tamar_assert(records[i].value == 7 && records[j].kind == 3 && !strcmp(records[j].name, "abcd"));
    records[i] = (struct record){0};
    tamar_assert(records[j].kind == (i == j ? 0 : 3));
}

static void on_the_heap(unsigned i, unsigned j) {
    unsigned char *block = malloc(300);
    memset(block, 1, 300);
    block[i] = 2;
    block = realloc(block, 600);
    tamar_assert(block[i] == 2);
    memset(block, 0, 300); // all of it is bytes again
    tamar_assert(!block[j]);
    free(block);
}

static void in_a_large_table(unsigned i, unsigned j) {
    for (int k = 0; k < 1000000; k++) large[k] = 7 * k;
    large[i] = 5;
    if (large[j] == 5) tamar_assert(i == j);
    int old = large[j];
    large[j]++;
    tamar_assert(large[j] == old + 1 && large[i] == 5 + (i == j));
}

int main(void) {
    unsigned i = below("i", 295), j = below("j", 295);
    switch (below("which", 4)) {
    case 0: overlapping(i, j); break;
    case 1: in_structs(i % 40, j % 40); break;
    case 2: on_the_heap(i, j); break;
    default: in_a_large_table(below("large", 1000000), below("other", 1000000));
    }
    return 0;
}
