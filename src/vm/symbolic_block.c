// Block operations with a symbolic address, length or content: memcpy, memmove, memset, and the host's reads into the
// program's memory.
//
// A symbolic length does not fork. One check decides whether some length goes past an object, as for any other access.
// Byte k is then written under the condition k < length. Likewise for a symbolic address: every byte that the block may
// hit gets a new value under the condition that it is hit. A block that may touch more than MOST_LENGTH bytes is
// spliced into the object's array instead (object_array.h). The path forks on each length or address only if the object
// cannot be an array, and on the length of a field that has few lengths (fork_on_field).
#include "vm/choice.h"
#include "vm/object_array.h"
#include "vm/pointer_base.h"
#include "vm/provenance.h"

#define MOST_FIELD   16u   // most lengths of a field on which a path forks
#define MOST_WIDE    256u  // most bytes of a block of known length that are moved as one value
#define MOST_LENGTH  4096u // most bytes that a block may touch without an array
#define MOST_VIEWS   256u  // most views that a read may have to look at after blocks were spliced
#define LEAST_COPIED 1024u // bytes of an array that are copied as an array

// The source or the target of a block: its object and its offset.
struct block_target {
    Term address;
    bool found;    // false: the address is constant, and no object is there
    bool is_fixed; // the path forks on the address, after the check
    bool is_long;  // the block may touch many bytes: use the object's array
    struct object object;
    Term offset;        // from the object's start
    uint64_t low, high; // bounds of the offset
};

static uint64_t most_length(const struct vm *vm) {
    return vm->options.array_offsets ? vm->options.array_offsets : MOST_LENGTH;
}

// ---- the object of a block

static enum step found_at(struct vm *vm, struct block_target *target) {
    target->found = true;
    target->offset = term_sub(vm->terms, target->address, term_const(vm->terms, 64, target->object.start));
    return STEP_NEXT;
}

// Returns the model's value of the address. A fact (choice.h).
static enum step example_address(struct vm *vm, Term term, uint64_t *address) {
    enum step step;
    if (vm_is_recorded(vm, &step)) {
        *address = vm_recall_number(vm);
        return vm_recalled(vm);
    }
    if (step != STEP_NEXT) return step;
    *address = solver_evaluate(vm->solver, vm->state->path, term);
    vm_know_number(vm, *address);
    return STEP_NEXT;
}

// Forks on the object of a pointer: one path per object. The running state takes the object of the model's address.
static enum step choose_object(struct vm *vm, struct block_target *target) {
    struct terms *terms = vm->terms;
    for (;;) {
        uint64_t address = 0;
        enum step step = example_address(vm, target->address, &address);
        if (step != STEP_NEXT) return step;
        if (!object_at(vm->state, address, &target->object)) {
            target->found = false;
            step = vm_concretize(vm, target->address,
                                 "a block at a symbolic address outside of all objects: it got one value",
                                 &address);
            target->address = term_const(terms, 64, address);
            return step;
        }
        step = found_at(vm, target);
        if (step != STEP_NEXT) return step;
        Term here = term_ule(terms, target->offset, term_const(terms, 64, target->object.size));
        bool taken;
        step = vm_part(vm, here, &taken);
        if (step != STEP_NEXT || taken) return step;
    }
}

static enum step find_target(struct vm *vm, Term address, struct block_target *target) {
    struct terms *terms = vm->terms;
    *target = (struct block_target){.address = address};
    Term constant = address;
    if (!term_is_const(terms, address)) {
        enum step step = vm_fixes_values(vm, &target->is_fixed);
        if (step != STEP_NEXT || target->is_fixed)
            return step == STEP_NEXT ? choose_object(vm, target) : step;
    }
    if (!term_is_const(terms, address)) {
        if (term_kind(terms, address) != KIND_ADD) return choose_object(vm, target);
        constant = term_arg(terms, address, 1);
        if (!term_is_const(terms, constant)) return choose_object(vm, target);
    }
    if (object_at(vm->state, term_value(terms, constant), &target->object)) {
        enum step step = found_at(vm, target);
        Term here = term_ule(terms, target->offset, term_const(terms, 64, target->object.size));
        enum answer there = ANSWER_YES;
        if (constant != address) step = vm_ask(vm, here, &there);
        return step != STEP_NEXT || there == ANSWER_YES ? step : choose_object(vm, target);
    }
    return constant == address ? STEP_NEXT : choose_object(vm, target);
}

