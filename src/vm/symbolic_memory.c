// Symbolic bytes, and accesses at symbolic addresses.
//
// An address with a constant part points into the object of that constant, as C has it: the index is checked
// against that object alone. Any other address is resolved by asking for its values: a few values become a
// choice among concrete accesses, many become accesses to a few objects, each under the condition that the
// address lies there. Reads become look-ups in an array of the object's content; writes change every byte
// that they may hit, under the condition that they do.
#include "vm/vm_int.h"

#include <stdlib.h>

#define MOST_OBJECTS 8      // objects that one access may reach
#define MOST_BAD     8      // addresses in no object that are looked at before the rest is given up
#define MOST_WINDOW  65536u // bytes of an object that a symbolic index may range over
#define MANY_PLACES  64     // of a wide value: from here on its bytes are looked up
#define FEW_PLACES   32u    // of a write that are asked for

// ---- bytes at concrete addresses

static Term byte_term(struct vm *vm, uint64_t address) {
    const struct page *page = memory_page(vm->state->memory, address);
    uint32_t offset = (uint32_t)address & (PAGE_SIZE - 1);
    if (UNLIKELY(page->shadow[offset] & SHADOW_UNINIT)) return uninit_byte(vm, address);
    Term term = read_slot(vm, page_term(page, offset));
    return term ? term : term_const(vm->terms, 8, page->bytes[offset]);
}

Term load_term(struct vm *vm, uint64_t address, unsigned size) {
    Term value = 0;
    if (size > 1 && size <= 8 && memory_plain_prefix(vm->state->memory, address, size) == size) {
        uint64_t bytes = 0;
        memory_peek(vm->state->memory, address, &bytes, size);
        return term_const(vm->terms, 8 * size, bytes);
    }
    for (unsigned i = 0; i < size; i++) {
        Term byte = byte_term(vm, address + i);
        value = value ? term_concat(vm->terms, byte, value) : byte;
    }
    return value;
}

void store_byte(struct vm *vm, uint64_t address, Term byte) {
    struct page *page = memory_own_page(&vm->state->memory, address);
    uint32_t offset = (uint32_t)address & (PAGE_SIZE - 1);
    uint8_t bound = page->shadow[offset] & SHADOW_BOUND; // stays: only an access at a known offset settles it
    if (term_is_const(vm->terms, byte)) {
        page->bytes[offset] = (uint8_t)term_value(vm->terms, byte);
        page->shadow[offset] = bound;
        page_clear_terms(page, offset, 1);
        return;
    }
    page_set_term(page, offset, slot_of(vm, byte));
    page->shadow[offset] = SHADOW_SYMBOLIC | bound;
    page->bytes[offset] = 0;
}

void store_term(struct vm *vm, uint64_t address, Term value, unsigned size) {
    for (unsigned i = 0; i < size; i++) store_byte(vm, address + i, term_extract(vm->terms, value, 8 * i, 8));
    sync_translations(vm);
}

void make_symbolic(struct vm *vm, uint64_t address, uint64_t size, uint32_t input, uint32_t from) {
    for (uint64_t i = 0; i < size; i++)
        store_byte(vm, address + i, term_byte(vm->terms, input, from + (uint32_t)i));
    sync_translations(vm);
}

// ---- where an address may point

struct target {
    struct object object;
    Term inside; // the access lies in the object
};

struct access {
    struct vm *vm;
    Term address;
    unsigned size;
    bool write;
};

static void say_access(struct vm *vm, void *context) {
    const struct access *access = context;
    uint64_t address = solver_evaluate(vm->solver, vm->state->path, access->address);
    report_outside(vm, address, access->size, access->write);
}

static Term offset_in(const struct access *access, const struct object *object) {
    return term_sub(access->vm->terms, access->address, term_const(access->vm->terms, 64, object->start));
}

// False for an object that is too small, or constant and to be written.
static Term inside(const struct access *access, const struct object *object) {
    struct terms *terms = access->vm->terms;
    if (object->size < access->size || (access->write && object->readonly)) return term_false(terms);
    Term size = term_const(terms, 64, access->size), offset = offset_in(access, object);
    if (!object->bound) return term_ule(terms, offset, term_const(terms, 64, object->size - access->size));
    return term_and(terms, term_ule(terms, size, object->bound),
                    term_ule(terms, offset, term_sub(terms, object->bound, size)));
}

// The object of the constant part of an address: base + something.
static bool find_base_object(const struct access *access, struct object *object) {
    struct terms *terms = access->vm->terms;
    if (term_kind(terms, access->address) != KIND_ADD) return false;
    Term constant = term_arg(terms, access->address, 1);
    return term_is_const(terms, constant) && find_object(access->vm, term_value(terms, constant), object);
}

