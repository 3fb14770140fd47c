// The memory of a program under test, as a value: pages shared between states and copied when written.
//
// Every byte has a shadow byte beside it. Zero means: addressable, concrete and initialised. So the engine's
// fast path is one comparison of the shadow with zero, whatever the width of the access. Any other value sends
// the access to the slow path, which tells the cases apart.
//
// A memory is a radix tree of reference-counted nodes over reference-counted pages. A fork shares the root;
// the first write to a page afterwards copies that page and the nodes above it.
#ifndef TAMAR_STATE_MEMORY_H
#define TAMAR_STATE_MEMORY_H

#include "base/base.h"

#define PAGE_BITS    NORMAL_OR_HOSTILE(11, 6)
#define PAGE_SIZE    (1u << PAGE_BITS)
#define ADDRESS_BITS 42 // addresses from 2^42 on are never mapped

enum shadow {
    SHADOW_OK = 0,
    SHADOW_SYMBOLIC = 1, // the byte's term is in the page's terms
    SHADOW_UNINIT = 2,   // never written (not used in concrete runs without the check UNINIT)
    // Inside an object of symbolic size: accessible only if the path condition implies that the object is
    // large enough.
    SHADOW_BOUND = 4,
    SHADOW_POINTER = 8, // part of a pointer with an origin (vm/provenance.h); its slot is in the page's terms
    SHADOW_NO_ACCESS = 0x80,
    SHADOW_UNMAPPED = 0x80, // not mapped
    SHADOW_RED_ZONE,        // beside an object
    SHADOW_FREED,           // a heap object that has been freed
    SHADOW_ENDED,           // stack frame of a function that has returned
    SHADOW_HEADER,          // the allocator's own record
    SHADOW_PROTECTED,       // mapped without the right to read (mprotect)
    // A red zone; the term of its first byte, if any, is the size of the object before it.
    SHADOW_AFTER_BOUND,
    // Set in the shadow of a local that goes out of scope, cleared when the scope begins again; the other bits
    // stay.
    SHADOW_OUT_OF_SCOPE = 0xc0,
    // Stack of a variable-length array that is out of scope.
    SHADOW_GIVEN_BACK = SHADOW_OUT_OF_SCOPE | SHADOW_ENDED,
};
static inline bool shadow_is_out_of_scope(uint8_t shadow) {
    return (shadow & SHADOW_OUT_OF_SCOPE) == SHADOW_OUT_OF_SCOPE;
}
// Begins or ends the scope of a local: `count` bytes of its shadow.
static inline void shadow_begin_scope(uint8_t *shadow, uint64_t count) {
    for (uint64_t i = 0; i < count; i++) shadow[i] &= (uint8_t)~SHADOW_OUT_OF_SCOPE;
}
static inline void shadow_end_scope(uint8_t *shadow, uint64_t count) {
    for (uint64_t i = 0; i < count; i++) shadow[i] |= SHADOW_OUT_OF_SCOPE;
}

// 16 bytes of guard follow the shadow and are never zero. An access that crosses the page's end reads them as
// shadow and so takes the slow path; no separate comparison is needed.
//
// Terms of symbolic bytes are kept in blocks. A copied page shares its blocks with the original until one of
// the two pages changes them.
#define TERM_BLOCK  64u // bytes of a page that one block of terms covers
#define TERM_BLOCKS (PAGE_SIZE / TERM_BLOCK)

struct term_block {
    uint32_t references;
    uint32_t at[TERM_BLOCK];
};

struct page {
    uint32_t references;
    uint32_t epoch;   // epoch of the last traversal of terms
    uint32_t blocks;  // bit i: terms[i] exists
    uint8_t readonly; // constant data: writes are reported
    uint8_t bytes[PAGE_SIZE] __attribute__((aligned(16)));
    uint8_t shadow[PAGE_SIZE];
    uint8_t guard[16];
    struct term_block *terms[TERM_BLOCKS];
};
_Static_assert(TERM_BLOCKS <= 32, "a page's blocks are bits of a word");

// Returns the term of a byte, whatever its shadow; 0: none.
static inline uint32_t memory_page_term(const struct page *page, uint32_t offset) {
    const struct term_block *block = page->terms[offset / TERM_BLOCK];
    return block ? block->at[offset % TERM_BLOCK] : 0;
}
// Whether some of these bytes have a block of terms (count is not 0).
static inline bool memory_page_has_terms(const struct page *page, uint32_t offset, uint32_t count) {
    uint32_t first = offset / TERM_BLOCK, last = (offset + count - 1) / TERM_BLOCK;
    return page->blocks >> first & (uint32_t)((2ull << (last - first)) - 1);
}
// Set and drop terms. The page must be owned by its memory (memory_own_page).
void memory_page_set_term(struct page *page, uint32_t offset, uint32_t term);
void memory_page_drop_terms(struct page *page, uint32_t offset, uint32_t count);
// Copies the terms of `count` bytes of `from` (which may be the same page). Where `from` has no term, the term here is
// dropped.
void memory_page_copy_terms(struct page *page, uint32_t offset, const struct page *from, uint32_t from_offset,
                            uint32_t count);
static inline void memory_page_clear_terms(struct page *page, uint32_t offset, uint32_t count) {
    if (page->blocks) memory_page_drop_terms(page, offset, count);
}

// Whether all terms of the block are the same.
bool memory_term_block_is_uniform(const struct term_block *block);

struct memory_node;

struct memory {
    struct memory_node *root;
    // Incremented whenever one page replaces another: pointers to pages must then be looked up again.
    uint64_t replaced;
};