// ---- the check that the block fits for every length

struct block_access {
    const struct block_target *target;
    Term length;
    bool write;
};

static void say_block(struct vm *vm, void *context) {
    const struct block_access *access = context;
    uint64_t address = solver_evaluate(vm->solver, vm->state->path, access->target->address);
    uint64_t length = solver_evaluate(vm->solver, vm->state->path, access->length);
    vm_report_outside(vm, address, length, access->write);
}

static enum step check_block(struct vm *vm, const struct block_target *target, Term length, bool write) {
    struct terms *terms = vm->terms;
    assert(term_width(terms, length) == 64 && term_width(terms, target->address) == 64);
    Term ok = term_eq(terms, length, term_const(terms, 64, 0));
    if (target->found && !(write && target->object.readonly)) {
        Term space = target->object.bound ? target->object.bound : term_const(terms, 64, target->object.size);
        Term fits = term_and(terms, term_ule(terms, target->offset, space),
                             term_ule(terms, length, term_sub(terms, space, target->offset)));
        ok = term_or(terms, ok, fits);
    }
    struct block_access access = {target, length, write};
    return vm_check(vm, "bounds of a block", ok, say_block, &access);
}

// ---- bounds of the block

static enum step fix_value(struct vm *vm, Term *term) {
    uint64_t value;
    enum step step = vm_fork_on_value(vm, *term, &value);
    if (step == STEP_NEXT) *term = term_const(vm->terms, term_width(vm->terms, *term), value);
    return step;
}

static enum step fork_as_fallback(struct vm *vm, Term *term, const char *why) {
    vm_note_fallback(vm, why);
    return fix_value(vm, term);
}

// Computes bounds of the term. A term with only one feasible value becomes that constant, which simplifies all later
// terms. With relaxed checks no query is made: the bounds are valid but not tight.
static enum step bounds(struct vm *vm, Term *term, uint64_t most, uint64_t *low, uint64_t *high) {
    enum step step = STEP_NEXT;
    if (vm->options.relax_checks) {
        struct facts facts = term_facts(vm->terms, *term);
        *low = facts.low;
        *high = facts.high;
    } else {
        step = vm_bounds(vm, *term, low, high);
        if (step != STEP_NEXT) return step;
    }
    if (*low == *high) *term = term_const(vm->terms, term_width(vm->terms, *term), *low);
    *high = MIN(*high, most);
    *low = MIN(*low, *high);
    assert(*low <= *high && *high <= most);
    return step;
}

// Whether blocks can be spliced into the object, or copied from it, as a whole. An index has 32 bits.
static bool is_spliceable(struct vm *vm, const struct object *object) {
    if (object->size > UINT32_MAX || !object_array_possible(vm, object)) return false;
    Term array = object_array_find(vm, object, 0, object->size - 1);
    return !array || term_array_reads(vm->terms, array, MOST_VIEWS) < MOST_VIEWS;
}

// Decides how a block of symbolic length is moved. Only a large object permits long blocks: in others the check has
// limited the length. If the object cannot be an array, lengths above MOST_LENGTH are forked off, and that state forks
// on each of its lengths. A state that follows its model takes the model's length.
static enum step limit_length(struct vm *vm, struct block_target *target, Term *length) {
    struct terms *terms = vm->terms;
    if (term_is_const(terms, *length)) {
        target->is_long = target->object.size > most_length(vm) &&
                          term_value(terms, *length) > most_length(vm) &&
                          !term_is_const(terms, target->offset) && is_spliceable(vm, &target->object);
        return STEP_NEXT;
    }
    bool small, fixes;
    enum step step = vm_fixes_values(vm, &fixes);
    if (step != STEP_NEXT || fixes) return step == STEP_NEXT ? fix_value(vm, length) : step;
    if (target->object.size <= most_length(vm)) return STEP_NEXT;
    Term fits = term_ule(terms, *length, term_const(terms, 64, most_length(vm)));
    if (fits == term_true(terms)) return STEP_NEXT;
    if (is_spliceable(vm, &target->object)) {
        enum answer longer = ANSWER_YES;
        if (!vm->options.relax_checks) step = vm_ask(vm, term_not(terms, fits), &longer);
        target->is_long = longer != ANSWER_NO;
        return step;
    }
    step = vm_part(vm, fits, &small);
    if (step != STEP_NEXT || small) return step;
    return fork_as_fallback(vm, length, "a long block of symbolic length: the path forks on each length");
}