// Does the condition hold for some input? Asked of the object that an address' constant points to: sums of terms may have moved
// the constant into a neighbour, where the address never lies. The answer depends on no model, so that whoever follows
// the path again gets the same.
bool may_hold(struct vm *vm, Term condition) {
    if (term_is_const(vm->terms, condition)) return !term_is_zero(vm->terms, condition);
    return solver_may_be_true(vm->solver, vm->state->path, condition, NULL) != ANSWER_NO;
}

// What an address may be: objects that it may lie in, and addresses that are errors. `complete`: there is nothing else.
struct targets {
    struct target at[MOST_OBJECTS];
    unsigned count;
    uint64_t bad[MOST_BAD];
    unsigned bad_count;
    bool complete;
};

// The value of the address in some assignment in which the condition holds.
static enum answer another_address(const struct access *access, Term condition, uint64_t *address) {
    struct vm *vm = access->vm;
    struct model *model = NULL;
    enum answer answer = solver_may_be_true(vm->solver, vm->state->path, condition, &model);
    if (answer != ANSWER_YES) return answer;
    struct path_condition there = path_copy(vm->state->path);
    path_add(vm->solver, &there, condition, model);
    *address = solver_evaluate(vm->solver, &there, access->address);
    path_free(&there);
    model_release(model);
    return answer;
}

static int by_start(const void *a, const void *b) {
    uint64_t x = ((const struct target *)a)->object.start, y = ((const struct target *)b)->object.start;
    return x < y ? -1 : x > y;
}

// Asks for one address after the other; each stands for its object, or for itself when the access would be an error.
static void ask_for_targets(const struct access *access, struct targets *targets) {
    struct terms *terms = access->vm->terms;
    Term elsewhere = term_true(terms);
    uint64_t address = 0;
    while (targets->count < MOST_OBJECTS && targets->bad_count < MOST_BAD) {
        enum answer answer = another_address(access, elsewhere, &address);
        targets->complete = answer == ANSWER_NO;
        if (answer != ANSWER_YES) return;
        struct target *target = &targets->at[targets->count];
        const struct object *object = &target->object;
        Term here;
        if (find_object(access->vm, address, &target->object) && object->size >= access->size &&
            address - object->start <= object->size - access->size && !(access->write && object->readonly)) {
            target->inside = inside(access, object);
            struct object whole = *object; // what is past its symbolic size is no other place
            whole.bound = 0;
            here = inside(access, &whole);
            targets->count++;
        } else {
            here = term_eq(terms, access->address, term_const(terms, 64, address));
            targets->bad[targets->bad_count++] = address;
        }
        elsewhere = term_and(terms, elsewhere, term_not(terms, here));
    }
}

// In an order that no model decides: whoever follows the path again must come to the same terms.
static void find_targets(const struct access *access, struct targets *targets) {
    ask_for_targets(access, targets);
    qsort(targets->at, targets->count, sizeof *targets->at, by_start);
}

// Without asking: the object in which the address lies under the model, if the access is good there. All other places
// are then a pending state's.
static bool model_target(const struct access *access, struct targets *targets) {
    struct target *target = &targets->at[0];
    const struct object *object = &target->object;
    uint64_t address = solver_evaluate(access->vm->solver, access->vm->state->path, access->address);
    if (!find_object(access->vm, address, &target->object) || object->size < access->size ||
        address - object->start > object->size - access->size || (access->write && object->readonly))
        return false;
    target->inside = inside(access, object);
    // Past a symbolic size the model's own access fails: where it does not lie in the object at all, it may be good.
    return !object->bound ||
           solver_evaluate(access->vm->solver, access->vm->state->path, target->inside) != 0;
}

// Finds the targets and checks that the address lies in one of them. Where not all of them are known, only addresses
// that are known to be errors are reported, and the path goes on with the objects that were found.
static enum step resolve(const struct access *access, struct targets *targets) {
    struct vm *vm = access->vm;
    struct terms *terms = vm->terms;
    *targets = (struct targets){0};
    bool has_base = find_base_object(access, &targets->at[0].object);
    if (has_base) targets->at[0].inside = inside(access, &targets->at[0].object);
    if (has_base && !may_hold(vm, targets->at[0].inside)) has_base = false;
    if (has_base || (vm->options.relax_checks && model_target(access, targets))) {
        targets->count = 1;
        targets->complete = true;
    } else {
        find_targets(access, targets);
    }
    Term ok = term_false(terms), not_bad = term_true(terms);
    for (unsigned i = 0; i < targets->count; i++) ok = term_or(terms, ok, targets->at[i].inside);
    if (targets->complete) return require(vm, ok, say_access, (void *)access);
    for (unsigned i = 0; i < targets->bad_count; i++)
        not_bad =
            term_and(terms, not_bad, term_ne(terms, access->address, term_const(terms, 64, targets->bad[i])));
    gave_up(vm, "a pointer with many targets: some are left out");
    enum step step = require(vm, not_bad, say_access, (void *)access);
    return step == STEP_NEXT ? add_condition(vm, ok) : step;
}

