#include "state/memory.h"

#include "base/memory.h"
#include "base/run_limits.h"
#include "state/slot.h"

#include <string.h>

// The tree: the root has 2^ROOT_BITS children, the inner levels 2^NODE_BITS each; the children of the last
// level are pages. A node is shared when its reference count is above one: then everything below it is shared
// too, whatever the counts there say.
#define NODE_BITS  6
#define NODE_COUNT (1u << NODE_BITS)
#define LEVELS     ((ADDRESS_BITS - PAGE_BITS) / NODE_BITS) // below the root
#define ROOT_BITS  (ADDRESS_BITS - PAGE_BITS - LEVELS * NODE_BITS)
#define ROOT_COUNT (1u << ROOT_BITS)

struct memory_node {
    uint32_t references, count;
    uint32_t epoch;   // of the last walk over terms
    void *children[]; // nodes, on the last level pages
};

static size_t node_size(uint32_t count) { return sizeof(struct memory_node) + count * sizeof(void *); }

static struct memory_node *new_node(uint32_t count) {
    struct memory_node *node = mem_alloc_zeroed(node_size(count));
    node->references = 1;
    node->count = count;
    return node;
}

// ---- pages

static void release_block(struct term_block *block) {
    assert(block->references > 0);
    if (--block->references == 0) DELETE(block);
}

static void release_page(struct page *page) {
    assert(page->references > 0);
    if (--page->references) return;
    for (uint32_t left = page->blocks; left; left &= left - 1)
        release_block(page->terms[__builtin_ctz(left)]);
    DELETE(page);
}

static struct page *new_page(uint8_t shadow) {
    struct page *page = NEW(struct page);
    page->references = 1;
    memset(page->shadow, shadow, PAGE_SIZE);
    memset(page->guard, 0xff, sizeof page->guard);
    return page;
}

static struct page *copy_page(const struct page *page) {
    struct page *copy = mem_alloc(sizeof *copy);
    *copy = *page;
    copy->references = 1;
    for (uint32_t left = page->blocks; left; left &= left - 1) page->terms[__builtin_ctz(left)]->references++;
    return copy;
}

// A block of the page's own, made or copied.
static struct term_block *own_block(struct page *page, uint32_t number) {
    struct term_block *block = page->terms[number];
    assert(page->references == 1 && !block == !(page->blocks >> number & 1));
    if (block && block->references == 1) return block;
    struct term_block *own = mem_alloc(sizeof *own);
    if (block) {
        *own = *block;
        block->references--;
    } else {
        memset(own->at, 0, sizeof own->at);
    }
    own->references = 1;
    page->blocks |= 1u << number;
    return page->terms[number] = own;
}

void page_set_term(struct page *page, uint32_t offset, uint32_t term) {
    assert(offset < PAGE_SIZE);
    if (page_term(page, offset) != term) own_block(page, offset / TERM_BLOCK)->at[offset % TERM_BLOCK] = term;
}

void page_drop_terms(struct page *page, uint32_t offset, uint32_t count) {
    assert(count <= PAGE_SIZE - offset);
    while (count) {
        uint32_t number = offset / TERM_BLOCK, from = offset % TERM_BLOCK,
                 some = MIN(count, TERM_BLOCK - from);
        offset += some;
        count -= some;
        if (!page->terms[number]) continue;
        if (some == TERM_BLOCK) {
            release_block(page->terms[number]);
            page->terms[number] = NULL;
            page->blocks &= ~(1u << number);
        } else {
            for (uint32_t i = from; i < from + some; i++)
                if (page->terms[number]->at[i]) own_block(page, number)->at[i] = 0;
        }
    }
}

