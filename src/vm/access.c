// The slow path of memory accesses: those that cross a page, are not translated, or touch bytes with a shadow. Also
// accesses to blocks of bytes.
#include "vm/choice.h"
#include "vm/object_array.h"
#include "vm/provenance.h"

#define MOST_TRACED 256 // bytes; uninitialised bytes of larger blocks lose their origin when copied

void vm_forget_translations(struct vm *vm) {
    uint64_t next = (vm->cache.tag >> TAG_SHIFT) + 1;
    if (next == TAG_COUNT) { // tags are reused from here on: old entries must not become valid again
        memset(vm->cache.read, 0xff, sizeof vm->cache.read);
        memset(vm->cache.write, 0xff, sizeof vm->cache.write);
        next = 0;
    }
    assert(next < TAG_COUNT);
    vm->cache.tag = next << TAG_SHIFT;
    vm->cache.replaced = vm->state->memory.replaced;
}

static struct translation *slot_for(struct translation *cache, uint64_t address) {
    return &cache[(address >> PAGE_BITS) & (TRANSLATIONS - 1)];
}

static uint64_t tagged(const struct vm *vm, uint64_t address) { return address >> PAGE_BITS | vm->cache.tag; }

bool vm_translate_read(struct vm *vm, uint64_t address) {
    struct translation *entry = slot_for(vm->cache.read, address);
    if (entry->page == tagged(vm, address)) return false;
    const struct page *page = memory_page(vm->state->memory, address);
    if (!page) return false;
    *entry = (struct translation){tagged(vm, address), (uint8_t *)page->bytes};
    return true;
}

// Returns the page of an address to write, and keeps both caches valid.
static struct page *writable_page(struct vm *vm, uint64_t address) {
    bool good = vm->cache.replaced == vm->state->memory.replaced;
    struct page *page = memory_own_page(&vm->state->memory, address);
    assert(!page->readonly);
    struct translation *read = slot_for(vm->cache.read, address);
    if (good) vm->cache.replaced = vm->state->memory.replaced; // only this page can have changed
    if (read->page == tagged(vm, address)) read->bytes = page->bytes;
    *slot_for(vm->cache.write, address) = (struct translation){tagged(vm, address), page->bytes};
    return page;
}

bool vm_translate_write(struct vm *vm, uint64_t address) {
    if (slot_for(vm->cache.write, address)->page == tagged(vm, address)) return false;
    const struct page *page = memory_page(vm->state->memory, address);
    if (!page || page->readonly) return false;
    writable_page(vm, address);
    return true;
}

// ---- objects of symbolic size

#define MOST_CLEARED 4096u // most bytes before the end of an access that are marked as checked, too

struct bound_access {
    struct object object;
    uint64_t end; // offset just past the access
    uint64_t size;
    bool write;
};

static void say_bound(struct vm *vm, void *context) {
    const struct bound_access *access = context;
    uint64_t bound = solver_evaluate(vm->solver, vm->state->path, access->object.bound);
    vm_report_begin(vm, BUG_OUT_OF_BOUNDS, "%s of %llu byte%s", access->write ? "write" : "read",
                    (unsigned long long)access->size, access->size == 1 ? "" : "s");
    vm->outcome.bug.is_fatal = vm->instruction.is_block;
    vm->outcome.bug.fault = access->write ? FAULT_WRITE : FAULT_READ;
    bool is_string = access->object.kind == OBJECT_STRING;
    text_add(&vm->outcome.bug.details,
             "up to offset %llu of a %s whose %s depends on the input, here %llu byte%s%s\n",
             (unsigned long long)access->end,
             is_string                              ? "string of the command line or the environment"
             : access->object.kind == OBJECT_ALLOCA ? "variable-length array or alloca"
                                                    : "heap object",
             is_string ? "length" : "size", (unsigned long long)bound, bound == 1 ? "" : "s",
             is_string ? " with its NUL" : "");
    vm->outcome.bug.allocated_at = access->object.allocated_at;
    vm_report_end(vm);
}

