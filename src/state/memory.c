#include "state/memory_int.h"

#include "base/alloc.h"
#include "base/run_limits.h"
#include "state/tagged_term.h"

#include <string.h>

static size_t node_size(uint32_t count) { return sizeof(struct memory_node) + count * sizeof(void *); }

struct memory_node *memory_new_node(uint32_t count) {
    struct memory_node *node = mem_alloc_zeroed(node_size(count));
    node->references = 1;
    node->count = count;
    return node;
}

// ---- pages

void memory_release_block(struct term_block *block) {
    assert(block->references > 0);
    if (--block->references == 0) DELETE(block);
}

void memory_release_page(struct page *page) {
    assert(page->references > 0);
    if (--page->references) return;
    for (uint32_t left = page->blocks; left; left &= left - 1)
        memory_release_block(page->terms[__builtin_ctz(left)]);
    DELETE(page);
}

struct page *memory_new_page(uint8_t shadow) {
    struct page *page = NEW(struct page);
    page->references = 1;
    memset(page->shadow, shadow, PAGE_SIZE);
    memset(page->guard, 0xff, sizeof page->guard);
    return page;
}

struct page *memory_copy_page(const struct page *page) {
    struct page *copy = mem_alloc(sizeof *copy);
    *copy = *page;
    copy->references = 1;
    for (uint32_t left = page->blocks; left; left &= left - 1) page->terms[__builtin_ctz(left)]->references++;
    return copy;
}

// Returns a block owned by the page: new, or copied.
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

void memory_page_set_term(struct page *page, uint32_t offset, uint32_t term) {
    assert(offset < PAGE_SIZE);
    if (memory_page_term(page, offset) != term)
        own_block(page, offset / TERM_BLOCK)->at[offset % TERM_BLOCK] = term;
}

void memory_page_drop_terms(struct page *page, uint32_t offset, uint32_t count) {
    assert(count <= PAGE_SIZE - offset);
    while (count) {
        uint32_t number = offset / TERM_BLOCK, from = offset % TERM_BLOCK,
                 some = MIN(count, TERM_BLOCK - from);
        offset += some;
        count -= some;
        if (!page->terms[number]) continue;
        if (some == TERM_BLOCK) {
            memory_release_block(page->terms[number]);
            page->terms[number] = NULL;
            page->blocks &= ~(1u << number);
        } else {
            for (uint32_t i = from; i < from + some; i++)
                if (page->terms[number]->at[i]) own_block(page, number)->at[i] = 0;
        }
    }
}

void memory_page_copy_terms(struct page *page, uint32_t offset, const struct page *from, uint32_t from_offset,
                            uint32_t count) {
    assert(count <= PAGE_SIZE - offset && count <= PAGE_SIZE - from_offset);
    if (!page->blocks && !from->blocks) return;
    if (page == from && from_offset < offset) { // backwards: the ranges may overlap
        for (uint32_t i = count; i-- > 0;)
            memory_page_set_term(page, offset + i, memory_page_term(from, from_offset + i));
    } else {
        for (uint32_t i = 0; i < count; i++)
            memory_page_set_term(page, offset + i, memory_page_term(from, from_offset + i));
    }
}

// ---- the tree

struct memory memory_new(void) { return (struct memory){memory_new_node(ROOT_COUNT), 0}; }

struct memory memory_fork(struct memory memory) {
    memory.root->references++;
    return memory;
}

void memory_release_node(struct memory_node *node, unsigned level) {
    assert(node->references > 0);
    if (--node->references) return;
    for (uint64_t left = node->present; left; left &= left - 1) {
        void *child = node->children[__builtin_ctzll(left)];
        if (level == LEVELS)
            memory_release_page(child);
        else
            memory_release_node(child, level + 1);
    }
    mem_free(node, node_size(node->count));
}

void memory_free(struct memory memory) { memory_release_node(memory.root, 0); }

const struct page *memory_page(struct memory memory, uint64_t address) {
    if (address >> ADDRESS_BITS) return NULL;
    void *at = memory.root;
    for (unsigned level = 0; level <= LEVELS; level++) {
        at = ((struct memory_node *)at)->children[memory_child_index(address, level)];
        if (!at) return NULL;
    }
    return at;
}

struct memory_node *memory_own_node(struct memory_node **link, unsigned level) {
    struct memory_node *node = *link;
    if (node->references == 1) return node;
    struct memory_node *copy = mem_alloc(node_size(node->count));
    memcpy(copy, node, node_size(node->count));
    copy->references = 1;
    for (uint64_t left = node->present; left; left &= left - 1) {
        void *child = node->children[__builtin_ctzll(left)];
        if (level == LEVELS)
            ((struct page *)child)->references++;
        else
            ((struct memory_node *)child)->references++;
    }
    node->references--;
    return *link = copy;
}

struct memory_node **memory_child_link(struct memory_node *node, uint32_t i) {
    if (!node->children[i]) memory_set_child(node, i, memory_new_node(NODE_COUNT));
    return (struct memory_node **)&node->children[i];
}

struct page *memory_own_page(struct memory *memory, uint64_t address) {
    assert(address >> ADDRESS_BITS == 0);
    limits_poll();
    struct memory_node **link = &memory->root;
    for (unsigned level = 0; level < LEVELS; level++)
        link = memory_child_link(memory_own_node(link, level), memory_child_index(address, level));
    struct memory_node *node = memory_own_node(link, LEVELS);
    uint32_t i = memory_child_index(address, LEVELS);
    struct page *page = node->children[i];
    if (page && page->references == 1) return page;
    struct page *own = page ? memory_copy_page(page) : memory_new_page(SHADOW_UNMAPPED);
    if (page) {
        page->references--;
        memory->replaced++;
    }
    memory_set_child(node, i, own);
    return own;
}

