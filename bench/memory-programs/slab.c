// A slab allocator whose free list lies in the slots: four slots are taken, two symbolic ones given back, two taken again.
// paths: 1
#include <tamar.h>

#define SLOTS 256
static struct slot {
    int next;
    int value;
} slots[SLOTS];
static int head;

static int take(int value) {
    int slot = head;
    head = slots[slot].next;
    slots[slot].value = value;
    return slot;
}

static void give(int slot) {
    slots[slot].next = head;
    head = slot;
}

int main(void) {
    for (int i = 0; i < SLOTS; i++) slots[i].next = i + 1;
    for (int i = 0; i < 200; i++) (void)take(i);
    int a = tamar_int("a"), b = tamar_int("b");
    tamar_assume(a >= 0 && a < 200 && b >= 0 && b < 200 && a != b);
    give(a);
    give(b);
    tamar_assert(take(7) == b && take(8) == a);
    return slots[100].value == 8 ? 2 : 0;
}
