// Facts of a float's bits, derived from the range of the number (float_range.h) as a range of patterns. Patterns of
// one sign increase with the magnitude. So the two ranges are equivalent if the sign is known and the float is not a
// NaN.
#include "expr/expr_int.h"
#include "expr/float_range.h"

#define DEEPEST 4 // limit of visited levels of nodes over 64 bits, which have no facts

static struct float_range range_of(const struct terms *terms, Term t, fp_format f, unsigned depth);

static bool is_all(struct float_range r, fp_format f) {
    struct float_range all = float_range_all(f);
    return r.low == all.low && r.high == all.high && r.nan;
}

static struct int_range int_range_of(const struct terms *terms, Term t, bool is_signed) {
    unsigned width = width_of(terms, t);
    struct facts facts = node_of(terms, t)->facts;
    if (!is_signed) return (struct int_range){facts.low, facts.high};
    return (struct int_range){facts_signed_low(facts, width), facts_signed_high(facts, width)};
}

static struct float_range result_of(const struct terms *terms, const struct node *node, unsigned depth) {
    struct shape shape = node_shape(node);
    struct float_range args[3];
    if (shape.kind == KIND_SINT_TO_FP || shape.kind == KIND_UINT_TO_FP) {
        if (width_of(terms, node->args[0]) > 64) return float_range_all(shape.format);
        return float_range_from_int(shape, int_range_of(terms, node->args[0], shape.kind == KIND_SINT_TO_FP));
    }
    fp_format source = shape.kind == KIND_FP_TO_FP ? shape.source : shape.format;
    unsigned arity = kind_infos[shape.kind].arity, unknown = 0;
    if (!float_has_ranks(source)) return float_range_all(shape.format);
    for (unsigned i = 0; i < arity; i++) {
        args[i] = range_of(terms, node->args[i], source, depth);
        unknown += is_all(args[i], source);
    }
    // Nothing is known of any operand, so nothing of the result.
    return unknown == arity ? float_range_all(shape.format) : float_range_apply(shape, args);
}

static struct float_range range_of(const struct terms *terms, Term t, fp_format f, unsigned depth) {
    const struct node *node = node_of(terms, t);
    if (node->kind == KIND_CONST) return float_range_of(f, term_const_words(terms, t));
    if (node->width <= 64) return float_range_between(f, node->facts.low, node->facts.high);
    bool is_result = kind_infos[node->kind].properties & KP_FLOAT && (fp_format)node->aux == f;
    return depth && is_result ? result_of(terms, node, depth - 1) : float_range_all(f);
}

static struct facts facts_of_range(struct float_range r, fp_format f) {
    unsigned width = fp_width(f);
    if (r.nan || r.low > r.high || (r.low < 0) != (r.high < 0)) return facts_unknown(width);
    struct facts facts = facts_unknown(width);
    float_range_pattern(f, r.low < 0 ? r.high : r.low, &facts.low);
    float_range_pattern(f, r.low < 0 ? r.low : r.high, &facts.high);
    return facts;
}

static struct facts facts_of_comparison(const struct terms *terms, const struct node *node, fp_format f) {
    struct float_range a = range_of(terms, node->args[0], f, DEEPEST);
    struct float_range b = range_of(terms, node->args[1], f, DEEPEST);
    struct truth truth = float_range_compare((enum kind)node->kind, a, b);
    return truth.no && truth.yes ? facts_unknown(1) : facts_const(truth.yes, 1);
}

static struct facts facts_of_integer(const struct terms *terms, const struct node *node) {
    struct shape shape = node_shape(node);
    struct facts facts = facts_unknown(node->width);
    if (!float_has_ranks(shape.source)) return facts;
    struct float_range a = range_of(terms, node->args[0], shape.source, DEEPEST);
    if (a.nan) return facts;
    struct int_range r = float_range_to_int(shape, a);
    if ((r.low < 0) != (r.high < 0)) return facts;
    facts.low = (uint64_t)r.low & mask_bits(node->width);
    facts.high = (uint64_t)r.high & mask_bits(node->width);
    return facts;
}

struct facts facts_of_float(const struct terms *terms, const struct node *node) {
    fp_format f = (fp_format)node->aux;
    assert(node->width <= 64 && kind_infos[node->kind].properties & KP_FLOAT);
    if (node->kind == KIND_FP_TO_SINT || node->kind == KIND_FP_TO_UINT) return facts_of_integer(terms, node);
    if (!float_has_ranks(f)) return facts_unknown(node->width);
    if (kind_infos[node->kind].properties & KP_PREDICATE) return facts_of_comparison(terms, node, f);
    return fp_explicit(f) ? facts_unknown(node->width) : facts_of_range(result_of(terms, node, DEEPEST), f);
}
