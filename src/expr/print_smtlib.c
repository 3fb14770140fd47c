// SMT-LIB text. A term of one bit is a Bool or a (_ BitVec 1), depending on its kind; it is converted where the other
// sort is needed.
#include "expr/emit.h"
#include "expr/print_term.h"

#include <stdio.h>

// The sort needed, passed as the item's number in the emitter.
#define AS_BITS   0u
#define AS_BOOL   1u
#define AS_SELF   2u // its native sort
#define DEFINE_AS 4u // print the term itself, not its name

void smtlib_print_limbs(struct text *out, unsigned width, const uint64_t *limbs) {
    if (width % 4 == 0) {
        text_add(out, "#x");
        for (unsigned i = width / 4; i-- > 0;)
            text_add(out, "%x", (unsigned)(limbs[i / 16] >> (i % 16 * 4) & 15));
        return;
    }
    text_add(out, "#b");
    for (unsigned i = width; i-- > 0;) text_add(out, "%d", limbs_bit(limbs, i));
}

// Prints |name|; bars and backslashes are not allowed inside.
static void print_symbol(struct text *out, const char *name, const char *suffix) {
    text_add(out, "|");
    for (const char *p = name; *p; p++) text_add(out, "%c", *p == '|' || *p == '\\' ? '_' : *p);
    text_add(out, "%s|", suffix);
}

static void print_byte(struct text *out, const struct terms *terms, uint32_t var) {
    char suffix[24];
    snprintf(suffix, sizeof suffix, "[%u]", terms_var_index(terms, var));
    print_symbol(out, terms_input_name(terms, terms_var_input(terms, var)), suffix);
}

static bool is_bool(const struct terms *terms, Term t) {
    const struct node *node = node_of(terms, t);
    if (node->width != 1 || kind_is_array((enum kind)node->kind)) return false;
    switch (node->kind) {
    case KIND_CONST:
    case KIND_NOT:
    case KIND_AND:
    case KIND_OR:
    case KIND_XOR:
    case KIND_ITE: return true;
    default: return kind_infos[node->kind].properties & KP_PREDICATE;
    }
}

static void print_sort(struct text *out, const struct terms *terms, Term t) {
    if (is_array(terms, t))
        text_add(out, "(Array (_ BitVec %u) (_ BitVec %u))", node_of(terms, t)->aux, width_of(terms, t));
    else if (is_bool(terms, t))
        text_add(out, "Bool");
    else
        text_add(out, "(_ BitVec %u)", width_of(terms, t));
}

static void print_number(struct text *out, unsigned width, uint64_t value) {
    uint64_t *limbs = NEW_ARRAY(uint64_t, limbs_count(width));
    limbs[0] = value;
    smtlib_print_limbs(out, width, limbs);
    DELETE_ARRAY(limbs, limbs_count(width));
}

// Prints an array literal or the bytes of an input: stores into an array of zeros.
static void print_elements(struct emitter *e, Term t) {
    const struct node *node = node_of(e->terms, t);
    bool literal = node->kind == KIND_ARRAY_LITERAL;
    uint64_t count = literal ? node->literal->count : node->args[1];
    if (node->aux < 32) count = MIN(count, (uint64_t)1 << node->aux);
    for (uint64_t i = 0; i < count; i++) text_add(e->out, "(store ");
    text_add(e->out, "((as const ");
    print_sort(e->out, e->terms, t);
    text_add(e->out, ") ");
    print_number(e->out, node->width, 0);
    text_add(e->out, ")");
    bool terms_literal = literal && !node->literal->element_bytes;
    if (terms_literal) { // through the stack: elements may be large
        // In reading order: emit_flip reverses the parts, so that the first element is popped first.
        uint32_t mark = emit_mark(e);
        for (uint32_t i = 0; i < count; i++) {
            emit_text(e, " ");
            emit_term(e, t, (i << 3) | DEFINE_AS | AS_SELF); // the index; see expand
            emit_text(e, " ");
            emit_term(e, literal_terms(node->literal)[i], AS_BITS);
            emit_text(e, ")");
        }
        emit_flip(e, mark);
        return;
    }
    for (uint32_t i = 0; i < count; i++) {
        text_add(e->out, " ");
        print_number(e->out, node->aux, i);
        text_add(e->out, " ");
        if (literal)
            print_number(e->out, node->width, term_literal_value(e->terms, t, i));
        else
            print_byte(e->out, e->terms, terms_input_var(e->terms, node->args[0], i));
        text_add(e->out, ")");
    }
}

