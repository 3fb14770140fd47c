// Use of uninitialised memory: a bug if the check is on. Otherwise a value is assumed, which may make the run
// incomplete.
//
// Copying such memory is not an error: padding, unions and bit-fields do it all the time. So a byte that was never
// written gets its own variable when it is first read. The variable stands for any value, and is propagated through
// registers and memory as any other term. It is an error if the program's behaviour depends on it: at a branch, a
// switch, an assumption, a check, an address, a divisor, a length, the size of an allocation, a value that must be
// concrete, the exit status, or in the output. An exact query decides: is there an input for which two values of the
// variables give two results? Simplification alone answers most queries: masks and comparisons remove variables.
//
// Such a variable never gets into a path condition. If the result does not depend on the variable, zero replaces it.
// Inputs for which the result depends on it are reported, and the path continues with the other inputs.
//
// Without the check the path continues with zero for all inputs (enum unset), and the other values are reported as not
// explored: the run is incomplete. The report adds no decision, so a replay, which does not report, takes the same
// path.
#include "vm/choice.h"
#include "vm/replay.h"

// Number of bytes of an object that share one input. Inputs are made on the first read, so unread blocks take none.
#define UNSET_BLOCK 256u

// The origin of uninitialised bytes: an object.
struct unset_origin {
    uint32_t input, twin; // input of its bytes, and of their twins: a second, independent value of each
    uint64_t array;       // not 0: the object is an array (unset_array) with this key
    struct text what;
    uint32_t allocated_at;
};

struct uninit {
    vec(struct unset_origin) origins;
    struct map objects; // key of the object -> index into `origins`, plus 1
    struct map inputs;  // input -> index into `origins`, plus 1
    struct map arrays;  // variable of an array -> index into `origins`, plus 1
    struct map sets;    // support -> 1: without uninitialised bytes, 2: with
};

struct uninit *uninit_new(void) { return NEW(struct uninit); }

void uninit_free(struct uninit *uninit) {
    if (!uninit) return;
    vec_each (struct unset_origin, origin, &uninit->origins) text_free(&origin->what);
    vec_free(&uninit->origins);
    map_free(&uninit->objects);
    map_free(&uninit->inputs);
    map_free(&uninit->arrays);
    map_free(&uninit->sets);
    DELETE(uninit);
}

// ---- bytes that were never written

// Returns the number of a new input for an origin with this key. The number does not depend on what this VM executed
// before, so that a replay in another VM has the same terms.
static uint32_t new_number(const struct vm *vm, uint64_t key, uint64_t size) {
    for (uint32_t number = (uint32_t)(key >> 33);; number = (number + 1) & INT32_MAX) {
        uint32_t input = inputs_find(vm->inputs, input_numbered(INPUT_UNINITIALISED, number));
        if (input == NO_INPUT) return number;
        if (!map_get(&vm->uninit->inputs, input) && terms_input_size(vm->terms, input) == size) return number;
    }
}

// Returns the origin with this key; NULL: there is none yet.
static const struct unset_origin *known_origin(const struct vm *vm, uint64_t key) {
    const uint64_t *number = map_get(&vm->uninit->objects, key >> 1);
    return number ? &vm->uninit->origins.at[*number - 1] : NULL;
}

static const struct unset_origin *new_origin(struct vm *vm, uint64_t key, struct unset_origin origin,
                                             uint64_t size) {
    struct uninit *uninit = vm->uninit;
    assert(!known_origin(vm, key) && size && size <= UNSET_BLOCK);
    uint32_t number = new_number(vm, key, size);
    origin.input = inputs_get(vm->inputs, input_numbered(INPUT_UNINITIALISED, number), (uint32_t)size);
    origin.twin = inputs_get(vm->inputs, input_numbered(INPUT_OTHERWISE, number), (uint32_t)size);
    vec_push(&uninit->origins, origin);
    *map_put(&uninit->objects, key >> 1) = *map_put(&uninit->inputs, origin.input) = uninit->origins.count;
    return vec_last(&uninit->origins);
}

// A block of an object, of at most UNSET_BLOCK bytes.
struct unset_block {
    uint64_t first, size;
};

static struct unset_block block_at(const struct object *object, uint64_t offset) {
    assert(offset < object->size);
    uint64_t first = offset - offset % UNSET_BLOCK;
    return (struct unset_block){first, MIN(object->size - first, UNSET_BLOCK)};
}

