// Memories with terms, scopes and protected pages, forked, grafted and written at random, each compared with plain
// arrays; properties of pages (replaced, private, accessible, visited) are computed naively.
#include "../check.h"

#include "base/alloc.h"
#include "base/random.h"
#include "state/memory.h"

#include <string.h>

#define BASE   ((uint64_t)0x08000000)
#define PAGES  4
#define SIZE   (PAGE_SIZE * PAGES)
#define COPIES 4
#define FAR    ((uint64_t)3 << 36) // outside of the grafted range
#define TERMS  60

struct model {
    struct memory memory;
    uint8_t bytes[SIZE], shadow[SIZE], readonly[PAGES], far;
    uint32_t terms[SIZE];
};
static struct model models[COPIES];

struct span {
    uint32_t start, size;
};

static struct span random_span(struct random *random, uint32_t size) {
    uint32_t edge = (uint32_t)random_below(random, size / TERM_BLOCK + 1) * TERM_BLOCK;
    struct span span = {(uint32_t)random_below(random, size), 0};
    if (random_below(random, 3) == 0) span.start = MIN(edge, size - 1);
    span.size = (uint32_t)random_below(random, size - span.start + 1);
    switch (random_below(random, 4)) {
    case 0: span.size = MIN(span.size, 9); break;
    case 1: span.size = MIN(TERM_BLOCK, size - span.start); break;
    default: break;
    }
    return span;
}

static void fork_model(struct model *to, const struct model *from) {
    if (to == from) return;
    memory_free(to->memory);
    *to = *from;
    to->memory = memory_fork(from->memory);
}

static void graft_model(struct model *to, const struct model *from) {
    if (to == from) return;
    uint8_t far = to->far;
    struct memory memory = to->memory;
    memory_graft(&memory, from->memory, 0, (uint64_t)1 << 35);
    *to = *from;
    to->memory = memory;
    to->far = far;
}

// Clears a span; only whole pages lose protection and, with `keep_edges`, bytes.
static void model_fill(struct model *model, struct span span, uint8_t shadow, bool keep_edges) {
    uint32_t first = (uint32_t)align_up(span.start, PAGE_SIZE),
             end = (span.start + span.size) & ~(PAGE_SIZE - 1);
    for (uint32_t i = span.start; i < span.start + span.size; i++) {
        model->shadow[i] = shadow;
        model->terms[i] = 0;
        bool whole = i >= first && i < end;
        if (whole || !keep_edges) model->bytes[i] = 0;
        if (whole) model->readonly[i / PAGE_SIZE] = 0;
    }
}

static void copy_terms(struct random *random, struct model *model) {
    uint32_t to = (uint32_t)random_below(random, PAGES), from = (uint32_t)random_below(random, PAGES),
             offset = (uint32_t)random_below(random, PAGE_SIZE),
             from_offset = (uint32_t)random_below(random, PAGE_SIZE),
             count = (uint32_t)random_below(random, PAGE_SIZE - MAX(offset, from_offset) + 1);
    if (random_below(random, 2)) from = to;
    if (random_below(random, 2)) // the ranges overlap
        offset = from_offset + (offset % 5) - 2 < PAGE_SIZE ? from_offset + (offset % 5) - 2 : from_offset;
    count = MIN(count, PAGE_SIZE - MAX(offset, from_offset));
    struct page *own = memory_own_page(&model->memory, BASE + to * PAGE_SIZE);
    const struct page *source = memory_page(model->memory, BASE + from * PAGE_SIZE);
    if (!source) return;
    memory_page_copy_terms(own, offset, source, from_offset, count);
    memmove(model->terms + to * PAGE_SIZE + offset, model->terms + from * PAGE_SIZE + from_offset,
            count * sizeof *model->terms);
}

static void set_shadows(struct random *random, struct model *model, struct span span) {
    static const uint8_t shadows[] = {SHADOW_OK, SHADOW_UNINIT, SHADOW_RED_ZONE, SHADOW_PROTECTED};
    uint8_t each[SIZE];
    for (uint32_t i = 0; i < span.size; i++) {
        each[i] = model->shadow[span.start + i] = shadows[random_below(random, 4)];
        model->terms[span.start + i] = 0;
    }
    memory_set_shadows(&model->memory, BASE + span.start, span.size, each);
}

static void set_terms(struct random *random, struct model *model, struct span span) {
    for (uint32_t i = span.start; i < span.start + MIN(span.size, 3 * TERM_BLOCK); i++) {
        model->terms[i] = (uint32_t)random_below(random, TERMS);
        memory_set_term(&model->memory, BASE + i, model->terms[i]);
    }
}

