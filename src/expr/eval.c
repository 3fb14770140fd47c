// Evaluation under an assignment, with an explicit stack and a memo by term.
//
// stamps[t] == stamp: values[t] is valid. It is the value itself up to 64 bits, else the offset of its limbs in
// `wide`. Branches not taken are not evaluated; a read evaluates only the stores down to the one that decides it.
#include "expr/eval.h"

#include "expr/expr_int.h"

struct evaluator {
    struct terms *terms;
    struct assignment assignment;
    uint64_t generation;
    uint32_t stamp;
    vec(uint32_t) stamps;
    vec(uint64_t) values;
    vec(uint64_t) wide;
    vec(Term) stack;
    uint64_t visits;
};

struct evaluator *evaluator_new(struct terms *terms) {
    struct evaluator *ev = NEW(struct evaluator);
    ev->terms = terms;
    ev->stamp = 1;
    ev->generation = terms_generation(terms);
    return ev;
}

void evaluator_free(struct evaluator *ev) {
    if (!ev) return;
    vec_free(&ev->stamps);
    vec_free(&ev->values);
    vec_free(&ev->wide);
    vec_free(&ev->stack);
    DELETE(ev);
}

static void forget_values(struct evaluator *ev) {
    if (++ev->stamp == 0) {
        memset(ev->stamps.at, 0, ev->stamps.count * sizeof(uint32_t));
        ev->stamp = 1;
    }
    vec_clear(&ev->wide);
    ev->generation = terms_generation(ev->terms);
}

void evaluator_assign(struct evaluator *ev, const struct assignment *assignment) {
    ev->assignment = *assignment;
    forget_values(ev);
}

void evaluator_move(struct evaluator *ev, const struct assignment *assignment) {
    ev->assignment = *assignment;
}

static void make_room(struct evaluator *ev) {
    uint32_t known = ev->stamps.count, wanted = terms_id_limit(ev->terms);
    if (known >= wanted) return;
    vec_reserve(&ev->stamps, wanted - known);
    vec_reserve(&ev->values, wanted - known);
    memset(ev->stamps.at + known, 0, (wanted - known) * sizeof(uint32_t));
    ev->stamps.count = ev->values.count = wanted;
}

static bool has_value(const struct evaluator *ev, Term t) { return ev->stamps.at[t] == ev->stamp; }

// Whether t has its value; if not, pushes it to the stack.
static bool need(struct evaluator *ev, Term t) {
    if (has_value(ev, t)) return true;
    if (is_small_const(ev->terms, t)) {
        ev->values.at[t] = value_of(ev->terms, t);
        ev->stamps.at[t] = ev->stamp;
        return true;
    }
    vec_push(&ev->stack, t);
    return false;
}

static const uint64_t *value_limbs(const struct evaluator *ev, Term t) {
    assert(has_value(ev, t));
    return width_of(ev->terms, t) <= 64 ? &ev->values.at[t] : &ev->wide.at[ev->values.at[t]];
}

static void set_small(struct evaluator *ev, Term t, uint64_t value) {
    assert(width_of(ev->terms, t) <= 64 && !(value & ~mask_bits(width_of(ev->terms, t))));
    ev->values.at[t] = value;
    ev->stamps.at[t] = ev->stamp;
}

// Reserves the limbs of t and marks its value as set. Moves `wide`: fetch operands' limbs afterwards.
static uint64_t *reserve_limbs(struct evaluator *ev, Term t) {
    unsigned width = width_of(ev->terms, t);
    ev->stamps.at[t] = ev->stamp;
    if (width <= 64) return &ev->values.at[t];
    uint32_t count = limbs_count(width);
    vec_reserve(&ev->wide, count);
    ev->values.at[t] = ev->wide.count;
    ev->wide.count += count;
    return &ev->wide.at[ev->values.at[t]];
}

static void set_limbs(struct evaluator *ev, Term t, const uint64_t *limbs) {
    if (width_of(ev->terms, t) <= 64)
        set_small(ev, t, limbs[0]);
    else
        limbs_copy(reserve_limbs(ev, t), limbs, width_of(ev->terms, t));
}