static bool find_bounded(struct vm *vm, uint64_t address, uint64_t size, bool write,
                         struct bound_access *access) {
    *access = (struct bound_access){.size = size, .write = write};
    if (!object_at(vm->state, address, &access->object) || !access->object.bound) return false;
    access->end = address + size - access->object.start;
    return address >= access->object.start && access->end <= access->object.size;
}

enum step vm_report_outside(struct vm *vm, uint64_t address, uint64_t size, bool write) {
    struct bound_access access;
    if (!find_bounded(vm, address, size, write, &access)) return vm_report_access(vm, address, size, write);
    say_bound(vm, &access);
    return vm->instruction.passed ? STEP_NEXT : STEP_STOP;
}

// Returns the condition that the size is at least `end`. If the size is an ite chain (position of a string's first
// NUL), each alternative below `end` yields one condition over one byte. The path condition then keeps them in separate
// groups. `*bound` becomes the rest of the chain under the condition.
static Term reaches(struct terms *terms, uint64_t end, Term *bound) {
    Term ok = term_true(terms);
    assert(term_width(terms, *bound) == 64);
    while (term_kind(terms, *bound) == KIND_ITE && term_is_const(terms, term_arg(terms, *bound, 1)) &&
           term_value(terms, term_arg(terms, *bound, 1)) < end) {
        ok = term_and(terms, ok, term_not(terms, term_arg(terms, *bound, 0)));
        *bound = term_arg(terms, *bound, 2);
    }
    return term_and(terms, ok, term_ule(terms, term_const(terms, 64, end), *bound));
}

// Checks that the access ends within the object's symbolic size. The path condition then implies it, and the bytes need
// no further check.
static enum step check_bound(struct vm *vm, uint64_t address, uint64_t size, bool write) {
    struct bound_access access;
    bool found = find_bounded(vm, address, size, write, &access);
    assert(found);
    if (!found) return STEP_NEXT;
    Term left = access.object.bound;
    enum step step =
        vm_check(vm, "bounds of an access", reaches(vm->terms, access.end, &left), say_bound, &access);
    if (step != STEP_NEXT || vm->instruction.passed) return step;
    uint64_t first = access.end > MOST_CLEARED ? address + size - MOST_CLEARED : access.object.start;
    // Stops at a byte without SHADOW_BOUND; earlier bytes that have it are checked later.
    for (uint64_t at = address + size; at-- > first;) {
        struct page *page = memory_own_page(&vm->state->memory, at);
        uint8_t *shadow = &page->shadow[at & (PAGE_SIZE - 1)];
        if (!(*shadow & SHADOW_BOUND)) break;
        *shadow &= (uint8_t)~SHADOW_BOUND;
    }
    if (access.object.kind == OBJECT_STRING) object_set_size_term(vm->state, &access.object, left);
    vm_sync_translations(vm);
    return STEP_NEXT;
}

enum step vm_check_access(struct vm *vm, uint64_t address, uint64_t size, bool write) {
    bool bound = false;
    vm_charge(vm, size);
    for (uint64_t at = address, left = size; left;) {
        limits_poll();
        const struct page *page = memory_page(vm->state->memory, at);
        uint32_t offset = (uint32_t)at & (PAGE_SIZE - 1), count = (uint32_t)MIN(left, PAGE_SIZE - offset);
        if (!page || (write && page->readonly)) return vm_report_access(vm, address, size, write);
        uint8_t all = 0; // all shadow bytes at once: blocks are long, and almost always valid
        for (uint32_t i = 0; i < count; i++) all |= page->shadow[offset + i];
        if (all & SHADOW_NO_ACCESS) return vm_report_access(vm, address, size, write);
        bound |= (all & SHADOW_BOUND) != 0;
        at += count;
        left -= count;
        if (left && at >> ADDRESS_BITS) return vm_report_access(vm, address, size, write);
    }
    return bound ? check_bound(vm, address, size, write) : STEP_NEXT;
}