static void set_scope(struct model *model, struct span span, bool begins) {
    for (uint32_t i = span.start; i < span.start + span.size; i++)
        if (begins)
            model->shadow[i] &= 0x3f;
        else
            model->shadow[i] |= 0xc0;
    (begins ? memory_begin_scope : memory_end_scope)(&model->memory, BASE + span.start, span.size);
}

static void set_shadow(struct model *model, struct span span, uint8_t shadow) {
    memory_set_shadow(&model->memory, BASE + span.start, span.size, shadow);
    memset(model->shadow + span.start, shadow, span.size);
    if (shadow != SHADOW_SYMBOLIC) memset(model->terms + span.start, 0, span.size * sizeof *model->terms);
}

static void poke(struct model *model, struct span span, uint8_t value) {
    uint8_t bytes[SIZE];
    for (uint32_t i = 0; i < span.size; i++) bytes[i] = model->bytes[span.start + i] = (uint8_t)(value + i);
    memory_poke(&model->memory, BASE + span.start, bytes, span.size);
}

static void make_readonly(struct random *random, struct model *model) {
    uint32_t first = (uint32_t)random_below(random, PAGES),
             count = (uint32_t)random_below(random, PAGES - first + 1);
    memory_make_readonly(&model->memory, BASE + first * PAGE_SIZE, count * PAGE_SIZE);
    memset(model->readonly + first, 1, count);
}

// Applies a random operation. `fills`: also those that share one page between several addresses.
static void change(struct random *random, struct model *model, bool fills) {
    struct span span = random_span(random, SIZE);
    uint8_t value = (uint8_t)random_next(random);
    switch (random_below(random, fills ? 10 : 8)) {
    case 0: poke(model, span, value); break;
    case 1: set_shadow(model, span, value & 3 ? SHADOW_SYMBOLIC : value); break;
    case 2: set_shadows(random, model, span); break;
    case 3: set_terms(random, model, span); break;
    case 4: set_scope(model, span, true); break;
    case 5: set_scope(model, span, false); break;
    case 6: copy_terms(random, model); break;
    case 7: make_readonly(random, model); break;
    case 8:
        memory_zero(&model->memory, BASE + span.start, span.size, value & SHADOW_UNINIT);
        model_fill(model, span, value & SHADOW_UNINIT, false);
        break;
    default:
        memory_retire(&model->memory, BASE + span.start, span.size, SHADOW_FREED);
        model_fill(model, span, SHADOW_FREED, true);
    }
}

// Applies a random operation. If `replaced` does not change, no existing page may be replaced.
static void change_and_watch(struct random *random, struct model *model, bool fills) {
    const struct page *pages[PAGES];
    uint64_t replaced = model->memory.replaced;
    for (uint32_t i = 0; i < PAGES; i++) pages[i] = memory_page(model->memory, BASE + i * PAGE_SIZE);
    change(random, model, fills);
    assert_true(model->memory.replaced >= replaced);
    for (uint32_t i = 0; i < PAGES && model->memory.replaced == replaced; i++)
        if (pages[i]) assert_ptr_equal(pages[i], memory_page(model->memory, BASE + i * PAGE_SIZE));
}

// ---- comparing

struct walk {
    uint64_t sum, last;
    uint32_t pages;
    bool seen[TERMS];
    struct memory memory;
};

static void see_term(void *argument, uint32_t term) {
    struct walk *walk = argument;
    assert_true(term > 0 && term < TERMS);
    walk->sum += term;
    walk->seen[term] = true;
}

static void see_page(void *argument, uint64_t address, const struct page *page) {
    struct walk *walk = argument;
    assert_true(!walk->pages++ || address > walk->last);
    assert_ptr_equal(memory_page(walk->memory, address), page);
    walk->last = address;
}

// Whether an address with this shadow is in no object, live or ended.
static bool is_beside(uint8_t shadow) {
    return shadow >= SHADOW_NO_ACCESS && shadow < SHADOW_OUT_OF_SCOPE && shadow != SHADOW_FREED &&
           shadow != SHADOW_ENDED;
}

static void compare_object_bytes(const struct model *model) {
    for (uint32_t at = 0; at <= SIZE; at += at % 7 ? 1 : 5) {
        uint64_t found = 0;
        uint32_t next = at, last = at;
        while (next < SIZE && is_beside(model->shadow[next])) next++;
        while (last > 0 && is_beside(model->shadow[last - 1])) last--;
        assert_true(memory_next_object_byte(model->memory, BASE + at, &found)); // FAR at the latest
        assert_int_equal(found, next < SIZE ? BASE + next : FAR);
        bool some = memory_last_object_byte(model->memory, BASE + at, &found);
        assert_int_equal(some, last > 0);
        if (some) assert_int_equal(found, BASE + last - 1);
    }
    uint64_t found;
    assert_false(memory_next_object_byte(model->memory, FAR + 1, &found));
    assert_true(memory_last_object_byte(model->memory, UINT64_MAX, &found) && found == FAR);
    assert_false(memory_last_object_byte(model->memory, 0, &found));
}