static const char *const rounding_names[] = {"RNE", "RNA", "RTP", "RTN", "RTZ"};

static const char *float_opening(fp_format operand) {
    static const struct {
        fp_format format;
        const char *text;
    } openings[] = {{FP_HALF, " ((_ to_fp 5 11) "},    {FP_SINGLE, " ((_ to_fp 8 24) "},
                    {FP_DOUBLE, " ((_ to_fp 11 53) "}, {FP_QUAD, " ((_ to_fp 15 113) "},
                    {FP_BFLOAT, " ((_ to_fp 8 8) "},   {FP_X87, " (x87 "}};
    for (unsigned i = 0; i < COUNT(openings); i++)
        if (openings[i].format == operand) return openings[i].text;
    return " (to_fp ";
}

// fp.min and fp.max: SMT-LIB does not specify which of two zeros is the smaller; for terms it is the negative one.
static void print_extreme(struct emitter *e, Term t) {
    const struct node *node = node_of(e->terms, t);
    bool minimum = node->kind == KIND_FP_MIN;
    const char *opening = float_opening(node_shape(node).format);
    uint32_t mark = emit_mark(e);
    emit_text(e, "(fp.to_ieee_bv (let ((a!");
    emit_text(e, opening);
    emit_term(e, node->args[0], AS_BITS);
    emit_text(e, ")) (b!");
    emit_text(e, opening);
    emit_term(e, node->args[1], AS_BITS);
    emit_text(e, "))) (ite (fp.eq a! b!) (ite (fp.isNegative a!) ");
    emit_text(e, minimum ? "a! b!) (fp.min a! b!))))" : "b! a!) (fp.max a! b!))))");
    emit_flip(e, mark);
}

// Floating point: operands are reinterpreted as floats, results converted back to bits. fp.to_ieee_bv is Z3's; the
// standard has no such function.
static void print_float(struct emitter *e, Term t) {
    const struct node *node = node_of(e->terms, t);
    const struct kind_info *info = &kind_infos[node->kind];
    struct shape shape = node_shape(node);
    fp_format operand = shape.source ? shape.source : shape.format, result = shape.format;
    bool to_int = node->kind == KIND_FP_TO_SINT || node->kind == KIND_FP_TO_UINT;
    bool from_int = node->kind == KIND_SINT_TO_FP || node->kind == KIND_UINT_TO_FP;
    bool predicate = info->properties & KP_PREDICATE;
    uint32_t mark = emit_mark(e);
    text_add(e->out, predicate || to_int ? "(" : "(fp.to_ieee_bv (");
    if (to_int)
        text_add(e->out, "(_ %s %u)", info->text, node->width);
    else if (from_int || node->kind == KIND_FP_TO_FP)
        text_add(e->out, "(_ %s %u %u)", node->kind == KIND_UINT_TO_FP ? "to_fp_unsigned" : "to_fp",
                 fp_exponent_bits(result), fp_precision(result));
    else
        text_add(e->out, "%s", info->smtlib ? info->smtlib : info->text);
    if (info->properties & KP_ROUNDS) text_add(e->out, " %s", rounding_names[node->rounding]);
    const char *opening = float_opening(operand);
    for (unsigned i = 0; i < info->arity; i++) {
        emit_text(e, from_int ? " " : opening);
        emit_term(e, node->args[i], AS_BITS);
        if (!from_int) emit_text(e, ")");
    }
    emit_text(e, predicate || to_int ? ")" : "))");
    emit_flip(e, mark);
}

