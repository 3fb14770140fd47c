// The builders of core kinds over bit-vectors: check, fold constants, try the rules, intern.
#include "expr/expr_int.h"

static void order(const struct terms *terms, Term *a, Term *b) {
    bool swap = is_const(terms, *a) != is_const(terms, *b) ? is_const(terms, *a) : *a > *b;
    if (!swap) return;
    Term t = *a;
    *a = *b;
    *b = t;
}

static bool is_const_ite(const struct terms *terms, Term t) {
    return is_kind(terms, t, KIND_ITE) && is_const(terms, arg_of(terms, t, 1)) &&
           is_const(terms, arg_of(terms, t, 2));
}

// op(c ? k1 : k2, k) is c ? op(k1, k) : op(k2, k): lifts an ite if both results are constants.
static Term lift_ite(struct terms *terms, enum kind kind, Term a, Term b) {
    Term condition;
    if (is_const_ite(terms, a) && is_const(terms, b))
        condition = arg_of(terms, a, 0);
    else if (is_const_ite(terms, b) &&
             (is_const(terms, a) || (is_const_ite(terms, a) && arg_of(terms, a, 0) == arg_of(terms, b, 0))))
        condition = arg_of(terms, b, 0);
    else
        return 0;
    Term sides[2];
    for (unsigned i = 0; i < 2; i++) {
        Term x = is_const(terms, a) ? a : arg_of(terms, a, 1 + i),
             y = is_const(terms, b) ? b : arg_of(terms, b, 1 + i);
        sides[i] = term_apply(terms, kind, x, y, 0);
    }
    return term_ite(terms, condition, sides[0], sides[1]);
}

static Term simplify_binary(struct terms *terms, enum kind kind, Term a, Term b) {
    switch (kind) {
    case KIND_AND:
    case KIND_OR:
    case KIND_XOR: return simplify_bitwise(terms, kind, a, b);
    case KIND_ADD: return simplify_add(terms, a, b);
    case KIND_MUL: return simplify_mul(terms, a, b);
    case KIND_UDIV:
    case KIND_UREM:
    case KIND_SDIV:
    case KIND_SREM: return simplify_division(terms, kind, a, b);
    case KIND_SHL:
    case KIND_LSHR:
    case KIND_ASHR: return simplify_shift(terms, kind, a, b);
    case KIND_EQ: return simplify_eq(terms, a, b);
    case KIND_ULT: return simplify_ult(terms, a, b);
    case KIND_SLT: return simplify_slt(terms, a, b);
    default: error_internal("simplify_binary: %s", kind_infos[kind].name);
    }
}

// Builds kinds whose operands have one width and whose result has that width or is one bit.
static Term binary(struct terms *terms, enum kind kind, Term a, Term b) {
    assert(width_of(terms, a) == width_of(terms, b) && !is_array(terms, a) && !is_array(terms, b));
    unsigned width = kind_infos[kind].properties & KP_PREDICATE ? 1 : width_of(terms, a);
    if (is_const(terms, a) && is_const(terms, b)) {
        if (width_of(terms, a) <= 64)
            return term_const(terms, width,
                              apply_small(kind, width_of(terms, a), value_of(terms, a), value_of(terms, b)));
        return term_fold_constants(terms, (struct shape){.kind = (uint8_t)kind, .width = (uint16_t)width},
                                   (Term[]){a, b});
    }
    if (kind_infos[kind].properties & KP_COMMUTES && !terms->raw) order(terms, &a, &b);
    if (rules_enter(terms)) {
        Term t = lift_ite(terms, kind, a, b);
        if (!t) t = simplify_binary(terms, kind, a, b);
        rules_leave(terms);
        if (t) {
            assert(width_of(terms, t) == width);
            return t;
        }
    }
    return node_intern2(terms, kind, width, a, b);
}