// Returns the node that covers the address at this level (not the last), NULL if absent.
static struct memory_node *subtree(struct memory memory, uint64_t address, unsigned level) {
    struct memory_node *at = memory.root;
    for (unsigned i = 0; at && i <= level; i++) at = at->children[memory_child_index(address, i)];
    return at;
}

static void put_subtree(struct memory *memory, uint64_t address, unsigned level, struct memory_node *node) {
    struct memory_node **link = &memory->root;
    for (unsigned i = 0; i < level; i++)
        link = memory_child_link(memory_own_node(link, i), memory_child_index(address, i));
    struct memory_node *above = memory_own_node(link, level);
    uint32_t i = memory_child_index(address, level);
    if (node) node->references++;
    if (above->children[i]) memory_release_node(above->children[i], level + 1);
    memory_set_child(above, i, node);
}

void memory_graft(struct memory *to, struct memory from, uint64_t address, uint64_t size) {
    unsigned level = 0;
    while (memory_span(level) > size) level++;
    assert(level < LEVELS && address % size == 0 && size % memory_span(level) == 0);
    for (uint64_t end = address + size; address < end; address += memory_span(level))
        put_subtree(to, address, level, subtree(from, address, level));
    to->replaced = MAX(to->replaced, from.replaced) + 1;
}

// ---- ranges. Each walks over the pages that [address, address + size) touches.

struct piece {
    uint64_t address;
    uint32_t offset, size; // within the page
};

// Returns the part of the range that lies in its first page, and advances the range past it.
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

void memory_set_shadows(struct memory *memory, uint64_t address, uint64_t size, const uint8_t *shadows) {
    struct piece piece;
    while (next_piece(&address, &size, &piece)) {
        struct page *page = memory_own_page(memory, piece.address);
        memcpy(page->shadow + piece.offset, shadows, piece.size);
        memory_page_clear_terms(page, piece.offset, piece.size);
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

void memory_make_readonly(struct memory *memory, uint64_t address, uint64_t size) {
    assert(address % PAGE_SIZE == 0 && size % PAGE_SIZE == 0);
    for (uint64_t end = address + size; address < end; address += PAGE_SIZE)
        memory_own_page(memory, address)->readonly = 1;
}

uint32_t memory_term(struct memory memory, uint64_t address) {
    const struct page *page = memory_page(memory, address);
    return page ? memory_page_term(page, (uint32_t)address & (PAGE_SIZE - 1)) : 0;
}

void memory_set_term(struct memory *memory, uint64_t address, uint32_t term) {
    memory_page_set_term(memory_own_page(memory, address), (uint32_t)address & (PAGE_SIZE - 1), term);
}

// ---- bytes of objects

// A search for the first (`down`: the last) byte of an object at the addresses `first` to `last`.
struct hunt {
    uint64_t first, last;
    bool down;
    uint64_t found;
};

static bool hunt_in_page(struct hunt *hunt, const struct page *page, uint64_t base) {
    uint64_t first = MAX(hunt->first, base), last = MIN(hunt->last, base + PAGE_SIZE - 1);
    for (uint64_t i = 0; i <= last - first; i++) {
        hunt->found = hunt->down ? last - i : first + i;
        uint8_t shadow = page->shadow[hunt->found & (PAGE_SIZE - 1)];
        if (!(shadow & SHADOW_NO_ACCESS) || shadow_is_ended(shadow)) return true;
    }
    return false;
}

// `bits`: log2 of the addresses below one child.
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

bool memory_next_object_byte(struct memory memory, uint64_t from, uint64_t *address) {
    struct hunt hunt = {.first = from, .last = UINT64_MAX};
    bool found = memory.root && hunt_below(&hunt, memory.root, 0, ADDRESS_BITS - ROOT_BITS);
    *address = hunt.found;
    return found;
}

bool memory_last_object_byte(struct memory memory, uint64_t before, uint64_t *address) {
    struct hunt hunt = {.last = before - 1, .down = true};
    bool found = before && memory.root && hunt_below(&hunt, memory.root, 0, ADDRESS_BITS - ROOT_BITS);
    *address = hunt.found;
    return found;
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
    for (uint64_t present = node->present; present; present &= present - 1) {
        const void *child = node->children[__builtin_ctzll(present)];
        if (level < LEVELS) {
            bytes += private_bytes(child, level + 1);
            continue;
        }
        const struct page *page = child;
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
    for (uint64_t present = node->present; present; present &= present - 1) {
        unsigned i = (unsigned)__builtin_ctzll(present);
        uint64_t child = number << NODE_BITS | i;
        if (level < LEVELS)
            each_page(node->children[i], level + 1, child, visit, argument);
        else
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
    for (uint64_t present = node->present; present; present &= present - 1) {
        void *child = node->children[__builtin_ctzll(present)];
        if (level < LEVELS) {
            each_term(child, level + 1, epoch, visit, argument);
            continue;
        }
        struct page *page = child;
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
    assert(epoch); // new nodes have epoch 0
    each_term(memory.root, 0, epoch, visit, argument);
}
