// C-like text.
#include "expr/print_term.h"

#include "expr/emit.h"

#include <stdio.h>

#define INLINE 0  // print the term's name when it has one
#define DEFINE 1  // print the term itself, not its name
#define SHOWN  24 // most elements of a literal that are printed

static void print_const(struct text *out, const struct terms *terms, Term t) {
    unsigned width = width_of(terms, t);
    if (width > 64) {
        const uint64_t *limbs = term_const_words(terms, t);
        uint32_t i = limbs_count(width) - 1;
        while (i > 0 && !limbs[i]) i--;
        text_add(out, "0x%llx", (unsigned long long)limbs[i]);
        while (i-- > 0) text_add(out, "%016llx", (unsigned long long)limbs[i]);
        return;
    }
    uint64_t value = value_of(terms, t);
    if (width == 1)
        text_add(out, value ? "true" : "false");
    else if (width == 8 && value >= 32 && value < 127 && value != '\'' && value != '\\')
        text_add(out, "'%c'", (char)value);
    else
        text_add(out, value < 10 ? "%llu" : "0x%llx", (unsigned long long)value);
}

static void print_input(struct emitter *e, uint32_t input) {
    if (e->input_names)
        e->input_names->add(e->input_names->context, e->out, input);
    else
        text_add(e->out, "%s", terms_input_name(e->terms, input));
}

// Prints a concat of consecutive bytes of one input as a slice.
static bool print_slice(struct emitter *e, Term t) {
    const struct terms *terms = e->terms;
    uint32_t input = UINT32_MAX, high = 0, index = 0;
    for (bool first = true;; first = false) {
        bool chain = is_kind(terms, t, KIND_CONCAT);
        Term byte = chain ? arg_of(terms, t, 0) : t;
        if (!is_kind(terms, byte, KIND_BYTE)) return false;
        uint32_t var = term_var(terms, byte);
        if (first) {
            input = terms_var_input(terms, var);
            high = terms_var_index(terms, var);
        } else if (terms_var_input(terms, var) != input || terms_var_index(terms, var) + 1 != index) {
            return false;
        }
        index = terms_var_index(terms, var);
        if (!chain) break;
        t = arg_of(terms, t, 1);
    }
    print_input(e, input);
    text_add(e->out, "[%u..%u]", index, high);
    return true;
}

static void print_concat(struct emitter *e, Term t) {
    if (print_slice(e, t)) return;
    uint32_t mark = emit_mark(e);
    if (term_is_zero(e->terms, arg_of(e->terms, t, 0))) {
        text_add(e->out, "zext%u(", width_of(e->terms, t));
        emit_term(e, arg_of(e->terms, t, 1), INLINE);
    } else {
        text_add(e->out, "concat(");
        // The whole chain, up to a part that has a name.
        for (bool going = true; going;) {
            emit_term(e, arg_of(e->terms, t, 0), INLINE);
            emit_text(e, ", ");
            t = arg_of(e->terms, t, 1);
            going = is_kind(e->terms, t, KIND_CONCAT) && !map_get(&e->names, t);
            if (!going) emit_term(e, t, INLINE);
        }
    }
    emit_text(e, ")");
    emit_flip(e, mark);
}

static void print_binary(struct emitter *e, Term a, const char *spelling, Term b) {
    uint32_t mark = emit_mark(e);
    emit_text(e, "(");
    emit_term(e, a, INLINE);
    emit_text(e, " ");
    emit_text(e, spelling);
    emit_text(e, " ");
    emit_term(e, b, INLINE);
    emit_text(e, ")");
    emit_flip(e, mark);
}

static void print_not(struct emitter *e, Term t) {
    Term a = arg_of(e->terms, t, 0);
    const struct node *inner = node_of(e->terms, a);
    if (!map_get(&e->names, a)) {
        const char *spelling = inner->kind == KIND_EQ    ? "!="
                               : inner->kind == KIND_ULT ? ">=u"
                               : inner->kind == KIND_SLT ? ">=s"
                                                         : NULL;
        if (spelling) {
            print_binary(e, inner->args[0], spelling, inner->args[1]);
            return;
        }
    }
    text_add(e->out, width_of(e->terms, t) == 1 ? "!" : "~");
    emit_term(e, a, INLINE);
}

static void print_call(struct emitter *e, Term t, const char *name) {
    uint32_t mark = emit_mark(e);
    text_add(e->out, "%s(", name);
    for (unsigned i = 0; i < kind_infos[kind_of(e->terms, t)].arity; i++) {
        if (i) emit_text(e, ", ");
        emit_term(e, arg_of(e->terms, t, i), INLINE);
    }
    emit_text(e, ")");
    emit_flip(e, mark);
}

static void print_literal(struct emitter *e, Term t) {
    const struct literal *literal = node_of(e->terms, t)->literal;
    uint32_t mark = emit_mark(e), shown = MIN(literal->count, SHOWN);
    text_add(e->out, "{");
    for (uint32_t i = 0; i < shown; i++) {
        if (!literal->element_bytes) {
            if (i) emit_text(e, ", ");
            emit_term(e, literal_terms(literal)[i], INLINE);
        } else {
            text_add(e->out, "%s%llu", i ? ", " : "", (unsigned long long)term_literal_value(e->terms, t, i));
        }
    }
    emit_text(e, literal->count > shown ? ", ...}" : "}");
    emit_flip(e, mark);
}

