// The context: nodes, interning, constants, properties of nodes.
#include "expr/expr_int.h"

#define FIRST_CAPACITY NORMAL_OR_HOSTILE(1024u, 2u)

struct terms *terms_new(void) {
    struct terms *terms = NEW(struct terms);
    terms->capacity = FIRST_CAPACITY;
    terms->nodes = NEW_ARRAY(struct node, terms->capacity);
    terms->count = 1;
    terms->generation = 1;
    node_rehash(terms, NORMAL_OR_HOSTILE(2048, 4));
    varsets_init(terms);
    terms->false_term = term_const(terms, 1, 0);
    terms->true_term = term_const(terms, 1, 1);
    return terms;
}

void terms_free(struct terms *terms) {
    if (!terms) return;
    for (uint32_t i = 1; i < terms->count; i++) node_release(terms, &terms->nodes[i]);
    assert(terms->outside == 0);
    DELETE_ARRAY(terms->nodes, terms->capacity);
    DELETE_ARRAY(terms->buckets, terms->bucket_count);
    vec_each (struct input, input, &terms->inputs) {
        mem_free_string(input->name);
        vec_free(&input->chunks);
    }
    vec_each (struct declared_array, array, &terms->arrays) mem_free_string(array->name);
    vec_free(&terms->inputs);
    vec_free(&terms->arrays);
    vec_free(&terms->vars);
    map_free(&terms->input_names);
    map_free(&terms->retained);
    vec_free(&terms->roots);
    vec_free(&terms->forgets);
    vec_free(&terms->mark_stack);
    for (uint32_t i = 0; i < terms->walks.count; i++) {
        struct walk *walk = terms->walks.at[i];
        vec_free(&walk->stamps);
        vec_free(&walk->stack);
        DELETE(walk);
    }
    vec_free(&terms->walks);
    varsets_free(terms);
    DELETE(terms);
}

void node_release(struct terms *terms, struct node *node) {
    size_t size = 0;
    if (node->kind == KIND_CONST && node->width > 64) {
        size = limbs_count(node->width) * sizeof(uint64_t);
        mem_free(node->limbs, size);
    } else if (node->kind == KIND_ARRAY_LITERAL) {
        size = node->literal->size;
        mem_free(node->literal, size);
    }
    assert(terms->outside >= size);
    terms->outside -= size;
}

// ---- Interning ----

static uint32_t hash_node(const struct node *node) {
    uint64_t h = hash_combine((uint64_t)node->kind << 56 | (uint64_t)node->rounding << 48 |
                                  (uint64_t)node->width << 32 | node->aux,
                              (uint64_t)node->args[0] << 32 | node->args[1]);
    if (node->args[2]) h = hash_combine(h, node->args[2]);
    if (node->kind == KIND_CONST) {
        if (node->width <= 64) return (uint32_t)hash_combine(h, node->facts.ones);
        return (uint32_t)hash_bytes(node->limbs, limbs_count(node->width) * sizeof(uint64_t), h);
    }
    if (node->kind == KIND_ARRAY_LITERAL) {
        const struct literal *literal = node->literal;
        return (uint32_t)hash_bytes(literal_bytes(literal), literal->size - sizeof(struct literal), h);
    }
    return (uint32_t)h;
}

static bool same_outside(const struct node *a, const struct node *b) {
    if (a->kind == KIND_CONST) {
        return a->width <= 64 ? a->facts.ones == b->facts.ones : limbs_eq(a->limbs, b->limbs, a->width);
    }
    if (a->kind != KIND_ARRAY_LITERAL) return true;
    const struct literal *x = a->literal, *y = b->literal;
    return x->count == y->count && x->element_bytes == y->element_bytes && x->size == y->size &&
           memcmp(literal_bytes(x), literal_bytes(y), x->size - sizeof(struct literal)) == 0;
}

static bool same_node(const struct node *a, const struct node *b) {
    return a->hash == b->hash && a->kind == b->kind && a->width == b->width && a->rounding == b->rounding &&
           a->aux == b->aux && a->args[0] == b->args[0] && a->args[1] == b->args[1] &&
           a->args[2] == b->args[2] && same_outside(a, b);
}