// Prints "(name operand ...)", with operands of the needed sort.
static void print_application(struct emitter *e, Term t, const char *name, uint32_t how) {
    uint32_t mark = emit_mark(e);
    emit_text(e, "(");
    emit_text(e, name);
    const struct node *node = node_of(e->terms, t);
    for (unsigned i = 0; i < kind_infos[node->kind].arity; i++) {
        emit_text(e, " ");
        emit_term(e, node->args[i], how);
    }
    emit_text(e, ")");
    emit_flip(e, mark);
}

static void print_ite(struct emitter *e, Term t) {
    uint32_t mark = emit_mark(e), how = is_bool(e->terms, t) ? AS_BOOL : AS_BITS;
    emit_text(e, "(ite ");
    emit_term(e, arg_of(e->terms, t, 0), AS_BOOL);
    emit_text(e, " ");
    emit_term(e, arg_of(e->terms, t, 1), how);
    emit_text(e, " ");
    emit_term(e, arg_of(e->terms, t, 2), how);
    emit_text(e, ")");
    emit_flip(e, mark);
}

static void print_parameterised(struct emitter *e, Term t) {
    const struct node *node = node_of(e->terms, t);
    uint32_t mark = emit_mark(e);
    if (node->kind == KIND_EXTRACT)
        text_add(e->out, "((_ extract %u %u) ", node->aux + node->width - 1, node->aux);
    else if (node->kind == KIND_SEXT)
        text_add(e->out, "((_ sign_extend %u) ", node->width - width_of(e->terms, node->args[0]));
    else {
        text_add(e->out, "((as const ");
        print_sort(e->out, e->terms, t);
        text_add(e->out, ") ");
    }
    emit_term(e, node->args[0], AS_BITS);
    emit_text(e, ")");
    emit_flip(e, mark);
}

// Prints the term in its native sort.
static void print_native(struct emitter *e, Term t) {
    const struct node *node = node_of(e->terms, t);
    bool boolean = is_bool(e->terms, t);
    switch (node->kind) {
    case KIND_CONST:
        if (boolean)
            text_add(e->out, node->facts.ones ? "true" : "false");
        else
            smtlib_print_limbs(e->out, node->width, term_const_words(e->terms, t));
        break;
    case KIND_BYTE: print_byte(e->out, e->terms, node->args[0]); break;
    case KIND_ARRAY_VAR: print_symbol(e->out, terms_array_name(e->terms, node->args[0]), ""); break;
    case KIND_ARRAY_INPUT:
    case KIND_ARRAY_LITERAL: print_elements(e, t); break;
    case KIND_NOT: print_application(e, t, boolean ? "not" : "bvnot", boolean); break;
    case KIND_AND: print_application(e, t, boolean ? "and" : "bvand", boolean); break;
    case KIND_OR: print_application(e, t, boolean ? "or" : "bvor", boolean); break;
    case KIND_XOR: print_application(e, t, boolean ? "xor" : "bvxor", boolean); break;
    case KIND_EQ:
    case KIND_ARRAY_EQ: print_application(e, t, "=", AS_BITS); break;
    case KIND_ITE:
    case KIND_ARRAY_ITE: print_ite(e, t); break;
    case KIND_EXTRACT:
    case KIND_SEXT:
    case KIND_ARRAY_CONST: print_parameterised(e, t); break;
    default:
        if (node->kind == KIND_FP_MIN || node->kind == KIND_FP_MAX)
            print_extreme(e, t);
        else if (kind_infos[node->kind].properties & KP_FLOAT)
            print_float(e, t);
        else
            print_application(e, t, kind_infos[node->kind].smtlib, AS_BITS);
        break;
    }
}