// Limits the offsets at which the block may start.
static enum step limit_offset(struct vm *vm, struct block_target *target) {
    assert(target->found);
    enum step step = STEP_NEXT;
    if (target->is_fixed) {
        step = fix_value(vm, &target->address);
    } else {
        step = bounds(vm, &target->offset, target->object.size, &target->low, &target->high);
        if (step != STEP_NEXT || target->is_long || target->high - target->low <= most_length(vm))
            return step;
        target->is_long = is_spliceable(vm, &target->object);
        if (target->is_long) return STEP_NEXT;
        step = fork_as_fallback(vm, &target->address,
                                "a block in a large object: the path forks on each address");
    }
    if (step != STEP_NEXT) return step;
    found_at(vm, target);
    // An offset past the object's end: the block is empty, as the check ensures.
    target->low = target->high = MIN(term_value(vm->terms, target->offset), target->object.size);
    return STEP_NEXT;
}

// ---- moving bytes

void vm_source_free(struct block_source *source) {
    DELETE_ARRAY(source->bytes, source->count);
    *source = (struct block_source){0};
}

// Returns byte `index` (a term) of the block.
static Term source_byte(struct vm *vm, struct block_source *source, Term index) {
    struct terms *terms = vm->terms;
    assert(term_width(terms, index) == 64 && (source->bytes || !source->count || source->is_long));
    if (source->repeated) return source->repeated;
    Term at = term_add(terms, index, source->first);
    if (source->is_long) {
        if (!source->array)
            source->array = object_array_content(vm, &source->object, source->low, source->high, 1);
        return term_select(terms, source->array, term_extract(terms, at, 0, 32));
    }
    if (term_is_const(terms, at)) {
        uint64_t position = term_value(terms, at);
        return position < source->count ? source->bytes[position] : term_const(terms, 8, 0);
    }
    if (!source->array) source->array = term_array_literal(terms, 32, 8, source->bytes, source->count);
    return term_select(terms, source->array, term_extract(terms, at, 0, 32));
}

static void write_block(struct vm *vm, const struct block_target *to, Term length, uint64_t least,
                        uint64_t most, struct block_source *source) {
    struct terms *terms = vm->terms;
    uint64_t end = MIN(to->high + most, to->object.size);
    assert(to->found && to->low <= to->high && to->high <= to->object.size && least <= most);
    for (uint64_t at = to->low; at < end; at++) {
        uint64_t address = to->object.start + at;
        Term index = term_sub(terms, term_const(terms, 64, at), to->offset);
        Term byte = source_byte(vm, source, index);
        if (to->low != to->high || at - to->low >= least)
            byte = term_ite(terms, term_ult(terms, index, length), byte, vm_load_term(vm, address, 1));
        vm_store_byte(vm, address, byte);
    }
    vm_sync_translations(vm);
}

// Returns the size of the elements in which a block is moved as a whole. The addresses and the length are multiples of
// it.
static unsigned splice_element(struct vm *vm, const struct block_target *to, Term length,
                               const struct block_source *source) {
    struct terms *terms = vm->terms;
    uint64_t zeros = term_facts(terms, to->offset).zeros & term_facts(terms, length).zeros;
    unsigned most = 8, size = 1, held = object_array_element(vm, &to->object);
    if (held) most = MIN(most, held);
    if (source->is_long) {
        held = object_array_element(vm, &source->object);
        if (held) most = MIN(most, held);
        zeros &= term_facts(terms, source->first).zeros;
    } else if (!source->repeated) {
        most = 1;
    }
    while (size < most && zeros & size) size *= 2;
    return size;
}

static Term spliced_source(struct vm *vm, struct block_source *source, unsigned element) {
    struct terms *terms = vm->terms;
    if (source->is_long) return object_array_content(vm, &source->object, source->low, source->high, element);
    if (!source->repeated) return term_array_literal(terms, 32, 8, source->bytes, source->count);
    Term value = source->repeated;
    for (unsigned i = 1; i < element; i++) value = term_concat(terms, value, source->repeated);
    return term_array_const(terms, 32, value);
}

