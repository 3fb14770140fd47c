#include "tests/fuzz/solver/pairs.h"

#include "solver/z3_float.h"

#include <stdio.h>

static unsigned width_of(struct pairs *p, struct pair a) { return term_width(p->terms, a.term); }
static bool is_array(struct pairs *p, struct pair a) { return term_is_array(p->terms, a.term); }

// If only floats are made, they have one format, as wide as a byte of the input.
#define PURE_FORMAT FP_FORMAT(4, 4, 0)

static struct pair constant(struct pairs *p, unsigned width, uint64_t value) {
    if (width < 64) value &= mask_bits(width);
    Z3_sort sort = Z3_mk_bv_sort(p->z3, width);
    return (struct pair){term_const(p->terms, width, value), Z3_mk_unsigned_int64(p->z3, value, sort)};
}

static Z3_ast bit_of(struct pairs *p, Z3_ast truth) {
    Z3_sort sort = Z3_mk_bv_sort(p->z3, 1);
    return Z3_mk_ite(p->z3, truth, Z3_mk_unsigned_int64(p->z3, 1, sort),
                     Z3_mk_unsigned_int64(p->z3, 0, sort));
}

Z3_ast pairs_truth(struct pairs *p, Z3_ast bit) {
    return Z3_mk_eq(p->z3, bit, Z3_mk_unsigned_int64(p->z3, 1, Z3_mk_bv_sort(p->z3, 1)));
}

bool pairs_z3_broken;

static void on_error(Z3_context context, Z3_error_code code) {
    if (code == Z3_EXCEPTION) { // while solving: for small floats 4.8.12 builds terms that it then rejects
        pairs_z3_broken = true;
        return;
    }
    fprintf(stderr, "Z3: %s\n", Z3_get_error_msg(context, code));
    assert(!"Z3 accepts what the pairs are made of");
}

void pairs_open(struct pairs *p, struct terms *terms, unsigned widest) {
    *p = (struct pairs){.terms = terms, .widest = widest};
    pairs_z3_broken = false;
    Z3_config config = Z3_mk_config();
    p->z3 = Z3_mk_context(config);
    Z3_del_config(config);
    Z3_set_error_handler(p->z3, on_error);
}

void pairs_close(struct pairs *p) {
    vec_free(&p->pool);
    Z3_del_context(p->z3);
}

// Leaves

static struct pair byte(struct pairs *p, uint32_t var) {
    Z3_symbol symbol = Z3_mk_int_symbol(p->z3, (int)var);
    return (struct pair){term_var_byte(p->terms, var), Z3_mk_const(p->z3, symbol, Z3_mk_bv_sort(p->z3, 8))};
}

static struct pair declared_array(struct pairs *p, const char *name, unsigned index_width, unsigned width) {
    Z3_sort sort = Z3_mk_array_sort(p->z3, Z3_mk_bv_sort(p->z3, index_width), Z3_mk_bv_sort(p->z3, width));
    Z3_ast array = Z3_mk_const(p->z3, Z3_mk_string_symbol(p->z3, name), sort);
    return (struct pair){term_array_variable(p->terms, name, index_width, width), array};
}

static Z3_ast zeros(struct pairs *p, unsigned index_width, unsigned width) {
    return Z3_mk_const_array(p->z3, Z3_mk_bv_sort(p->z3, index_width), constant(p, width, 0).z3);
}

static struct pair input_array(struct pairs *p, uint32_t input, unsigned index_width) {
    uint32_t size = terms_input_size(p->terms, input);
    Z3_ast array = zeros(p, index_width, 8);
    for (uint32_t i = 0; i < size && (index_width >= 32 || i < 1u << index_width); i++)
        array = Z3_mk_store(p->z3, array, constant(p, index_width, i).z3,
                            byte(p, terms_input_var(p->terms, input, i)).z3);
    return (struct pair){term_input_array(p->terms, input, size, index_width), array};
}

static struct pair table(struct pairs *p, struct random *random, unsigned index_width) {
    uint8_t bytes[40];
    unsigned count = 1 + (unsigned)random_below(random, index_width < 6 ? 1u << index_width : 40);
    Z3_ast array = zeros(p, index_width, 8);
    for (unsigned i = 0; i < count; i++) {
        bytes[i] = (uint8_t)(random_below(random, 3) ? random_next(random) : 0);
        array = Z3_mk_store(p->z3, array, constant(p, index_width, i).z3, constant(p, 8, bytes[i]).z3);
    }
    return (struct pair){term_array_bytes(p->terms, index_width, 1, bytes, count), array};
}