void page_copy_terms(struct page *page, uint32_t offset, const struct page *from, uint32_t from_offset,
                     uint32_t count) {
    assert(count <= PAGE_SIZE - offset && count <= PAGE_SIZE - from_offset);
    if (!page->blocks && !from->blocks) return;
    if (page == from && from_offset < offset) { // backwards: the ranges may overlap
        for (uint32_t i = count; i-- > 0;) page_set_term(page, offset + i, page_term(from, from_offset + i));
    } else {
        for (uint32_t i = 0; i < count; i++)
            page_set_term(page, offset + i, page_term(from, from_offset + i));
    }
}

// ---- the tree

struct memory memory_new(void) { return (struct memory){new_node(ROOT_COUNT), 0}; }

struct memory memory_fork(struct memory memory) {
    memory.root->references++;
    return memory;
}

static void release_node(struct memory_node *node, unsigned level) {
    assert(node->references > 0);
    if (--node->references) return;
    for (uint32_t i = 0; i < node->count; i++) {
        if (!node->children[i]) continue;
        if (level == LEVELS)
            release_page(node->children[i]);
        else
            release_node(node->children[i], level + 1);
    }
    mem_free(node, node_size(node->count));
}

void memory_free(struct memory memory) { release_node(memory.root, 0); }

static inline uint32_t child_index(uint64_t address, unsigned level) {
    unsigned shift = PAGE_BITS + NODE_BITS * (LEVELS - level);
    return (uint32_t)(address >> shift) & (level ? NODE_COUNT - 1 : ROOT_COUNT - 1);
}

const struct page *memory_page(struct memory memory, uint64_t address) {
    if (address >> ADDRESS_BITS) return NULL;
    void *at = memory.root;
    for (unsigned level = 0; level <= LEVELS; level++) {
        at = ((struct memory_node *)at)->children[child_index(address, level)];
        if (!at) return NULL;
    }
    return at;
}

// A node of one's own in place of *place, whose children stay shared.
static struct memory_node *own_node(struct memory_node **place, unsigned level) {
    struct memory_node *node = *place;
    if (node->references == 1) return node;
    struct memory_node *copy = mem_alloc(node_size(node->count));
    memcpy(copy, node, node_size(node->count));
    copy->references = 1;
    for (uint32_t i = 0; i < node->count; i++) {
        if (!node->children[i]) continue;
        if (level == LEVELS)
            ((struct page *)node->children[i])->references++;
        else
            ((struct memory_node *)node->children[i])->references++;
    }
    node->references--;
    return *place = copy;
}

// The place in the tree of an address' page, with every node above it owned.
static struct page **own_place(struct memory *memory, uint64_t address) {
    assert(address >> ADDRESS_BITS == 0);
    limits_poll();
    struct memory_node **place = &memory->root;
    for (unsigned level = 0; level < LEVELS; level++) {
        struct memory_node *node = own_node(place, level);
        place = (struct memory_node **)&node->children[child_index(address, level)];
        if (!*place) *place = new_node(NODE_COUNT);
    }
    struct memory_node *node = own_node(place, LEVELS);
    return (struct page **)&node->children[child_index(address, LEVELS)];
}

struct page *memory_own_page(struct memory *memory, uint64_t address) {
    struct page **place = own_place(memory, address);
    struct page *page = *place;
    if (!page) return *place = new_page(SHADOW_UNMAPPED);
    if (page->references > 1) {
        *place = copy_page(page);
        page->references--;
        memory->replaced++;
    }
    assert((*place)->references == 1);
    return *place;
}

static uint64_t span(unsigned level) { return (uint64_t)1 << (PAGE_BITS + NODE_BITS * (LEVELS - level)); }

// The child of the tree that covers the address' range of this level (not the last), NULL when absent.
static struct memory_node *subtree(struct memory memory, uint64_t address, unsigned level) {
    struct memory_node *at = memory.root;
    for (unsigned i = 0; at && i <= level; i++) at = at->children[child_index(address, i)];
    return at;
}

