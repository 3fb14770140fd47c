// Garbage collection: marks from retained terms and roots, sweeps into the free list.
#include "expr/expr_int.h"

#define FIRST_COLLECT NORMAL_OR_HOSTILE(65536u, 64u)

static bool is_marked(const struct terms *terms, Term t) { return terms->marks[t / 64] >> (t % 64) & 1; }

void term_mark(struct terms *terms, Term t) {
    assert(terms->collecting && terms->marks);
    if (!t || is_marked(terms, t)) return;
    assert(terms->nodes[t].kind != KIND_NONE);
    terms->marks[t / 64] |= (uint64_t)1 << (t % 64);
    vec_push(&terms->mark_stack, t);
}

static void term_literal_mark(struct terms *terms, const struct literal *literal) {
    if (literal->element_bytes) return;
    for (uint32_t i = 0; i < literal->count; i++) term_mark(terms, literal_terms(literal)[i]);
}

static void mark_below(struct terms *terms) {
    while (terms->mark_stack.count) {
        const struct node *node = &terms->nodes[vec_pop(&terms->mark_stack)];
        if (node->kind == KIND_ARRAY_LITERAL) term_literal_mark(terms, node->literal);
        for (unsigned i = 0; i < kind_infos[node->kind].arity; i++) term_mark(terms, node->args[i]);
    }
}

static void mark_all(struct terms *terms) {
    term_mark(terms, terms->false_term);
    term_mark(terms, terms->true_term);
    for (uint32_t i = 0; i < terms->retained.capacity; i++)
        if (terms->retained.keys[i] != UINT64_MAX) term_mark(terms, (Term)terms->retained.keys[i]);
    mark_below(terms);
    vec_each (struct callback, root, &terms->roots) {
        root->call(terms, root->context);
        mark_below(terms);
    }
}

bool term_alive(const struct terms *terms, Term t) {
    if (!t || t >= terms->count || terms->nodes[t].kind == KIND_NONE) return false;
    return !terms->marks || is_marked(terms, t);
}

static size_t sweep(struct terms *terms) {
    size_t freed = 0;
    for (Term t = terms->count - 1; t > 0; t--) { // downwards, so that low slots are reused first
        struct node *node = &terms->nodes[t];
        if (node->kind == KIND_NONE || is_marked(terms, t)) continue;
        node_release(terms, node);
        memset(node, 0, sizeof *node);
        node->next = terms->free_head;
        terms->free_head = t;
        freed++;
    }
    return freed;
}

size_t terms_collect(struct terms *terms) {
    assert(!terms->collecting && terms->walk_depth == 0 && terms->depth == 0);
    terms->collecting = true;
    uint32_t words = terms->count / 64 + 1;
    terms->marks = NEW_ARRAY(uint64_t, words);
    mark_all(terms);
    vec_each (struct callback, forget, &terms->forgets) forget->call(terms, forget->context);
    size_t freed = sweep(terms);
    DELETE_ARRAY(terms->marks, words);
    terms->marks = NULL;
    terms->collecting = false;
    terms->live -= (uint32_t)freed;
    terms->after_collect = terms->live;
    if (freed) {
        terms->generation++;
        node_rehash(terms, terms->bucket_count);
    }
    return freed;
}

bool terms_should_collect(const struct terms *terms) {
    return terms->live >= 2 * MAX(terms->after_collect, FIRST_COLLECT / 2);
}

void term_retain(struct terms *terms, Term t) {
    assert(term_alive(terms, t));
    ++*map_put(&terms->retained, t);
}

void term_release(struct terms *terms, Term t) {
    uint64_t *retained = map_get(&terms->retained, t);
    assert(retained && *retained > 0);
    if (--*retained == 0) map_remove(&terms->retained, t);
}

void terms_add_roots(struct terms *terms, void (*mark)(struct terms *, void *), void *context) {
    vec_push(&terms->roots, ((struct callback){mark, context}));
}

void terms_on_collect(struct terms *terms, void (*forget)(struct terms *, void *), void *context) {
    vec_push(&terms->forgets, ((struct callback){forget, context}));
}

static bool same_callback(const struct callback *a, void (*call)(struct terms *, void *), void *context) {
    return a->call == call && a->context == context;
}

void terms_remove_roots(struct terms *terms, void (*mark)(struct terms *, void *), void *context) {
    for (uint32_t i = 0; i < terms->roots.count; i++)
        if (same_callback(&terms->roots.at[i], mark, context)) {
            terms->roots.at[i] = vec_pop(&terms->roots);
            return;
        }
}

void terms_off_collect(struct terms *terms, void (*forget)(struct terms *, void *), void *context) {
    for (uint32_t i = 0; i < terms->forgets.count; i++)
        if (same_callback(&terms->forgets.at[i], forget, context)) {
            terms->forgets.at[i] = vec_pop(&terms->forgets);
            return;
        }
}