void pairs_add_leaves(struct pairs *p, struct random *random) {
    uint32_t size = 2 + (uint32_t)random_below(random, 9), input = terms_input(p->terms, "input", size);
    for (uint32_t i = 0; i < size; i++) vec_push(&p->pool, byte(p, terms_input_var(p->terms, input, i)));
    for (unsigned i = 0; i < 3; i++) {
        unsigned width = p->pure ? fp_width(PURE_FORMAT) : 1 + (unsigned)random_below(random, p->widest);
        vec_push(&p->pool, constant(p, width, random_next(random)));
    }
    if (p->pure) return;
    if (p->arrays) {
        struct pair leaves[] = {table(p, random, 8), input_array(p, input, 8),
                                declared_array(p, "memory", 8, 8), declared_array(p, "other", 8, 8)};
        for (unsigned i = 0; i < COUNT(leaves); i++) vec_push(&p->pool, leaves[i]);
        return;
    }
    unsigned arrays = (unsigned)random_below(random, 4);
    if (arrays > 0) vec_push(&p->pool, table(p, random, 2 + (unsigned)random_below(random, 9)));
    if (arrays > 1) vec_push(&p->pool, input_array(p, input, 4 + (unsigned)random_below(random, 16)));
    unsigned index_width = 1 + (unsigned)random_below(random, 70),
             width = 1 + (unsigned)random_below(random, 70);
    if (arrays > 2) vec_push(&p->pool, declared_array(p, "memory", index_width, width));
}

// Choosing

static struct pair any(struct pairs *p, struct random *random, bool array) {
    for (;;) { // leaves of bytes are always there; later ones are preferred
        uint32_t count = p->pool.count,
                 back = (uint32_t)random_below(random, random_below(random, 2) ? MIN(count, 8u) : count);
        struct pair found = p->pool.at[count - 1 - back];
        if (is_array(p, found) == array) return found;
        if (array && !random_below(random, 20)) { // there may be no array
            for (uint32_t i = 0; i < count; i++)
                if (is_array(p, p->pool.at[i])) return p->pool.at[i];
            return (struct pair){0};
        }
    }
}

static struct pair resized(struct pairs *p, struct pair a, unsigned width, bool is_signed) {
    unsigned from = width_of(p, a);
    if (from == width) return a;
    if (from > width)
        return (struct pair){term_extract(p->terms, a.term, 0, width),
                             Z3_mk_extract(p->z3, width - 1, 0, a.z3)};
    if (is_signed)
        return (struct pair){term_sext(p->terms, a.term, width), Z3_mk_sign_ext(p->z3, width - from, a.z3)};
    return (struct pair){term_zext(p->terms, a.term, width), Z3_mk_zero_ext(p->z3, width - from, a.z3)};
}

// A value of that width: one of the pool, cut or extended, or a constant.
static struct pair of_width(struct pairs *p, struct random *random, unsigned width) {
    static const uint64_t special[] = {0, 1, 2, 3, 7, 8, 255, 256, ~0ull, 1ull << 31, 1ull << 63};
    if (!random_below(random, 5)) {
        uint64_t value =
            random_below(random, 2) ? special[random_below(random, COUNT(special))] : random_next(random);
        return constant(p, width, value);
    }
    return resized(p, any(p, random, false), width, random_below(random, 2));
}

// Whether the result in twice the width differs from its lower half, extended. (Z3's own overflow predicates cannot be
// used: in 4.8.12 bvsmul_noovfl says that -1 times -1 overflows two bits.)
static Z3_ast overflow(struct pairs *p, enum kind kind, Z3_ast a, Z3_ast b) {
    Z3_context c = p->z3;
    unsigned width = Z3_get_bv_sort_size(c, Z3_get_sort(c, a));
    bool is_signed = kind == KIND_NEG_OVERFLOW || kind == KIND_SADD_OVERFLOW || kind == KIND_SSUB_OVERFLOW ||
                     kind == KIND_SMUL_OVERFLOW || kind == KIND_SDIV_OVERFLOW;
    Z3_ast (*extend)(Z3_context, unsigned, Z3_ast) = is_signed ? Z3_mk_sign_ext : Z3_mk_zero_ext;
    Z3_ast x = extend(c, width, a), y = b ? extend(c, width, b) : NULL, z = NULL;
    switch (kind) {
    case KIND_NEG_OVERFLOW: z = Z3_mk_bvneg(c, x); break;
    case KIND_UADD_OVERFLOW:
    case KIND_SADD_OVERFLOW: z = Z3_mk_bvadd(c, x, y); break;
    case KIND_USUB_OVERFLOW:
    case KIND_SSUB_OVERFLOW: z = Z3_mk_bvsub(c, x, y); break;
    case KIND_UMUL_OVERFLOW:
    case KIND_SMUL_OVERFLOW: z = Z3_mk_bvmul(c, x, y); break;
    default: // only the least number divided by -1 overflows (division by zero has a defined result)
        z = Z3_mk_ite(c, Z3_mk_eq(c, y, Z3_mk_int(c, 0, Z3_get_sort(c, y))), x, Z3_mk_bvsdiv(c, x, y));
        break;
    }
    assert(kind >= KIND_NEG_OVERFLOW && kind <= KIND_SDIV_OVERFLOW);
    Z3_ast fits = Z3_mk_eq(c, z, extend(c, width, Z3_mk_extract(c, width - 1, 0, z)));
    return bit_of(p, Z3_mk_not(c, fits));
}