static void expand(struct emitter *e, Term t, uint32_t how) {
    if (is_kind(e->terms, t, KIND_ARRAY_LITERAL) && (how & 7) == (DEFINE_AS | AS_SELF)) {
        print_number(e->out, node_of(e->terms, t)->aux, how >> 3); // an index of print_elements
        return;
    }
    bool boolean = is_bool(e->terms, t), named = !(how & DEFINE_AS) && map_get(&e->names, t);
    how &= 3;
    if (width_of(e->terms, t) == 1 && !is_array(e->terms, t) && how != AS_SELF &&
        boolean != (how == AS_BOOL)) {
        if (is_const(e->terms, t)) { // a Bool, needed as bits
            text_add(e->out, value_of(e->terms, t) ? "#b1" : "#b0");
            return;
        }
        uint32_t mark = emit_mark(e);
        emit_text(e, boolean ? "(ite " : "(= ");
        emit_term(e, t, AS_SELF);
        emit_text(e, boolean ? " #b1 #b0)" : " #b1)");
        emit_flip(e, mark);
        return;
    }
    if (named)
        text_add(e->out, "t!%llu", (unsigned long long)*map_get(&e->names, t));
    else
        print_native(e, t);
}

static bool is_leaf(const struct emitter *e, Term t) {
    enum kind kind = kind_of(e->terms, t);
    return kind == KIND_CONST || kind == KIND_BYTE || kind == KIND_ARRAY_VAR;
}

static bool is_shared(const struct emitter *e, Term t) { return !is_leaf(e, t) && emit_uses(e, t) > 1; }

static void print_definition(struct emitter *e, Term t) {
    // A literal is printed directly: in `expand` its item stands for one of its indices.
    if (is_kind(e->terms, t, KIND_ARRAY_LITERAL))
        print_native(e, t);
    else
        emit_term(e, t, AS_SELF | DEFINE_AS);
    emit_run(e, expand);
    *map_put(&e->names, t) = ++e->named;
}

void term_print_smtlib(struct terms *terms, struct text *out, Term t) {
    struct emitter e;
    emit_begin(&e, terms, out, &t, 1);
    vec_each (Term, at, &e.order) {
        if (*at == t || !is_shared(&e, *at)) continue;
        text_add(out, "(let ((t!%u ", e.named + 1);
        print_definition(&e, *at);
        text_add(out, ")) ");
    }
    if (is_kind(terms, t, KIND_ARRAY_LITERAL))
        print_native(&e, t);
    else
        emit_term(&e, t, width_of(terms, t) == 1 && !is_array(terms, t) ? AS_BOOL : AS_SELF);
    emit_run(&e, expand);
    for (uint32_t i = 0; i < e.named; i++) text_add(out, ")");
    emit_end(&e);
}

static void declare(struct emitter *e, uint32_t var) {
    text_add(e->out, "(declare-const ");
    if (terms_var_is_array(e->terms, var)) {
        const struct declared_array *array = &e->terms->arrays.at[e->terms->vars.at[var].index];
        print_symbol(e->out, array->name, "");
        text_add(e->out, " (Array (_ BitVec %u) (_ BitVec %u)))\n", array->index_width, array->element_width);
    } else {
        print_byte(e->out, e->terms, var);
        text_add(e->out, " (_ BitVec 8))\n");
    }
}

static void define(struct emitter *e, Term t) {
    text_add(e->out, "(define-fun t!%u () ", e->named + 1);
    print_sort(e->out, e->terms, t);
    text_add(e->out, " ");
    print_definition(e, t);
    text_add(e->out, ")\n");
}

static void print_declarations(struct emitter *e, const Term *conditions, size_t count) {
    VarSet support = 0;
    for (size_t i = 0; i < count; i++)
        support = varset_union(e->terms, support, term_support(e->terms, conditions[i]));
    for (uint32_t var = varset_next(e->terms, support, 0); var != VAR_NONE;
         var = varset_next(e->terms, support, var + 1))
        declare(e, var);
}

// The logic. ALL for constant arrays, which Z3 accepts under no other logic, and for floats.
static const char *logic_of(const struct emitter *e) {
    const char *logic = "QF_BV";
    for (uint32_t i = 0; i < e->order.count; i++) {
        enum kind kind = kind_of(e->terms, e->order.at[i]);
        if (kind == KIND_ARRAY_CONST || kind == KIND_ARRAY_LITERAL || kind == KIND_ARRAY_INPUT ||
            kind_infos[kind].properties & KP_FLOAT)
            return "ALL";
        if (kind_is_array(kind)) logic = "QF_ABV";
    }
    return logic;
}