static void print_array(struct emitter *e, Term t) {
    const struct node *node = node_of(e->terms, t);
    uint32_t mark = emit_mark(e);
    switch (node->kind) {
    case KIND_ARRAY_INPUT: print_input(e, node->args[0]); break;
    case KIND_ARRAY_VAR: text_add(e->out, "%s", terms_array_name(e->terms, node->args[0])); break;
    case KIND_ARRAY_LITERAL: print_literal(e, t); return;
    case KIND_STORE:
        emit_term(e, node->args[0], INLINE);
        emit_text(e, "{[");
        emit_term(e, node->args[1], INLINE);
        emit_text(e, "] = ");
        emit_term(e, node->args[2], INLINE);
        emit_text(e, "}");
        break;
    default:
        assert(node->kind == KIND_ARRAY_CONST);
        emit_text(e, "{all = ");
        emit_term(e, node->args[0], INLINE);
        emit_text(e, "}");
        break;
    }
    emit_flip(e, mark);
}

static void print_ite(struct emitter *e, Term t) {
    uint32_t mark = emit_mark(e);
    emit_text(e, "(");
    emit_term(e, arg_of(e->terms, t, 0), INLINE);
    emit_text(e, " ? ");
    emit_term(e, arg_of(e->terms, t, 1), INLINE);
    emit_text(e, " : ");
    emit_term(e, arg_of(e->terms, t, 2), INLINE);
    emit_text(e, ")");
    emit_flip(e, mark);
}

static void print_node(struct emitter *e, Term t) {
    const struct node *node = node_of(e->terms, t);
    const struct kind_info *info = &kind_infos[node->kind];
    switch (node->kind) {
    case KIND_CONST: print_const(e->out, e->terms, t); return;
    case KIND_BYTE:
        print_input(e, terms_var_input(e->terms, node->args[0]));
        text_add(e->out, "[%u]", terms_var_index(e->terms, node->args[0]));
        return;
    case KIND_NOT: print_not(e, t); return;
    case KIND_NEG:
        text_add(e->out, "-");
        emit_term(e, node->args[0], INLINE);
        return;
    case KIND_ADD:
        if (is_kind(e->terms, node->args[1], KIND_NEG) && !map_get(&e->names, node->args[1]))
            print_binary(e, node->args[0], "-", arg_of(e->terms, node->args[1], 0));
        else
            print_binary(e, node->args[0], "+", node->args[1]);
        return;
    case KIND_AND:
    case KIND_OR:
        if (node->width == 1) {
            print_binary(e, node->args[0], node->kind == KIND_AND ? "&&" : "||", node->args[1]);
            return;
        }
        break;
    case KIND_CONCAT: print_concat(e, t); return;
    case KIND_EXTRACT: {
        uint32_t mark = emit_mark(e);
        text_add(e->out, node->width == 1 ? "bit<%u>(" : "bits<%u:", node->aux + node->width - 1);
        if (node->width > 1) text_add(e->out, "%u>(", node->aux);
        emit_term(e, node->args[0], INLINE);
        emit_text(e, ")");
        emit_flip(e, mark);
        return;
    }
    case KIND_SEXT: {
        char name[32];
        snprintf(name, sizeof name, "sext%u", node->width);
        print_call(e, t, name);
        return;
    }
    case KIND_ITE:
    case KIND_ARRAY_ITE: print_ite(e, t); return;
    case KIND_SELECT: {
        uint32_t mark = emit_mark(e);
        emit_term(e, node->args[0], INLINE);
        emit_text(e, "[");
        emit_term(e, node->args[1], INLINE);
        emit_text(e, "]");
        emit_flip(e, mark);
        return;
    }
    default: break;
    }
    if (info->properties & KP_ARRAY)
        print_array(e, t);
    else if (info->spelling && info->arity == 2)
        print_binary(e, node->args[0], info->spelling, node->args[1]);
    else
        print_call(e, t, info->text);
}

static void expand(struct emitter *e, Term t, uint32_t how) {
    uint64_t *name = how == INLINE ? map_get(&e->names, t) : NULL;
    if (name)
        text_add(e->out, "t%llu", (unsigned long long)*name);
    else
        print_node(e, t);
}

// Whether to define a name: used more than once, and longer than a few characters.
static bool is_shared(const struct emitter *e, Term t) {
    const struct node *node = node_of(e->terms, t);
    if (emit_uses(e, t) < 2 || kind_infos[node->kind].properties & KP_LEAF) return false;
    if (node->kind == KIND_CONCAT) // a zero-extension of something short
        return !(term_is_zero(e->terms, node->args[0]) &&
                 kind_infos[kind_of(e->terms, node->args[1])].arity == 0);
    return node->kind != KIND_EXTRACT || kind_infos[kind_of(e->terms, node->args[0])].arity > 0;
}

void term_print(struct terms *terms, struct text *out, Term t) { term_print_named(terms, out, t, NULL); }

void term_print_named(struct terms *terms, struct text *out, Term t, const struct input_names *names) {
    struct emitter e;
    emit_begin(&e, terms, out, &t, 1);
    e.input_names = names;
    vec_each (Term, at, &e.order) {
        if (*at == t || !is_shared(&e, *at)) continue;
        text_add(out, "let t%u = ", e.named + 1);
        emit_term(&e, *at, DEFINE);
        emit_run(&e, expand);
        text_add(out, ";\n");
        *map_put(&e.names, *at) = ++e.named;
    }
    emit_term(&e, t, DEFINE);
    emit_run(&e, expand);
    emit_end(&e);
}