static void copy_value(struct evaluator *ev, Term to, Term from) {
    // Limbs are never changed once made, so both may share them.
    ev->values.at[to] = ev->values.at[from];
    ev->stamps.at[to] = ev->stamp;
}

static uint8_t byte_of(const struct evaluator *ev, uint32_t var) {
    const struct assignment *a = &ev->assignment;
    if (a->byte) return a->byte(a->context, var);
    return var < a->count ? a->bytes[var] : 0;
}

static const struct array_value *array_of(const struct evaluator *ev, uint32_t var) {
    return ev->assignment.array ? ev->assignment.array(ev->assignment.context, var) : NULL;
}

// ---- Reads ----

static void set_zero(struct evaluator *ev, Term t) {
    if (width_of(ev->terms, t) <= 64)
        set_small(ev, t, 0);
    else
        limbs_set(reserve_limbs(ev, t), width_of(ev->terms, t), 0);
}

static bool read_leaf(struct evaluator *ev, Term t, Term array, const uint64_t *index) {
    const struct node *node = node_of(ev->terms, array);
    uint64_t i = limbs_amount(index, node->aux);
    switch (node->kind) {
    case KIND_ARRAY_CONST:
        if (!need(ev, node->args[0])) return false;
        copy_value(ev, t, node->args[0]);
        return true;
    case KIND_ARRAY_LITERAL:
        if (i >= node->literal->count) {
            set_zero(ev, t);
        } else if (node->literal->element_bytes) {
            set_small(ev, t, term_literal_value(ev->terms, array, (uint32_t)i));
        } else {
            Term element = literal_terms(node->literal)[i];
            if (!need(ev, element)) return false;
            copy_value(ev, t, element);
        }
        return true;
    case KIND_ARRAY_INPUT:
        set_small(ev, t,
                  i < node->args[1] ? byte_of(ev, terms_input_var(ev->terms, node->args[0], (uint32_t)i))
                                    : 0);
        return true;
    default: {
        assert(node->kind == KIND_ARRAY_VAR);
        const struct array_value *value = array_of(ev, node->args[0]);
        if (value)
            set_limbs(ev, t, array_value_get(value, index));
        else
            set_zero(ev, t);
        return true;
    }
    }
}

// Pushes all indices of a chain of stores that are not evaluated yet, so that a read is tried twice, not n times.
static bool need_indices(struct evaluator *ev, Term array) {
    bool ready = true;
    while (is_kind(ev->terms, array, KIND_STORE)) {
        ready &= need(ev, arg_of(ev->terms, array, 1));
        array = arg_of(ev->terms, array, 0);
    }
    return ready;
}

static bool eval_select(struct evaluator *ev, Term t) {
    struct terms *terms = ev->terms;
    Term array = arg_of(terms, t, 0), index = arg_of(terms, t, 1);
    if (!need(ev, index)) return false;
    unsigned width = width_of(terms, index);
    for (;;) {
        const struct node *node = node_of(terms, array);
        if (node->kind == KIND_STORE) {
            if (!has_value(ev, node->args[1]) && !need_indices(ev, array)) return false;
            if (!limbs_eq(value_limbs(ev, node->args[1]), value_limbs(ev, index), width)) {
                array = node->args[0];
                continue;
            }
            if (!need(ev, node->args[2])) return false;
            copy_value(ev, t, node->args[2]);
            return true;
        }
        if (node->kind != KIND_ARRAY_ITE) return read_leaf(ev, t, array, value_limbs(ev, index));
        if (!need(ev, node->args[0])) return false;
        array = ev->values.at[node->args[0]] ? node->args[1] : node->args[2];
    }
}

// ---- Whole arrays ----

