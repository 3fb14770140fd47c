// Walks over the DAG, and operations that use them: visiting, substitution.
#include "expr/expr_int.h"

static struct walk *walk_begin(struct terms *terms) {
    if (terms->walk_depth == terms->walks.count) {
        struct walk *walk = NEW(struct walk);
        vec_push(&terms->walks, walk);
    }
    struct walk *walk = terms->walks.at[terms->walk_depth++];
    uint32_t known = walk->stamps.count;
    if (known < terms->count) {
        vec_reserve(&walk->stamps, terms->count - known);
        memset(walk->stamps.at + known, 0, (terms->count - known) * sizeof(uint32_t));
        walk->stamps.count = terms->count;
    }
    if (++walk->stamp == 0) { // the stamps wrapped: clear the old ones
        memset(walk->stamps.at, 0, walk->stamps.count * sizeof(uint32_t));
        walk->stamp = 1;
    }
    vec_clear(&walk->stack);
    return walk;
}

static void walk_end(struct terms *terms, struct walk *walk) {
    assert(terms->walk_depth > 0 && terms->walks.at[terms->walk_depth - 1] == walk);
    (void)walk;
    terms->walk_depth--;
}

// The operands that are nodes; elements of packed literals are not.
static const Term *node_operands(const struct node *node, uint32_t *count) {
    if (node->kind == KIND_ARRAY_LITERAL) {
        *count = node->literal->element_bytes ? 0 : node->literal->count;
        return literal_terms(node->literal);
    }
    *count = kind_infos[node->kind].arity;
    return node->args;
}

bool term_visit(struct terms *terms, const Term *roots, size_t count, bool (*visit)(void *, Term),
                void *context) {
    struct walk *walk = walk_begin(terms);
    bool going = true;
    for (size_t i = 0; i < count && going; i++) {
        if (!walk_seen(walk, roots[i])) vec_push(&walk->stack, roots[i]);
        while (walk->stack.count && going) {
            Term t = *vec_last(&walk->stack);
            limits_poll();
            if (walk_seen(walk, t)) {
                (void)vec_pop(&walk->stack);
                continue;
            }
            uint32_t operands, before = walk->stack.count;
            const Term *at = node_operands(node_of(terms, t), &operands);
            for (uint32_t k = operands; k-- > 0;)
                if (!walk_seen(walk, at[k])) vec_push(&walk->stack, at[k]);
            if (walk->stack.count != before) continue; // operands first
            (void)vec_pop(&walk->stack);
            walk_see(walk, t);
            going = visit(context, t);
        }
    }
    walk_end(terms, walk);
    return going;
}

// ---- Substitution ----

static Term substituted(const struct map *replacements, const struct map *memo, Term t) {
    uint64_t *found = map_get(replacements, t);
    if (!found) found = map_get(memo, t);
    return found ? (Term)*found : 0;
}

static Term rebuild(struct terms *terms, Term t, const struct map *replacements, const struct map *memo) {
    uint32_t count;
    const Term *at = node_operands(node_of(terms, t), &count);
    Term small[3], *args = count <= 3 ? small : NEW_ARRAY(Term, count);
    bool changed = false;
    for (uint32_t i = 0; i < count; i++) {
        args[i] = substituted(replacements, memo, at[i]);
        changed = changed || args[i] != at[i];
    }
    Term result = t;
    if (changed && is_kind(terms, t, KIND_ARRAY_LITERAL))
        result = term_array_literal(terms, term_index_width(terms, t), width_of(terms, t), args, count);
    else if (changed)
        result = term_make(terms, term_shape(terms, t), args);
    if (args != small) DELETE_ARRAY(args, count);
    return result;
}

Term term_substitute(struct terms *terms, Term root, const struct map *replacements, struct map *memo) {
    struct map own = {0};
    if (!memo) memo = &own;
    vec(Term) stack = {0};
    vec_push(&stack, root);
    while (stack.count) {
        Term t = *vec_last(&stack);
        if (substituted(replacements, memo, t)) {
            (void)vec_pop(&stack);
            continue;
        }
        uint32_t count, before = stack.count;
        const Term *at = node_operands(node_of(terms, t), &count);
        for (uint32_t i = 0; i < count; i++)
            if (!substituted(replacements, memo, at[i])) vec_push(&stack, at[i]);
        if (stack.count != before) continue;
        (void)vec_pop(&stack);
        Term result = rebuild(terms, t, replacements, memo);
        *map_put(memo, t) = result;
    }
    Term result = substituted(replacements, memo, root);
    vec_free(&stack);
    map_free(&own);
    return result;
}