void terms_print_script(struct terms *terms, struct text *out, const Term *conditions, size_t count) {
    struct emitter e;
    emit_begin(&e, terms, out, conditions, count);
    text_add(out, "(set-logic %s)\n", logic_of(&e));
    print_declarations(&e, conditions, count);
    vec_each (Term, at, &e.order)
        if (is_shared(&e, *at)) define(&e, *at);
    for (size_t i = 0; i < count; i++) {
        assert(width_of(terms, conditions[i]) == 1);
        text_add(out, "(assert ");
        emit_term(&e, conditions[i], AS_BOOL);
        emit_run(&e, expand);
        text_add(out, ")\n");
    }
    text_add(out, "(check-sat)\n");
    emit_end(&e);
}

// ---- A script that grows ----

struct smtlib_writer {
    struct emitter e;    // has the names of all terms defined so far
    struct map declared; // by var
    vec(Term) stack;
};

static void forget_dead_names(struct terms *terms, void *context) {
    struct map *names = &((struct smtlib_writer *)context)->e.names, kept = {0};
    for (uint32_t i = 0; i < names->capacity; i++)
        if (names->keys[i] != UINT64_MAX && term_alive(terms, (Term)names->keys[i]))
            *map_put(&kept, names->keys[i]) = names->values[i];
    map_free(names);
    *names = kept;
}

struct smtlib_writer *smtlib_writer_new(struct terms *terms) {
    struct smtlib_writer *writer = NEW(struct smtlib_writer);
    emit_begin(&writer->e, terms, NULL, NULL, 0);
    terms_on_collect(terms, forget_dead_names, writer);
    return writer;
}

void smtlib_writer_free(struct smtlib_writer *writer) {
    if (!writer) return;
    terms_off_collect(writer->e.terms, forget_dead_names, writer);
    emit_end(&writer->e);
    map_free(&writer->declared);
    vec_free(&writer->stack);
    DELETE(writer);
}

static bool needs_name(const struct smtlib_writer *writer, Term t) {
    return !is_leaf(&writer->e, t) && !map_get(&writer->e.names, t);
}

// Pushes the operands that have no name yet. True if there are none.
static bool operands_named(struct smtlib_writer *writer, Term t) {
    uint32_t before = writer->stack.count;
    const struct node *node = node_of(writer->e.terms, t);
    bool terms_literal = node->kind == KIND_ARRAY_LITERAL && !node->literal->element_bytes;
    uint32_t count = terms_literal ? node->literal->count : kind_infos[node->kind].arity;
    const Term *args = terms_literal ? literal_terms(node->literal) : node->args;
    for (uint32_t i = 0; i < count; i++)
        if (needs_name(writer, args[i])) vec_push(&writer->stack, args[i]);
    return writer->stack.count == before;
}

void smtlib_write_needs(struct smtlib_writer *writer, struct text *out, Term t) {
    struct terms *terms = writer->e.terms;
    VarSet support = term_support(terms, t);
    writer->e.out = out;
    for (uint32_t var = varset_next(terms, support, 0); var != VAR_NONE;
         var = varset_next(terms, support, var + 1)) {
        if (map_get(&writer->declared, var)) continue;
        *map_put(&writer->declared, var) = 1;
        declare(&writer->e, var);
    }
    vec_push(&writer->stack, t);
    while (writer->stack.count) {
        Term top = *vec_last(&writer->stack);
        if (needs_name(writer, top) && !operands_named(writer, top)) continue;
        if (needs_name(writer, top)) define(&writer->e, top);
        writer->stack.count--;
    }
}

void smtlib_write_bool(struct smtlib_writer *writer, struct text *out, Term t) {
    assert(width_of(writer->e.terms, t) == 1);
    writer->e.out = out;
    emit_term(&writer->e, t, AS_BOOL);
    emit_run(&writer->e, expand);
}
