#include "vm/object_array.h"

// Most bytes of an object that may become an array: the index has 32 bits.
#define MOST_ARRAY    ((uint64_t)1 << 32)
#define MOST_LISTED   ((uint64_t)1 << 26) // most bytes of an array whose elements are listed one by one
#define MOST_OVER     ((uint64_t)1 << 22) // most bytes written to an object that is larger than MOST_LISTED
#define MOST_OVERLAID 256u // elements that may differ from an array before it is rebuilt from the pages
// Some elements that are not concrete, in a range of at least this many: a table of constants with stores.
#define LEAST_TABLE     NORMAL_OR_HOSTILE(256u, 2u)
#define MOST_OVER_TABLE 32u
#define MOST_CHARGED    ((uint64_t)1 << 16) // most bytes charged for a write: shared pages are written once
// Ranges of at most this many bytes are always listed element by element. In a larger range, elements that were never
// written become an array variable, and many elements of one value become a constant array with stores.
#define LEAST_FILLED ((uint64_t)1 << 16)

// ---- slots

Term object_array_find(struct vm *vm, const struct object *object, uint64_t low, uint64_t high) {
    assert(low <= high && high < object->size);
    struct page_run run;
    for (uint64_t at = object->start + low, end = object->start + high + 1;
         memory_next_run(vm->state->memory, at, end, &run); at += run.size) {
        uint32_t offset = (uint32_t)at & (PAGE_SIZE - 1),
                 last = offset + (uint32_t)MIN(run.size, PAGE_SIZE - offset);
        if (!run.page || !run.page->blocks) continue;
        for (uint32_t i = offset; i < last; i++)
            if (memory_page_term(run.page, i) & SLOT_ARRAY)
                return vm_read_slot(vm, memory_page_term(run.page, i));
    }
    return 0;
}

static unsigned element_size(const struct vm *vm, Term array) { return term_width(vm->terms, array) / 8; }

Term object_array_byte(struct vm *vm, const struct state *state, uint64_t address, uint32_t slot) {
    struct object object;
    bool found = object_find(state, address, &object);
    assert(found && object_holds(&object, address) && slot & SLOT_ARRAY);
    if (!found) return term_const(vm->terms, 8, 0);
    Term array = vm_slot_term(vm, slot);
    uint64_t offset = address - object.start, size = element_size(vm, array);
    Term element = term_select(vm->terms, array, term_const(vm->terms, 32, offset / size));
    return term_extract(vm->terms, element, (unsigned)(8 * (offset % size)), 8);
}

// ---- bytes that are not in the array

static uint64_t bytes_in(const struct object *object, uint64_t element, unsigned size) {
    return MIN((uint64_t)size, object->size - element * size);
}

// Returns an element from the pages. Bytes past the end of the object are zeros.
static Term page_element(struct vm *vm, const struct object *object, uint64_t element, unsigned size) {
    uint64_t count = bytes_in(object, element, size);
    Term value = vm_load_term(vm, object->start + element * size, (unsigned)count);
    return count == size ? value : term_zext(vm->terms, value, 8 * size);
}

static bool is_in_array(const struct vm *vm, const struct object *object, uint64_t element, unsigned size) {
    uint64_t start = object->start + element * size, count = bytes_in(object, element, size);
    for (uint64_t i = 0; i < count; i++)
        if (!(memory_term(vm->state->memory, start + i) & SLOT_ARRAY)) return false;
    return true;
}

// The content of most bytes of an object: never written, or one value (calloc, memset).
enum fill_kind { FILL_UNSET, FILL_VALUE, FILL_COUNT };
struct fill {
    enum fill_kind kind;
    uint8_t value;
};

static bool byte_is(const struct page *page, uint32_t offset, struct fill fill) {
    uint8_t shadow = page->shadow[offset] & (uint8_t)~SHADOW_BOUND;
    return fill.kind == FILL_UNSET ? shadow == SHADOW_UNINIT : !shadow && page->bytes[offset] == fill.value;
}

static bool all_are(const struct page *page, uint32_t offset, uint64_t count, struct fill fill) {
    for (uint32_t i = offset; i < offset + count; i++)
        if (!byte_is(page, i, fill)) return false;
    return true;
}