// Returns an empty memory: nothing is mapped.
struct memory memory_new(void);
// Returns a memory with the same content. Cost: one increment.
struct memory memory_fork(struct memory memory);
void memory_free(struct memory memory);

// Returns the page of an address for reading; NULL if nothing was ever mapped there.
const struct page *memory_page(struct memory memory, uint64_t address);
// Returns the page of an address for writing: made (unmapped bytes) if absent, copied if shared. The address
// must be below 2^ADDRESS_BITS.
struct page *memory_own_page(struct memory *memory, uint64_t address);

// A run: a part of one page, or adjacent whole pages that are all the same shared page or all absent (NULL).
struct page_run {
    uint64_t address, size;
    const struct page *page;
};
// Finds the run that begins at an address and ends at or before `end`. Returns false if the address is not
// below `end`.
bool memory_next_run(struct memory memory, uint64_t address, uint64_t end, struct page_run *run);

// Raw access that ignores shadows and protection; absent pages read as zero. For the loader, the allocator's
// records and reports.
void memory_peek(struct memory memory, uint64_t address, void *bytes, uint64_t size);
void memory_poke(struct memory *memory, uint64_t address, const void *bytes, uint64_t size);
uint8_t memory_shadow(struct memory memory, uint64_t address);
// Sets the shadow of a range. Terms of bytes that are no longer symbolic are dropped.
void memory_set_shadow(struct memory *memory, uint64_t address, uint64_t size, uint8_t shadow);
// Sets a shadow for each byte; none may be SHADOW_SYMBOLIC.
void memory_set_shadows(struct memory *memory, uint64_t address, uint64_t size, const uint8_t *shadows);
// Begins or ends the scope of a local; its bytes and terms stay.
void memory_begin_scope(struct memory *memory, uint64_t address, uint64_t size);
void memory_end_scope(struct memory *memory, uint64_t address, uint64_t size);
// Writes zero bytes with the given shadow (0 or SHADOW_UNINIT); whole pages are shared until they are
// written.
void memory_zero(struct memory *memory, uint64_t address, uint64_t size, uint8_t shadow);
// Writes this byte to whole pages, all of them accessible, which are shared until they are written.
void memory_set_pages(struct memory *memory, uint64_t address, uint64_t size, uint8_t byte);
// Fills a range, all of it accessible, with this byte; bounds of symbolic sizes stay.
void memory_fill(struct memory *memory, uint64_t address, uint64_t size, uint8_t byte);
// Frees the whole pages of a dead range; its other bytes stay. The whole range gets this shadow.
void memory_retire(struct memory *memory, uint64_t address, uint64_t size, uint8_t shadow);
// Makes the pages of the range (which must be page-aligned) read-only.
void memory_make_readonly(struct memory *memory, uint64_t address, uint64_t size);

// Returns the term of a byte, whatever its shadow; 0: none.
uint32_t memory_term(struct memory memory, uint64_t address);
void memory_set_term(struct memory *memory, uint64_t address, uint32_t term);
// Makes all bytes of the range, which must be accessible, symbolic with this slot. They share blocks of terms.
void memory_fill_slots(struct memory *memory, uint64_t address, uint64_t size, uint32_t slot);
// Replaces the slots of the range that are arrays (tagged_term.h) by this one.
void memory_replace_arrays(struct memory *memory, uint64_t address, uint64_t size, uint32_t slot);

// Whether the program may access the byte (SHADOW_NO_ACCESS): not if it is unmapped, protected, in a red zone, freed or
// out of scope.
static inline bool memory_is_accessible(struct memory memory, uint64_t address) {
    return !(memory_shadow(memory, address) & SHADOW_NO_ACCESS);
}
// Whether the byte belongs to an object that has ended: it was freed, its function has returned, or it is out
// of scope.
static inline bool shadow_is_ended(uint8_t shadow) {
    return shadow == SHADOW_FREED || shadow == SHADOW_ENDED || shadow_is_out_of_scope(shadow);
}
// Find the nearest byte of an object, live or ended: the first one at or after `from`, the last one before
// `before`. Return false if there is none. Ranges that were never mapped are skipped.
bool memory_next_object_byte(struct memory memory, uint64_t from, uint64_t *address);
bool memory_last_object_byte(struct memory memory, uint64_t before, uint64_t *address);

// Returns the number of leading bytes of the range whose shadow is zero.
uint64_t memory_plain_prefix(struct memory memory, uint64_t address, uint64_t size);

// Makes the range in `to` the same as in `from`: both share its pages until one of them writes. The range is
// aligned to its size, a power of two of at least 2^35 bytes: whole subtrees are shared.
void memory_graft(struct memory *to, struct memory from, uint64_t address, uint64_t size);

// Whether every byte, shadow and term is the same. Shared subtrees are not compared.
bool memory_same(struct memory a, struct memory b);

// Bytes of host memory that only this memory holds (not shared with another state): pages, nodes and terms.
uint64_t memory_private_bytes(struct memory memory);

// Calls visit for every page that was ever mapped, in order of address.
void memory_each_page(struct memory memory,
                      void (*visit)(void *argument, uint64_t address, const struct page *page),
                      void *argument);

// Calls visit for every term (non-zero) of every symbolic byte, for the collector of terms. Skips parts
// already visited in this epoch (not 0) through another memory that shares them.
void memory_each_term(struct memory memory, uint32_t epoch, void (*visit)(void *argument, uint32_t term),
                      void *argument);

#endif
