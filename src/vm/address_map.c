#include "vm/address_map.h"

#define MOST_READ    4096u // values of an address that is read from
#define MOST_WRITTEN 1024u // values of an address that is written to: each of them gets an ite
#define MOST_NODES   256u  // ites and selects above the values
#define MOST_EQUAL   4u    // a value at up to this many indices of a table becomes comparisons of the index

// Replaces the leaves of a term. `apply` returns the term for a value of the address; all results have one width.
struct mapping {
    struct vm *vm;
    Term (*apply)(void *context, uint64_t value);
    void *context;
    struct map done; // term and addend -> its replacement
    uint32_t nodes;
    bool failed;
};

static Term map_term(struct mapping *mapping, Term term, uint64_t addend);

static Term leaf(struct mapping *mapping, uint64_t value) { return mapping->apply(mapping->context, value); }

// Whether the facts about an index permit this value.
static bool permits(struct facts facts, uint64_t index) {
    return index >= facts.low && index <= facts.high && !(index & facts.zeros) && !(~index & facts.ones);
}

// Maps the elements of a literal that the index can reach; the others stay 0.
static Term map_literal(struct mapping *mapping, Term array, Term index, uint64_t addend) {
    struct terms *terms = mapping->vm->terms;
    uint32_t count = term_arity(terms, array);
    struct facts facts = term_facts(terms, index);
    Term *elements = NEW_ARRAY(Term, count), any = leaf(mapping, addend);
    unsigned width = term_width(terms, any);
    for (uint32_t i = 0; i < count; i++) {
        bool reached = !mapping->failed && permits(facts, i);
        elements[i] =
            reached ? map_term(mapping, term_arg(terms, array, i), addend) : term_const(terms, width, 0);
    }
    Term mapped = 0;
    if (!mapping->failed) {
        mapped = term_select(
            terms, term_array_literal(terms, term_index_width(terms, array), width, elements, count), index);
        Term last = term_const(terms, term_width(terms, index), count - 1);
        if (facts.high >= count)
            mapped =
                term_ite(terms, term_ule(terms, index, last), mapped, any); // elements past the end are 0
    }
    DELETE_ARRAY(elements, count);
    return mapped;
}

// Maps a read of an array: an ite over its stores, the last one first, then the array below them.
static Term map_select(struct mapping *mapping, Term array, Term index, uint64_t addend) {
    struct terms *terms = mapping->vm->terms;
    if (term_kind(terms, array) == KIND_ARRAY_LITERAL) return map_literal(mapping, array, index, addend);
    if (term_kind(terms, array) != KIND_STORE || ++mapping->nodes > MOST_NODES) {
        mapping->failed = true;
        return 0;
    }
    Term hit = term_eq(terms, term_arg(terms, array, 1), index);
    Term value = map_term(mapping, term_arg(terms, array, 2), addend);
    Term below = mapping->failed ? 0 : map_select(mapping, term_arg(terms, array, 0), index, addend);
    return mapping->failed ? 0 : term_ite(terms, hit, value, below);
}

static Term map_node(struct mapping *mapping, Term term, uint64_t addend) {
    struct terms *terms = mapping->vm->terms;
    switch (term_kind(terms, term)) {
    case KIND_CONST: return leaf(mapping, term_value(terms, term) + addend);
    case KIND_ADD:
        if (!term_is_const(terms, term_arg(terms, term, 1))) break;
        return map_term(mapping, term_arg(terms, term, 0),
                        addend + term_value(terms, term_arg(terms, term, 1)));
    case KIND_ITE: {
        Term then = map_term(mapping, term_arg(terms, term, 1), addend);
        Term other = mapping->failed ? 0 : map_term(mapping, term_arg(terms, term, 2), addend);
        return mapping->failed ? 0 : term_ite(terms, term_arg(terms, term, 0), then, other);
    }
    case KIND_SELECT: return map_select(mapping, term_arg(terms, term, 0), term_arg(terms, term, 1), addend);
    default: break;
    }
    mapping->failed = true;
    return 0;
}