// Follows stores and ites down to the leaf. Lists the stores on the way, outermost first; 0 if some operand is not
// evaluated yet.
static Term array_leaf(struct evaluator *ev, Term array, Term **stores, uint32_t *count) {
    vec(Term) found = {0};
    bool missing = false;
    for (;;) {
        const struct node *node = node_of(ev->terms, array);
        if (node->kind == KIND_STORE) {
            vec_push(&found, array);
            missing |= !need(ev, node->args[1]);
            missing |= !need(ev, node->args[2]);
            array = node->args[0];
        } else if (node->kind == KIND_ARRAY_ITE) {
            if (!need(ev, node->args[0])) {
                missing = true;
                break;
            }
            array = ev->values.at[node->args[0]] ? node->args[1] : node->args[2];
        } else {
            break;
        }
    }
    const struct node *leaf = node_of(ev->terms, array);
    if (leaf->kind == KIND_ARRAY_CONST) missing |= !need(ev, leaf->args[0]);
    if (leaf->kind == KIND_ARRAY_LITERAL && !leaf->literal->element_bytes)
        for (uint32_t i = 0; i < leaf->literal->count; i++)
            missing |= !need(ev, literal_terms(leaf->literal)[i]);
    if (missing) {
        vec_free(&found);
        return 0;
    }
    *count = found.count;
    *stores = found.count ? NEW_ARRAY(Term, found.count) : NULL;
    if (found.count) memcpy(*stores, found.at, found.count * sizeof(Term));
    vec_free(&found);
    return array;
}

static void fill_leaf(struct evaluator *ev, struct array_value *value, Term leaf) {
    struct terms *terms = ev->terms;
    const struct node *node = node_of(terms, leaf);
    vec(uint64_t) index = {0};
    for (uint32_t i = 0; i < limbs_count(node->aux); i++) vec_push(&index, 0);
    const uint64_t *at, *element;
    switch (node->kind) {
    case KIND_ARRAY_CONST: array_value_set_default(value, value_limbs(ev, node->args[0])); break;
    case KIND_ARRAY_LITERAL:
        for (uint32_t i = 0; i < node->literal->count; i++) {
            index.at[0] = i;
            uint64_t packed = node->literal->element_bytes ? term_literal_value(terms, leaf, i) : 0;
            array_value_set(value, index.at,
                            node->literal->element_bytes ? &packed
                                                         : value_limbs(ev, literal_terms(node->literal)[i]));
        }
        break;
    case KIND_ARRAY_INPUT: {
        // Bytes past the largest index are not part of the array.
        uint64_t reach = node->aux < 32 ? (uint64_t)1 << node->aux : UINT32_MAX;
        for (uint32_t i = 0; i < node->args[1] && i < reach; i++) {
            uint64_t byte = byte_of(ev, terms_input_var(terms, node->args[0], i));
            index.at[0] = i;
            array_value_set(value, index.at, &byte);
        }
        break;
    }
    default: {
        const struct array_value *given = array_of(ev, node->args[0]);
        if (!given) break;
        array_value_set_default(value, array_value_default(given));
        for (uint32_t i = 0; array_value_entry(given, i, &at, &element); i++)
            array_value_set(value, at, element);
    }
    }
    vec_free(&index);
}

// The value of an array. NULL: some term was pushed to the stack and must be evaluated first.
static struct array_value *try_array(struct evaluator *ev, Term array) {
    Term *stores;
    uint32_t count;
    Term leaf = array_leaf(ev, array, &stores, &count);
    if (!leaf) return NULL;
    struct array_value *value =
        array_value_new(term_index_width(ev->terms, array), width_of(ev->terms, array));
    fill_leaf(ev, value, leaf);
    for (uint32_t i = count; i-- > 0;)
        array_value_set(value, value_limbs(ev, arg_of(ev->terms, stores[i], 1)),
                        value_limbs(ev, arg_of(ev->terms, stores[i], 2)));
    if (stores) DELETE_ARRAY(stores, count);
    return value;
}

static bool eval_array_eq(struct evaluator *ev, Term t) {
    struct array_value *a = try_array(ev, arg_of(ev->terms, t, 0));
    struct array_value *b = try_array(ev, arg_of(ev->terms, t, 1));
    if (a && b) set_small(ev, t, array_value_equal(a, b));
    bool done = a && b;
    array_value_free(a);
    array_value_free(b);
    return done;
}

// ---- The loop ----

static bool eval_ite(struct evaluator *ev, Term t) {
    const struct node *node = node_of(ev->terms, t);
    if (!need(ev, node->args[0])) return false;
    Term side = ev->values.at[node->args[0]] ? node->args[1] : node->args[2];
    if (!need(ev, side)) return false;
    copy_value(ev, t, side);
    return true;
}

