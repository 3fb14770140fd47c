// Operations on ranges, run by run (memory.h). A block of a gigabyte of which little was touched has few runs,
// and the cost of everything here is proportional to the number of runs.
#include "state/memory_int.h"

#include "base/alloc.h"
#include "base/run_limits.h"
#include "state/tagged_term.h"

#include <string.h>

// ---- one page at many addresses

// A page, and for each level a node all of whose children are the same, down to that page. Made when needed.
struct uniform {
    struct page *page;
    struct memory_node *nodes[LEVELS + 1]; // nodes[0] is not used: there is one root
};

static struct memory_node *uniform_node(struct uniform *uniform, unsigned level) {
    assert(level >= 1 && level <= LEVELS);
    if (uniform->nodes[level]) return uniform->nodes[level];
    struct memory_node *node = memory_new_node(NODE_COUNT);
    void *child = level == LEVELS ? (void *)uniform->page : uniform_node(uniform, level + 1);
    if (level == LEVELS)
        uniform->page->references += NODE_COUNT;
    else
        uniform->nodes[level + 1]->references += NODE_COUNT;
    for (uint32_t i = 0; i < NODE_COUNT; i++) memory_set_child(node, i, child);
    return uniform->nodes[level] = node;
}

static void put_child(struct uniform *uniform, struct memory_node *node, uint32_t i, unsigned level) {
    void *old = node->children[i];
    if (level == LEVELS) {
        uniform->page->references++;
        memory_set_child(node, i, uniform->page);
        if (old) memory_release_page(old);
    } else {
        struct memory_node *child = uniform_node(uniform, level + 1);
        child->references++;
        memory_set_child(node, i, child);
        if (old) memory_release_node(old, level + 1);
    }
}

// Puts the page below the node that *link points to, whose addresses begin at `base`.
static void put_below(struct uniform *uniform, struct memory_node **link, unsigned level, uint64_t base,
                      uint64_t first, uint64_t end) {
    limits_poll();
    struct memory_node *node = memory_own_node(link, level);
    for (uint64_t at = base + (first - base) / memory_span(level) * memory_span(level); at < end;
         at += memory_span(level)) {
        uint32_t i = memory_child_index(at, level);
        uint64_t from = MAX(first, at), to = MIN(end, at + memory_span(level));
        if (to - from == memory_span(level))
            put_child(uniform, node, i, level);
        else
            put_below(uniform, memory_child_link(node, i), level + 1, at, from, to);
    }
}

// Replaces all whole pages of the range by one shared page, with shared nodes above it. The cost grows with the depth
// of the tree, not with the range.
static void memory_put_shared(struct memory *memory, uint64_t address, uint64_t size, struct page *page) {
    assert(address % PAGE_SIZE == 0 && size % PAGE_SIZE == 0 && (address + size - 1) >> ADDRESS_BITS == 0);
    struct uniform uniform = {.page = page};
    memory->replaced++;
    put_below(&uniform, &memory->root, 0, 0, address, address + size);
    for (unsigned level = 1; level <= LEVELS; level++)
        if (uniform.nodes[level]) memory_release_node(uniform.nodes[level], level);
}

// ---- runs

// Whether all children of the node are this one.
static bool is_uniform(const struct memory_node *node, const void *child) {
    for (uint32_t i = 0; i < node->count; i++)
        if (node->children[i] != child) return false;
    return true;
}

// Returns the page of an address, or NULL. above[0] to above[*depth] are the existing nodes above it.
static const void *path_to(struct memory memory, uint64_t address, const struct memory_node **above,
                           unsigned *depth) {
    const void *at = memory.root;
    for (*depth = 0; *depth <= LEVELS; ++*depth) {
        above[*depth] = at;
        at = above[*depth]->children[memory_child_index(address, *depth)];
        if (!at) return NULL;
    }
    --*depth;
    return at;
}

bool memory_next_run(struct memory memory, uint64_t address, uint64_t end, struct page_run *run) {
    if (address >= end) return false;
    *run = (struct page_run){.address = address};
    if (address >> ADDRESS_BITS) {
        run->size = end - address;
        return true;
    }
    const struct memory_node *above[LEVELS + 1];
    unsigned level;
    const void *child = path_to(memory, address, above, &level);
    run->page = child;
    uint64_t next = (address / memory_span(level) + 1) * memory_span(level);
    // A part of a page is a run by itself; adjacent absent pages are one run.
    for (bool whole = !child || address % PAGE_SIZE == 0; whole && next < end; level--) {
        const struct memory_node *node = above[level];
        uint32_t i = memory_child_index(address, level) + 1;
        for (; i < node->count && next < end && node->children[i] == child; i++) next += memory_span(level);
        if (i < node->count || next >= end || !level) break;
        if (child && !is_uniform(node, child)) break; // the node has other pages, too
        if (!child) break;
        child = node;
    }
    run->size = MIN(next, end) - address;
    if (run->page && run->size > PAGE_SIZE) run->size -= run->size % PAGE_SIZE;
    return true;
}

