// Semantics of each operation on values.
#include "expr/expr_int.h"
#include "expr/softfloat.h"

static uint64_t signed_divide(uint64_t a, uint64_t b, unsigned width, bool remainder) {
    int64_t x = sign_extend(a, width), y = sign_extend(b, width);
    if (y == 0) return remainder ? a : x < 0 ? 1 : mask_bits(width);
    if (y == -1) return remainder ? 0 : -a & mask_bits(width); // the host would trap for the least value
    return (uint64_t)(remainder ? x % y : x / y) & mask_bits(width);
}

uint64_t apply_small(enum kind kind, unsigned width, uint64_t a, uint64_t b) {
    uint64_t mask = mask_bits(width);
    switch (kind) {
    case KIND_NOT: return ~a & mask;
    case KIND_AND: return a & b;
    case KIND_OR: return a | b;
    case KIND_XOR: return a ^ b;
    case KIND_NEG: return -a & mask;
    case KIND_ADD: return (a + b) & mask;
    case KIND_MUL: return a * b & mask;
    case KIND_UDIV: return b ? a / b : mask;
    case KIND_UREM: return b ? a % b : a;
    case KIND_SDIV: return signed_divide(a, b, width, false);
    case KIND_SREM: return signed_divide(a, b, width, true);
    case KIND_SHL: return b >= width ? 0 : a << b & mask;
    case KIND_LSHR: return b >= width ? 0 : a >> b;
    case KIND_ASHR: return (uint64_t)(sign_extend(a, width) >> MIN(b, 63)) & mask;
    case KIND_EQ: return a == b;
    case KIND_ULT: return a < b;
    case KIND_SLT: return sign_extend(a, width) < sign_extend(b, width);
    default: error_internal("apply_small: %s", kind_infos[kind].name);
    }
}

static void apply_wide(struct shape shape, const unsigned *widths, const uint64_t *const *args, uint64_t *r) {
    const uint64_t *a = args[0], *b = args[1];
    unsigned width = widths[0];
    switch (shape.kind) {
    case KIND_NOT: limbs_not(r, a, width); break;
    case KIND_AND: limbs_and(r, a, b, width); break;
    case KIND_OR: limbs_or(r, a, b, width); break;
    case KIND_XOR: limbs_xor(r, a, b, width); break;
    case KIND_NEG: limbs_neg(r, a, width); break;
    case KIND_ADD: limbs_add(r, a, b, width); break;
    case KIND_MUL: limbs_mul(r, a, b, width); break;
    case KIND_UDIV: limbs_udivrem(r, NULL, a, b, width); break;
    case KIND_UREM: limbs_udivrem(NULL, r, a, b, width); break;
    case KIND_SDIV: limbs_sdiv(r, a, b, width); break;
    case KIND_SREM: limbs_srem(r, a, b, width); break;
    case KIND_SHL: limbs_shl(r, a, limbs_amount(b, width), width); break;
    case KIND_LSHR: limbs_lshr(r, a, limbs_amount(b, width), width); break;
    case KIND_ASHR: limbs_ashr(r, a, limbs_amount(b, width), width); break;
    case KIND_CONCAT: limbs_concat(r, a, width, b, widths[1]); break;
    case KIND_EXTRACT: limbs_extract(r, a, width, shape.low, shape.width); break;
    case KIND_SEXT: limbs_sext(r, a, width, shape.width); break;
    case KIND_EQ: r[0] = limbs_eq(a, b, width); break;
    case KIND_ULT: r[0] = limbs_ult(a, b, width); break;
    case KIND_SLT: r[0] = limbs_slt(a, b, width); break;
    case KIND_ITE: limbs_copy(r, a[0] & 1 ? b : args[2], shape.width); break;
    default:
        assert(kind_infos[shape.kind].properties & KP_FLOAT);
        fp_apply(shape, width, args, r);
        break;
    }
}

void apply_limbs(struct shape shape, const unsigned *widths, const uint64_t *const *args, uint64_t *r) {
    if (widths[0] <= 64 && shape.width <= 64 &&
        (kind_infos[shape.kind].properties & (KP_SAME | KP_FLOAT)) == KP_SAME)
        r[0] = apply_small((enum kind)shape.kind, widths[0], args[0][0],
                           kind_infos[shape.kind].arity > 1 ? args[1][0] : 0);
    else
        apply_wide(shape, widths, args, r);
}

// The value of an operation whose operands and result have at most 64 bits. False: not an operation of this function.
static bool fold_narrow(struct shape shape, const unsigned *widths, const uint64_t *const *args,
                        uint64_t *result) {
    unsigned width = widths[0];
    uint64_t a = args[0][0], mask = mask_bits(shape.width);
    if (shape.kind == KIND_EXTRACT)
        *result = a >> shape.low & mask;
    else if (shape.kind == KIND_SEXT)
        *result = (uint64_t)sign_extend(a, width) & mask;
    else if ((kind_infos[shape.kind].properties & (KP_SAME | KP_FLOAT)) == KP_SAME)
        *result =
            apply_small((enum kind)shape.kind, width, a, kind_infos[shape.kind].arity > 1 ? args[1][0] : 0);
    else
        return false;
    return true;
}

Term term_fold_constants(struct terms *terms, struct shape shape, const Term *args) {
    unsigned arity = kind_infos[shape.kind].arity, widths[3] = {0};
    const uint64_t *values[3] = {0};
    for (unsigned i = 0; i < arity; i++) {
        if (!is_const(terms, args[i])) return 0;
        widths[i] = width_of(terms, args[i]);
        values[i] = term_const_words(terms, args[i]);
    }
    uint64_t small[4];
    if (widths[0] <= 64 && shape.width <= 64 && fold_narrow(shape, widths, values, small))
        return term_const(terms, shape.width, small[0]);
    size_t size = limbs_count(shape.width) * sizeof(uint64_t);
    uint64_t *result = shape.width <= 256 ? small : mem_alloc(size);
    apply_limbs(shape, widths, values, result);
    Term t = term_const_limbs(terms, shape.width, result);
    if (result != small) mem_free(result, size);
    return t;
}