static Term unary(struct terms *terms, enum kind kind, Term a) {
    assert(!is_array(terms, a));
    unsigned width = width_of(terms, a);
    if (is_const(terms, a))
        return term_fold_constants(terms, (struct shape){.kind = (uint8_t)kind, .width = (uint16_t)width},
                                   &a);
    if (rules_enter(terms)) {
        Term t = 0;
        if (is_const_ite(terms, a)) {
            Term x = term_apply(terms, kind, arg_of(terms, a, 1), 0, 0);
            Term y = term_apply(terms, kind, arg_of(terms, a, 2), 0, 0);
            t = term_ite(terms, arg_of(terms, a, 0), x, y);
        } else {
            t = kind == KIND_NOT ? simplify_not(terms, a) : simplify_neg(terms, a);
        }
        rules_leave(terms);
        if (t) return t;
    }
    return node_intern1(terms, kind, width, a);
}

Term term_not(struct terms *terms, Term a) { return unary(terms, KIND_NOT, a); }
Term term_neg(struct terms *terms, Term a) { return unary(terms, KIND_NEG, a); }
Term term_and(struct terms *terms, Term a, Term b) { return binary(terms, KIND_AND, a, b); }
Term term_or(struct terms *terms, Term a, Term b) { return binary(terms, KIND_OR, a, b); }
Term term_xor(struct terms *terms, Term a, Term b) { return binary(terms, KIND_XOR, a, b); }
Term term_add(struct terms *terms, Term a, Term b) { return binary(terms, KIND_ADD, a, b); }
Term term_mul(struct terms *terms, Term a, Term b) { return binary(terms, KIND_MUL, a, b); }
Term term_udiv(struct terms *terms, Term a, Term b) { return binary(terms, KIND_UDIV, a, b); }
Term term_urem(struct terms *terms, Term a, Term b) { return binary(terms, KIND_UREM, a, b); }
Term term_sdiv(struct terms *terms, Term a, Term b) { return binary(terms, KIND_SDIV, a, b); }
Term term_srem(struct terms *terms, Term a, Term b) { return binary(terms, KIND_SREM, a, b); }
Term term_shl(struct terms *terms, Term a, Term amount) { return binary(terms, KIND_SHL, a, amount); }
Term term_lshr(struct terms *terms, Term a, Term amount) { return binary(terms, KIND_LSHR, a, amount); }
Term term_ashr(struct terms *terms, Term a, Term amount) { return binary(terms, KIND_ASHR, a, amount); }
Term term_ult(struct terms *terms, Term a, Term b) { return binary(terms, KIND_ULT, a, b); }
Term term_slt(struct terms *terms, Term a, Term b) { return binary(terms, KIND_SLT, a, b); }
Term term_ule(struct terms *terms, Term a, Term b) { return term_not(terms, term_ult(terms, b, a)); }
Term term_sle(struct terms *terms, Term a, Term b) { return term_not(terms, term_slt(terms, b, a)); }
Term term_ne(struct terms *terms, Term a, Term b) { return term_not(terms, term_eq(terms, a, b)); }
Term term_sub(struct terms *terms, Term a, Term b) { return term_add(terms, a, term_neg(terms, b)); }
Term term_implies(struct terms *terms, Term a, Term b) { return term_or(terms, term_not(terms, a), b); }

static Term array_eq(struct terms *terms, Term a, Term b) {
    assert(!array_is_view(terms, a) && !array_is_view(terms, b)); // views are only read
    assert(width_of(terms, a) == width_of(terms, b) &&
           term_index_width(terms, a) == term_index_width(terms, b));
    if (!terms->raw) order(terms, &a, &b);
    // Literals have no trailing zeros: two tables of constants are equal only if they are the same term.
    if (!terms->raw && is_kind(terms, a, KIND_ARRAY_LITERAL) && is_kind(terms, b, KIND_ARRAY_LITERAL) &&
        node_of(terms, a)->literal->element_bytes && node_of(terms, b)->literal->element_bytes)
        return terms->false_term;
    return node_intern2(terms, KIND_ARRAY_EQ, 1, a, b);
}