// Applies `change` to the bytes of the range, page by page. Identical pages stay identical: `change` is
// called once for them, with a page that nothing else refers to.
static void memory_change(struct memory *memory, uint64_t address, uint64_t size,
                          void (*change)(void *context, struct page *page, uint32_t offset, uint32_t count),
                          void *context) {
    if (size && address / PAGE_SIZE == (address + size - 1) / PAGE_SIZE) { // the common case
        change(context, memory_own_page(memory, address), (uint32_t)address & (PAGE_SIZE - 1),
               (uint32_t)size);
        return;
    }
    struct page_run run;
    for (uint64_t end = address + size; memory_next_run(*memory, address, end, &run); address += run.size) {
        uint32_t offset = (uint32_t)address & (PAGE_SIZE - 1);
        if (run.size < 2 * PAGE_SIZE || offset) {
            run.size = MIN(run.size, PAGE_SIZE - offset);
            change(context, memory_own_page(memory, address), offset, (uint32_t)run.size);
            continue;
        }
        run.size -= run.size % PAGE_SIZE;
        struct page *page = run.page ? memory_copy_page(run.page) : memory_new_page(SHADOW_UNMAPPED);
        change(context, page, 0, PAGE_SIZE);
        memory_put_shared(memory, address, run.size, page);
        memory_release_page(page);
    }
}

// ---- shadows

static void set_page_shadow(void *context, struct page *page, uint32_t offset, uint32_t count) {
    uint8_t shadow = *(const uint8_t *)context;
    assert(page->guard[0] == 0xff); // otherwise an access could cross the page's end unnoticed
    memset(page->shadow + offset, shadow, count);
    if (shadow != SHADOW_SYMBOLIC) memory_page_clear_terms(page, offset, count);
}

void memory_set_shadow(struct memory *memory, uint64_t address, uint64_t size, uint8_t shadow) {
    memory_change(memory, address, size, set_page_shadow, &shadow);
}

static void zero_page(void *context, struct page *page, uint32_t offset, uint32_t count) {
    memset(page->bytes + offset, 0, count);
    set_page_shadow(context, page, offset, count);
}

void memory_set_pages(struct memory *memory, uint64_t address, uint64_t size, uint8_t byte) {
    struct page *shared = memory_new_page(0);
    memset(shared->bytes, byte, PAGE_SIZE);
    memory_put_shared(memory, address, size, shared);
    memory_release_page(shared);
}

// Makes the whole pages of the range share one page of zeros with this shadow; `edge` changes the partial pages at
// its ends.
static void fill(struct memory *memory, uint64_t address, uint64_t size, uint8_t shadow,
                 void (*edge)(void *context, struct page *page, uint32_t offset, uint32_t count)) {
    uint64_t start = align_up(address, PAGE_SIZE), end = (address + size) & ~(uint64_t)(PAGE_SIZE - 1);
    if (start < end) {
        struct page *shared = memory_new_page(shadow);
        memory_put_shared(memory, start, end - start, shared);
        memory_release_page(shared);
    } else {
        start = end = address + size;
    }
    memory_change(memory, address, start - address, edge, &shadow);
    memory_change(memory, end, address + size - end, edge, &shadow);
}

void memory_zero(struct memory *memory, uint64_t address, uint64_t size, uint8_t shadow) {
    fill(memory, address, size, shadow, zero_page);
}

void memory_retire(struct memory *memory, uint64_t address, uint64_t size, uint8_t shadow) {
    fill(memory, address, size, shadow, set_page_shadow);
}

static void fill_page(void *context, struct page *page, uint32_t offset, uint32_t count) {
    memset(page->bytes + offset, *(const uint8_t *)context, count);
    memory_page_clear_terms(page, offset, count);
    for (uint32_t i = offset; i < offset + count; i++) page->shadow[i] &= SHADOW_BOUND;
}

void memory_fill(struct memory *memory, uint64_t address, uint64_t size, uint8_t byte) {
    memory_change(memory, address, size, fill_page, &byte);
}