// Returns the key of a part of an object. The same object on another path has the same key.
static uint64_t key_of(const struct vm *vm, const struct object *object, uint64_t part) {
    uint64_t key = hash_combine(site_hash(vm->sites, object->allocated_at), object->kind);
    return hash_combine(hash_combine(key, object->start + part), object->size);
}

// Returns the origin for a block of an object.
static const struct unset_origin *origin_of(struct vm *vm, const struct object *object,
                                            struct unset_block block) {
    uint64_t key = key_of(vm, object, block.first);
    const struct unset_origin *known = known_origin(vm, key);
    if (known) return known;
    struct unset_origin origin = {.allocated_at = object->allocated_at};
    vm_describe_object(vm, object, &origin.what);
    return new_origin(vm, key, origin, block.size);
}

// ---- objects that were never written, as arrays

// Returns an array variable, declared by name, for the elements of an object or for their twins.
static Term unset_array(struct vm *vm, uint64_t key, bool twin, unsigned size) {
    struct text name = {0};
    text_add(&name, "%s %016llx of %u", twin ? "otherwise" : "unset", (unsigned long long)key, size);
    Term array = term_array_variable(vm->terms, name.at, 32, 8 * size);
    text_free(&name);
    assert(array);
    return array;
}

Term uninit_array(struct vm *vm, const struct object *object, unsigned size) {
    if (!uninit_is_checked(vm) && vm->options.unset == UNSET_SYMBOLIC) return 0; // its bytes become inputs
    struct uninit *uninit = vm->uninit;
    uint64_t key = hash_combine(key_of(vm, object, 0), size) | 1;
    Term array = unset_array(vm, key, false, size);
    uint64_t *number = map_put(&uninit->arrays, term_var(vm->terms, array));
    if (*number) return array;
    struct unset_origin origin = {.array = key, .allocated_at = object->allocated_at};
    vm_describe_object(vm, object, &origin.what);
    vec_push(&uninit->origins, origin);
    *number = uninit->origins.count;
    return array;
}

// ---- bytes that become inputs when they are first read

static void add_unset_name(const struct vm *vm, const struct object *object, struct text *name) {
    text_add(name, "%s%s", input_roles[ROLE_UNSET].name,
             object->kind == OBJECT_LOCAL  ? vm->program->strings[object->local->name]
             : object->kind == OBJECT_HEAP ? "heap"
                                           : "memory");
}

// Makes the unwritten bytes in the block around this one inputs, and returns this byte's term.
static Term become_inputs(struct vm *vm, const struct object *object, uint64_t address) {
    struct unset_block block = block_at(object, address - object->start);
    uint64_t first = object->start + block.first, end = first + block.size;
    struct text name = {0};
    add_unset_name(vm, object, &name);
    uint32_t input = vm_unique_input(vm, name.at, (uint32_t)(end - first));
    text_free(&name);
    for (uint64_t at = first; at < end; at++) {
        uint8_t shadow = memory_shadow(vm->state->memory, at);
        if (shadow & SHADOW_NO_ACCESS || !(shadow & SHADOW_UNINIT)) continue;
        vm_store_byte(vm, at, term_byte(vm->terms, input, (uint32_t)(at - first)));
    }
    return term_byte(vm->terms, input, (uint32_t)(address - first));
}

Term uninit_byte(struct vm *vm, uint64_t address) {
    struct object object;
    if (!object_at(vm->state, address, &object) || address - object.start >= object.size)
        object = (struct object){.start = address, .size = 1, .kind = OBJECT_STACK};
    if (!uninit_is_checked(vm) && vm->options.unset == UNSET_SYMBOLIC)
        return become_inputs(vm, &object, address);
    struct unset_block block = block_at(&object, address - object.start);
    const struct unset_origin *origin = origin_of(vm, &object, block);
    Term byte = term_byte(vm->terms, origin->input, (uint32_t)(address - object.start - block.first));
    vm_store_byte(vm, address, byte); // the next read returns the same variable
    return byte;
}

Term uninit_outside(struct vm *vm, uint64_t address) {
    struct object byte = {.start = address, .size = 1, .kind = OBJECT_STACK};
    if (!vm->uninit) return term_const(vm->terms, 8, 0);
    return term_byte(vm->terms, origin_of(vm, &byte, block_at(&byte, 0))->input, 0);
}