static Z3_ast predicate(struct pairs *p, enum kind kind, Z3_ast a, Z3_ast b) {
    Z3_context c = p->z3;
    switch (kind) {
    case KIND_EQ: return bit_of(p, Z3_mk_eq(c, a, b));
    case KIND_NE: return bit_of(p, Z3_mk_not(c, Z3_mk_eq(c, a, b)));
    case KIND_ULT: return bit_of(p, Z3_mk_bvult(c, a, b));
    case KIND_SLT: return bit_of(p, Z3_mk_bvslt(c, a, b));
    case KIND_ULE: return bit_of(p, Z3_mk_bvule(c, a, b));
    case KIND_UGT: return bit_of(p, Z3_mk_bvugt(c, a, b));
    case KIND_UGE: return bit_of(p, Z3_mk_bvuge(c, a, b));
    case KIND_SLE: return bit_of(p, Z3_mk_bvsle(c, a, b));
    case KIND_SGT: return bit_of(p, Z3_mk_bvsgt(c, a, b));
    case KIND_SGE: return bit_of(p, Z3_mk_bvsge(c, a, b));
    default: return overflow(p, kind, a, b);
    }
}

static Z3_ast operation(struct pairs *p, enum kind kind, Z3_ast a, Z3_ast b) {
    Z3_context c = p->z3;
    switch (kind) {
    case KIND_NOT: return Z3_mk_bvnot(c, a);
    case KIND_AND: return Z3_mk_bvand(c, a, b);
    case KIND_OR: return Z3_mk_bvor(c, a, b);
    case KIND_XOR: return Z3_mk_bvxor(c, a, b);
    case KIND_NAND: return Z3_mk_bvnand(c, a, b);
    case KIND_NOR: return Z3_mk_bvnor(c, a, b);
    case KIND_XNOR: return Z3_mk_bvxnor(c, a, b);
    case KIND_NEG: return Z3_mk_bvneg(c, a);
    case KIND_ADD: return Z3_mk_bvadd(c, a, b);
    case KIND_SUB: return Z3_mk_bvsub(c, a, b);
    case KIND_MUL: return Z3_mk_bvmul(c, a, b);
    case KIND_UDIV: return Z3_mk_bvudiv(c, a, b);
    case KIND_UREM: return Z3_mk_bvurem(c, a, b);
    case KIND_SDIV: return Z3_mk_bvsdiv(c, a, b);
    case KIND_SREM: return Z3_mk_bvsrem(c, a, b);
    case KIND_SMOD: return Z3_mk_bvsmod(c, a, b);
    case KIND_SHL: return Z3_mk_bvshl(c, a, b);
    case KIND_LSHR: return Z3_mk_bvlshr(c, a, b);
    case KIND_ASHR: return Z3_mk_bvashr(c, a, b);
    case KIND_ROTL: return Z3_mk_ext_rotate_left(c, a, b);
    case KIND_ROTR: return Z3_mk_ext_rotate_right(c, a, b);
    default: return predicate(p, kind, a, b);
    }
}

static const enum kind operations[] = {
    KIND_NOT,
    KIND_AND,
    KIND_OR,
    KIND_XOR,
    KIND_NAND,
    KIND_NOR,
    KIND_XNOR,
    KIND_NEG,
    KIND_ADD,
    KIND_ADD,
    KIND_SUB,
    KIND_MUL,
    KIND_UDIV,
    KIND_UREM,
    KIND_SDIV,
    KIND_SREM,
    KIND_SMOD,
    KIND_SHL,
    KIND_LSHR,
    KIND_ASHR,
    KIND_ROTL,
    KIND_ROTR,
    KIND_EQ,
    KIND_EQ,
    KIND_NE,
    KIND_ULT,
    KIND_ULT,
    KIND_SLT,
    KIND_ULE,
    KIND_UGT,
    KIND_UGE,
    KIND_SLE,
    KIND_SGT,
    KIND_SGE,
    KIND_NEG_OVERFLOW,
    KIND_UADD_OVERFLOW,
    KIND_SADD_OVERFLOW,
    KIND_USUB_OVERFLOW,
    KIND_SSUB_OVERFLOW,
    KIND_UMUL_OVERFLOW,
    KIND_SMUL_OVERFLOW,
    KIND_SDIV_OVERFLOW,
};

