// RUN: same-as-native %tamar %s </dev/null
// REQUIRES: exec
#include <stdatomic.h>
#include <stdio.h>

static _Atomic int counter;
static _Atomic unsigned long long wide = 5;
static _Atomic(void *) pointer;
static atomic_flag flag = ATOMIC_FLAG_INIT;

int main(int argc, char **argv) {
    printf("%d ", atomic_fetch_add(&counter, 3 * argc)), printf("%d ", atomic_fetch_sub(&counter, 1));
    printf("%d ", atomic_fetch_or(&counter, 0x30)), printf("%d ", atomic_fetch_xor(&counter, 0x11));
    printf("%d ", atomic_exchange(&counter, 99)), printf("%d\n", atomic_load(&counter));
    int expected = 98;
    int done = atomic_compare_exchange_strong(&counter, &expected, 5);
    printf("%d %d %d ", done, expected, counter);
    done = atomic_compare_exchange_strong(&counter, &expected, 5);
    printf("%d %d %d\n", done, expected, counter);
    wide *= 7, wide--, counter++;
    atomic_store_explicit(&pointer, argv, memory_order_release);
    atomic_thread_fence(memory_order_seq_cst);
    printf("%llu %d %d %d %d\n", wide, counter, pointer == argv, atomic_flag_test_and_set(&flag),
           atomic_flag_test_and_set(&flag));
    printf("%d %d\n", __sync_fetch_and_add(&argc, 4), __atomic_add_fetch(&argc, 1, __ATOMIC_RELAXED));
    return 0;
}