Term uninit_register(struct vm *vm, unsigned size) {
    uint32_t input, site = vm_current_site(vm);
    if (!uninit_is_checked(vm) && vm->options.unset == UNSET_SYMBOLIC) {
        input = vm_unique_input(vm, __TAMAR_UNSET_LOCAL, size);
    } else {
        uint64_t key = hash_combine(site_hash(vm->sites, site), size);
        const struct unset_origin *known = known_origin(vm, key);
        struct unset_origin origin = {.allocated_at = site};
        if (!known)
            text_add(&origin.what, "a local variable of %s", frames_top(&vm->state->frames)->function->name);
        input = known ? known->input : new_origin(vm, key, origin, size)->input;
    }
    Term value = 0;
    for (unsigned i = 0; i < size; i++) {
        Term byte = term_byte(vm->terms, input, i);
        value = value ? term_concat(vm->terms, byte, value) : byte;
    }
    return term_resize(vm->terms, value, 64);
}

void uninit_resolve_bytes(struct vm *vm, uint64_t address, uint64_t size) {
    for (uint64_t i = 0; i < size; i++)
        if (memory_shadow(vm->state->memory, address + i) & SHADOW_UNINIT) uninit_byte(vm, address + i);
}

// ---- terms that depend on uninitialised bytes

static const struct unset_origin *origin_of_var(struct vm *vm, uint32_t var) {
    const uint64_t *number = terms_var_is_array(vm->terms, var)
                                 ? map_get(&vm->uninit->arrays, var)
                                 : map_get(&vm->uninit->inputs, terms_var_input(vm->terms, var));
    return number ? &vm->uninit->origins.at[*number - 1] : NULL;
}

// Whether the set has an uninitialised variable. The parts that large sets have in common are searched once.
static bool has_unset(struct vm *vm, VarSet set) {
    VarSet sides[2];
    const uint64_t *known = map_get(&vm->uninit->sets, set);
    if (known) return *known == 2;
    bool found = false;
    if (varset_split(vm->terms, set, sides)) {
        found = has_unset(vm, sides[0]) || has_unset(vm, sides[1]);
    } else {
        for (uint32_t var = varset_next(vm->terms, set, 0); var != VAR_NONE && !found;
             var = varset_next(vm->terms, set, var + 1))
            found = origin_of_var(vm, var) != NULL;
    }
    *map_put(&vm->uninit->sets, set) = found ? 2 : 1;
    return found;
}

bool uninit_in(struct vm *vm, Term term) {
    VarSet set = term_support(vm->terms, term);
    return set && vm->uninit->origins.count && has_unset(vm, set);
}

// Maps an uninitialised variable to its replacement: zeros, or its twin.
static void put_other(struct vm *vm, struct map *others, const struct unset_origin *origin, uint32_t var,
                      bool twins) {
    struct terms *terms = vm->terms;
    if (!origin->array) {
        *map_put(others, term_var_byte(terms, var)) =
            twins ? term_byte(terms, origin->twin, terms_var_index(terms, var)) : term_const(terms, 8, 0);
        return;
    }
    unsigned width = terms_array_element_width(terms, var);
    Term zero = term_array_const(terms, 32, term_const(terms, width, 0));
    *map_put(others, unset_array(vm, origin->array, false, width / 8)) =
        twins ? unset_array(vm, origin->array, true, width / 8) : zero;
}

// Returns the term with its uninitialised bytes replaced by zeros or by their twins.
static Term with_others(struct vm *vm, Term term, bool twins) {
    struct terms *terms = vm->terms;
    struct map others = {0};
    VarSet set = term_support(terms, term);
    for (uint32_t var = varset_next(terms, set, 0); var != VAR_NONE; var = varset_next(terms, set, var + 1)) {
        const struct unset_origin *origin = origin_of_var(vm, var);
        if (origin) put_other(vm, &others, origin, var, twins);
    }
    term = term_substitute(terms, term, &others, NULL);
    map_free(&others);
    return term;
}

Term uninit_as_zero(struct vm *vm, Term term) {
    return vm->uninit && uninit_in(vm, term) ? with_others(vm, term, false) : term;
}

// ---- definedness: a condition on the inputs under which a term does not depend on uninitialised bytes.
// It may be too strong, never too weak.

struct definedness {
    struct vm *vm;
    vec(Term) order; // terms that depend on uninitialised bytes, operands first
    struct map conditions;
};

static bool note_dependent(void *context, Term term) {
    struct definedness *d = context;
    if (uninit_in(d->vm, term)) vec_push(&d->order, term);
    return true;
}