static bool is_symbolic(struct vm *vm, uint64_t address) {
    uint8_t shadow = memory_shadow(vm->state->memory, address);
    if (shadow & SHADOW_NO_ACCESS) return vm->instruction.passed && vm->terms;
    return shadow & (SHADOW_SYMBOLIC | SHADOW_UNINIT);
}

bool vm_any_symbolic(struct vm *vm, uint64_t address, uint64_t size) {
    for (uint64_t i = 0; i < size; i++) {
        limits_poll();
        if (is_symbolic(vm, address + i)) return true;
    }
    return false;
}

// Loads a concrete pointer with an origin, or a part of one.
static enum step load_pointer(struct vm *vm, uint64_t value, struct pointer_origin origin) {
    struct frame *frame = frames_top(&vm->state->frames);
    const struct ir_insn *insn = frame->function->code + frame->instruction;
    vm->instruction.change_taint = 0;
    frame_add_terms(frame);
    frame->registers[insn->dst] = value;
    frame_terms(frame)[insn->dst] = provenance_pointer_slot(vm, 0, origin);
    frame->instruction++;
    return STEP_RELOAD;
}

enum step vm_slow_load(struct vm *vm, uint64_t address, uint64_t *value, unsigned size) {
    assert(size >= 1 && size <= 8);
    *value = 0;
    replay_begin_decisions(vm);
    enum step step = vm_check_access(vm, address, size, false);
    if (step != STEP_NEXT) return step;
    struct pointer_origin origin;
    bool has_origin = vm->pointers.at.count && provenance_of_memory(vm, address, size, &origin);
    if (!vm_any_symbolic(vm, address, size)) {
        memory_peek(vm->state->memory, address, value, size);
        return has_origin ? load_pointer(vm, *value, origin) : STEP_NEXT;
    }
    vm_begin_values(vm);
    Term term = vm_load_term(vm, address, size);
    uint32_t type;
    if (UNLIKELY(lazy_pointer(vm, term, &type))) {
        step = lazy_resolve(vm, term, type, value);
        if (step == STEP_NEXT) vm_store_term(vm, address, term_const(vm->terms, 64, *value), 8);
        return step;
    }
    if (size == 8) { // may be a pointer
        step = vm_fold_implied(vm, &term);
        if (step != STEP_NEXT) return step;
        if (term_is_const(vm->terms, term)) {
            *value = term_value(vm->terms, term);
            vm_store_term(vm, address, term, size);
            return STEP_NEXT;
        }
    }
    struct frame *frame = frames_top(&vm->state->frames);
    const struct ir_insn *insn = frame->function->code + frame->instruction;
    vm_set_register_term(vm, frame, insn->dst, 8 * size, term);
    if (has_origin) frame_terms(frame)[insn->dst] = provenance_pointer_slot(vm, term, origin);
    frame->instruction++;
    return STEP_RELOAD;
}

enum step vm_slow_store(struct vm *vm, uint64_t address, uint64_t value, unsigned size) {
    assert(size >= 1 && size <= 8);
    replay_begin_decisions(vm);
    return vm_write_bytes(vm, address, &value, size);
}

// From this size on, a block that is set to one value shares its pages until they are written.
#define SHARED_SET NORMAL_OR_HOSTILE(1u << 20, 2 * PAGE_SIZE)

// The part of a page that a block access touches.
struct span {
    uint32_t offset, count;
};

static struct span span_at(uint64_t address, uint64_t left) {
    struct span span = {.offset = (uint32_t)address & (PAGE_SIZE - 1)};
    span.count = (uint32_t)MIN(left, PAGE_SIZE - span.offset);
    return span;
}

static void make_plain(struct page *page, struct span span) {
    memset(page->shadow + span.offset, 0, span.count);
    memory_page_clear_terms(page, span.offset, span.count);
}