// Writes the block into the object's array, at most `most` bytes.
static void splice_block(struct vm *vm, const struct block_target *to, Term length, uint64_t most,
                         struct block_source *source) {
    uint64_t end = MIN(to->high + most, to->object.size);
    if (to->low == end) return; // an empty block past the end
    unsigned element = splice_element(vm, to, length, source);
    struct array_block block = {.low = to->low,
                                .end = end,
                                .offset = to->offset,
                                .length = length,
                                .source = spliced_source(vm, source, element),
                                .first = source->repeated ? to->offset : source->first};
    object_array_splice(vm, &to->object, &block);
    vm_sync_translations(vm);
}

// Sets the object and the offset of a concrete block. Returns false if it cannot be moved as an array.
static bool find_spliced(struct vm *vm, uint64_t address, uint64_t size, struct block_target *target) {
    *target = (struct block_target){.address = term_const(vm->terms, 64, address), .is_long = true};
    if (!object_at(vm->state, address, &target->object)) return false;
    found_at(vm, target);
    target->low = target->high = address - target->object.start;
    return target->low + size <= target->object.size && is_spliceable(vm, &target->object);
}

bool vm_splice_copy(struct vm *vm, uint64_t to, uint64_t from, uint64_t size) {
    struct block_target target, source;
    if (size < LEAST_COPIED || !find_spliced(vm, from, size, &source)) return false;
    uint64_t high = source.low + size - 1;
    if (object_array_count(vm, &source.object, source.low, high, LEAST_COPIED) < LEAST_COPIED) return false;
    if (!find_spliced(vm, to, size, &target)) return false;
    struct block_source block = {
        .is_long = true, .object = source.object, .low = source.low, .high = high, .first = source.offset};
    splice_block(vm, &target, term_const(vm->terms, 64, size), size, &block);
    return true;
}

// Whether a block that fits covers the whole object from a known offset. Bytes past the symbolic size are inaccessible,
// so they may be written, too.
static bool covers_rest(struct vm *vm, const struct block_target *to, Term length) {
    return to->object.bound && term_is_const(vm->terms, to->offset) &&
           term_value(vm->terms, to->offset) <= to->object.size &&
           term_add(vm->terms, to->offset, length) == to->object.bound;
}

static bool is_empty(struct vm *vm, Term length) {
    return term_is_const(vm->terms, length) && !term_value(vm->terms, length);
}

enum step vm_write_guarded(struct vm *vm, Term address, Term length, struct block_source *source) {
    struct block_target to;
    if (is_empty(vm, length)) return STEP_NEXT;
    enum step step = find_target(vm, address, &to);
    if (step == STEP_NEXT) step = check_block(vm, &to, length, true);
    if (step != STEP_NEXT || !to.found) return step;
    if (source->repeated && term_is_const(vm->terms, source->repeated) && covers_rest(vm, &to, length)) {
        uint64_t offset = term_value(vm->terms, to.offset);
        memory_fill(&vm->state->memory, to.object.start + offset, to.object.size - offset,
                    (uint8_t)term_value(vm->terms, source->repeated));
        return STEP_NEXT; // the caller drops translations of pages that were replaced
    }
    step = limit_length(vm, &to, &length);
    uint64_t least, most;
    if (step == STEP_NEXT) step = limit_offset(vm, &to);
    if (step == STEP_NEXT) step = bounds(vm, &length, to.object.size, &least, &most);
    if (step != STEP_NEXT) return step;
    if (to.is_long)
        splice_block(vm, &to, length, most, source);
    else
        write_block(vm, &to, length, least, most, source);
    return STEP_NEXT;
}

// Collects the bytes that the block may read.
static enum step read_source(struct vm *vm, Term address, Term *length, struct block_source *source) {
    struct terms *terms = vm->terms;
    struct block_target from;
    source->first = term_const(terms, 64, 0); // also if no object is found: the length is then 0
    enum step step = find_target(vm, address, &from);
    if (step == STEP_NEXT) step = check_block(vm, &from, *length, false);
    if (step != STEP_NEXT || !from.found) return step;
    step = limit_length(vm, &from, length);
    uint64_t least, most;
    if (step == STEP_NEXT) step = limit_offset(vm, &from);
    if (step == STEP_NEXT) step = bounds(vm, length, from.object.size, &least, &most);
    if (step != STEP_NEXT) return step;
    assert(from.low <= from.high && from.high <= from.object.size);
    uint64_t end = MIN(from.high + most, from.object.size);
    if (from.is_long && from.low < end) {
        source->is_long = true;
        source->object = from.object;
        source->low = from.low;
        source->high = end - 1;
        source->first = from.offset;
        return STEP_NEXT;
    }
    source->count = (uint32_t)(end - from.low);
    source->bytes = NEW_ARRAY(Term, source->count);
    for (uint32_t i = 0; i < source->count; i++)
        source->bytes[i] = vm_load_term(vm, from.object.start + from.low + i, 1);
    source->first = term_sub(terms, from.offset, term_const(terms, 64, from.low));
    return STEP_NEXT;
}

