#include "vm/object_array.h"

#define MOST_ARRAY    (1u << 26) // bytes of an object that may become an array
#define MOST_OVERLAID 256u       // elements in front of an array before it is made anew

bool object_array_possible(const struct object *object) {
    return object->size <= MOST_ARRAY && object->kind != OBJECT_MAPPING && object->kind != OBJECT_STACK;
}

// ---- slots

Term object_array_find(struct vm *vm, const struct object *object, uint64_t low, uint64_t high) {
    assert(low <= high && high < object->size);
    for (uint64_t at = object->start + low, end = object->start + high + 1; at < end;) {
        const struct page *page = memory_page(vm->state->memory, at);
        uint32_t offset = (uint32_t)at & (PAGE_SIZE - 1);
        const struct term_block *block = page ? page->terms[offset / TERM_BLOCK] : NULL;
        uint64_t next = MIN((at | (TERM_BLOCK - 1)) + 1, end);
        if (page && !page->blocks) next = MIN((at | (PAGE_SIZE - 1)) + 1, end);
        for (; block && at < next; at++)
            if (block->at[at % TERM_BLOCK] & SLOT_ARRAY) return read_slot(vm, block->at[at % TERM_BLOCK]);
        at = next;
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

// An element as the pages have it. Past the end of the object: zeros.
static Term page_element(struct vm *vm, const struct object *object, uint64_t element, unsigned size) {
    uint64_t count = bytes_in(object, element, size);
    Term value = load_term(vm, object->start + element * size, (unsigned)count);
    return count == size ? value : term_zext(vm->terms, value, 8 * size);
}

static bool is_in_array(const struct vm *vm, const struct object *object, uint64_t element, unsigned size) {
    uint64_t start = object->start + element * size, count = bytes_in(object, element, size);
    for (uint64_t i = 0; i < count; i++)
        if (!(memory_term(vm->state->memory, start + i) & SLOT_ARRAY)) return false;
    return true;
}

// Elements `first` to `last`, the others being 0.
static Term array_of_pages(struct vm *vm, const struct object *object, uint64_t first, uint64_t last,
                           unsigned size) {
    uint64_t start = object->start + first * size,
             bytes = (last - first) * size + bytes_in(object, last, size);
    uint64_t count = last + 1;
    Term array;
    if (memory_plain_prefix(vm->state->memory, start, bytes) == bytes) {
        uint8_t *content = NEW_ARRAY(uint8_t, count *size);
        memory_peek(vm->state->memory, start, content + first * size, bytes);
        array = term_array_bytes(vm->terms, 32, size, content, (uint32_t)count);
        DELETE_ARRAY(content, count * size);
        return array;
    }
    Term *elements = NEW_ARRAY(Term, count);
    for (uint64_t i = 0; i < count; i++) {
        limits_poll();
        elements[i] = i < first ? term_const(vm->terms, 8 * size, 0) : page_element(vm, object, i, size);
    }
    array = term_array_literal(vm->terms, 32, 8 * size, elements, (uint32_t)count);
    DELETE_ARRAY(elements, count);
    return array;
}

// The array with the elements `first` to `last` as they are now. Where much has changed, it is made anew: these elements
// alone, or all of the object's.
static Term with_pages(struct vm *vm, const struct object *object, Term array, uint64_t first, uint64_t last,
                       bool all) {
    unsigned size = element_size(vm, array);
    uint32_t overlaid = 0;
    Term whole = array;
    const struct term_block *full = NULL; // a block that is in the array as a whole
    for (uint64_t i = first; i <= last; i++) {
        uint64_t address = object->start + i * size;
        const struct page *page = memory_page(vm->state->memory, address);
        uint32_t offset = (uint32_t)address & (PAGE_SIZE - 1);
        const struct term_block *block = page ? page->terms[offset / TERM_BLOCK] : NULL;
        if (block && block == full && TERM_BLOCK - offset % TERM_BLOCK >= size) continue;
        if (is_in_array(vm, object, i, size)) {
            if (block && block != full && term_block_is_uniform(block)) full = block;
            continue;
        }
        if (++overlaid > MOST_OVERLAID)
            return all ? array_of_pages(vm, object, 0, (object->size - 1) / size, size)
                       : array_of_pages(vm, object, first, last, size);
        whole = term_store(vm->terms, whole, term_const(vm->terms, 32, i), page_element(vm, object, i, size));
    }
    return whole;
}

// ---- parts of elements

// Where an access lies in the array: the index of its first element, and its first bit in it.
struct part {
    Term index, shift; // of the index' width; of the element's width, in bits
};

static struct part part_at(struct vm *vm, Term array, Term offset) {
    struct terms *terms = vm->terms;
    unsigned size = element_size(vm, array);
    Term low = term_and(terms, offset, term_const(terms, 64, size - 1));
    Term bits = term_shl(terms, low, term_const(terms, 64, 3));
    Term index = term_lshr(terms, offset, term_const(terms, 64, (uint64_t)__builtin_ctz(size)));
    return (struct part){term_extract(terms, index, 0, 32),
                         size == 8 ? bits : term_extract(terms, bits, 0, 8 * size)};
}

// `size` bytes that lie within one element.
static Term read_part(struct vm *vm, Term array, Term offset, unsigned size) {
    struct part part = part_at(vm, array, offset);
    Term element = term_select(vm->terms, array, part.index);
    if (size == element_size(vm, array)) return element;
    return term_extract(vm->terms, term_lshr(vm->terms, element, part.shift), 0, 8 * size);
}

static Term write_part(struct vm *vm, Term array, Term offset, Term condition, Term value, unsigned size) {
    struct terms *terms = vm->terms;
    unsigned width = 8 * element_size(vm, array);
    struct part part = part_at(vm, array, offset);
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

// The largest power of two, at most `most`, at whose multiples the parts of an access of the window begin and end.
static unsigned aligned_size(struct window window, unsigned size, unsigned most) {
    bool is_power = !(size & (size - 1));
    unsigned aligned = 1;
    while (aligned < most && aligned < size && is_power && window.stride >= 2 * aligned) aligned *= 2;
    return aligned;
}

// ---- accesses

Term object_array_read(struct vm *vm, const struct object *object, Term array, struct window window,
                       Term offset, unsigned size) {
    unsigned element = element_size(vm, array), piece = aligned_size(window, size, element);
    array = with_pages(vm, object, array, window.low / element, (window.high + size - 1) / element, false);
    Term value = 0;
    for (unsigned i = 0; i < size; i += piece) {
        Term at = term_add(vm->terms, offset, term_const(vm->terms, 64, i));
        Term part = read_part(vm, array, at, piece);
        value = value ? term_concat(vm->terms, part, value) : part;
    }
    return value;
}

// Marks what the window may hit as part of the array, and the bytes that were in an older one.
static void put_array(struct vm *vm, const struct object *object, Term array, uint64_t from, uint64_t to) {
    struct memory *memory = &vm->state->memory;
    assert(from < to && to <= object->size);
    uint32_t slot = slot_of(vm, array) | SLOT_ARRAY;
    memory_replace_arrays(memory, object->start, from, slot);
    memory_fill_slots(memory, object->start + from, to - from, slot);
    memory_replace_arrays(memory, object->start + to, object->size - to, slot);
}

void object_array_write(struct vm *vm, const struct object *object, struct window window, Term offset,
                        Term condition, Term value, unsigned size) {
    assert(object_array_possible(object) && !object->readonly && window.high + size <= object->size);
    vm_charge(vm, window.high - window.low + size);
    Term array = object_array_find(vm, object, 0, object->size - 1);
    unsigned element = array ? element_size(vm, array) : aligned_size(window, size, 8);
    uint64_t first = window.low / element, last = (window.high + size - 1) / element;
    array = array ? with_pages(vm, object, array, first, last, true)
                  : array_of_pages(vm, object, first, last, element);
    unsigned piece = aligned_size(window, size, element);
    for (unsigned i = 0; i < size; i += piece) {
        Term at = term_add(vm->terms, offset, term_const(vm->terms, 64, i));
        array = write_part(vm, array, at, condition, term_extract(vm->terms, value, 8 * i, 8 * piece), piece);
    }
    put_array(vm, object, array, first * element, MIN((last + 1) * element, object->size));
}

uint32_t vm_byte_term(struct vm *vm, const struct state *state, uint64_t address) {
    return byte_of_slot(vm, state, address, memory_term(state->memory, address));
}