// Entries hold the hash with the term, so that a probe reads a node only if it very likely matches.
static void enter(struct terms *terms, Term t, uint32_t hash) {
    uint32_t mask = terms->bucket_count - 1, at = hash & mask;
    while (terms->buckets[at]) at = (at + 1) & mask;
    terms->buckets[at] = (uint64_t)hash << 32 | t;
}

void node_rehash(struct terms *terms, uint32_t bucket_count) {
    DELETE_ARRAY(terms->buckets, terms->bucket_count);
    terms->buckets = NEW_ARRAY(uint64_t, bucket_count);
    terms->bucket_count = bucket_count;
    for (uint32_t i = 1; i < terms->count; i++)
        if (terms->nodes[i].kind != KIND_NONE) enter(terms, i, terms->nodes[i].hash);
}

static Term find_node(const struct terms *terms, const struct node *proto) {
    uint32_t mask = terms->bucket_count - 1;
    for (uint32_t at = proto->hash & mask; terms->buckets[at]; at = (at + 1) & mask) {
        Term t = (Term)terms->buckets[at];
        if (terms->buckets[at] >> 32 == proto->hash && same_node(&terms->nodes[t], proto)) return t;
    }
    return 0;
}

static Term new_slot(struct terms *terms) {
    if (terms->free_head) {
        Term t = terms->free_head;
        terms->free_head = terms->nodes[t].next;
        return t;
    }
    if (terms->count == terms->capacity) {
        if (terms->capacity == TERM_LIMIT)
            user_fail_at(NULL, "give the run a memory limit (--max-memory)",
                         "more than 2^29 terms are in use");
        size_t old = terms->capacity; // a power of two
        terms->capacity = (uint32_t)(2 * old);
        terms->nodes = mem_realloc(terms->nodes, old * sizeof *terms->nodes, 2 * old * sizeof *terms->nodes);
    }
    return terms->count++;
}

static VarSet support_of(struct terms *terms, const struct node *node) {
    switch (node->kind) {
    case KIND_CONST: return 0;
    case KIND_BYTE:
    case KIND_ARRAY_VAR: return varset_single(terms, node->args[0]);
    case KIND_ARRAY_INPUT: return term_input_support(terms, node->args[0], node->args[1]);
    case KIND_ARRAY_LITERAL: {
        VarSet set = 0;
        if (node->literal->element_bytes) return 0;
        for (uint32_t i = 0; i < node->literal->count; i++)
            set = varset_union(terms, set, node_of(terms, literal_terms(node->literal)[i])->support);
        return set;
    }
    default: {
        VarSet set = 0;
        for (unsigned i = 0; i < kind_infos[node->kind].arity; i++)
            set = varset_union(terms, set, node_of(terms, node->args[i])->support);
        return set;
    }
    }
}

Term node_intern(struct terms *terms, struct node *proto) {
    assert(!terms->collecting);
    limits_poll();
    proto->hash = hash_node(proto);
    Term found = find_node(terms, proto);
    if (found) {
        node_release(terms, proto);
        return found;
    }
    bool narrow = proto->width <= 64 && !kind_is_array((enum kind)proto->kind);
    if (narrow && proto->kind != KIND_CONST) {
        proto->facts = facts_of(terms, proto);
        // A node whose facts are exact is a constant.
        if (facts_exact(proto->facts) && !terms->raw)
            return term_const(terms, proto->width, proto->facts.low);
    }
    proto->support = support_of(terms, proto);
    if (2 * (size_t)(terms->live + 1) > terms->bucket_count) node_rehash(terms, 2 * terms->bucket_count);
    Term t = new_slot(terms);
    enter(terms, t, proto->hash);
    terms->nodes[t] = *proto;
    terms->live++;
    return t;
}

Term node_intern1(struct terms *terms, enum kind kind, unsigned width, Term a) {
    struct node node = {.kind = (uint8_t)kind, .width = (uint16_t)width, .args = {a}};
    return node_intern(terms, &node);
}

Term node_intern2(struct terms *terms, enum kind kind, unsigned width, Term a, Term b) {
    struct node node = {.kind = (uint8_t)kind, .width = (uint16_t)width, .args = {a, b}};
    return node_intern(terms, &node);
}