// Returns the value that fills the object: the first concrete byte of the longest run of equal pages.
static uint8_t filling_value(const struct vm *vm, uint64_t start, uint64_t size) {
    struct page_run run;
    uint64_t longest = 0;
    uint8_t value = 0;
    for (uint64_t at = start; memory_next_run(vm->state->memory, at, start + size, &run); at += run.size) {
        uint32_t offset = (uint32_t)at & (PAGE_SIZE - 1);
        if (run.size <= longest || !run.page || run.page->shadow[offset] & ~SHADOW_BOUND) continue;
        longest = run.size;
        value = run.page->bytes[offset];
    }
    return value;
}

// Summary of the pages of a range.
struct range_content {
    bool is_plain;               // all bytes are concrete
    bool has_unset;              // some bytes were never written
    uint64_t used;               // number of bytes up to the last one that is not a concrete zero
    uint8_t value;               // the value of FILL_VALUE
    uint64_t others[FILL_COUNT]; // per fill: number of bytes that neither have it nor are in an array
};

// Adds a run of pages equal to this one to the summary. `whole`: bytes of the run; `done`: bytes before the run.
static void look_at_page(const struct page *page, uint32_t offset, uint32_t count, uint64_t done,
                         uint64_t whole, struct range_content *content) {
    uint64_t others[FILL_COUNT] = {0};
    assert(count && whole % count == 0);
    for (uint32_t i = 0; i < count; i++) {
        bool held = memory_page_term(page, offset + i) & SLOT_ARRAY,
             unset = byte_is(page, offset + i, (struct fill){FILL_UNSET, 0}),
             filled = byte_is(page, offset + i, (struct fill){FILL_VALUE, content->value});
        if (!byte_is(page, offset + i, (struct fill){FILL_VALUE, 0}))
            content->used = done + (whole - count) + i + 1;
        content->is_plain &= !(page->shadow[offset + i] & ~SHADOW_BOUND);
        content->has_unset |= unset;
        others[FILL_UNSET] += !held && !unset;
        others[FILL_VALUE] += !held && !filled;
    }
    for (enum fill_kind kind = 0; kind < FILL_COUNT; kind++)
        content->others[kind] += others[kind] * (whole / count);
}

static struct range_content look_at(const struct vm *vm, uint64_t start, uint64_t size) {
    struct range_content content = {.is_plain = true, .value = filling_value(vm, start, size)};
    struct page_run run;
    for (uint64_t at = start; memory_next_run(vm->state->memory, at, start + size, &run); at += run.size) {
        uint32_t offset = (uint32_t)at & (PAGE_SIZE - 1);
        limits_poll();
        assert(run.page); // the object is accessible
        look_at_page(run.page, offset, (uint32_t)MIN(run.size, PAGE_SIZE - offset), at - start, run.size,
                     &content);
    }
    return content;
}

// Finds the whole mapping of an object that may be a part of it (object_at). Indices count from the start of the whole:
// the parts change with the access rights.
static bool find_whole(const struct vm *vm, const struct object *object, struct object *whole) {
    *whole = *object;
    if (object->kind != OBJECT_MAPPING) return true;
    return object_find_heap(vm->state, object->start, whole) && whole->kind == OBJECT_MAPPING;
}

bool object_array_possible(const struct vm *vm, const struct object *object) {
    struct object whole;
    if (object->kind == OBJECT_STACK || !find_whole(vm, object, &whole)) return false;
    if (whole.start != object->start || whole.size != object->size) return false;
    if (object->size <= MOST_LISTED || object->size > MOST_ARRAY) return object->size <= MOST_LISTED;
    struct range_content content = look_at(vm, object->start, object->size);
    return MIN(content.others[FILL_UNSET], content.others[FILL_VALUE]) <= MOST_OVER;
}

// Returns `array`, whose elements are all the fill, with stores of the elements `first` to `last` that differ from it.
static Term over_fill(struct vm *vm, const struct object *object, uint64_t first, uint64_t last,
                      unsigned size, struct fill fill, Term array) {
    for (uint64_t i = first; i <= last;) {
        limits_poll();
        uint64_t at = object->start + i * size;
        struct page_run run = {0};
        memory_next_run(vm->state->memory, at, object->start + object->size, &run);
        uint32_t offset = (uint32_t)at & (PAGE_SIZE - 1);
        uint64_t inside = MIN(run.size, PAGE_SIZE - offset);
        if (run.size >= size && all_are(run.page, offset, inside, fill)) {
            i += run.size / size; // continue with the element that crosses the end of the run
            continue;
        }
        if (inside < size || !all_are(run.page, offset, size, fill))
            array =
                term_store(vm->terms, array, term_const(vm->terms, 32, i), page_element(vm, object, i, size));
        i++;
    }
    return array;
}