static bool eval_plain(struct evaluator *ev, Term t) {
    const struct node *node = node_of(ev->terms, t);
    unsigned arity = kind_infos[node->kind].arity, properties = kind_infos[node->kind].properties, widths[3];
    bool ready = true;
    for (unsigned i = 0; i < arity; i++) {
        ready &= need(ev, node->args[i]);
        widths[i] = width_of(ev->terms, node->args[i]);
    }
    if (!ready) return false;
    if (widths[0] <= 64 && (properties & (KP_SAME | KP_FLOAT)) == KP_SAME) {
        uint64_t b = arity > 1 ? ev->values.at[node->args[1]] : 0;
        set_small(ev, t, apply_small((enum kind)node->kind, widths[0], ev->values.at[node->args[0]], b));
        return true;
    }
    if (node->width <= 64 && widths[0] <= 64) {
        uint64_t a = ev->values.at[node->args[0]];
        if (node->kind == KIND_EXTRACT) {
            set_small(ev, t, a >> node->aux & mask_bits(node->width));
            return true;
        }
        if (node->kind == KIND_CONCAT) {
            set_small(ev, t, a << widths[1] | ev->values.at[node->args[1]]);
            return true;
        }
        if (node->kind == KIND_SEXT) {
            set_small(ev, t, (uint64_t)sign_extend(a, widths[0]) & mask_bits(node->width));
            return true;
        }
    }
    uint64_t *result = reserve_limbs(ev, t);
    const uint64_t *args[3];
    for (unsigned i = 0; i < arity; i++) args[i] = value_limbs(ev, node->args[i]);
    apply_limbs(node_shape(node), widths, args, result);
    return true;
}

static bool eval_node(struct evaluator *ev, Term t) {
    const struct node *node = node_of(ev->terms, t);
    switch (node->kind) {
    case KIND_CONST: set_limbs(ev, t, term_const_words(ev->terms, t)); return true;
    case KIND_BYTE: set_small(ev, t, byte_of(ev, node->args[0])); return true;
    case KIND_ITE: return eval_ite(ev, t);
    case KIND_SELECT: return eval_select(ev, t);
    case KIND_ARRAY_EQ: return eval_array_eq(ev, t);
    default: return eval_plain(ev, t);
    }
}

static void drain(struct evaluator *ev, uint32_t floor) {
    while (ev->stack.count > floor) {
        Term t = *vec_last(&ev->stack);
        uint32_t before = ev->stack.count;
        ev->visits++;
        limits_poll();
        if (has_value(ev, t) || eval_node(ev, t)) {
            assert(ev->stack.count == before);
            (void)before;
            (void)vec_pop(&ev->stack);
        } else {
            assert(ev->stack.count > before);
        }
    }
}

static void prepare(struct evaluator *ev) {
    if (ev->generation != terms_generation(ev->terms)) forget_values(ev);
    make_room(ev);
}

static void evaluate_node(struct evaluator *ev, Term t) {
    assert(!is_array(ev->terms, t));
    prepare(ev);
    if (has_value(ev, t)) return;
    vec_push(&ev->stack, t);
    drain(ev, 0);
}

uint64_t evaluate(struct evaluator *ev, Term t) {
    assert(width_of(ev->terms, t) <= 64);
    if (is_const(ev->terms, t)) return value_of(ev->terms, t);
    evaluate_node(ev, t);
    return ev->values.at[t];
}

uint64_t evaluator_visits(const struct evaluator *ev) { return ev->visits; }

const uint64_t *evaluate_limbs(struct evaluator *ev, Term t) {
    evaluate_node(ev, t);
    return value_limbs(ev, t);
}

Term evaluate_term(struct evaluator *ev, Term t) {
    return term_const_limbs(ev->terms, width_of(ev->terms, t), evaluate_limbs(ev, t));
}

struct array_value *evaluate_array(struct evaluator *ev, Term t) {
    assert(is_array(ev->terms, t));
    prepare(ev);
    for (;;) {
        struct array_value *value = try_array(ev, t);
        if (value) return value;
        drain(ev, 0);
    }
}