static Term map_term(struct mapping *mapping, Term term, uint64_t addend) {
    if (mapping->failed) return 0;
    bool is_leaf = term_is_const(mapping->vm->terms, term);
    if (is_leaf) return map_node(mapping, term, addend);
    uint64_t key = hash_combine(term, addend) | 1;
    const uint64_t *known = map_get(&mapping->done, key);
    if (known) return (Term)*known;
    if (++mapping->nodes > MOST_NODES) mapping->failed = true;
    Term mapped = mapping->failed ? 0 : map_node(mapping, term, addend);
    if (mapped) *map_put(&mapping->done, key) = mapped;
    return mapped;
}

Term address_map_apply(struct vm *vm, Term pointer, Term (*apply)(void *, uint64_t), void *context) {
    struct mapping mapping = {.vm = vm, .apply = apply, .context = context};
    assert(term_width(vm->terms, pointer) == 64);
    Term mapped = map_term(&mapping, pointer, 0);
    map_free(&mapping.done);
    return mapping.failed ? 0 : mapped;
}

struct counted {
    struct vm *vm;
    uint32_t count;
};

static Term count_value(void *context, uint64_t value) {
    struct counted *counted = context;
    (void)value;
    counted->count++;
    return term_true(counted->vm->terms);
}

bool address_map_is_listed(struct vm *vm, Term pointer) {
    enum kind kind = term_kind(vm->terms, pointer);
    if (kind != KIND_SELECT && kind != KIND_ITE && kind != KIND_ADD) return false;
    struct counted counted = {vm, 0};
    bool listed = address_map_apply(vm, pointer, count_value, &counted) && counted.count <= MOST_READ;
    vm_charge(vm, counted.count);
    return listed;
}

// ---- one value

struct value_context {
    struct vm *vm;
    const struct mapped_access *access;
    enum bug_kind kind;   // for is_good
    vec(uint64_t) values; // for list
    struct map seen;
    uint32_t errors, most;
    bool too_many;
};

// Returns the first byte of the access that is not accessible, or its end.
static uint64_t first_bad(const struct vm *vm, const struct mapped_access *access, uint64_t value) {
    uint64_t i = 0;
    while (i < access->size && memory_is_accessible(vm->state->memory, value + i)) i++;
    return value + i;
}

// Returns the condition that the access is permitted at this value. *kind: the kind of error if it is not.
static Term is_permitted(struct vm *vm, const struct mapped_access *access, uint64_t value,
                         enum bug_kind *kind) {
    struct terms *terms = vm->terms;
    struct object object;
    uint64_t bad = first_bad(vm, access, value);
    *kind = vm_kind_of_address(vm, bad == value + access->size ? value : bad);
    if (bad != value + access->size || !object_at(vm->state, value, &object)) return term_false(terms);
    uint64_t offset = value - object.start;
    if (offset + access->size > object.size || (access->write && object.readonly)) return term_false(terms);
    if (!object.bound) return term_true(terms);
    *kind = BUG_OUT_OF_BOUNDS;
    return term_ule(terms, term_const(terms, 64, offset + access->size), object.bound);
}

// Adds the value to the list, if it is new. The returned term is not used.
static Term list_value(void *context, uint64_t value) {
    struct value_context *list = context;
    if (!list->too_many && !map_get(&list->seen, value)) {
        *map_put(&list->seen, value) = 1;
        vec_push(&list->values, value);
        enum bug_kind kind;
        if (is_permitted(list->vm, list->access, value, &kind) != term_true(list->vm->terms))
            list->errors |= 1u << kind;
        list->too_many = list->values.count > list->most;
    }
    return term_true(list->vm->terms);
}

static bool list_values(struct vm *vm, const struct mapped_access *access, struct value_context *list) {
    *list =
        (struct value_context){.vm = vm, .access = access, .most = access->write ? MOST_WRITTEN : MOST_READ};
    static_assert(BUG_COUNT <= 32, "kinds are bits of a word");
    Term listed = address_map_apply(vm, access->address, list_value, list);
    map_free(&list->seen);
    return listed && !list->too_many;
}