// Returns an array of `used` concrete bytes from element `first`; all following ones are 0.
static Term plain_array(const struct vm *vm, const struct object *object, uint64_t first, uint64_t used,
                        unsigned size) {
    if (!used) return term_array_const(vm->terms, 32, term_const(vm->terms, 8 * size, 0));
    uint64_t count = first + (used - 1) / size + 1;
    uint8_t *bytes = NEW_ARRAY(uint8_t, count *size);
    memory_peek(vm->state->memory, object->start + first * size, bytes + first * size, used);
    Term array = term_array_bytes(vm->terms, 32, size, bytes, (uint32_t)count);
    DELETE_ARRAY(bytes, count * size);
    return array;
}

static Term filled_array(const struct vm *vm, uint8_t value, unsigned size) {
    Term element = term_const(vm->terms, 8 * size, 0x0101010101010101u * value);
    return term_array_const(vm->terms, 32, element);
}

Term object_array_table(struct vm *vm, uint64_t first, uint32_t count, unsigned size) {
    uint64_t whole = (uint64_t)count * size, others[MOST_OVER_TABLE];
    unsigned found = 0;
    for (uint64_t at = 0; (at += memory_plain_prefix(vm->state->memory, first + at, whole - at)) < whole;
         at = (others[found++] + 1) * size) {
        if (found == MOST_OVER_TABLE || count < LEAST_TABLE) return 0;
        others[found] = at / size;
    }
    uint8_t *bytes = NEW_ARRAY(uint8_t, whole);
    memory_peek(vm->state->memory, first, bytes, whole);
    Term array = term_array_bytes(vm->terms, 32, size, bytes, count);
    DELETE_ARRAY(bytes, whole);
    for (unsigned i = 0; i < found; i++)
        array = term_store(vm->terms, array, term_const(vm->terms, 32, others[i]),
                           vm_load_term(vm, first + others[i] * size, size));
    return array;
}

// Returns an array with the elements `first` to `last` of the pages; the others are never read.
static Term array_of_pages(struct vm *vm, const struct object *object, uint64_t first, uint64_t last,
                           unsigned size) {
    uint64_t bytes = (last - first) * size + bytes_in(object, last, size);
    struct range_content content = look_at(vm, object->start + first * size, bytes);
    if (content.is_plain && content.used <= MOST_LISTED)
        return plain_array(vm, object, first, content.used, size);
    uint64_t others = MIN(content.others[FILL_UNSET], content.others[FILL_VALUE]);
    struct fill fill = {content.others[FILL_UNSET] == others ? FILL_UNSET : FILL_VALUE, content.value};
    bool listed = bytes <= MOST_LISTED && (bytes <= LEAST_FILLED || others > MOST_OVERLAID);
    Term array = 0;
    if (fill.kind == FILL_UNSET && content.has_unset && bytes > LEAST_FILLED)
        array = uninit_array(vm, object, size);
    else if (fill.kind == FILL_VALUE && !listed)
        array = filled_array(vm, fill.value, size);
    if (array) return over_fill(vm, object, first, last, size, fill, array);
    uint64_t count = MIN(last, first + (content.used - 1) / size) + 1;
    Term *elements = NEW_ARRAY(Term, count);
    for (uint64_t i = 0; i < count; i++) {
        limits_poll();
        elements[i] = i < first ? term_const(vm->terms, 8 * size, 0) : page_element(vm, object, i, size);
    }
    array = term_array_literal(vm->terms, 32, 8 * size, elements, (uint32_t)count);
    DELETE_ARRAY(elements, count);
    return array;
}