// ---- reads

// The offsets that the access may have in the object, and what they are multiples of (a power of two).
struct window {
    uint64_t low, high, stride; // first and last offset
};

static struct window window_of(const struct access *access, const struct object *object, Term offset) {
    struct facts facts = term_facts(access->vm->terms, offset);
    struct window window = {facts.low, MIN(facts.high, object->size - access->size), 1};
    if (window.low > window.high) window.low = 0;
    while (window.stride < 8 && facts.zeros & window.stride) window.stride *= 2;
    window.low -= window.low % window.stride;
    return window;
}

// The object's content as elements of the access' size, at multiples of it.
static Term content_array(const struct access *access, const struct object *object, struct window window) {
    struct vm *vm = access->vm;
    unsigned size = access->size;
    uint64_t *known = NULL;
    if (object->readonly) {
        uint64_t key = hash_combine(hash_combine(object->start, size), hash_combine(window.low, window.high));
        known = map_put(&vm->constant_arrays, key >> 1);
        if (*known) return (Term)*known;
    }
    uint32_t count = (uint32_t)((window.high - window.low) / size + 1);
    uint64_t first = object->start + window.low, whole = (uint64_t)count * size;
    Term array;
    if (size <= 8 && !(size & (size - 1)) && memory_plain_prefix(vm->state->memory, first, whole) == whole) {
        uint8_t *bytes = NEW_ARRAY(uint8_t, whole);
        memory_peek(vm->state->memory, first, bytes, whole);
        array = term_array_bytes(vm->terms, 32, size, bytes, count);
        DELETE_ARRAY(bytes, whole);
    } else {
        Term *elements = NEW_ARRAY(Term, count);
        for (uint32_t i = 0; i < count; i++) elements[i] = load_term(vm, first + (uint64_t)i * size, size);
        array = term_array_literal(vm->terms, 32, 8 * size, elements, count);
        DELETE_ARRAY(elements, count);
    }
    if (known) {
        *known = array;
        term_pin(vm->terms, array);
    }
    return array;
}

static Term read_object(const struct access *access, const struct object *object) {
    struct terms *terms = access->vm->terms;
    Term offset = offset_in(access, object);
    struct window window = window_of(access, object, offset);
    Term index = term_sub(terms, offset, term_const(terms, 64, window.low));
    unsigned size = access->size;
    bool power = size == 1 || size == 2 || size == 4 || size == 8;
    if (power && window.stride >= size) {
        Term scaled = term_lshr(terms, index, term_const(terms, 64, (uint64_t)__builtin_ctz(size)));
        return term_select(terms, content_array(access, object, window), term_extract(terms, scaled, 0, 32));
    }
    struct access byte = *access; // byte by byte from one array
    byte.size = 1;
    window.high += size - 1;
    Term array = content_array(&byte, object, window), value = 0;
    for (unsigned i = 0; i < size; i++) {
        Term at = term_add(terms, index, term_const(terms, 64, i));
        Term one = term_select(terms, array, term_extract(terms, at, 0, 32));
        value = value ? term_concat(terms, one, value) : one;
    }
    return value;
}

// Too many places for a term in each of them.
static bool is_wide(struct window window) {
    return (window.high - window.low) / window.stride >= 2 * FEW_PLACES;
}

// Is the object too large for an array? Then the address gets one value in each of several states. So does that of a write
// whose few places would have to be asked for (few_places), where questions are put off: there, a path goes to its end
// without one.
static bool too_large(const struct access *access, const struct targets *targets) {
    for (unsigned i = 0; i < targets->count; i++) {
        const struct object *object = &targets->at[i].object;
        struct window window = window_of(access, object, offset_in(access, object));
        bool asks = access->write && access->vm->options.relax_checks && is_wide(window);
        if (asks || window.high - window.low >= MOST_WINDOW) return true;
    }
    return false;
}

// Where the access goes: to targets, or to the one address it has (then there are no targets, and the address is
// checked).
static enum step locate(const struct access *access, struct targets *targets, uint64_t *concrete) {
    struct vm *vm = access->vm;
    *targets = (struct targets){0};
    if (term_is_const(vm->terms, access->address)) {
        *concrete = term_value(vm->terms, access->address);
    } else {
        enum step step = resolve(access, targets);
        if (step != STEP_NEXT || !too_large(access, targets)) return step;
        gave_up(vm, "an index into a large object: its values become paths");
        targets->count = 0;
        step = split_values(vm, access->address, concrete);
        if (step != STEP_NEXT) return step;
    }
    return check_access(vm, *concrete, access->size, access->write);
}