bool address_map_possible(struct vm *vm, const struct mapped_access *access) {
    enum kind kind = term_kind(vm->terms, access->address);
    if (kind != KIND_SELECT && kind != KIND_ITE && kind != KIND_ADD) return false;
    struct value_context list;
    bool listed = list_values(vm, access, &list), permitted = false;
    for (uint32_t i = 0; listed && !permitted && i < list.values.count; i++) {
        enum bug_kind error;
        permitted = !term_is_zero(vm->terms, is_permitted(vm, access, list.values.at[i], &error));
    }
    if (listed) vm_charge(vm, list.values.count);
    vec_free(&list.values);
    return permitted;
}

uint32_t address_map_errors(struct vm *vm, const struct mapped_access *access) {
    struct value_context list;
    bool listed = list_values(vm, access, &list);
    assert(listed);
    vec_free(&list.values);
    return listed ? list.errors : 0;
}

static Term good_value(void *context, uint64_t value) {
    struct value_context *good = context;
    enum bug_kind kind;
    Term permitted = is_permitted(good->vm, good->access, value, &kind);
    return kind == good->kind ? permitted : term_true(good->vm->terms);
}

Term address_map_is_good(struct vm *vm, const struct mapped_access *access, enum bug_kind kind) {
    struct value_context context = {.vm = vm, .access = access, .kind = kind};
    Term good = address_map_apply(vm, access->address, good_value, &context);
    assert(good);
    return good ? good : term_true(vm->terms);
}

// ---- accesses

static Term load_value(void *context, uint64_t value) {
    struct value_context *load = context;
    enum bug_kind kind;
    if (term_is_zero(load->vm->terms, is_permitted(load->vm, load->access, value, &kind)))
        return term_const(load->vm->terms, 8 * load->access->size, 0);
    return vm_load_term(load->vm, value, load->access->size);
}

Term address_map_load(struct vm *vm, const struct mapped_access *access) {
    struct value_context context = {.vm = vm, .access = access};
    Term value = address_map_apply(vm, access->address, load_value, &context);
    assert(value && !access->write);
    return value;
}

// Returns the condition that the address has this value: comparisons of the index if few elements of the table have it.
static Term is_value(struct vm *vm, Term address, uint64_t value) {
    struct terms *terms = vm->terms;
    Term plain = term_eq(terms, address, term_const(terms, 64, value)), read = address;
    uint64_t addend = 0;
    if (term_kind(terms, read) == KIND_ADD && term_is_const(terms, term_arg(terms, read, 1))) {
        addend = term_value(terms, term_arg(terms, read, 1));
        read = term_arg(terms, read, 0);
    }
    if (term_kind(terms, read) != KIND_SELECT || !term_is_table(terms, term_arg(terms, read, 0)) ||
        value == addend)
        return plain;
    Term table = term_arg(terms, read, 0), index = term_arg(terms, read, 1), any = term_false(terms);
    uint32_t equal = 0;
    for (uint32_t i = 0; i < term_arity(terms, table); i++) {
        if (term_literal_value(terms, table, i) + addend != value) continue;
        if (++equal > MOST_EQUAL) return plain;
        any = term_or(terms, any, term_eq(terms, index, term_const(terms, term_width(terms, index), i)));
    }
    return any;
}

void address_map_store(struct vm *vm, const struct mapped_access *access, Term value) {
    struct terms *terms = vm->terms;
    struct value_context list;
    bool listed = list_values(vm, access, &list);
    assert(listed && access->write && term_width(terms, value) == 8 * access->size);
    for (uint32_t k = 0; listed && k < list.values.count; k++) {
        uint64_t at = list.values.at[k];
        enum bug_kind kind;
        if (term_is_zero(terms, is_permitted(vm, access, at, &kind))) continue;
        Term hit = is_value(vm, access->address, at);
        for (unsigned i = 0; i < access->size; i++) {
            Term old = vm_load_term(vm, at + i, 1);
            vm_store_byte(vm, at + i, term_ite(terms, hit, term_extract(terms, value, 8 * i, 8), old));
        }
    }
    vec_free(&list.values);
}