// Returns the definedness of a term; for an array, an array of the definedness of its elements (defined_elements).
static Term condition_of(struct definedness *d, Term term) {
    const uint64_t *known = map_get(&d->conditions, term);
    if (known) return (Term)*known;
    return term_is_array(d->vm->terms, term)
               ? term_array_const(d->vm->terms, term_index_width(d->vm->terms, term), term_true(d->vm->terms))
               : term_true(d->vm->terms);
}

static Term defined_choice(struct definedness *d, Term term) {
    struct terms *terms = d->vm->terms;
    Term condition = term_arg(terms, term, 0);
    return term_and(terms, condition_of(d, condition),
                    term_ite(terms, uninit_as_zero(d->vm, condition),
                             condition_of(d, term_arg(terms, term, 1)),
                             condition_of(d, term_arg(terms, term, 2))));
}

// Definedness of an operation in which one defined operand with the value `deciding` determines the result.
static Term defined_by_one(struct definedness *d, Term term, bool deciding) {
    struct terms *terms = d->vm->terms;
    Term all = term_true(terms), one = term_false(terms);
    for (uint32_t i = 0; i < term_arity(terms, term); i++) {
        Term operand = term_arg(terms, term, i), defined = condition_of(d, operand);
        Term value = uninit_as_zero(d->vm, operand);
        all = term_and(terms, all, defined);
        one = term_or(terms, one, term_and(terms, defined, deciding ? value : term_not(terms, value)));
    }
    return term_or(terms, all, one);
}

// Returns an array of bits: the definedness of each element. An array variable has 0 everywhere; a store sets the bit
// of its element. Returns 0 if the definedness is not known.
static Term defined_elements(struct definedness *d, Term array) {
    struct terms *terms = d->vm->terms;
    unsigned index_width = term_index_width(terms, array);
    Term inner;
    switch (term_kind(terms, array)) {
    case KIND_ARRAY_VAR: return term_array_const(terms, index_width, term_false(terms));
    case KIND_STORE:
        inner = condition_of(d, term_arg(terms, array, 0));
        if (!inner || condition_of(d, term_arg(terms, array, 1)) != term_true(terms)) return 0;
        return term_store(terms, inner, uninit_as_zero(d->vm, term_arg(terms, array, 1)),
                          condition_of(d, term_arg(terms, array, 2)));
    case KIND_ARRAY_LITERAL: break;
    default: return 0;
    }
    uint32_t count = term_arity(terms, array);
    Term *elements = NEW_ARRAY(Term, count);
    for (uint32_t i = 0; i < count; i++) elements[i] = condition_of(d, term_arg(terms, array, i));
    Term table = term_array_literal(terms, index_width, 1, elements, count);
    DELETE_ARRAY(elements, count);
    return table;
}

static Term defined_element(struct definedness *d, Term term) {
    struct terms *terms = d->vm->terms;
    Term array = term_arg(terms, term, 0), index = term_arg(terms, term, 1);
    Term defined = condition_of(d, index);
    if (!uninit_in(d->vm, array)) return defined;
    Term elements = condition_of(d, array);
    if (!elements) return term_false(terms);
    return term_and(terms, defined, term_select(terms, elements, uninit_as_zero(d->vm, index)));
}

static Term defined_node(struct definedness *d, Term term) {
    struct terms *terms = d->vm->terms;
    enum kind kind = term_kind(terms, term);
    if (kind == KIND_BYTE) return term_false(terms);
    if (term_is_array(terms, term)) return defined_elements(d, term);
    if (kind == KIND_ITE) return defined_choice(d, term);
    if (kind == KIND_SELECT) return defined_element(d, term);
    if (term_width(terms, term) == 1 && (kind == KIND_AND || kind == KIND_OR))
        return defined_by_one(d, term, kind == KIND_OR);
    Term all = term_true(terms);
    for (uint32_t i = 0; i < term_arity(terms, term); i++) {
        Term operand = term_arg(terms, term, i);
        if (term_is_array(terms, operand)) return term_false(terms); // arrays are not compared as a whole
        all = term_and(terms, all, condition_of(d, operand));
    }
    return all;
}