Term term_eq(struct terms *terms, Term a, Term b) {
    assert(is_array(terms, a) == is_array(terms, b));
    if (a == b) return terms->true_term;
    return is_array(terms, a) ? array_eq(terms, a, b) : binary(terms, KIND_EQ, a, b);
}

Term term_concat(struct terms *terms, Term high, Term low) {
    unsigned width = width_of(terms, high) + width_of(terms, low);
    assert(width <= TERM_MAX_WIDTH && !is_array(terms, high) && !is_array(terms, low));
    struct shape shape = {.kind = KIND_CONCAT, .width = (uint16_t)width};
    Term t = term_fold_constants(terms, shape, (Term[]){high, low});
    if (t) return t;
    if (rules_enter(terms)) {
        t = simplify_concat(terms, high, low);
        rules_leave(terms);
        if (t) return t;
    }
    return node_intern2(terms, KIND_CONCAT, width, high, low);
}

Term term_extract(struct terms *terms, Term a, unsigned low, unsigned width) {
    assert(width >= 1 && low + width <= width_of(terms, a) && !is_array(terms, a));
    if (width == width_of(terms, a)) return a;
    struct shape shape = {.kind = KIND_EXTRACT, .width = (uint16_t)width, .low = (uint16_t)low};
    Term t = term_fold_constants(terms, shape, &a);
    if (t) return t;
    if (rules_enter(terms)) {
        t = simplify_extract(terms, a, low, width);
        rules_leave(terms);
        if (t) return t;
    }
    struct node node = {.kind = KIND_EXTRACT, .width = (uint16_t)width, .aux = low, .args = {a}};
    return node_intern(terms, &node);
}

Term term_zext(struct terms *terms, Term a, unsigned width) {
    assert(width >= width_of(terms, a));
    if (width == width_of(terms, a)) return a;
    return term_concat(terms, term_const(terms, width - width_of(terms, a), 0), a);
}

Term term_resize(struct terms *terms, Term a, unsigned width) {
    return width >= width_of(terms, a) ? term_zext(terms, a, width) : term_extract(terms, a, 0, width);
}

Term term_sext(struct terms *terms, Term a, unsigned width) {
    assert(width >= width_of(terms, a) && width <= TERM_MAX_WIDTH && !is_array(terms, a));
    if (width == width_of(terms, a)) return a;
    struct shape shape = {.kind = KIND_SEXT, .width = (uint16_t)width};
    Term t = term_fold_constants(terms, shape, &a);
    if (t) return t;
    if (rules_enter(terms)) {
        t = simplify_sext(terms, a, width);
        rules_leave(terms);
        if (t) return t;
    }
    return node_intern1(terms, KIND_SEXT, width, a);
}

static Term array_ite(struct terms *terms, Term condition, Term a, Term b) {
    assert(width_of(terms, a) == width_of(terms, b) &&
           term_index_width(terms, a) == term_index_width(terms, b));
    if (!terms->raw && is_kind(terms, condition, KIND_NOT))
        return array_ite(terms, arg_of(terms, condition, 0), b, a);
    assert(!array_is_view(terms, a) && !array_is_view(terms, b));
    struct node node = {.kind = KIND_ARRAY_ITE,
                        .width = (uint16_t)width_of(terms, a),
                        .aux = term_index_width(terms, a),
                        .args = {condition, a, b}};
    return node_intern(terms, &node);
}

Term term_ite(struct terms *terms, Term condition, Term a, Term b) {
    assert(width_of(terms, condition) == 1 && !is_array(terms, condition));
    assert(is_array(terms, a) == is_array(terms, b) && width_of(terms, a) == width_of(terms, b));
    if (is_const(terms, condition)) return value_of(terms, condition) ? a : b;
    if (a == b) return a;
    if (is_array(terms, a)) return array_ite(terms, condition, a, b);
    if (rules_enter(terms)) {
        Term t = simplify_ite(terms, condition, a, b);
        rules_leave(terms);
        if (t) return t;
    }
    return node_intern3(terms, KIND_ITE, width_of(terms, a), condition, a, b);
}