// Whether all of these bytes of a page are in the array. *full: a block that is known to be all in the array; many
// pages share it.
static bool page_is_in_array(const struct page *page, uint32_t offset, uint32_t count,
                             const struct term_block **full) {
    if (offset % TERM_BLOCK || count % TERM_BLOCK) return false;
    for (uint32_t i = offset / TERM_BLOCK; i < (offset + count) / TERM_BLOCK; i++) {
        const struct term_block *block = page->terms[i];
        if (!block) return false;
        if (block == *full) continue;
        if (!(block->at[0] & SLOT_ARRAY) || !memory_term_block_is_uniform(block)) return false;
        *full = block;
    }
    return true;
}

// Returns the number of elements from `first` on that are not in the array, at most up to `last`.
static uint64_t elements_outside(const struct vm *vm, const struct object *object, uint64_t first,
                                 uint64_t last, unsigned size) {
    uint64_t i = first;
    while (i <= last) {
        struct page_run run = {0};
        memory_next_run(vm->state->memory, object->start + i * size, object->start + object->size, &run);
        bool plain = run.page && !run.page->blocks && run.size >= size;
        if (!plain && is_in_array(vm, object, i, size)) break;
        i += plain ? run.size / size : 1;
    }
    return MIN(i, last + 1) - first;
}

// Returns the array with elements from the pages, which are not in it.
static Term over_array(struct vm *vm, const struct object *object, Term array, uint64_t first, uint64_t count,
                       bool splice) {
    unsigned size = element_size(vm, array);
    if (splice && count > MOST_OVERLAID)
        return term_array_splice(vm->terms, array, array_of_pages(vm, object, first, first + count - 1, size),
                                 term_const(vm->terms, 32, first), term_const(vm->terms, 32, count));
    for (uint64_t i = first; i < first + count; i++)
        array = term_store(vm->terms, array, term_const(vm->terms, 32, i), page_element(vm, object, i, size));
    return array;
}

// Returns the array updated with the current elements `first` to `last`. Elements that are not in the array are stored
// into it. If there are more than MOST_OVERLAID of them, a view or an array that is too large to be listed gets a
// splice; any other array is rebuilt from these elements or, with `all`, from the whole object.
static Term with_pages(struct vm *vm, const struct object *object, Term array, uint64_t first, uint64_t last,
                       bool all) {
    unsigned size = element_size(vm, array);
    bool splice = object->size > MOST_LISTED || term_array_is_view(vm->terms, array);
    uint64_t overlaid = 0;
    Term whole = array;
    const struct term_block *full = NULL;
    for (uint64_t i = first; i <= last; i++) {
        uint64_t address = object->start + i * size;
        struct page_run run = {0};
        memory_next_run(vm->state->memory, address, object->start + object->size, &run);
        uint32_t offset = (uint32_t)address & (PAGE_SIZE - 1);
        uint32_t inside = (uint32_t)MIN(run.size, TERM_BLOCK - offset % TERM_BLOCK);
        if (run.size > PAGE_SIZE) inside = PAGE_SIZE;
        if (inside >= size && page_is_in_array(run.page, offset, inside, &full)) {
            i += MAX(inside, run.size > PAGE_SIZE ? run.size : 0) / size - 1;
            continue;
        }
        uint64_t count = elements_outside(vm, object, i, last, size);
        if (!count) continue;
        overlaid += count;
        if (!splice && overlaid > MOST_OVERLAID)
            return all ? array_of_pages(vm, object, 0, (object->size - 1) / size, size)
                       : array_of_pages(vm, object, first, last, size);
        whole = over_array(vm, object, whole, i, count, splice);
        i += count - 1;
    }
    return whole;
}

// ---- parts of elements

// The position of an access in the array: the index of its first element, and its first bit there.
struct array_part {
    Term index, shift; // index: of the array's index width; shift: in bits, of the element's width
};

static struct array_part part_at(struct vm *vm, Term array, Term offset) {
    struct terms *terms = vm->terms;
    unsigned size = element_size(vm, array);
    Term low = term_and(terms, offset, term_const(terms, 64, size - 1));
    Term bits = term_shl(terms, low, term_const(terms, 64, 3));
    Term index = term_lshr(terms, offset, term_const(terms, 64, (uint64_t)__builtin_ctz(size)));
    return (struct array_part){term_extract(terms, index, 0, 32),
                               size == 8 ? bits : term_extract(terms, bits, 0, 8 * size)};
}