static uint32_t plain_prefix(const struct page *page, uint32_t offset, uint32_t count) {
    uint32_t plain = 0;
    uint64_t word = 0;
    for (; count - plain >= sizeof word; plain += (uint32_t)sizeof word) {
        memcpy(&word, page->shadow + offset + plain, sizeof word);
        if (word) break;
    }
    while (plain < count && !page->shadow[offset + plain]) plain++;
    return plain;
}

uint64_t memory_plain_prefix(struct memory memory, uint64_t address, uint64_t size) {
    struct page_run run;
    uint64_t start = address;
    for (uint64_t end = address + size; memory_next_run(memory, address, end, &run); address += run.size) {
        if (!run.page) break;
        uint32_t offset = (uint32_t)address & (PAGE_SIZE - 1),
                 count = (uint32_t)MIN(run.size, PAGE_SIZE - offset);
        uint32_t plain = plain_prefix(run.page, offset, count);
        if (plain < count) return address + plain - start;
    }
    return address - start;
}

// ---- slots

bool memory_term_block_is_uniform(const struct term_block *block) {
    for (uint32_t i = 1; i < TERM_BLOCK; i++)
        if (block->at[i] != block->at[0]) return false;
    return true;
}

static struct term_block *new_uniform_block(uint32_t slot) {
    struct term_block *block = mem_alloc(sizeof *block);
    block->references = 1;
    for (uint32_t i = 0; i < TERM_BLOCK; i++) block->at[i] = slot;
    return block;
}

// The memory must own the page.
static void put_block(struct page *page, uint32_t number, struct term_block *block) {
    assert(page->references == 1 && number < TERM_BLOCKS);
    if (page->terms[number]) memory_release_block(page->terms[number]);
    page->terms[number] = block;
    page->blocks |= 1u << number;
    block->references++;
}

struct slot_fill {
    uint32_t slot;
    struct term_block *shared;
    const struct term_block *uniform; // the last block seen that consists of one array only
};

static void fill_page_slots(void *context, struct page *page, uint32_t offset, uint32_t count) {
    const struct slot_fill *fill = context;
    for (uint32_t i = offset; i < offset + count;) {
        uint32_t some = MIN(TERM_BLOCK - i % TERM_BLOCK, offset + count - i);
        if (some == TERM_BLOCK) put_block(page, i / TERM_BLOCK, fill->shared);
        for (uint32_t end = i + some; i < end; i++) {
            assert(!(page->shadow[i] & SHADOW_NO_ACCESS));
            page->shadow[i] = SHADOW_SYMBOLIC | (page->shadow[i] & SHADOW_BOUND);
            page->bytes[i] = 0;
            if (some < TERM_BLOCK) memory_page_set_term(page, i, fill->slot);
        }
    }
}

void memory_fill_slots(struct memory *memory, uint64_t address, uint64_t size, uint32_t slot) {
    struct slot_fill fill = {slot, new_uniform_block(slot), NULL};
    memory_change(memory, address, size, fill_page_slots, &fill);
    memory_release_block(fill.shared);
}

// Replaces arrays in one block of a page. A block that consists of one array only is replaced by the shared
// block.
static void replace_in_block(struct page *page, uint32_t offset, uint32_t count, struct slot_fill *fill) {
    const struct term_block *block = page->terms[offset / TERM_BLOCK];
    if (block != fill->uniform && block->at[0] & SLOT_ARRAY && memory_term_block_is_uniform(block))
        fill->uniform = block;
    if (block == fill->uniform && count == TERM_BLOCK) {
        put_block(page, offset / TERM_BLOCK, fill->shared);
        return;
    }
    for (uint32_t i = offset; i < offset + count; i++)
        if (memory_page_term(page, i) & SLOT_ARRAY) memory_page_set_term(page, i, fill->slot);
}

static void replace_in_page(void *context, struct page *page, uint32_t offset, uint32_t count) {
    for (uint32_t i = offset, end = offset + count, some; i < end; i += some) {
        some = MIN(TERM_BLOCK - i % TERM_BLOCK, end - i);
        if (page->terms[i / TERM_BLOCK]) replace_in_block(page, i, some, context);
    }
}

void memory_replace_arrays(struct memory *memory, uint64_t address, uint64_t size, uint32_t slot) {
    struct slot_fill fill = {slot, new_uniform_block(slot), NULL};
    struct page_run run;
    for (uint64_t end = address + size; memory_next_run(*memory, address, end, &run); address += run.size) {
        uint32_t offset = (uint32_t)address & (PAGE_SIZE - 1);
        if (run.page && memory_page_has_terms(run.page, offset, (uint32_t)MIN(run.size, PAGE_SIZE - offset)))
            memory_change(memory, address, run.size, replace_in_page, &fill);
    }
    memory_release_block(fill.shared);
}