enum step vm_check_guarded(struct vm *vm, Term address, Term length, bool write) {
    struct block_target target;
    if (is_empty(vm, length)) return STEP_NEXT;
    enum step step = find_target(vm, address, &target);
    return step == STEP_NEXT ? check_block(vm, &target, length, write) : step;
}

// ---- the operations

// Moves a block of known length at a symbolic address as one wide value, such as an assigned structure.
static enum step move_value(struct vm *vm, Term to, Term from, uint32_t size) {
    Term value;
    if (!size) return STEP_NEXT;
    enum step step = vm_load_symbolic(vm, from, size, (struct access_owner){0}, &value);
    return step == STEP_NEXT ? vm_store_symbolic(vm, to, value, size, (struct access_owner){0}) : step;
}

static enum step set_value(struct vm *vm, Term to, Term byte, uint32_t size) {
    if (!size) return STEP_NEXT;
    Term value = byte;
    for (uint32_t i = 1; i < size; i++) value = term_concat(vm->terms, value, byte);
    return vm_store_symbolic(vm, to, value, size, (struct access_owner){0});
}

static enum step set_block(struct vm *vm, Term to, Term byte, Term length) {
    struct terms *terms = vm->terms;
    if (term_is_const(terms, to) && term_is_const(terms, length)) { // only the byte is symbolic
        uint64_t address = term_value(terms, to), size = term_value(terms, length);
        enum step step = vm_check_access(vm, address, size, true);
        for (uint64_t i = 0; step == STEP_NEXT && i < size; i++) vm_store_byte(vm, address + i, byte);
        return step;
    }
    struct block_source source = {.repeated = byte};
    return vm_write_guarded(vm, to, length, &source);
}

static enum step move_block(struct vm *vm, Term to, Term from, Term length) {
    struct block_source source = {0};
    enum step step = read_source(vm, from, &length, &source);
    if (step == STEP_NEXT) step = vm_write_guarded(vm, to, length, &source);
    vm_source_free(&source);
    return step;
}

struct start_of_block {
    Term address, length, base; // base: 0 if the owner is known
    struct object owner;
    bool write;
};

static void say_start(struct vm *vm, void *context) {
    const struct start_of_block *start = context;
    uint64_t address = solver_evaluate(vm->solver, vm->state->path, start->address);
    uint64_t length = solver_evaluate(vm->solver, vm->state->path, start->length);
    struct object owner = start->owner;
    if (start->base)
        pointer_base_object(vm, solver_evaluate(vm->solver, vm->state->path, start->base), &owner);
    vm_report_left_object(vm, &owner, address, length, start->write);
}

// Checks that a nonempty block starts in the object that its pointer belongs to. The access checks the block's end.
static enum step check_start(struct vm *vm, struct frame *frame, uint32_t pointer, Term length, bool write) {
    struct terms *terms = vm->terms;
    struct start_of_block start = {vm_register_term(vm, frame, pointer, 64), length, .write = write};
    uint32_t slot = frame->has_terms ? frame_terms(frame)[pointer] : 0;
    if (!provenance_slot_has_origin(slot)) return STEP_NEXT;
    Term first, size;
    if (provenance_owner_of_register(vm, frame, pointer, &start.owner)) {
        first = term_const(terms, 64, start.owner.start);
        size = term_const(terms, 64, start.owner.size);
    } else {
        start.base = provenance_of_slot(vm, slot).base;
        if (!start.base || !pointer_base_bounds(vm, start.base, &first, &size)) return STEP_NEXT;
    }
    Term inside = term_ule(terms, term_sub(terms, start.address, first), size);
    Term empty = term_eq(terms, length, term_const(terms, 64, 0));
    return vm_check(vm, "start of a block", term_or(terms, empty, inside), say_start, &start);
}