// Reads `size` bytes that lie within one element.
static Term read_part(struct vm *vm, Term array, Term offset, unsigned size) {
    struct array_part part = part_at(vm, array, offset);
    Term element = term_select(vm->terms, array, part.index);
    if (size == element_size(vm, array)) return element;
    return term_extract(vm->terms, term_lshr(vm->terms, element, part.shift), 0, 8 * size);
}

static Term write_part(struct vm *vm, Term array, Term offset, Term condition, Term value, unsigned size) {
    struct terms *terms = vm->terms;
    unsigned width = 8 * element_size(vm, array);
    struct array_part part = part_at(vm, array, offset);
    bool whole = 8 * size == width;
    if (!whole || condition != term_true(terms)) {
        Term old = term_select(terms, array, part.index);
        if (!whole) {
            Term mask = term_shl(terms, term_const(terms, width, mask_bits(8 * size)), part.shift);
            Term bits = term_shl(terms, term_zext(terms, value, width), part.shift);
            value = term_or(terms, term_and(terms, old, term_not(terms, mask)), bits);
        }
        value = term_ite(terms, condition, value, old);
    }
    return term_store(terms, array, part.index, value);
}

// Returns the largest power of two, at most `most`, at whose multiples the parts of an access in the window begin and
// end.
static unsigned aligned_size(struct window window, unsigned size, unsigned most) {
    bool is_power = !(size & (size - 1));
    unsigned aligned = 1;
    while (aligned < most && aligned < size && is_power && window.stride >= 2 * aligned) aligned *= 2;
    return aligned;
}

// ---- accesses

// Returns the object whose start the indices of an array count from. The window and the offset are changed to it.
static struct object whole_of(struct vm *vm, const struct object *object, struct window *window,
                              Term *offset) {
    struct object whole;
    bool found = find_whole(vm, object, &whole);
    assert(found && whole.start <= object->start && object->size <= whole.size);
    if (!found || whole.start == object->start) return *object;
    uint64_t before = object->start - whole.start;
    window->low += before;
    window->high += before;
    while (before % window->stride) window->stride /= 2;
    *offset = term_add(vm->terms, *offset, term_const(vm->terms, 64, before));
    return whole;
}

Term object_array_read(struct vm *vm, const struct object *object, Term array, struct window window,
                       Term offset, unsigned size) {
    struct object whole = whole_of(vm, object, &window, &offset);
    object = &whole;
    unsigned element = array ? element_size(vm, array) : aligned_size(window, size, 8);
    unsigned piece = aligned_size(window, size, element);
    uint64_t first = window.low / element, last = (window.high + size - 1) / element;
    array = array ? with_pages(vm, object, array, first, last, false)
                  : array_of_pages(vm, object, first, last, element);
    Term value = 0;
    for (unsigned i = 0; i < size; i += piece) {
        Term at = term_add(vm->terms, offset, term_const(vm->terms, 64, i));
        Term part = read_part(vm, array, at, piece);
        value = value ? term_concat(vm->terms, part, value) : part;
    }
    return value;
}

// Sets the slots of the bytes from `from` to `to`, and of all others that were in an older version of the array, to
// this array.
static void put_array(struct vm *vm, const struct object *object, Term array, uint64_t from, uint64_t to) {
    struct memory *memory = &vm->state->memory;
    assert(from < to && to <= object->size);
    uint32_t slot = vm_slot_of(vm, array) | SLOT_ARRAY;
    memory_replace_arrays(memory, object->start, from, slot);
    memory_fill_slots(memory, object->start + from, to - from, slot);
    memory_replace_arrays(memory, object->start + to, object->size - to, slot);
}

void object_array_write(struct vm *vm, const struct object *object, struct window window, Term offset,
                        Term condition, Term value, unsigned size) {
    assert(!object->readonly && window.high + size <= object->size);
    vm_charge(vm, MIN(window.high - window.low + size, MOST_CHARGED));
    Term array = object_array_find(vm, object, 0, object->size - 1);
    unsigned element = array ? element_size(vm, array) : aligned_size(window, size, 8);
    uint64_t first = window.low / element, last = (window.high + size - 1) / element;
    if (object->size > MOST_LISTED) { // equal pages stay shared only if all of them are changed
        first = 0;
        last = (object->size - 1) / element;
    }
    array = array ? with_pages(vm, object, array, first, last, true)
                  : array_of_pages(vm, object, first, last, element);
    unsigned piece = aligned_size(window, size, element);
    for (unsigned i = 0; i < size; i += piece) {
        Term at = term_add(vm->terms, offset, term_const(vm->terms, 64, i));
        array = write_part(vm, array, at, condition, term_extract(vm->terms, value, 8 * i, 8 * piece), piece);
    }
    put_array(vm, object, array, first * element, MIN((last + 1) * element, object->size));
}

