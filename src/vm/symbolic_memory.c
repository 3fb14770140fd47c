// Symbolic bytes, and accesses at symbolic addresses.
//
// A pointer belongs to the object that it was made from (provenance.h): the index is checked against that object alone.
// If that object is not known and the address is a sum with a constant, the constant is taken for the address of an
// object: if some value of the sum lies in that object, the pointer belongs to it, and all other values are errors. An
// address whose values are listed in its term accesses all of them (address_map.h). Any other address is resolved by
// queries for its values: each value yields an object, or a gap in which the access is an error. The access then goes
// to a few objects, each under the condition that the address lies in it. A read becomes a select from an array of the
// object's content. A write becomes a conditional store to every byte that it may hit, or a store on an array.
#include "vm/address_map.h"
#include "vm/choice.h"
#include "vm/object_array.h"
#include "vm/pointer_base.h"
#include "vm/provenance.h"

#include <stdlib.h>

#define MOST_OBJECTS 8 // most objects that one access may reach in one state
#define MOST_GAPS    8 // most gaps between objects that one access looks for; another state gets the rest
#define MOST_WINDOW  65536u // bytes that a symbolic index may range over without an object array
// A write of more than 8 bytes that may hit at least this many offsets selects its bytes from an array.
#define MANY_OFFSETS 64
#define WIDE_WINDOW  NORMAL_OR_HOSTILE(16u, 4u) // number of offsets at which a write becomes an array store
// A write at up to this many offsets enumerates them: an ite at each is simpler than an array store.
#define FEW_OFFSETS 8u
#define MOST_TABLE  1024u // most concrete bytes that a state that follows its model reads as a table

// ---- bytes at concrete addresses

// Returns an inaccessible byte, after a failed check: an object that has ended keeps its content, other bytes are
// unknown.
static Term outside_byte(struct vm *vm, uint64_t address, const struct page *page, uint32_t offset) {
    assert(vm->instruction.passed); // all accesses are checked before
    uint8_t shadow = page->shadow[offset];
    return shadow_is_ended(shadow) ? term_const(vm->terms, 8, page->bytes[offset])
                                   : uninit_outside(vm, address);
}

static Term byte_term(struct vm *vm, uint64_t address) {
    const struct page *page = memory_page(vm->state->memory, address);
    uint32_t offset = (uint32_t)address & (PAGE_SIZE - 1);
    assert(page);
    if (UNLIKELY(page->shadow[offset] & SHADOW_NO_ACCESS)) return outside_byte(vm, address, page, offset);
    if (UNLIKELY(page->shadow[offset] & SHADOW_UNINIT)) return uninit_byte(vm, address);
    uint32_t slot = memory_page_term(page, offset);
    vm->instruction.change_taint |= slot & SLOT_CHANGED;
    Term term = byte_of_slot(vm, vm->state, address, slot);
    return term ? term : term_const(vm->terms, 8, page->bytes[offset]);
}