static void put_subtree(struct memory *memory, uint64_t address, unsigned level, struct memory_node *node) {
    struct memory_node **place = &memory->root;
    for (unsigned i = 0; i <= level; i++) {
        if (!*place) *place = new_node(NODE_COUNT);
        struct memory_node *owned = own_node(place, i);
        place = (struct memory_node **)&owned->children[child_index(address, i)];
    }
    if (node) node->references++;
    if (*place) release_node(*place, level + 1);
    *place = node;
}

void memory_graft(struct memory *to, struct memory from, uint64_t address, uint64_t size) {
    unsigned level = 0;
    while (span(level) > size) level++;
    assert(level < LEVELS && address % size == 0 && size % span(level) == 0);
    for (uint64_t end = address + size; address < end; address += span(level))
        put_subtree(to, address, level, subtree(from, address, level));
    to->replaced = MAX(to->replaced, from.replaced) + 1;
}

// ---- ranges. Each walks over the pages that [address, address + size) touches.

struct piece {
    uint64_t address;
    uint32_t offset, size; // within the page
};

// The part of the range that lies in its first page; moves the range behind it.
static bool next_piece(uint64_t *address, uint64_t *size, struct piece *piece) {
    if (!*size) return false;
    piece->address = *address;
    piece->offset = (uint32_t)*address & (PAGE_SIZE - 1);
    piece->size = (uint32_t)MIN(*size, PAGE_SIZE - piece->offset);
    *address += piece->size;
    *size -= piece->size;
    return true;
}

void memory_peek(struct memory memory, uint64_t address, void *bytes, uint64_t size) {
    struct piece piece;
    uint8_t *to = bytes;
    while (next_piece(&address, &size, &piece)) {
        const struct page *page = memory_page(memory, piece.address);
        if (page)
            memcpy(to, page->bytes + piece.offset, piece.size);
        else
            memset(to, 0, piece.size);
        to += piece.size;
    }
}

void memory_poke(struct memory *memory, uint64_t address, const void *bytes, uint64_t size) {
    struct piece piece;
    const uint8_t *from = bytes;
    while (next_piece(&address, &size, &piece)) {
        memcpy(memory_own_page(memory, piece.address)->bytes + piece.offset, from, piece.size);
        from += piece.size;
    }
}

uint8_t memory_shadow(struct memory memory, uint64_t address) {
    const struct page *page = memory_page(memory, address);
    return page ? page->shadow[address & (PAGE_SIZE - 1)] : SHADOW_UNMAPPED;
}

void memory_set_shadow(struct memory *memory, uint64_t address, uint64_t size, uint8_t shadow) {
    struct piece piece;
    while (next_piece(&address, &size, &piece)) {
        struct page *page = memory_own_page(memory, piece.address);
        assert(page->guard[0] == 0xff); // or an access could cross the page's end unseen
        memset(page->shadow + piece.offset, shadow, piece.size);
        if (shadow != SHADOW_SYMBOLIC) page_clear_terms(page, piece.offset, piece.size);
    }
}

void memory_set_shadows(struct memory *memory, uint64_t address, uint64_t size, const uint8_t *shadows) {
    struct piece piece;
    while (next_piece(&address, &size, &piece)) {
        struct page *page = memory_own_page(memory, piece.address);
        memcpy(page->shadow + piece.offset, shadows, piece.size);
        page_clear_terms(page, piece.offset, piece.size);
        shadows += piece.size;
    }
}

void memory_begin_scope(struct memory *memory, uint64_t address, uint64_t size) {
    struct piece piece;
    while (next_piece(&address, &size, &piece))
        shadow_begin_scope(memory_own_page(memory, piece.address)->shadow + piece.offset, piece.size);
}

void memory_end_scope(struct memory *memory, uint64_t address, uint64_t size) {
    struct piece piece;
    while (next_piece(&address, &size, &piece))
        shadow_end_scope(memory_own_page(memory, piece.address)->shadow + piece.offset, piece.size);
}