enum step vm_read_bytes(struct vm *vm, uint64_t address, void *bytes, uint64_t size) {
    enum step step = vm_check_access(vm, address, size, false);
    if (step != STEP_NEXT) return step;
    memory_peek(vm->state->memory, address, bytes, size);
    for (uint64_t i = 0; vm->terms && i < size; i++) {
        if (!is_symbolic(vm, address + i)) continue;
        uint64_t value;
        step = vm_concretize(vm, vm_load_term(vm, address + i, 1), "symbolic bytes were concretized", &value);
        if (step != STEP_NEXT) return step;
        ((uint8_t *)bytes)[i] = (uint8_t)value;
    }
    return STEP_NEXT;
}

// Writes after a failed check, on a path that continues: bytes outside of objects keep their shadow.
static enum step write_passed(struct vm *vm, uint64_t address, const uint8_t *bytes, uint8_t value,
                              uint64_t size) {
    for (uint64_t i = 0; i < size; i++) {
        uint8_t byte = bytes ? bytes[i] : value;
        if (vm->terms)
            vm_store_byte(vm, address + i, term_const(vm->terms, 8, byte));
        else
            writable_page(vm, address + i)->bytes[(address + i) & (PAGE_SIZE - 1)] = byte;
    }
    vm_sync_translations(vm);
    return STEP_NEXT;
}

static enum step copy_passed(struct vm *vm, uint64_t to, uint64_t from, uint64_t size) {
    if (!vm->terms) {
        uint8_t *plain = NEW_ARRAY(uint8_t, size);
        memory_peek(vm->state->memory, from, plain, size);
        enum step step = write_passed(vm, to, plain, 0, size);
        DELETE_ARRAY(plain, size);
        return step;
    }
    Term *bytes = NEW_ARRAY(Term, size);
    for (uint64_t i = 0; i < size; i++) bytes[i] = vm_load_term(vm, from + i, 1);
    for (uint64_t i = 0; i < size; i++) vm_store_byte(vm, to + i, bytes[i]);
    DELETE_ARRAY(bytes, size);
    vm_sync_translations(vm);
    return STEP_NEXT;
}

enum step vm_write_bytes(struct vm *vm, uint64_t address, const void *bytes, uint64_t size) {
    enum step step = vm_check_access(vm, address, size, true);
    if (step != STEP_NEXT) return step;
    if (UNLIKELY(vm->instruction.passed)) return write_passed(vm, address, bytes, 0, size);
    for (const uint8_t *from = bytes; size;) {
        struct span span = span_at(address, size);
        struct page *page = writable_page(vm, address);
        memcpy(page->bytes + span.offset, from, span.count);
        make_plain(page, span);
        from += span.count;
        address += span.count;
        size -= span.count;
    }
    return STEP_NEXT;
}

static void set_span(struct vm *vm, uint64_t to, uint8_t value, struct span span) {
    limits_poll();
    struct page *page = writable_page(vm, to);
    memset(page->bytes + span.offset, value, span.count);
    make_plain(page, span);
}

enum step vm_set_bytes(struct vm *vm, uint64_t to, uint8_t value, uint64_t size) {
    enum step step = vm_check_access(vm, to, size, true);
    if (step != STEP_NEXT) return step;
    if (UNLIKELY(vm->instruction.passed)) return write_passed(vm, to, NULL, value, size);
    while (size) {
        struct span span = span_at(to, size);
        uint64_t count = span.count;
        if (count == PAGE_SIZE && size >= SHARED_SET) {
            count = size & ~(uint64_t)(PAGE_SIZE - 1);
            memory_set_pages(&vm->state->memory, to, count, value);
            vm_sync_translations(vm);
        } else {
            set_span(vm, to, value, span);
        }
        to += count;
        size -= count;
    }
    return STEP_NEXT;
}