static void compare(const struct model *model, uint32_t epoch) {
    uint8_t bytes[SIZE], far;
    memory_peek(model->memory, BASE, bytes, SIZE);
    assert_memory_equal(bytes, model->bytes, SIZE);
    memory_peek(model->memory, FAR, &far, 1);
    assert_int_equal(far, model->far);
    uint64_t sum = 0;
    for (uint32_t i = 0; i < SIZE; i++) {
        assert_int_equal(memory_shadow(model->memory, BASE + i), model->shadow[i]);
        assert_int_equal(memory_term(model->memory, BASE + i), model->terms[i]);
        sum += model->terms[i];
    }
    struct walk walk = {.memory = model->memory};
    memory_each_term(model->memory, epoch, see_term, &walk);
    assert_int_equal(walk.sum, sum);
    memory_each_term(model->memory, epoch, see_term, &walk); // once in an epoch
    assert_int_equal(walk.sum, sum);
    memory_each_page(model->memory, see_page, &walk);
    uint32_t pages = 1; // the far one
    for (uint32_t i = 0; i < PAGES; i++) {
        const struct page *page = memory_page(model->memory, BASE + i * PAGE_SIZE);
        pages += page != NULL;
        assert_int_equal(page && page->readonly, model->readonly[i]);
        for (uint32_t k = 0; page && k < sizeof page->guard; k++) assert_int_equal(page->guard[k], 0xff);
    }
    assert_int_equal(walk.pages, pages);
    compare_object_bytes(model);
}

// All terms of all memories are visited in one epoch, whatever they share.
static void compare_walk(uint32_t epoch) {
    struct walk walk = {0};
    bool there[TERMS] = {0};
    for (unsigned i = 0; i < COPIES; i++) {
        memory_each_term(models[i].memory, epoch, see_term, &walk);
        for (uint32_t k = 0; k < SIZE; k++) there[models[i].terms[k]] = true;
    }
    for (uint32_t i = 1; i < TERMS; i++) assert_int_equal(walk.seen[i], there[i]);
}

static void start(void) {
    memset(models, 0, sizeof models);
    for (unsigned i = 0; i < COPIES; i++) {
        models[i].memory = memory_new();
        models[i].far = (uint8_t)(i + 1);
        memset(models[i].shadow, SHADOW_UNMAPPED, SIZE);
        memory_zero(&models[i].memory, FAR, 1, 0);
        memory_poke(&models[i].memory, FAR, &models[i].far, 1);
    }
}

static void test_traces(void **state) {
    uint32_t epoch = 0;
    for (uint64_t seed = 1; seed <= 12; seed++) {
        size_t before = mem_in_use();
        struct random random = {seed};
        start();
        for (unsigned i = 0; i < 120; i++) {
            struct model *to = &models[random_below(&random, COPIES)],
                         *from = &models[random_below(&random, COPIES)];
            switch (random_below(&random, 12)) {
            case 0: fork_model(to, from); break;
            case 1: graft_model(to, from); break;
            default: change_and_watch(&random, to, true);
            }
            if (i % 40 == 39) {
                compare_walk(++epoch);
                for (unsigned k = 0; k < COPIES; k++) compare(&models[k], ++epoch);
            }
        }
        for (unsigned i = 0; i < COPIES; i++) memory_free(models[i].memory);
        assert_int_equal(mem_in_use(), before);
    }
}

// Freeing a memory releases the terms that only this memory holds.
static void test_private(void **state) {
    for (uint64_t seed = 1; seed <= 20; seed++) {
        struct random random = {seed};
        start();
        for (unsigned i = 0; i < 40; i++) {
            struct model *to = &models[random_below(&random, COPIES)],
                         *from = &models[random_below(&random, COPIES)];
            if (random_below(&random, 6))
                change(&random, to, false);
            else
                fork_model(to, from);
        }
        for (unsigned i = 0; i < COPIES; i++) {
            uint64_t own = memory_private_bytes(models[i].memory);
            size_t before = mem_in_use();
            memory_free(models[i].memory);
            assert_int_equal(before - mem_in_use(), own);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_traces),
        cmocka_unit_test(test_private),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