Term node_intern3(struct terms *terms, enum kind kind, unsigned width, Term a, Term b, Term c) {
    struct node node = {.kind = (uint8_t)kind, .width = (uint16_t)width, .args = {a, b, c}};
    return node_intern(terms, &node);
}

// ---- Constants ----

static Term narrow_constant(struct terms *terms, unsigned width, uint64_t value) {
    Term *known = &terms->constants[hash_combine(value, width) % COUNT(terms->constants)];
    // A collection need not clear the cache: nodes are unique, so an equal one is this constant.
    Term last = *known;
    const struct node *old = &terms->nodes[last];
    if (last && old->kind == KIND_CONST && old->width == width && old->facts.ones == value) return last;
    struct node node = {.kind = KIND_CONST, .width = (uint16_t)width, .facts = facts_const(value, width)};
    return *known = node_intern(terms, &node);
}

Term term_const(struct terms *terms, unsigned width, uint64_t value) {
    assert(width >= 1 && width <= TERM_MAX_WIDTH);
    if (width <= 64) return narrow_constant(terms, width, value & mask_bits(width));
    struct node node = {.kind = KIND_CONST, .width = (uint16_t)width};
    size_t size = limbs_count(width) * sizeof(uint64_t);
    node.limbs = mem_alloc_zeroed(size);
    node.limbs[0] = value;
    terms->outside += size;
    return node_intern(terms, &node);
}

Term term_const_limbs(struct terms *terms, unsigned width, const uint64_t *limbs) {
    if (width <= 64) return term_const(terms, width, limbs[0]);
    assert(width <= TERM_MAX_WIDTH);
    struct node node = {.kind = KIND_CONST, .width = (uint16_t)width};
    size_t size = limbs_count(width) * sizeof(uint64_t);
    node.limbs = mem_alloc(size);
    memcpy(node.limbs, limbs, size);
    limbs_trim(node.limbs, width);
    terms->outside += size;
    return node_intern(terms, &node);
}

Term term_true(struct terms *terms) { return terms->true_term; }
Term term_false(struct terms *terms) { return terms->false_term; }
Term term_bool(struct terms *terms, bool value) { return value ? terms->true_term : terms->false_term; }

const uint64_t *term_const_words(const struct terms *terms, Term t) {
    const struct node *node = node_of(terms, t);
    assert(node->kind == KIND_CONST);
    return node->width <= 64 ? &node->facts.ones : node->limbs;
}

const uint64_t *term_limbs(const struct terms *terms, Term t) { return term_const_words(terms, t); }
bool term_is_const(const struct terms *terms, Term t) { return is_const(terms, t); }
uint64_t term_value(const struct terms *terms, Term t) { return value_of(terms, t); }

bool term_is_zero(const struct terms *terms, Term t) {
    return is_const(terms, t) && limbs_is_zero(term_const_words(terms, t), width_of(terms, t));
}

bool term_is_ones(const struct terms *terms, Term t) {
    return is_const(terms, t) && limbs_is_ones(term_const_words(terms, t), width_of(terms, t));
}

bool term_const_bit(const struct terms *terms, Term t, unsigned i) {
    assert(i < width_of(terms, t));
    return limbs_bit(term_const_words(terms, t), i);
}

bool term_const_is_power(const struct terms *terms, Term t, unsigned *bit) {
    if (!is_const(terms, t)) return false;
    const uint64_t *limbs = term_const_words(terms, t);
    unsigned found = 0;
    for (uint32_t i = 0; i < limbs_count(width_of(terms, t)); i++) {
        if (!limbs[i]) continue;
        if (found || (limbs[i] & (limbs[i] - 1))) return false;
        *bit = i * 64 + (unsigned)__builtin_ctzll(limbs[i]);
        found = 1;
    }
    return found;
}

// ---- Inspecting terms ----

enum kind term_kind(const struct terms *terms, Term t) { return t ? kind_of(terms, t) : KIND_NONE; }
unsigned term_width(const struct terms *terms, Term t) { return width_of(terms, t); }
bool term_is_array(const struct terms *terms, Term t) { return is_array(terms, t); }

unsigned term_index_width(const struct terms *terms, Term t) {
    return is_array(terms, t) ? node_of(terms, t)->aux : 0;
}