static void copy_from_array(struct vm *vm, struct page *page, uint32_t offset, uint64_t from, uint32_t slot) {
    Term byte = object_array_byte(vm, vm->state, from, slot);
    bool known = term_is_const(vm->terms, byte);
    memory_page_set_term(page, offset, known ? 0 : byte | (slot & SLOT_CHANGED));
    page->bytes[offset] = known ? (uint8_t)term_value(vm->terms, byte) : 0;
    if (known) page->shadow[offset] &= (uint8_t)~SHADOW_SYMBOLIC;
}

// Copies bytes that lie within one page on both sides, including symbolic and uninitialised ones. `taint`: change taint
// of the line that copies.
static void copy_span(struct vm *vm, uint64_t to, uint64_t from, uint32_t count, uint32_t taint) {
    limits_poll();
    struct page *target = writable_page(vm, to); // first: it may replace the page that both lie in
    const struct page *source = memory_page(vm->state->memory, from);
    uint32_t t = (uint32_t)to & (PAGE_SIZE - 1), f = (uint32_t)from & (PAGE_SIZE - 1);
    assert(source && count <= PAGE_SIZE - t && count <= PAGE_SIZE - f);
    memmove(target->bytes + t, source->bytes + f, count);
    memmove(target->shadow + t, source->shadow + f, count);
    memory_page_copy_terms(target, t, source, f, count);
    // Bytes that are held in an array are read from it: array slots are valid in their own object only.
    for (uint32_t i = 0; target->blocks && i < count; i++) {
        uint32_t slot = memory_page_term(target, t + i);
        if (slot & SLOT_ARRAY) copy_from_array(vm, target, t + i, from + i, slot);
        if (taint && (slot = memory_page_term(target, t + i)))
            memory_page_set_term(target, t + i, slot | taint);
    }
}

enum step vm_copy_bytes(struct vm *vm, uint64_t to, uint64_t from, uint64_t size) {
    enum step step = vm_check_access(vm, from, size, false);
    if (step == STEP_NEXT) step = vm_check_access(vm, to, size, true);
    if (step != STEP_NEXT || to == from) return step;
    if (UNLIKELY(vm->instruction.passed)) return copy_passed(vm, to, from, size);
    if (vm->terms && vm_splice_copy(vm, to, from, size)) return STEP_NEXT;
    // Without the check and without UNSET_SYMBOLIC, a copy of unwritten bytes may get other variables than the
    // original. That saves terms: padding is copied often.
    bool traced = vm->uninit && (uninit_is_checked(vm) || vm->options.unset == UNSET_SYMBOLIC);
    if (traced && size <= MOST_TRACED) uninit_resolve_bytes(vm, from, size);
    uint32_t taint = UNLIKELY(vm->options.changed != NULL) ? vm_change_taint(vm) : 0;
    if (to - from >= size) { // forwards: the target does not begin inside the source
        for (uint64_t done = 0; done < size;) {
            uint32_t count = span_at(from + done, size - done).count;
            count = MIN(count, span_at(to + done, size - done).count);
            copy_span(vm, to + done, from + done, count, taint);
            done += count;
        }
    } else { // backwards, from the end; each part lies within one page on both sides
        for (uint64_t left = size; left;) {
            uint32_t in_from = (uint32_t)(from + left - 1) % PAGE_SIZE + 1;
            uint32_t in_to = (uint32_t)(to + left - 1) % PAGE_SIZE + 1;
            uint32_t count = (uint32_t)MIN(left, MIN(in_from, in_to));
            left -= count;
            copy_span(vm, to + left, from + left, count, taint);
        }
    }
    return STEP_NEXT;
}

enum step vm_read_string(struct vm *vm, uint64_t address, struct text *text) {
    for (;; address++) {
        char byte;
        enum step step = vm_read_bytes(vm, address, &byte, 1);
        if (step != STEP_NEXT) return step;
        if (!byte) return STEP_NEXT;
        text_add_bytes(text, &byte, 1);
    }
}