Term vm_load_term(struct vm *vm, uint64_t address, unsigned size) {
    Term value = 0;
    assert(size > 0);
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

void vm_store_byte(struct vm *vm, uint64_t address, Term byte) {
    struct page *page = memory_own_page(&vm->state->memory, address);
    uint32_t offset = (uint32_t)address & (PAGE_SIZE - 1);
    assert(term_width(vm->terms, byte) == 8);
    if (UNLIKELY(vm->instruction.passed && page->shadow[offset] & SHADOW_NO_ACCESS)) {
        if (term_is_const(vm->terms, byte)) page->bytes[offset] = (uint8_t)term_value(vm->terms, byte);
        return;
    }
    uint8_t bound = page->shadow[offset] & SHADOW_BOUND; // kept: only an access at a known offset clears it
    if (term_is_const(vm->terms, byte)) {
        page->bytes[offset] = (uint8_t)term_value(vm->terms, byte);
        page->shadow[offset] = bound;
        memory_page_clear_terms(page, offset, 1);
        return;
    }
    memory_page_set_term(page, offset, vm_slot_of(vm, byte));
    page->shadow[offset] = SHADOW_SYMBOLIC | bound;
    page->bytes[offset] = 0;
}

void vm_store_term(struct vm *vm, uint64_t address, Term value, unsigned size) {
    assert(term_width(vm->terms, value) == 8 * size);
    for (unsigned i = 0; i < size; i++)
        vm_store_byte(vm, address + i, term_extract(vm->terms, value, 8 * i, 8));
    vm_sync_translations(vm);
}

void vm_make_symbolic(struct vm *vm, uint64_t address, uint64_t size, uint32_t input, uint32_t from) {
    assert(from + size <= terms_input_size(vm->terms, input));
    for (uint64_t i = 0; i < size; i++)
        vm_store_byte(vm, address + i, term_byte(vm->terms, input, from + (uint32_t)i));
    vm_sync_translations(vm);
}

// ---- possible targets of an address

struct pointer_target {
    struct object object;
    Term inside; // condition that the access lies in the object
};

struct symbolic_access {
    struct vm *vm;
    Term address;
    unsigned size;
    bool write;
    const struct object *owner; // object that the pointer belongs to; NULL: not known
    Term base;                  // pointer into that object (struct access_owner); 0: none
};

static bool is_within(const struct object *object, uint64_t address, uint64_t size) {
    return address - object->start < object->size && size <= object->size - (address - object->start);
}

static void say_access(struct vm *vm, void *context) {
    const struct symbolic_access *access = context;
    uint64_t address = solver_evaluate(vm->solver, vm->state->path, access->address);
    if (access->owner && !access->owner->bound && !is_within(access->owner, address, access->size))
        vm_report_left_object(vm, access->owner, address, access->size, access->write);
    else
        vm_report_outside(vm, address, access->size, access->write);
}

static Term offset_in(const struct symbolic_access *access, const struct object *object) {
    return term_sub(access->vm->terms, access->address, term_const(access->vm->terms, 64, object->start));
}

// Returns the condition that the access lies in the object: false if the object is too small, or constant and the
// access is a write.
static Term inside(const struct symbolic_access *access, const struct object *object) {
    struct terms *terms = access->vm->terms;
    if (object->size < access->size || (access->write && object->readonly)) return term_false(terms);
    Term size = term_const(terms, 64, access->size), offset = offset_in(access, object);
    if (!object->bound) return term_ule(terms, offset, term_const(terms, 64, object->size - access->size));
    return term_and(terms, term_ule(terms, size, object->bound),
                    term_ule(terms, offset, term_sub(terms, object->bound, size)));
}

// Finds the object of the pointer, or of the constant part of the address (base + offset).
static bool find_base_object(const struct symbolic_access *access, struct object *object) {
    struct terms *terms = access->vm->terms;
    if (access->owner) {
        *object = *access->owner;
        return true;
    }
    if (term_kind(terms, access->address) != KIND_ADD) return false;
    Term constant = term_arg(terms, access->address, 1);
    return term_is_const(terms, constant) &&
           object_at(access->vm->state, term_value(terms, constant), object) &&
           !pointer_base_is_partly_mapped(access->vm, object);
}

static struct window window_of(const struct symbolic_access *access, const struct object *object,
                               Term offset) {
    assert(object->size >= access->size);
    struct facts facts = term_facts(access->vm->terms, offset);
    struct window window = {facts.low, MIN(facts.high, object->size - access->size), 1};
    if (window.low > window.high) window.low = 0;
    while (window.stride < 8 && facts.zeros & window.stride) window.stride *= 2;
    window.low -= window.low % window.stride;
    assert(window.low <= window.high && window.high + access->size <= object->size);
    return window;
}

// Whether the window has too many offsets for an ite at each of them.
static bool is_wide(const struct vm *vm, struct window window) {
    uint64_t least = vm->options.array_offsets ? vm->options.array_offsets : WIDE_WINDOW;
    return (window.high - window.low) / window.stride + 1 >= least;
}

// A range of addresses at which the access is an error: it touches an inaccessible byte, or writes to a constant
// object.
struct address_gap {
    uint64_t low, high; // first and last address
};

// The objects that an address may lie in, and the gaps.
struct pointer_targets {
    struct pointer_target at[MOST_OBJECTS];
    unsigned count;
    struct address_gap gaps[MOST_GAPS];
    unsigned gap_count;
    enum { TARGETS_ALL, TARGETS_MORE, TARGETS_UNKNOWN } rest; // whether other targets exist
    bool is_fixed;  // the access takes the model's address, after the check
    bool is_mapped; // the values of the address are listed in its term; no other targets
};

static struct mapped_access mapped(const struct symbolic_access *access) {
    return (struct mapped_access){access->address, access->size, access->write};
}

// Queries for a value of the address under the condition.
static enum answer another_address(const struct symbolic_access *access, Term condition, uint64_t *address) {
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
    uint64_t x = ((const struct pointer_target *)a)->object.start,
             y = ((const struct pointer_target *)b)->object.start;
    return x < y ? -1 : x > y;
}

static int by_low(const void *a, const void *b) {
    uint64_t x = ((const struct address_gap *)a)->low, y = ((const struct address_gap *)b)->low;
    return x < y ? -1 : x > y;
}

static Term is_in_gap(const struct symbolic_access *access, struct address_gap gap) {
    struct terms *terms = access->vm->terms;
    return term_ule(terms, term_sub(terms, access->address, term_const(terms, 64, gap.low)),
                    term_const(terms, 64, gap.high - gap.low));
}

// Returns a range around `hole`, a byte of an object that has ended.
static struct address_gap ended_object(const struct symbolic_access *access, uint64_t hole) {
    struct memory memory = access->vm->state->memory;
    struct object object;
    if (object_find(access->vm->state, hole, &object) && object.kind != OBJECT_STACK &&
        object.life != OBJECT_LIVE && hole - object.start < object.size)
        return (struct address_gap){object.start, object.start + object.size - 1};
    struct address_gap gap = {hole, hole}; // the object is not recorded: use equal shadow bytes in the page
    uint8_t shadow = memory_shadow(memory, hole);
    while (gap.low % PAGE_SIZE && memory_shadow(memory, gap.low - 1) == shadow) gap.low--;
    while ((gap.high + 1) % PAGE_SIZE && memory_shadow(memory, gap.high + 1) == shadow) gap.high++;
    return gap;
}

// Returns a range around an address at which the access is an error. Everywhere in it the error is of the same kind.
static struct address_gap gap_at(const struct symbolic_access *access, uint64_t address) {
    struct memory memory = access->vm->state->memory;
    uint64_t hole = address, last, next, beyond = access->size - 1;
    while (hole - address < access->size && memory_is_accessible(memory, hole)) hole++;
    if (hole - address == access->size) { // a write to a constant object
        struct object object;
        if (!object_at(access->vm->state, address, &object)) return (struct address_gap){address, address};
        return (struct address_gap){object.start, MAX(address, object.start + object.size - 1)};
    }
    if (hole < NULL_END) return (struct address_gap){0, NULL_END - 1};
    struct address_gap gap = {NULL_END, UINT64_MAX};
    if (shadow_is_ended(memory_shadow(memory, hole)))
        gap = ended_object(access, hole);
    else if (memory_last_object_byte(memory, hole, &last))
        gap.low = memory_is_accessible(memory, last) ? last + 1 - MIN(last + 1, beyond) : last + 1;
    if (!shadow_is_ended(memory_shadow(memory, hole)) && memory_next_object_byte(memory, hole, &next))
        gap.high = next - 1;
    gap.low = MIN(gap.low, address);
    return gap;
}

// Queries for one address after the other; each yields its object, or the gap in which the access is an error.
static void ask_for_targets(const struct symbolic_access *access, struct pointer_targets *targets) {
    struct terms *terms = access->vm->terms;
    Term elsewhere = term_true(terms);
    uint64_t address = 0;
    targets->rest = TARGETS_MORE;
    while (targets->count < MOST_OBJECTS && targets->gap_count < MOST_GAPS) {
        enum answer answer = another_address(access, elsewhere, &address);
        if (answer != ANSWER_YES) {
            targets->rest = answer == ANSWER_NO ? TARGETS_ALL : TARGETS_UNKNOWN;
            return;
        }
        struct pointer_target *target = &targets->at[targets->count];
        const struct object *object = &target->object;
        Term here;
        if (object_at(access->vm->state, address, &target->object) && object->size >= access->size &&
            address - object->start <= object->size - access->size && !(access->write && object->readonly)) {
            target->inside = inside(access, object);
            struct object whole = *object; // bytes past the symbolic size do not count as another target
            whole.bound = 0;
            here = inside(access, &whole);
            targets->count++;
        } else {
            struct address_gap gap = targets->gaps[targets->gap_count++] = gap_at(access, address);
            assert(address - gap.low <= gap.high - gap.low);
            here = is_in_gap(access, gap);
        }
        elsewhere = term_and(terms, elsewhere, term_not(terms, here));
    }
}

static uint64_t model_address(const struct symbolic_access *access) {
    return solver_evaluate(access->vm->solver, access->vm->state->path, access->address);
}

// Finds the object in which the model's address lies, without a query. A second state gets all other objects. Returns
// false if the access is not valid there.
static bool find_model_target(const struct symbolic_access *access, struct pointer_targets *targets) {
    struct pointer_target *target = &targets->at[0];
    const struct object *object = &target->object;
    uint64_t address = model_address(access);
    if (!object_at(access->vm->state, address, &target->object) || object->size < access->size ||
        address - object->start > object->size - access->size || (access->write && object->readonly))
        return false;
    target->inside = inside(access, object);
    // If the model's own access fails past a symbolic size, the targets must be queried: other addresses may be valid.
    if (object->bound && !solver_evaluate(access->vm->solver, access->vm->state->path, target->inside))
        return false;
    targets->count = 1;
    targets->rest = TARGETS_MORE;
    return true;
}

// Records the targets as a fact (choice.h): the counts, then the start of each object, then the gaps.
static void record_targets(struct vm *vm, const struct pointer_targets *targets) {
    assert(targets->count <= MOST_OBJECTS && targets->gap_count <= MOST_GAPS);
    vm_know(vm, (uint32_t[]){targets->count, targets->gap_count, targets->rest}, 3);
    for (unsigned i = 0; i < targets->count; i++) vm_know_number(vm, targets->at[i].object.start);
    for (unsigned i = 0; i < targets->gap_count; i++) {
        vm_know_number(vm, targets->gaps[i].low);
        vm_know_number(vm, targets->gaps[i].high);
    }
}

static enum step recall_targets(const struct symbolic_access *access, struct pointer_targets *targets) {
    struct vm *vm = access->vm;
    uint32_t numbers[3];
    vm_recall(vm, numbers, 3);
    targets->rest = MIN(numbers[2], TARGETS_UNKNOWN);
    for (uint32_t i = 0; i < MIN(numbers[0], MOST_OBJECTS); i++) {
        struct pointer_target *target = &targets->at[targets->count];
        if (!object_at(vm->state, vm_recall_number(vm), &target->object)) continue;
        target->inside = inside(access, &target->object);
        if (term_is_zero(vm->terms, target->inside)) continue; // decisions of another program may be wrong
        targets->count++;
    }
    targets->gap_count = MIN(numbers[1], MOST_GAPS);
    for (uint32_t i = 0; i < targets->gap_count; i++) {
        targets->gaps[i].low = vm_recall_number(vm);
        targets->gaps[i].high = vm_recall_number(vm);
    }
    return vm_recalled(vm);
}

// Recorded word: how an access finds its targets. BASE: the object of its pointer or constant part; LISTED: the targets
// that are recorded after the word; MAPPED: the values in its term; FIXED: only the model's address.
enum { FIND_LISTED = 0, FIND_BASE = 1, FIND_FIXED = 2, FIND_MAPPED = 4 };

// Whether the values of the address are listed in its term. A state that follows its model takes the model's address
// instead: terms stay small.
static bool is_mappable(const struct symbolic_access *access) {
    struct mapped_access map = mapped(access);
    return !access->vm->state->seed.follows && address_map_possible(access->vm, &map);
}

// Whether the access reads a small or constant table. Then the address stays symbolic.
static bool is_table(const struct symbolic_access *access, const struct object *object) {
    if (access->write) return false;
    if (object->readonly) return true;
    struct window window = window_of(access, object, offset_in(access, object));
    uint64_t size = window.high - window.low + access->size;
    return size <= MOST_TABLE &&
           memory_plain_prefix(access->vm->state->memory, object->start + window.low, size) == size;
}

// Whether the access takes the model's address: in a state that follows its model, unless it reads a table. Also with
// relaxed checks, for a write to many offsets of an object that cannot be an array: it would need an ite at each of
// them.
static bool is_fixed(const struct symbolic_access *access, const struct object *object) {
    struct vm *vm = access->vm;
    if (vm->state->seed.follows) return !is_table(access, object);
    return vm->options.relax_checks && access->write && !object_array_possible(access->vm, object) &&
           is_wide(vm, window_of(access, object, offset_in(access, object)));
}

// Queries whether the address can lie in the object of its constant part: simplification may have moved the constant
// into an adjacent object.
static enum answer ask_for_base(const struct symbolic_access *access, const struct pointer_target *base) {
    struct vm *vm = access->vm;
    if (access->owner) return ANSWER_YES;
    if (term_is_const(vm->terms, base->inside))
        return term_is_zero(vm->terms, base->inside) ? ANSWER_NO : ANSWER_YES;
    if (!vm_asks_nothing(vm)) return solver_may_be_true(vm->solver, vm->state->path, base->inside, NULL);
    return solver_evaluate(vm->solver, vm->state->path, base->inside) ? ANSWER_YES : ANSWER_NO;
}

static enum step choose_targets(const struct symbolic_access *access, bool has_base,
                                struct pointer_targets *targets) {
    struct vm *vm = access->vm;
    uint32_t found = FIND_BASE;
    enum answer in_base = has_base ? ask_for_base(access, &targets->at[0]) : ANSWER_NO;
    if (in_base == ANSWER_UNKNOWN && vm_run_is_over(vm)) return vm_retry_later(vm);
    if (in_base == ANSWER_YES) {
        targets->count = 1;
    } else if (is_mappable(access)) {
        found = FIND_MAPPED;
        targets->is_mapped = true;
    } else {
        found = FIND_LISTED;
        if (!vm_asks_nothing(vm) || !find_model_target(access, targets)) ask_for_targets(access, targets);
        if (targets->rest == TARGETS_UNKNOWN && vm_run_is_over(vm)) return vm_retry_later(vm);
        // In an order that does not depend on models: they differ between workers.
        qsort(targets->at, targets->count, sizeof *targets->at, by_start);
        qsort(targets->gaps, targets->gap_count, sizeof *targets->gaps, by_low);
    }
    for (unsigned i = 0; i < targets->count; i++)
        targets->is_fixed |=
            targets->at[i].object.size >= access->size && is_fixed(access, &targets->at[i].object);
    if (targets->is_fixed) found |= FIND_FIXED;
    vm_know(vm, &found, 1);
    if (!(found & (FIND_BASE | FIND_MAPPED))) record_targets(vm, targets);
    return STEP_NEXT;
}

static enum step find_targets(const struct symbolic_access *access, struct pointer_targets *targets) {
    struct vm *vm = access->vm;
    struct pointer_target *base = &targets->at[0];
    enum step step = STEP_NEXT;
    *targets = (struct pointer_targets){0};
    bool has_base = find_base_object(access, &base->object);
    if (has_base) base->inside = inside(access, &base->object);
    if (!vm_is_recorded(vm, &step))
        return step == STEP_NEXT ? choose_targets(access, has_base, targets) : step;
    uint32_t found = FIND_LISTED;
    vm_recall(vm, &found, 1);
    targets->is_fixed = found & FIND_FIXED;
    if (found & FIND_MAPPED) targets->is_mapped = is_mappable(access);
    if (!(found & (FIND_BASE | FIND_MAPPED))) return recall_targets(access, targets);
    targets->count = has_base && !targets->is_mapped; // decisions of another program may be wrong
    return vm_recalled(vm);
}

static enum step leave_out_objects(struct vm *vm, Term found) {
    vm_note_incomplete(vm, "the solver gave no answer: objects of a pointer are not explored");
    if (!term_is_const(vm->terms, found)) return vm_assume(vm, found);
    vm->outcome.event = VM_UNKNOWN;
    return STEP_STOP;
}

// Checks each kind of error of the gaps separately: each is a bug, but a single failing state would show only one of
// them. If all targets are known, the check in resolve() covers the last kind.
static enum step check_gaps(const struct symbolic_access *access, const struct pointer_targets *targets) {
    struct vm *vm = access->vm;
    unsigned left = 0;
    static_assert(BUG_COUNT <= 32, "kinds are bits of a word");
    for (unsigned i = 0; i < targets->gap_count; i++)
        left |= 1u << vm_kind_of_address(vm, targets->gaps[i].high);
    if (left && targets->rest == TARGETS_ALL) left ^= 0x80000000u >> __builtin_clz(left);
    for (enum step step; left; left &= left - 1) {
        Term good = term_true(vm->terms);
        for (unsigned i = 0; i < targets->gap_count; i++)
            if (vm_kind_of_address(vm, targets->gaps[i].high) == (enum bug_kind)__builtin_ctz(left))
                good = term_and(vm->terms, good, term_not(vm->terms, is_in_gap(access, targets->gaps[i])));
        step = vm_check(vm, "bounds of an access", good, say_access, (void *)access);
        if (step != STEP_NEXT || vm->instruction.passed) return step;
    }
    return STEP_NEXT;
}

// Checks each kind of error at the listed values.
static enum step check_mapped(const struct symbolic_access *access) {
    struct vm *vm = access->vm;
    struct mapped_access map = mapped(access);
    for (uint32_t left = address_map_errors(vm, &map); left; left &= left - 1) {
        Term good = address_map_is_good(vm, &map, (enum bug_kind)__builtin_ctz(left));
        enum step step = vm_check(vm, "bounds of an access", good, say_access, (void *)access);
        if (step != STEP_NEXT || vm->instruction.passed) return step;
    }
    return STEP_NEXT;
}

// Finds the targets and checks that the address lies in one of them. If there are too many for one access, another
// state gets the remaining ones and re-executes the instruction.
static enum step resolve(const struct symbolic_access *access, struct pointer_targets *targets) {
    struct vm *vm = access->vm;
    struct terms *terms = vm->terms;
    for (;;) {
        enum step step = find_targets(access, targets);
        if (step == STEP_NEXT && targets->is_mapped) return check_mapped(access);
        if (step == STEP_NEXT) step = check_gaps(access, targets);
        if (step != STEP_NEXT || vm->instruction.passed) return step;
        Term found = term_false(terms);
        for (unsigned i = 0; i < targets->count; i++) found = term_or(terms, found, targets->at[i].inside);
        if (targets->rest == TARGETS_ALL)
            return vm_check(vm, "bounds of an access", found, say_access, (void *)access);
        if (targets->rest == TARGETS_UNKNOWN) return leave_out_objects(vm, found);
        bool taken;
        step = vm_part(vm, found, &taken);
        if (step != STEP_NEXT || taken) return step;
    }
}

// ---- reads

// Returns the entry of a window of a constant global; its array is 0 if it is new.
static struct constant_array *constant_array_of(struct vm *vm, uint64_t start, struct window window,
                                                unsigned size) {
    struct constant_arrays *arrays = &vm->tables.constant_arrays;
    uint64_t key = hash_combine(hash_combine(start, size), hash_combine(window.low, window.high)), *found;
    for (key = NORMAL_OR_HOSTILE(key, 0) >> 1;; key++) { // hostile: all keys collide
        found = map_put(&arrays->index, key);
        if (!*found) break;
        struct constant_array *one = &arrays->at.at[*found - 1];
        if (one->start == start && one->size == size && one->low == window.low && one->high == window.high)
            return one;
    }
    vec_push(&arrays->at, ((struct constant_array){start, window.low, window.high, size, 0}));
    *found = arrays->at.count;
    return &arrays->at.at[*found - 1];
}

// Returns the object's content in the window as an array of elements of the access's size.
static Term content_array(const struct symbolic_access *access, const struct object *object,
                          struct window window) {
    struct vm *vm = access->vm;
    unsigned size = access->size;
    struct constant_array *known = NULL;
    assert(window.low <= window.high && window.high + size <= object->size);
    // a mapping that may not be written now may have been, and may be again
    if (object->kind == OBJECT_GLOBAL && object->readonly)
        known = constant_array_of(vm, object->start, window, size);
    if (known && known->array) return known->array;
    uint32_t count = (uint32_t)((window.high - window.low) / size + 1);
    uint64_t first = object->start + window.low;
    bool power = size <= 8 && !(size & (size - 1));
    Term array = power ? object_array_table(vm, first, count, size) : 0;
    if (!array) {
        Term *elements = NEW_ARRAY(Term, count);
        for (uint32_t i = 0; i < count; i++) elements[i] = vm_load_term(vm, first + (uint64_t)i * size, size);
        array = term_array_literal(vm->terms, 32, 8 * size, elements, count);
        DELETE_ARRAY(elements, count);
    }
    if (known) {
        known->array = array;
        term_retain(vm->terms, array);
    }
    return array;
}

static Term read_object(const struct symbolic_access *access, const struct object *object) {
    struct terms *terms = access->vm->terms;
    Term offset = offset_in(access, object);
    struct window window = window_of(access, object, offset);
    Term held = object_array_find(access->vm, object, window.low, window.high + access->size - 1);
    if (held || window.high - window.low >= MOST_WINDOW)
        return object_array_read(access->vm, object, held, window, offset, access->size);
    Term index = term_sub(terms, offset, term_const(terms, 64, window.low));
    unsigned size = access->size;
    bool power = size == 1 || size == 2 || size == 4 || size == 8;
    if (power && window.stride >= size) {
        Term scaled = term_lshr(terms, index, term_const(terms, 64, (uint64_t)__builtin_ctz(size)));
        return term_select(terms, content_array(access, object, window), term_extract(terms, scaled, 0, 32));
    }
    struct symbolic_access byte = *access; // byte by byte from an array of bytes
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

// Whether some target needs an array but cannot be one. Then the path forks on the address.
static bool too_large(const struct symbolic_access *access, const struct pointer_targets *targets) {
    for (unsigned i = 0; i < targets->count; i++) {
        const struct object *object = &targets->at[i].object;
        struct window window = window_of(access, object, offset_in(access, object));
        if (window.high - window.low >= MOST_WINDOW && !object_array_possible(access->vm, object))
            return true;
    }
    return false;
}

// Resolves the access to targets, or to one concrete address. In the latter case there are no targets, and the address
// has been checked.
static enum step locate(const struct symbolic_access *access, struct pointer_targets *targets,
                        uint64_t *concrete) {
    struct vm *vm = access->vm;
    *targets = (struct pointer_targets){0};
    enum step checked = pointer_base_check(vm, access->base, access->address, access->size, access->write);
    if (checked != STEP_NEXT) return checked;
    if (term_is_const(vm->terms, access->address)) {
        *concrete = term_value(vm->terms, access->address);
        if (access->owner && !provenance_is_near(access->owner, *concrete)) {
            enum step step = vm_report_left_object(vm, access->owner, *concrete, access->size, access->write);
            if (step != STEP_NEXT) return step;
        }
    } else {
        enum step step = vm->instruction.passed ? STEP_NEXT : resolve(access, targets);
        if (step == STEP_NEXT && vm->instruction.passed) {
            targets->count = 0;
            targets->is_mapped = false;
            step = vm_concretize(vm, access->address,
                                 "an access that failed its check: its address was concretized", concrete);
            return step;
        }
        bool large = step == STEP_NEXT && too_large(access, targets);
        if (step != STEP_NEXT || (!large && !targets->is_fixed)) return step;
        if (large && !targets->is_fixed)
            vm_note_fallback(vm, "an index into a large object: the path forks on each value");
        targets->count = 0;
        step = vm_fork_on_value(vm, access->address, concrete);
        if (step != STEP_NEXT) return step;
    }
    return vm_check_access(vm, *concrete, access->size, access->write);
}

enum step vm_load_symbolic(struct vm *vm, Term address, unsigned size, struct access_owner owner,
                           Term *value) {
    enum step step = uninit_use_value(vm, &address, "an address");
    if (step == STEP_NEXT) step = vm_fold_implied(vm, &address);
    if (step != STEP_NEXT) return step;
    struct object mapping;
    struct symbolic_access access = {
        vm, address, size, false, pointer_base_whole(vm, owner.object, &mapping), owner.base};
    assert(term_width(vm->terms, address) == 64 && size > 0);
    struct pointer_targets targets;
    uint64_t concrete;
    step = locate(&access, &targets, &concrete);
    if (step != STEP_NEXT) return step;
    if (targets.is_mapped) {
        struct mapped_access map = mapped(&access);
        *value = address_map_load(vm, &map);
        return STEP_NEXT;
    }
    if (!targets.count) {
        *value = vm_load_term(vm, concrete, size);
        return STEP_NEXT;
    }
    *value = read_object(&access, &targets.at[targets.count - 1].object);
    for (unsigned i = targets.count - 1; i--;) {
        const struct pointer_target *target = &targets.at[i];
        *value = term_ite(vm->terms, target->inside, read_object(&access, &target->object), *value);
    }
    return STEP_NEXT;
}

// ---- writes

// Like write_at, for a wide value at many offsets: the new value of each byte is selected from an array of the
// value's bytes.
static void write_wide(const struct symbolic_access *access, const struct pointer_target *target, bool only,
                       Term offset, struct window window, Term value) {
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
        vm_store_byte(vm, address, term_ite(terms, hit, byte, vm_load_term(vm, address, 1)));
    }
}

static int by_value(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

// Enumerates the offsets if they are few: in a large window, queries are cheaper than a term for every byte of the
// object. They are sorted, so that the terms do not depend on models. *count 0: there are many. A fact (choice.h).
static enum step find_few_offsets(struct vm *vm, Term offset, struct window window, uint64_t *offsets,
                                  uint32_t *count) {
    enum step step = STEP_NEXT;
    *count = 0;
    if (!is_wide(vm, window)) return STEP_NEXT;
    if (vm_is_recorded(vm, &step)) {
        vm_recall(vm, count, 1);
        *count = MIN(*count, FEW_OFFSETS);
        for (uint32_t i = 0; i < *count; i++) offsets[i] = vm_recall_number(vm);
        step = vm_recalled(vm);
    } else if (step == STEP_NEXT) {
        enum answer all = ANSWER_UNKNOWN;
        if (!vm_asks_nothing(vm))
            all = solver_values(vm->solver, vm->state->path, offset, offsets, FEW_OFFSETS, count);
        if (all != ANSWER_YES) *count = 0;
        qsort(offsets, *count, sizeof *offsets, by_value);
        vm_know(vm, count, 1);
        for (uint32_t i = 0; i < *count; i++) vm_know_number(vm, offsets[i]);
    }
    return step;
}

static void write_at(const struct symbolic_access *access, const struct pointer_target *target, bool only,
                     Term offset, uint64_t at, Term value) {
    struct vm *vm = access->vm;
    struct terms *terms = vm->terms;
    assert(at + access->size <= target->object.size && !target->object.readonly);
    Term hit = term_eq(terms, offset, term_const(terms, 64, at));
    if (!only) hit = term_and(terms, hit, target->inside);
    for (unsigned i = 0; i < access->size; i++) {
        uint64_t address = target->object.start + at + i;
        Term old = vm_load_term(vm, address, 1);
        vm_store_byte(vm, address, term_ite(terms, hit, term_extract(terms, value, 8 * i, 8), old));
    }
}

// The offsets in an object that a write may hit.
struct write_offsets {
    Term offset;
    struct window window;
    bool wide;                 // a value of more than 8 bytes at many offsets
    uint64_t few[FEW_OFFSETS]; // the only offsets, if `count` is not 0
    uint32_t count;            // 0: all offsets of the window
};

static enum step find_offsets(const struct symbolic_access *access, const struct object *object,
                              struct write_offsets *offsets) {
    offsets->offset = offset_in(access, object);
    offsets->window = window_of(access, object, offsets->offset);
    uint64_t many = (offsets->window.high - offsets->window.low) / offsets->window.stride;
    offsets->wide = access->size > 8 && many >= MANY_OFFSETS;
    offsets->count = 0;
    if (offsets->wide) return STEP_NEXT;
    return find_few_offsets(access->vm, offsets->offset, offsets->window, offsets->few, &offsets->count);
}

// Conditional store: each byte that the write may hit becomes ite(hit, new, old), or the object becomes an array.
static void write_object(const struct symbolic_access *access, const struct pointer_target *target, bool only,
                         const struct write_offsets *offsets, Term value) {
    const struct window *window = &offsets->window;
    if (!offsets->count && is_wide(access->vm, *window) &&
        object_array_possible(access->vm, &target->object)) {
        Term condition = only ? term_true(access->vm->terms) : target->inside;
        object_array_write(access->vm, &target->object, *window, offsets->offset, condition, value,
                           access->size);
        return;
    }
    if (offsets->wide) {
        write_wide(access, target, only, offsets->offset, *window, value);
        return;
    }
    for (uint32_t i = 0; i < offsets->count; i++)
        if (offsets->few[i] - window->low <= window->high - window->low)
            write_at(access, target, only, offsets->offset, offsets->few[i], value);
    for (uint64_t at = window->low; !offsets->count && at <= window->high; at += window->stride)
        write_at(access, target, only, offsets->offset, at, value);
}

// Writes to all targets. Finds all offsets before it writes the first byte: the search may end the run (choice.h, 4).
static enum step write_targets(const struct symbolic_access *access, const struct pointer_targets *targets,
                               Term value) {
    struct write_offsets offsets[MOST_OBJECTS];
    for (unsigned i = 0; i < targets->count; i++) {
        enum step step = find_offsets(access, &targets->at[i].object, &offsets[i]);
        if (step != STEP_NEXT) return step;
    }
    for (unsigned i = 0; i < targets->count; i++)
        write_object(access, &targets->at[i], targets->count == 1, &offsets[i], value);
    return STEP_NEXT;
}

enum step vm_store_symbolic(struct vm *vm, Term address, Term value, unsigned size,
                            struct access_owner owner) {
    enum step step = uninit_use_value(vm, &address, "an address");
    if (step == STEP_NEXT) step = vm_fold_implied(vm, &address);
    if (step != STEP_NEXT) return step;
    struct object mapping;
    struct symbolic_access access = {
        vm, address, size, true, pointer_base_whole(vm, owner.object, &mapping), owner.base};
    assert(term_width(vm->terms, address) == 64 && term_width(vm->terms, value) == 8 * size);
    struct pointer_targets targets;
    uint64_t concrete;
    step = locate(&access, &targets, &concrete);
    if (step != STEP_NEXT) return step;
    struct mapped_access map = mapped(&access);
    if (targets.is_mapped)
        address_map_store(vm, &map, value);
    else if (targets.count)
        step = write_targets(&access, &targets, value);
    else
        vm_store_term(vm, concrete, value, size);
    vm_sync_translations(vm);
    return step;
}
