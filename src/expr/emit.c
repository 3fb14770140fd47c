#include "expr/emit.h"

static bool note_node(void *context, Term t) {
    struct emitter *emitter = context;
    vec_push(&emitter->order, t);
    const struct node *node = node_of(emitter->terms, t);
    bool terms_literal = node->kind == KIND_ARRAY_LITERAL && !node->literal->element_bytes;
    uint32_t count = terms_literal ? node->literal->count : kind_infos[node->kind].arity;
    const Term *args = terms_literal ? literal_terms(node->literal) : node->args;
    for (uint32_t i = 0; i < count; i++) ++*map_put(&emitter->uses, args[i]);
    return true;
}

void emit_begin(struct emitter *emitter, struct terms *terms, struct text *out, const Term *roots,
                size_t count) {
    *emitter = (struct emitter){.terms = terms, .out = out};
    term_visit(terms, roots, count, note_node, emitter);
    for (size_t i = 0; i < count; i++) ++*map_put(&emitter->uses, roots[i]);
}

void emit_end(struct emitter *emitter) {
    vec_free(&emitter->stack);
    vec_free(&emitter->order);
    map_free(&emitter->names);
    map_free(&emitter->uses);
}

uint32_t emit_uses(const struct emitter *emitter, Term t) {
    uint64_t *uses = map_get(&emitter->uses, t);
    return uses ? (uint32_t)*uses : 0;
}

uint32_t emit_mark(const struct emitter *emitter) { return emitter->stack.count; }

void emit_text(struct emitter *emitter, const char *text) {
    vec_push(&emitter->stack, ((struct emit_item){.text = text}));
}

void emit_term(struct emitter *emitter, Term t, uint32_t number) {
    vec_push(&emitter->stack, ((struct emit_item){.term = t, .number = number}));
}

void emit_flip(struct emitter *emitter, uint32_t mark) {
    for (uint32_t i = mark, k = emitter->stack.count; i + 1 < k; i++) {
        struct emit_item swap = emitter->stack.at[i];
        emitter->stack.at[i] = emitter->stack.at[--k];
        emitter->stack.at[k] = swap;
    }
}

void emit_run(struct emitter *emitter, void (*expand)(struct emitter *, Term, uint32_t)) {
    while (emitter->stack.count) {
        struct emit_item item = vec_pop(&emitter->stack);
        if (item.text)
            text_add_bytes(emitter->out, item.text, strlen(item.text));
        else
            expand(emitter, item.term, item.number);
    }
}