struct shape node_shape(const struct node *node) {
    struct shape shape = {.kind = node->kind, .width = node->width};
    if (kind_is_array((enum kind)node->kind))
        shape.index_width = (uint16_t)node->aux;
    else
        shape.rounding = node->rounding;
    if (node->kind == KIND_EXTRACT) shape.low = (uint16_t)node->aux;
    if (kind_infos[node->kind].properties & KP_FLOAT) {
        shape.format = (fp_format)node->aux;
        shape.source = (fp_format)(node->aux >> 16);
    }
    return shape;
}

struct shape term_shape(const struct terms *terms, Term t) { return node_shape(node_of(terms, t)); }

uint32_t term_arity(const struct terms *terms, Term t) {
    const struct node *node = node_of(terms, t);
    return node->kind == KIND_ARRAY_LITERAL ? node->literal->count : kind_infos[node->kind].arity;
}

Term term_arg(struct terms *terms, Term t, uint32_t i) {
    const struct node *node = node_of(terms, t);
    if (node->kind != KIND_ARRAY_LITERAL) {
        assert(i < kind_infos[node->kind].arity);
        return node->args[i];
    }
    assert(i < node->literal->count);
    if (!node->literal->element_bytes) return literal_terms(node->literal)[i];
    return term_const(terms, node->width, term_literal_value(terms, t, i));
}

unsigned term_low(const struct terms *terms, Term t) {
    assert(is_kind(terms, t, KIND_EXTRACT));
    return node_of(terms, t)->aux;
}

uint32_t term_var(const struct terms *terms, Term t) {
    assert(is_kind(terms, t, KIND_BYTE) || is_kind(terms, t, KIND_ARRAY_VAR));
    return node_of(terms, t)->args[0];
}

uint32_t term_array_input(const struct terms *terms, Term t) {
    assert(is_kind(terms, t, KIND_ARRAY_INPUT));
    return node_of(terms, t)->args[0];
}

uint32_t term_array_input_size(const struct terms *terms, Term t) {
    assert(is_kind(terms, t, KIND_ARRAY_INPUT));
    return node_of(terms, t)->args[1];
}

const void *term_literal_packed(const struct terms *terms, Term t, unsigned *element_bytes) {
    assert(is_kind(terms, t, KIND_ARRAY_LITERAL));
    const struct literal *literal = node_of(terms, t)->literal;
    *element_bytes = literal->element_bytes;
    return literal->element_bytes ? literal_bytes(literal) : NULL;
}

bool term_is_table(const struct terms *terms, Term t) {
    return is_kind(terms, t, KIND_ARRAY_LITERAL) && node_of(terms, t)->literal->element_bytes;
}

uint64_t term_literal_value(const struct terms *terms, Term t, uint32_t i) {
    const struct literal *literal = node_of(terms, t)->literal;
    assert(literal->element_bytes && i < literal->count);
    uint64_t value = 0;
    memcpy(&value, literal_bytes(literal) + (size_t)i * literal->element_bytes, literal->element_bytes);
    return value;
}

struct facts term_facts(const struct terms *terms, Term t) {
    const struct node *node = node_of(terms, t);
    assert(node->width <= 64 && !is_array(terms, t));
    return node->facts;
}

VarSet term_support(const struct terms *terms, Term t) { return node_of(terms, t)->support; }

uint32_t term_single_var(const struct terms *terms, Term t) {
    VarSet set = node_of(terms, t)->support;
    if (varset_count(terms, set) != 1) return VAR_NONE;
    uint32_t var = varset_next(terms, set, 0);
    return terms_var_is_array(terms, var) ? VAR_NONE : var;
}

size_t terms_node_count(const struct terms *terms) { return terms->live; }
uint32_t terms_id_limit(const struct terms *terms) { return terms->count; }
uint64_t terms_generation(const struct terms *terms) { return terms->generation; }
void terms_set_simplify(struct terms *terms, bool on) { terms->raw = !on; }

size_t terms_memory(const struct terms *terms) {
    return terms->capacity * sizeof(struct node) + terms->bucket_count * sizeof(uint64_t) + terms->outside +
           varsets_memory(terms);
}