enum step vm_check_buffer(struct vm *vm, const struct call *call, unsigned argument, Term length,
                          uint64_t size, bool write) {
    assert(argument < call->count);
    struct frame *frame = frames_top(&vm->state->frames);
    uint32_t pointer = call->entries[argument];
    if (pointer & IR_CONSTANT) return STEP_NEXT;
    if (!call->terms[argument] && !length)
        return provenance_check_block(vm, frame, pointer, call->arguments[argument], size, write);
    return check_start(vm, frame, pointer, length ? length : term_const(vm->terms, 64, size), write);
}

// ---- records that give their own length

// The input of which all bytes that the term depends on are a part; UINT32_MAX: there is none.
static uint32_t only_input(struct vm *vm, Term term) {
    struct terms *terms = vm->terms;
    VarSet support = term_support(terms, term);
    uint32_t input = UINT32_MAX, var = varset_next(terms, support, 0);
    for (bool first = true; var != VAR_NONE; var = varset_next(terms, support, var + 1), first = false) {
        uint32_t one = terms_var_is_array(terms, var) ? UINT32_MAX : terms_var_input(terms, var);
        if (one == UINT32_MAX || (!first && one != input)) return UINT32_MAX;
        input = one;
    }
    return input;
}

// Whether the block is copied out of the input that gives its length, as a parser copies a field.
static bool is_field(struct vm *vm, Term from, Term length) {
    uint32_t input = term_is_const(vm->terms, length) ? UINT32_MAX : only_input(vm, length);
    if (input == UINT32_MAX) return false;
    if (!term_is_const(vm->terms, from)) return only_input(vm, from) == input;
    uint64_t address = term_value(vm->terms, from);
    if (!memory_is_accessible(vm->state->memory, address)) return false;
    Term byte = vm_load_term(vm, address, 1);
    return term_kind(vm->terms, byte) == KIND_BYTE && only_input(vm, byte) == input;
}

// Forks on the length of a field if it has few values. What follows the field is then at a known offset, and parsers
// fork on most lengths anyway.
static enum step fork_on_field(struct vm *vm, Term from, Term *length) {
    enum step step;
    uint32_t few = 0, count;
    if (!is_field(vm, from, *length)) return STEP_NEXT;
    if (vm_is_recorded(vm, &step)) {
        vm_recall(vm, &few, 1);
        step = vm_recalled(vm);
    } else if (step == STEP_NEXT) {
        uint64_t values[MOST_FIELD];
        few = !vm_asks_nothing(vm) &&
              solver_values(vm->solver, vm->state->path, *length, values, MOST_FIELD, &count) == ANSWER_YES;
        vm_know(vm, &few, 1);
    }
    return step == STEP_NEXT && few ? fix_value(vm, length) : step;
}

enum step step_symbolic_block(struct vm *vm, const struct ir_insn *insn) {
    struct terms *terms = vm->terms;
    struct frame *frame = frames_top(&vm->state->frames);
    bool set = insn->op == IR_MEMSET;
    Term to = vm_register_term(vm, frame, insn->dst, 64), length = vm_register_term(vm, frame, insn->b, 64);
    Term from = vm_register_term(vm, frame, insn->a, set ? 8 : 64);
    bool short_one = term_is_const(terms, length) && term_value(terms, length) <= MOST_WIDE;
    replay_begin_decisions(vm);
    vm->instruction.is_block = !short_one;
    enum step step = uninit_use_value(vm, &length, "the length of a block");
    if (step == STEP_NEXT) step = uninit_use_value(vm, &to, "an address");
    if (step == STEP_NEXT && !set) step = uninit_use_value(vm, &from, "an address");
    if (step == STEP_NEXT) step = vm_fold_implied(vm, &to);
    if (step == STEP_NEXT && !set) step = vm_fold_implied(vm, &from);
    if (step == STEP_NEXT && !set) step = fork_on_field(vm, from, &length);
    if (step == STEP_NEXT) step = check_start(vm, frame, insn->dst, length, true);
    if (step == STEP_NEXT && !set) step = check_start(vm, frame, insn->a, length, false);
    if (step == STEP_NEXT && insn->op == IR_MEMCPY) step = vm_check_symbolic_copy(vm, to, from, length);
    if (step != STEP_NEXT) return step;
    if (short_one && set)
        step = set_value(vm, to, from, (uint32_t)term_value(terms, length));
    else if (short_one)
        step = move_value(vm, to, from, (uint32_t)term_value(terms, length));
    else
        step = set ? set_block(vm, to, from, length) : move_block(vm, to, from, length);
    vm->instruction.is_block = false;
    vm_sync_translations(vm);
    return step;
}
