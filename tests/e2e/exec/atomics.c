// Atomics: C11 types of every size, read-modify-write builtins, compare and exchange, flags.
// REQUIRES: exec
// RUN: %clang -O0 -ffp-contract=off %s -lm -o %t.native && %t.native >%t.expected
// RUN: %tamar exec %s >%t.actual
// RUN: diff %t.expected %t.actual
// RUN: %tamar exec %s -O2 >%t.optimised && diff %t.expected %t.optimised
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>

static uint64_t check;
static void mix(uint64_t value) { check = (check ^ value) * 0x100000001b3 + (check >> 29); }

#define SIZES(type)                                                                                          \
    {                                                                                                        \
        static _Atomic type shared;                                                                          \
        static type plain;                                                                                   \
        for (int i = 0; i < 100; i++) {                                                                      \
            type old = atomic_load(&shared), wanted = (type)(old * 3 + i);                                   \
            mix((uint64_t)atomic_fetch_add(&shared, (type)(i * 7)));                                         \
            mix((uint64_t)atomic_fetch_sub_explicit(&shared, (type)i, memory_order_relaxed));                \
            mix((uint64_t)atomic_fetch_xor(&shared, (type)0x5a));                                            \
            mix((uint64_t)atomic_fetch_or(&shared, (type)i));                                                \
            mix((uint64_t)atomic_fetch_and(&shared, (type) ~2));                                             \
            mix((uint64_t)atomic_compare_exchange_strong(&shared, &old, wanted));                            \
            mix((uint64_t)old);                                                                              \
            mix((uint64_t)atomic_compare_exchange_weak(&shared, &old, wanted));                              \
            mix((uint64_t)atomic_exchange(&shared, (type)(wanted + 1)));                                     \
            shared++;                                                                                        \
            shared -= 5;                                                                                     \
            mix((uint64_t)__atomic_add_fetch(&plain, (type)i, __ATOMIC_ACQ_REL));                            \
            mix((uint64_t)__atomic_fetch_nand(&plain, (type)0x37, __ATOMIC_SEQ_CST));                        \
            mix((uint64_t)__atomic_fetch_max(&plain, (type)(i * 11), __ATOMIC_SEQ_CST));                     \
            mix((uint64_t)__atomic_fetch_min(&plain, (type)(i * 5), __ATOMIC_SEQ_CST));                      \
            mix((uint64_t)__sync_val_compare_and_swap(&plain, (type)i, (type)(i + 1)));                      \
            mix((uint64_t)__sync_lock_test_and_set(&plain, (type)(i * i)));                                  \
        }                                                                                                    \
        printf("%-9s %016llx\n", #type, (unsigned long long)check);                                          \
    }

struct eight {
    int a;
    float b;
};

int main(void) {
    SIZES(int8_t)
    SIZES(uint8_t)
    SIZES(int16_t)
    SIZES(uint16_t)
    SIZES(int32_t)
    SIZES(uint32_t)
    SIZES(int64_t)
    SIZES(uint64_t)
    static _Atomic(struct eight) pair;
    struct eight one = {1, 2.5f}, seen = atomic_load(&pair);
    mix((uint64_t)atomic_compare_exchange_strong(&pair, &seen, one));
    one.a = 7;
    seen = atomic_exchange(&pair, one);
    mix((uint64_t)seen.a + (uint64_t)seen.b);
    static _Atomic double number = 1.5;
    for (int i = 0; i < 10; i++) number *= 1.25;
    number += 3;
    mix((uint64_t)(number * 1e9));
    static int cells[4];
    static _Atomic(int *) pointer = cells;
    atomic_fetch_add(&pointer, 2);
    *atomic_load(&pointer) = 9;
    mix((uint64_t)cells[2]);
    atomic_flag flag = ATOMIC_FLAG_INIT;
    mix((uint64_t)atomic_flag_test_and_set(&flag));
    mix((uint64_t)atomic_flag_test_and_set(&flag));
    atomic_flag_clear(&flag);
    mix((uint64_t)atomic_flag_test_and_set(&flag));
    atomic_thread_fence(memory_order_seq_cst);
    __sync_synchronize();
    printf("others    %016llx\n", (unsigned long long)check);
    return 0;
}