enum step load_symbolic(struct vm *vm, Term address, unsigned size, Term *value) {
    enum step step = use_value(vm, &address, "an address");
    if (step == STEP_NEXT) step = settle_value(vm, &address);
    if (step != STEP_NEXT) return step;
    struct access access = {vm, address, size, false};
    struct targets targets;
    uint64_t concrete;
    step = locate(&access, &targets, &concrete);
    if (step != STEP_NEXT) return step;
    if (!targets.count) {
        *value = load_term(vm, concrete, size);
        return STEP_NEXT;
    }
    *value = read_object(&access, &targets.at[targets.count - 1].object);
    for (unsigned i = targets.count - 1; i--;) {
        const struct target *target = &targets.at[i];
        *value = term_ite(vm->terms, target->inside, read_object(&access, &target->object), *value);
    }
    return STEP_NEXT;
}

// ---- writes

// The same for a wide value at many places: each byte is looked up in the value.
static void write_wide(const struct access *access, const struct target *target, bool only, Term offset,
                       struct window window, Term value) {
    struct vm *vm = access->vm;
    struct terms *terms = vm->terms;
    Term *bytes = NEW_ARRAY(Term, access->size);
    for (unsigned i = 0; i < access->size; i++) bytes[i] = term_extract(terms, value, 8 * i, 8);
    Term array = term_array_literal(terms, 32, 8, bytes, access->size);
    DELETE_ARRAY(bytes, access->size);
    for (uint64_t at = window.low; at < window.high + access->size; at++) {
        Term index = term_sub(terms, term_const(terms, 64, at), offset);
        Term hit = term_ult(terms, index, term_const(terms, 64, access->size));
        if (!only) hit = term_and(terms, hit, target->inside);
        Term byte = term_select(terms, array, term_extract(terms, index, 0, 32));
        uint64_t address = target->object.start + at;
        store_byte(vm, address, term_ite(terms, hit, byte, load_term(vm, address, 1)));
    }
}

static int by_value(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

// An offset that could be anywhere in a large window may still have few values: asking is cheaper than a term for
// every byte of the object. 0: there are many. Asked also while a trail is followed, and in an order that no model
// decides: the terms must be those of the run, or a later branch would have a decision in one and none in the other.
static unsigned few_places(struct vm *vm, Term offset, struct window window, uint64_t *places) {
    unsigned count = 0;
    if (!is_wide(window)) return 0;
    enum answer all = solver_values(vm->solver, vm->state->path, offset, places, FEW_PLACES, &count);
    if (all != ANSWER_YES) return 0;
    qsort(places, count, sizeof *places, by_value);
    return count;
}

static void write_place(const struct access *access, const struct target *target, bool only, Term offset,
                        uint64_t at, Term value) {
    struct vm *vm = access->vm;
    struct terms *terms = vm->terms;
    Term hit = term_eq(terms, offset, term_const(terms, 64, at));
    if (!only) hit = term_and(terms, hit, target->inside);
    for (unsigned i = 0; i < access->size; i++) {
        uint64_t address = target->object.start + at + i;
        Term old = load_term(vm, address, 1);
        store_byte(vm, address, term_ite(terms, hit, term_extract(terms, value, 8 * i, 8), old));
    }
}

// Every byte that may be hit becomes: the written one where the address is such, else what it was.
static void write_object(const struct access *access, const struct target *target, bool only, Term value) {
    struct vm *vm = access->vm;
    const struct object *object = &target->object;
    Term offset = offset_in(access, object);
    struct window window = window_of(access, object, offset);
    if (access->size > 8 && (window.high - window.low) / window.stride >= MANY_PLACES) {
        write_wide(access, target, only, offset, window, value);
        return;
    }
    uint64_t places[FEW_PLACES];
    unsigned count = few_places(vm, offset, window, places);
    for (unsigned i = 0; i < count; i++)
        if (places[i] - window.low <= window.high - window.low)
            write_place(access, target, only, offset, places[i], value);
    for (uint64_t at = window.low; !count && at <= window.high; at += window.stride)
        write_place(access, target, only, offset, at, value);
}

enum step store_symbolic(struct vm *vm, Term address, Term value, unsigned size) {
    enum step step = use_value(vm, &address, "an address");
    if (step == STEP_NEXT) step = settle_value(vm, &address);
    if (step != STEP_NEXT) return step;
    struct access access = {vm, address, size, true};
    struct targets targets;
    uint64_t concrete;
    step = locate(&access, &targets, &concrete);
    if (step != STEP_NEXT) return step;
    if (!targets.count) store_term(vm, concrete, value, size);
    for (unsigned i = 0; i < targets.count; i++)
        write_object(&access, &targets.at[i], targets.count == 1, value);
    sync_translations(vm);
    return STEP_NEXT;
}