// Puts one page at every whole page of the range, shared by all of them.
static void put_shared_page(struct memory *memory, uint64_t address, uint64_t size, struct page *page) {
    memory->replaced++;
    for (uint64_t end = address + size; address < end; address += PAGE_SIZE) {
        struct page **place = own_place(memory, address);
        if (*place) release_page(*place);
        *place = page;
        page->references++;
    }
}

// Fills a range with zero bytes of this shadow; whole pages share one page.
static void fill(struct memory *memory, uint64_t address, uint64_t size, uint8_t shadow,
                 bool keep_edge_bytes) {
    uint64_t start = align_up(address, PAGE_SIZE), end = (address + size) & ~(uint64_t)(PAGE_SIZE - 1);
    if (start < end) {
        struct page *shared = new_page(shadow);
        put_shared_page(memory, start, end - start, shared);
        release_page(shared);
    } else {
        start = end = address + size;
    }
    uint64_t edges[2][2] = {{address, start - address}, {end, address + size - end}};
    for (int i = 0; i < 2; i++) {
        struct piece piece;
        if (!keep_edge_bytes)
            for (uint64_t at = edges[i][0], left = edges[i][1]; next_piece(&at, &left, &piece);)
                memset(memory_own_page(memory, piece.address)->bytes + piece.offset, 0, piece.size);
        memory_set_shadow(memory, edges[i][0], edges[i][1], shadow);
    }
}

void memory_zero(struct memory *memory, uint64_t address, uint64_t size, uint8_t shadow) {
    fill(memory, address, size, shadow, false);
}

void memory_retire(struct memory *memory, uint64_t address, uint64_t size, uint8_t shadow) {
    fill(memory, address, size, shadow, true);
}

void memory_make_readonly(struct memory *memory, uint64_t address, uint64_t size) {
    assert(address % PAGE_SIZE == 0 && size % PAGE_SIZE == 0);
    for (uint64_t end = address + size; address < end; address += PAGE_SIZE)
        memory_own_page(memory, address)->readonly = 1;
}

uint32_t memory_term(struct memory memory, uint64_t address) {
    const struct page *page = memory_page(memory, address);
    return page ? page_term(page, (uint32_t)address & (PAGE_SIZE - 1)) : 0;
}

void memory_set_term(struct memory *memory, uint64_t address, uint32_t term) {
    page_set_term(memory_own_page(memory, address), (uint32_t)address & (PAGE_SIZE - 1), term);
}