static bool is_costly(enum kind kind) {
    return (kind >= KIND_MUL && kind <= KIND_SREM) || kind == KIND_SMOD || kind == KIND_UMUL_OVERFLOW ||
           kind == KIND_SMUL_OVERFLOW;
}

static struct pair random_operation(struct pairs *p, struct random *random) {
    enum kind kind = operations[random_below(random, COUNT(operations))];
    struct pair a = any(p, random, false);
    unsigned width = width_of(p, a);
    if (random_below(random, 4) == 0) width = 1 + (unsigned)random_below(random, p->widest);
    if (is_costly(kind) && width > 10 && random_below(random, 24)) width = 1 + width % 10;
    a = resized(p, a, width, random_below(random, 2));
    struct pair b = kind_infos[kind].arity > 1 ? of_width(p, random, width) : (struct pair){0};
    return (struct pair){term_apply(p->terms, kind, a.term, b.term, 0), operation(p, kind, a.z3, b.z3)};
}

static struct pair random_cut(struct pairs *p, struct random *random) {
    struct pair a = any(p, random, false), b = any(p, random, false);
    unsigned width = width_of(p, a), low;
    if (width + width_of(p, b) <= p->widest && random_below(random, 2))
        return (struct pair){term_concat(p->terms, a.term, b.term), Z3_mk_concat(p->z3, a.z3, b.z3)};
    if (random_below(random, 2))
        return resized(p, a, 1 + (unsigned)random_below(random, p->widest), random_below(random, 2));
    low = (unsigned)random_below(random, width);
    width = 1 + (unsigned)random_below(random, width - low);
    return (struct pair){term_extract(p->terms, a.term, low, width),
                         Z3_mk_extract(p->z3, low + width - 1, low, a.z3)};
}

static struct pair random_choice(struct pairs *p, struct random *random, bool array) {
    struct pair condition = resized(p, any(p, random, false), 1, false), a = any(p, random, array), b = a;
    if (!a.term) return a;
    if (!array) b = of_width(p, random, width_of(p, a));
    for (unsigned i = 0; array && i < 5; i++) {
        struct pair other = any(p, random, true);
        bool fits = width_of(p, other) == width_of(p, a) &&
                    term_index_width(p->terms, other.term) == term_index_width(p->terms, a.term);
        if (fits) b = other;
    }
    return (struct pair){term_ite(p->terms, condition.term, a.term, b.term),
                         Z3_mk_ite(p->z3, pairs_truth(p, condition.z3), a.z3, b.z3)};
}

static struct pair random_array_operation(struct pairs *p, struct random *random) {
    struct pair array = any(p, random, true);
    if (!array.term) return array;
    struct pair index = of_width(p, random, term_index_width(p->terms, array.term));
    if (random_below(random, 3))
        return (struct pair){term_select(p->terms, array.term, index.term),
                             Z3_mk_select(p->z3, array.z3, index.z3)};
    if (!random_below(random, 5)) return random_choice(p, random, true);
    struct pair value = of_width(p, random, width_of(p, array));
    return (struct pair){term_store(p->terms, array.term, index.term, value.term),
                         Z3_mk_store(p->z3, array.z3, index.z3, value.z3)};
}

// Floats: mostly in small formats, where Z3 answers soon, sometimes in C's formats. They are translated by the solver's
// own code (z3_float.c) and computed by Z3.

static Z3_ast float_constant(void *owner, Term t) {
    struct pairs *p = owner;
    unsigned width = term_width(p->terms, t);
    bool bits[256];
    for (unsigned i = 0; i < width; i++) bits[i] = term_const_bit(p->terms, t, i);
    return Z3_mk_bv_numeral(p->z3, width, bits);
}

static fp_format random_format(struct random *random) {
    static const fp_format formats[] = {
        FP_FORMAT(4, 4, 0), FP_FORMAT(3, 5, 0), FP_FORMAT(4, 6, 0), FP_FORMAT(4, 5, 1), FP_HALF, FP_SINGLE};
    return formats[random_below(random, random_below(random, 12) ? 4 : COUNT(formats))];
}

