// The allocator against plain copies of what its blocks contain.
#include "../check.h"
#include "base/alloc.h"
#include "base/random.h"

#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { BLOCKS = 60 };

// Sizes around those that slabs serve, and around their grain.
static size_t some_size(struct random *random) {
    static const size_t near[] = {0, 16, 64, 4096, 8160, 8192, 100000};
    size_t size = near[random_below(random, COUNT(near))] + random_below(random, 40);
    return random_below(random, 3) ? random_below(random, 200) : size;
}

struct block {
    uint8_t *at, byte;
    size_t size;
};

static bool holds(const struct block *block, size_t size) {
    for (size_t i = 0; i < size; i++)
        if (block->at[i] != block->byte) return false;
    return true;
}

static void test_trace(void **state) {
    struct block blocks[BLOCKS] = {{NULL, 0, 0}};
    struct random random = {6};
    size_t before = mem_in_use(), total = 0;
    for (unsigned step = 0; step < 20000; step++) {
        struct block *block = &blocks[random_below(&random, BLOCKS)];
        size_t size = some_size(&random), kept = MIN(size, block->size);
        assert_true(!block->at || holds(block, block->size));
        total -= block->size;
        if (block->at && random_below(&random, 2)) {
            block->at = mem_realloc(block->at, block->size, size);
            assert_true(holds(block, kept));
        } else {
            bool zeroed = random_below(&random, 2);
            mem_free(block->at, block->size);
            block->at = zeroed ? mem_alloc_zeroed(size) : mem_alloc(size);
            block->byte = 0;
            assert_true(!zeroed || holds(block, size));
        }
        assert_int_equal((uintptr_t)block->at % 16, 0);
        block->byte = (uint8_t)step;
        memset(block->at, block->byte, block->size = size);
        total += size;
        assert_int_equal(mem_in_use() - before, total);
        assert_true(mem_held() >= mem_in_use());
    }
    for (unsigned i = 0; i < BLOCKS; i++) mem_free(blocks[i].at, blocks[i].size);
    assert_int_equal(mem_in_use(), before);
}

#ifndef NDEBUG
// Whether the process survives a mistake: bytes written from the end of a block on, and a size that is not the block's.
static bool survives(size_t size, size_t past, size_t given) {
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        close(2);
        char *block = mem_alloc(size);
        memset(block, 1, size + past);
        mem_free(block, given);
        _exit(0);
    }
    int status = 0;
    return waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static void test_mistakes(void **state) {
    static const size_t sizes[] = {0, 1, 8, 15, 16, 24, 100, 8150, 9000};
    for (unsigned i = 0; i < COUNT(sizes); i++) {
        assert_true(survives(sizes[i], 0, sizes[i]));
        assert_false(survives(sizes[i], 1, sizes[i]));
        assert_false(survives(sizes[i], 0, sizes[i] + 1));
    }
}
#endif

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_trace),
#ifndef NDEBUG
        cmocka_unit_test(test_mistakes),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