bool term_block_is_uniform(const struct term_block *block) {
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

// In a page that its memory owns.
static void put_block(struct page *page, uint32_t number, struct term_block *block) {
    assert(page->references == 1 && number < TERM_BLOCKS);
    if (page->terms[number]) release_block(page->terms[number]);
    page->terms[number] = block;
    page->blocks |= 1u << number;
    block->references++;
}

void memory_fill_slots(struct memory *memory, uint64_t address, uint64_t size, uint32_t slot) {
    struct term_block *shared = new_uniform_block(slot);
    struct piece piece;
    while (next_piece(&address, &size, &piece)) {
        struct page *page = memory_own_page(memory, piece.address);
        for (uint32_t i = piece.offset; i < piece.offset + piece.size;) {
            uint32_t some = MIN(TERM_BLOCK - i % TERM_BLOCK, piece.offset + piece.size - i);
            if (some == TERM_BLOCK) put_block(page, i / TERM_BLOCK, shared);
            for (uint32_t end = i + some; i < end; i++) {
                assert(!(page->shadow[i] & SHADOW_NO_ACCESS));
                page->shadow[i] = SHADOW_SYMBOLIC | (page->shadow[i] & SHADOW_BOUND);
                page->bytes[i] = 0;
                if (some < TERM_BLOCK) page_set_term(page, i, slot);
            }
        }
    }
    release_block(shared);
}

// What is replaced in one block of a page. A block that is an array as a whole gets the shared one.
static void replace_in_block(struct page *page, uint32_t offset, uint32_t count, uint32_t slot,
                             struct term_block *shared, const struct term_block **uniform) {
    const struct term_block *block = page->terms[offset / TERM_BLOCK];
    if (block != *uniform && block->at[0] & SLOT_ARRAY && term_block_is_uniform(block)) *uniform = block;
    if (block == *uniform && count == TERM_BLOCK) {
        put_block(page, offset / TERM_BLOCK, shared);
        return;
    }
    for (uint32_t i = offset; i < offset + count; i++)
        if (page_term(page, i) & SLOT_ARRAY) page_set_term(page, i, slot);
}

void memory_replace_arrays(struct memory *memory, uint64_t address, uint64_t size, uint32_t slot) {
    struct term_block *shared = new_uniform_block(slot);
    const struct term_block *uniform = NULL;
    struct piece piece;
    while (next_piece(&address, &size, &piece)) {
        const struct page *old = memory_page(*memory, piece.address);
        if (!old || !page_has_terms(old, piece.offset, piece.size)) continue;
        struct page *page = memory_own_page(memory, piece.address);
        for (uint32_t i = piece.offset, end = piece.offset + piece.size, some; i < end; i += some) {
            some = MIN(TERM_BLOCK - i % TERM_BLOCK, end - i);
            if (page->terms[i / TERM_BLOCK]) replace_in_block(page, i, some, slot, shared, &uniform);
        }
    }
    release_block(shared);
}

// ---- accessible bytes

// A range of addresses, first to last, to be searched in the tree below a node from one end.
struct hunt {
    uint64_t first, last;
    bool down;
    uint64_t found;
};

static bool hunt_in_page(struct hunt *hunt, const struct page *page, uint64_t base) {
    uint64_t first = MAX(hunt->first, base), last = MIN(hunt->last, base + PAGE_SIZE - 1);
    for (uint64_t i = 0; i <= last - first; i++) {
        hunt->found = hunt->down ? last - i : first + i;
        if (!(page->shadow[hunt->found & (PAGE_SIZE - 1)] & SHADOW_NO_ACCESS)) return true;
    }
    return false;
}

// `bits`: of the addresses below one child.
static bool hunt_below(struct hunt *hunt, const struct memory_node *node, uint64_t base, unsigned bits) {
    for (uint32_t k = 0; k < node->count; k++) {
        uint32_t i = hunt->down ? node->count - 1 - k : k;
        uint64_t start = base + ((uint64_t)i << bits), end = start + ((uint64_t)1 << bits) - 1;
        if (!node->children[i] || end < hunt->first || start > hunt->last) continue;
        if (bits == PAGE_BITS ? hunt_in_page(hunt, node->children[i], start)
                              : hunt_below(hunt, node->children[i], start, bits - NODE_BITS))
            return true;
    }
    return false;
}

bool memory_next_accessible(struct memory memory, uint64_t from, uint64_t *address) {
    struct hunt hunt = {.first = from, .last = UINT64_MAX};
    bool found = memory.root && hunt_below(&hunt, memory.root, 0, ADDRESS_BITS - ROOT_BITS);
    *address = hunt.found;
    return found;
}

bool memory_last_accessible(struct memory memory, uint64_t before, uint64_t *address) {
    struct hunt hunt = {.last = before - 1, .down = true};
    bool found = before && memory.root && hunt_below(&hunt, memory.root, 0, ADDRESS_BITS - ROOT_BITS);
    *address = hunt.found;
    return found;
}

uint64_t memory_plain_prefix(struct memory memory, uint64_t address, uint64_t size) {
    struct piece piece;
    uint64_t plain = 0;
    while (next_piece(&address, &size, &piece)) {
        const struct page *page = memory_page(memory, piece.address);
        if (!page) return plain;
        for (uint32_t i = 0; i < piece.size; i++, plain++)
            if (page->shadow[piece.offset + i]) return plain;
    }
    return plain;
}

// ---- walks over the whole tree

static bool same_pages(const struct page *a, const struct page *b) {
    if (a->readonly != b->readonly || a->blocks != b->blocks || memcmp(a->bytes, b->bytes, PAGE_SIZE) != 0 ||
        memcmp(a->shadow, b->shadow, PAGE_SIZE) != 0)
        return false;
    for (uint32_t left = a->blocks; left; left &= left - 1) {
        unsigned i = (unsigned)__builtin_ctz(left);
        if (a->terms[i] != b->terms[i] &&
            memcmp(a->terms[i]->at, b->terms[i]->at, sizeof a->terms[i]->at) != 0)
            return false;
    }
    return true;
}

static bool same_nodes(const struct memory_node *a, const struct memory_node *b, unsigned level) {
    if (a->count != b->count) return false;
    for (uint32_t i = 0; i < a->count; i++) {
        if (a->children[i] == b->children[i]) continue;
        if (!a->children[i] || !b->children[i]) return false;
        if (level == LEVELS ? !same_pages(a->children[i], b->children[i])
                            : !same_nodes(a->children[i], b->children[i], level + 1))
            return false;
    }
    return true;
}

bool memory_same(struct memory a, struct memory b) {
    return a.root == b.root || same_nodes(a.root, b.root, 0);
}

static uint64_t private_bytes(const struct memory_node *node, unsigned level) {
    if (node->references > 1) return 0;
    uint64_t bytes = node_size(node->count);
    for (uint32_t i = 0; i < node->count; i++) {
        if (!node->children[i]) continue;
        if (level < LEVELS) {
            bytes += private_bytes(node->children[i], level + 1);
            continue;
        }
        const struct page *page = node->children[i];
        if (page->references > 1) continue;
        bytes += sizeof *page;
        for (uint32_t left = page->blocks; left; left &= left - 1)
            if (page->terms[__builtin_ctz(left)]->references == 1) bytes += sizeof(struct term_block);
    }
    return bytes;
}

uint64_t memory_private_bytes(struct memory memory) { return private_bytes(memory.root, 0); }

static void each_page(const struct memory_node *node, unsigned level, uint64_t number,
                      void (*visit)(void *, uint64_t, const struct page *), void *argument) {
    for (uint32_t i = 0; i < node->count; i++) {
        uint64_t child = number << NODE_BITS | i;
        if (node->children[i] && level < LEVELS)
            each_page(node->children[i], level + 1, child, visit, argument);
        else if (node->children[i])
            visit(argument, child << PAGE_BITS, node->children[i]);
    }
}

void memory_each_page(struct memory memory, void (*visit)(void *, uint64_t, const struct page *),
                      void *argument) {
    each_page(memory.root, 0, 0, visit, argument);
}

static void each_term(struct memory_node *node, unsigned level, uint32_t epoch,
                      void (*visit)(void *, uint32_t), void *argument) {
    if (node->epoch == epoch) return;
    node->epoch = epoch;
    for (uint32_t i = 0; i < node->count; i++) {
        if (!node->children[i]) continue;
        if (level < LEVELS) {
            each_term(node->children[i], level + 1, epoch, visit, argument);
            continue;
        }
        struct page *page = node->children[i];
        if (page->epoch == epoch) continue;
        page->epoch = epoch;
        for (uint32_t left = page->blocks; left; left &= left - 1) {
            const uint32_t *terms = page->terms[__builtin_ctz(left)]->at;
            for (uint32_t k = 0; k < TERM_BLOCK; k++)
                if (terms[k]) visit(argument, terms[k]);
        }
    }
}

void memory_each_term(struct memory memory, uint32_t epoch, void (*visit)(void *argument, uint32_t term),
                      void *argument) {
    assert(epoch); // 0 is what new nodes have
    each_term(memory.root, 0, epoch, visit, argument);
}