void object_array_dissolve(struct vm *vm, const struct object *object, uint64_t low, uint64_t high) {
    if (!object_array_find(vm, object, low, high)) return;
    for (uint64_t at = object->start + low; at <= object->start + high; at++) {
        uint32_t slot = memory_term(vm->state->memory, at);
        if (slot & SLOT_ARRAY) vm_store_byte(vm, at, object_array_byte(vm, vm->state, at, slot));
    }
    vm_sync_translations(vm);
}

// ---- blocks

unsigned object_array_element(struct vm *vm, const struct object *object) {
    Term array = object_array_find(vm, object, 0, object->size - 1);
    return array ? element_size(vm, array) : 0;
}

uint64_t object_array_count(const struct vm *vm, const struct object *object, uint64_t low, uint64_t high,
                            uint64_t most) {
    assert(low <= high && high < object->size);
    uint64_t count = 0;
    struct page_run run;
    for (uint64_t at = object->start + low, end = object->start + high + 1;
         count < most && memory_next_run(vm->state->memory, at, end, &run); at += run.size) {
        uint32_t offset = (uint32_t)at & (PAGE_SIZE - 1),
                 inside = (uint32_t)MIN(run.size, PAGE_SIZE - offset), held = 0;
        if (!run.page || !run.page->blocks) continue;
        for (uint32_t i = offset; i < offset + inside; i++)
            held += (memory_page_term(run.page, i) & SLOT_ARRAY) != 0;
        count += (uint64_t)held * (run.size / inside);
    }
    return count;
}

Term object_array_content(struct vm *vm, const struct object *object, uint64_t low, uint64_t high,
                          unsigned element) {
    assert(low <= high && high < object->size);
    Term array = object_array_find(vm, object, low, high);
    if (!array) return array_of_pages(vm, object, low / element, high / element, element);
    unsigned own = element_size(vm, array);
    assert(own % element == 0);
    array = with_pages(vm, object, array, low / own, high / own, false);
    return term_array_narrow(vm->terms, array, 8 * element);
}

// Returns the index of the element at an offset in bytes.
static Term element_index(struct vm *vm, Term offset, unsigned element) {
    Term shift = term_const(vm->terms, 64, (uint64_t)__builtin_ctz(element));
    return term_extract(vm->terms, term_lshr(vm->terms, offset, shift), 0, 32);
}

void object_array_splice(struct vm *vm, const struct object *object, const struct array_block *block) {
    struct terms *terms = vm->terms;
    assert(!object->readonly && block->low < block->end && block->end <= object->size);
    unsigned element = element_size(vm, block->source);
    vm_charge(vm, MIN(block->end - block->low, MOST_CHARGED));
    uint64_t first = block->low / element, last = (block->end - 1) / element;
    if (object->size > MOST_LISTED) { // equal pages stay shared only if all of them are changed
        first = 0;
        last = (object->size - 1) / element;
    }
    Term array = object_array_find(vm, object, 0, object->size - 1);
    if (array) {
        unsigned own = element_size(vm, array);
        assert(own % element == 0);
        array = with_pages(vm, object, array, first * element / own, last * element / own, true);
        array = term_array_narrow(terms, array, 8 * element);
    } else {
        array = array_of_pages(vm, object, first, last, element);
    }
    Term at = element_index(vm, block->offset, element), from = element_index(vm, block->first, element);
    Term source = term_array_shift(terms, block->source, term_sub(terms, from, at));
    array = term_array_splice(terms, array, source, at, element_index(vm, block->length, element));
    put_array(vm, object, array, first * element, MIN((last + 1) * element, object->size));
}

uint32_t vm_byte_term(struct vm *vm, const struct state *state, uint64_t address) {
    return byte_of_slot(vm, state, address, memory_term(state->memory, address));
}