// Operations from floats to a float; to a condition; all others.
static const enum kind float_kinds[] = {
    KIND_FP_ADD,   KIND_FP_SUB,     KIND_FP_MUL,     KIND_FP_DIV,     KIND_FP_FMA,    KIND_FP_SQRT,
    KIND_FP_MIN,   KIND_FP_MAX,     KIND_FP_ROUND,   KIND_FP_EQ,      KIND_FP_LT,     KIND_FP_LE,
    KIND_FP_TO_FP, KIND_FP_TO_SINT, KIND_FP_TO_UINT, KIND_SINT_TO_FP, KIND_UINT_TO_FP};
#define TO_FLOAT 9u
#define TO_TRUTH 3u

static struct pair float_operation(struct pairs *p, struct random *random, enum kind kind, fp_format format) {
    struct shape shape = {.kind = (uint8_t)kind, .format = format};
    unsigned operand_width = fp_width(shape.format);
    shape.width = (uint16_t)operand_width;
    if (kind_infos[kind].properties & KP_ROUNDS) shape.rounding = (uint8_t)random_below(random, FP_ROUNDINGS);
    if (kind_infos[kind].properties & KP_PREDICATE) shape.width = 1;
    if (kind == KIND_FP_TO_FP || kind == KIND_FP_TO_SINT || kind == KIND_FP_TO_UINT) {
        shape.source = random_format(random);
        operand_width = fp_width(shape.source);
    }
    if (kind == KIND_FP_TO_SINT || kind == KIND_FP_TO_UINT) {
        shape.format = 0;
        shape.width = (uint16_t)(1 + random_below(random, 20));
    }
    if (kind == KIND_SINT_TO_FP || kind == KIND_UINT_TO_FP)
        operand_width = 1 + (unsigned)random_below(random, 20);
    Term terms[3] = {0};
    Z3_ast asts[3] = {NULL};
    for (unsigned i = 0; i < kind_infos[kind].arity; i++) {
        struct pair operand = of_width(p, random, operand_width);
        terms[i] = operand.term;
        asts[i] = operand.z3;
    }
    struct z3_float z = {p->terms, p->z3, float_constant, p};
    Z3_ast value = z3_float(&z, shape, asts);
    if (shape.width == 1 && kind_infos[kind].properties & KP_PREDICATE) value = bit_of(p, value);
    return (struct pair){term_make(p->terms, shape, terms), value};
}

static struct pair random_float_operation(struct pairs *p, struct random *random) {
    enum kind kind = float_kinds[random_below(random, COUNT(float_kinds))];
    return float_operation(p, random, kind, random_format(random));
}

void pairs_add(struct pairs *p, struct random *random) {
    struct pair made = {0};
    if (p->pure) {
        made = float_operation(p, random, float_kinds[random_below(random, TO_FLOAT)], PURE_FORMAT);
        vec_push(&p->pool, made);
        return;
    }
    if (p->floats && random_below(random, 3) == 0) {
        made = random_float_operation(p, random);
        vec_push(&p->pool, made);
        return;
    }
    if (p->arrays && random_below(random, 2)) {
        made = random_array_operation(p, random);
        vec_push(&p->pool, made);
        return;
    }
    switch (random_below(random, 8)) {
    case 0: made = random_cut(p, random); break;
    case 1: made = random_choice(p, random, false); break;
    case 2:
    case 3: made = random_array_operation(p, random); break;
    default: break;
    }
    if (!made.term) made = random_operation(p, random);
    vec_push(&p->pool, made);
}

struct pair pairs_condition(struct pairs *p, struct random *random) {
    struct pair condition = {0};
    for (unsigned i = 0; i < 8; i++) {
        if (p->pure) {
            enum kind compare = float_kinds[TO_FLOAT + random_below(random, TO_TRUTH)];
            condition = float_operation(p, random, compare, PURE_FORMAT);
            if (!term_is_const(p->terms, condition.term)) break;
            continue;
        }
        struct pair a = any(p, random, false);
        unsigned width = width_of(p, a);
        enum kind kind =
            (enum kind[]){KIND_EQ, KIND_NE, KIND_ULT, KIND_SLT, KIND_ULE}[random_below(random, 5)];
        struct pair b = of_width(p, random, width);
        condition = a;
        if (width > 1)
            condition =
                (struct pair){term_apply(p->terms, kind, a.term, b.term, 0), operation(p, kind, a.z3, b.z3)};
        if (!term_is_const(p->terms, condition.term)) break;
    }
    return condition;
}

struct pair pairs_not(struct pairs *p, struct pair a) {
    return (struct pair){term_not(p->terms, a.term), Z3_mk_bvnot(p->z3, a.z3)};
}