static Term defined(struct vm *vm, Term term) {
    struct definedness d = {.vm = vm};
    term_visit(vm->terms, &term, 1, note_dependent, &d);
    for (uint32_t i = 0; i < d.order.count; i++) {
        Term condition = defined_node(&d, d.order.at[i]);
        *map_put(&d.conditions, d.order.at[i]) = condition;
    }
    Term condition = condition_of(&d, term);
    vec_free(&d.order);
    map_free(&d.conditions);
    return condition;
}

// ---- the check

static void say_uninit(struct vm *vm, Term term, const char *what) {
    struct terms *terms = vm->terms;
    vm_report_begin(vm, BUG_UNINITIALISED, "%s depends on uninitialised memory", what);
    const struct unset_origin *last = NULL;
    VarSet set = term_support(terms, term);
    uint32_t count = 0;
    for (uint32_t var = varset_next(terms, set, 0);; var = varset_next(terms, set, var + 1)) {
        const struct unset_origin *origin = var == VAR_NONE ? NULL : origin_of_var(vm, var);
        if (var != VAR_NONE && (!origin || origin == last)) {
            count += origin != NULL;
            continue;
        }
        if (last && last->array)
            text_add(&vm->outcome.bug.details, "an element of %s, never written\n", last->what.at);
        else if (last)
            text_add(&vm->outcome.bug.details, "%u byte%s of %s, never written\n", count,
                     count == 1 ? "" : "s", last->what.at);
        if (!origin) break;
        if (!vm->outcome.bug.allocated_at) vm->outcome.bug.allocated_at = origin->allocated_at;
        last = origin;
        count = 1;
    }
}

// Returns the condition that the term changes its value if the uninitialised bytes get the values of their twins. That
// the term is not defined is implied, but depends on the inputs alone: a solver can refute it without the values of
// uninitialised bytes.
static Term depends_condition(struct vm *vm, Term term) {
    Term differs = term_ne(vm->terms, term, with_others(vm, term, true));
    return term_and(vm->terms, term_not(vm->terms, defined(vm, term)), differs);
}

// The context of a CHOICE_UNINITIALISED: a use of a term.
struct term_use {
    Term term;
    const char *what;
};

static Term use_condition(struct vm *vm, const struct choice *choice, uint64_t alternative) {
    const struct term_use *use = choice->context;
    switch (alternative) {
    case USE_FAILS: return depends_condition(vm, use->term);
    case USE_WHERE_DEFINED: return defined(vm, use->term);
    default: assert(alternative == USE_NEVER_DEPENDS); return term_true(vm->terms);
    }
}

static void use_fails(struct vm *vm, void *context) {
    const struct term_use *use = context;
    say_uninit(vm, use->term, use->what);
    vm_report_end(vm);
}

// Takes the value for zeros, without the check. Reports incompleteness if other bytes may give another value.
static void use_as_zero(struct vm *vm, Term *term, const char *what) {
    Term differs = depends_condition(vm, *term);
    bool may = differs != term_false(vm->terms) && !replay_is_replaying(vm);
    if (may && !vm_asks_nothing(vm))
        may = solver_may_be_true(vm->solver, vm->state->path, differs, NULL) != ANSWER_NO;
    *term = with_others(vm, *term, false);
    if (!may) return;
    struct text text = {0};
    text_add(&text, "%s depends on a value that was never set: only 0 was tried", what);
    vm_note_incomplete(vm, text.at);
    text_free(&text);
}

enum step uninit_use(struct vm *vm, Term *term, const char *what) {
    if (!uninit_in(vm, *term)) return STEP_NEXT;
    if (!uninit_is_checked(vm)) {
        use_as_zero(vm, term, what);
        return STEP_NEXT;
    }
    struct term_use use = {*term, what};
    struct choice choice = {
        .kind = CHOICE_UNINITIALISED, .condition = use_condition, .fails = use_fails, .context = &use};
    enum step step = vm_choose(vm, &choice);
    *term = with_others(vm, *term, false);
    return step;
}

enum step uninit_use_bytes(struct vm *vm, uint64_t address, uint64_t size, const char *what) {
    for (uint64_t i = 0; i < size; i++) {
        uint8_t shadow = memory_shadow(vm->state->memory, address + i);
        if (shadow & SHADOW_NO_ACCESS || !(shadow & (SHADOW_SYMBOLIC | SHADOW_UNINIT))) continue;
        Term byte = vm_load_term(vm, address + i, 1);
        enum step step = uninit_use(vm, &byte, what);
        if (step != STEP_NEXT) return step;
    }
    return STEP_NEXT;
}
