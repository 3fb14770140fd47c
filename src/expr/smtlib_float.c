// The theory of floating point: sorts, constants, operators. A float is the bit pattern of its format; only its sort
// tells it from a bit-vector. SMT-LIB has one NaN: equality of floats holds between all NaN patterns. The theory leaves
// some cases unspecified: conversions out of range are as in kinds.h, and the sign of the minimum of +0 and -0 is left
// open (with_open_zero).
#include "expr/print_term.h"
#include "expr/smtlib_int.h"

// Numbers of a script are exact rationals. They are kept in a wide format, rounded to odd: the last bit is set if the
// number is inexact. So rounding them again to any narrower format is exact.
#define REAL FP_FORMAT(FP_MAX_EXPONENT, FP_MAX_PRECISION, 0)

static const struct {
    const char *name;
    enum float_builtin op;
} names[] = {{"fp", FLOAT_FP},
             {"fp.gt", FLOAT_GT},
             {"fp.geq", FLOAT_GEQ},
             {"fp.to_ieee_bv", FLOAT_TO_BITS},
             {"-", FLOAT_MINUS},
             {"/", FLOAT_DIVIDE},
             {"to_fp", FLOAT_TO_FP},
             {"to_fp_unsigned", FLOAT_TO_FP_UNSIGNED},
             {"fp.to_ubv", FLOAT_TO_UBV},
             {"fp.to_sbv", FLOAT_TO_SBV}};

static const struct {
    const char *short_name, *long_name;
    enum fp_rounding rounding;
} roundings[] = {{"RNE", "roundNearestTiesToEven", FP_NEAREST_EVEN},
                 {"RNA", "roundNearestTiesToAway", FP_NEAREST_AWAY},
                 {"RTP", "roundTowardPositive", FP_UPWARD},
                 {"RTN", "roundTowardNegative", FP_DOWNWARD},
                 {"RTZ", "roundTowardZero", FP_TOWARD_ZERO}};

static void register_name(struct script *script, const char *name, uint32_t builtin) {
    uint32_t symbol = script_intern_symbol(script, name); // may move the symbols
    script->symbols.at[symbol].builtin = builtin;
}

void script_register_float_builtins(struct script *script) {
    for (unsigned i = 0; i < COUNT(names); i++) register_name(script, names[i].name, names[i].op);
    for (enum kind kind = KIND_NONE + 1; kind < KIND_COUNT; kind++)
        if (kind_infos[kind].properties & KP_FLOAT && kind_infos[kind].smtlib)
            register_name(script, kind_infos[kind].smtlib, FLOAT_KIND_FIRST + kind);
}

// ---- Sorts and constants

static struct sort float_sort(fp_format format) {
    return (struct sort){SORT_FLOAT, (uint16_t)fp_width(format), format};
}

void script_float_sort_text(struct sort sort, char *text, size_t size) {
    if (sort.kind == SORT_FLOAT)
        snprintf(text, size, "(_ FloatingPoint %u %u)", fp_exponent_bits(sort.index_width),
                 fp_precision(sort.index_width));
    else
        snprintf(text, size, sort.kind == SORT_ROUNDING ? "RoundingMode" : "Real");
}

// Reads the two numbers of a format, at `cell` and after it.
static bool read_format(struct script *script, uint32_t cell, fp_format *format) {
    uint64_t exponent, precision;
    if (!script_read_numeral(script, cell, &exponent)) return false;
    uint32_t second = cell_at(script, cell)->next;
    if (!script_read_numeral(script, second, &precision)) return false;
    if (exponent < 2 || exponent > FP_MAX_EXPONENT || precision < 2 || precision > FP_MAX_PRECISION - 2) {
        script_error(script, cell,
                     "unsupported: floats have 2 to %u bits of exponent and 2 to %u of significand",
                     FP_MAX_EXPONENT, FP_MAX_PRECISION - 2);
        return false;
    }
    *format = FP_FORMAT(exponent, precision, 0);
    return true;
}

bool script_read_float_sort(struct script *script, uint32_t cell, struct sort *sort) {
    static const struct {
        const char *name;
        fp_format format;
    } sorts[] = {{"Float16", FP_HALF}, {"Float32", FP_SINGLE}, {"Float64", FP_DOUBLE}, {"Float128", FP_QUAD}};
    const struct cell *c = cell_at(script, cell);
    if (c->token == TOKEN_SYMBOL) {
        for (unsigned i = 0; i < COUNT(sorts); i++) {
            if (!cell_is(script, cell, sorts[i].name)) continue;
            *sort = float_sort(sorts[i].format);
            return true;
        }
        return false;
    }
    uint32_t second = c->token == TOKEN_OPEN && c->count == 4 ? cell_at(script, c->child)->next : 0;
    fp_format format;
    if (!second || !cell_is(script, c->child, "_") || !cell_is(script, second, "FloatingPoint")) return false;
    if (!read_format(script, cell_at(script, second)->next, &format)) return false;
    *sort = float_sort(format);
    return true;
}

static Term infinity(struct terms *terms, fp_format f, bool sign) {
    Term head = term_concat(terms, term_bool(terms, sign),
                            term_const(terms, fp_exponent_bits(f), mask_bits(fp_exponent_bits(f))));
    return term_concat(terms, head, term_const(terms, fp_fraction_bits(f), 0));
}

// Reads (_ +oo 8 24) and the other constants. False: not a constant of floats.
bool script_read_float_constant(struct script *script, uint32_t cell, struct value *value) {
    const struct cell *c = cell_at(script, cell);
    uint32_t second = c->count == 4 ? cell_at(script, c->child)->next : 0;
    static const char *const constants[] = {"+zero", "-zero", "+oo", "-oo", "NaN"};
    unsigned which = 0;
    fp_format f;
    while (second && which < COUNT(constants) && !cell_is(script, second, constants[which])) which++;
    if (!second || which == COUNT(constants) || !read_format(script, cell_at(script, second)->next, &f))
        return false;
    struct terms *terms = script->terms;
    Term t = which < 2 ? term_concat(terms, term_bool(terms, which), term_const(terms, fp_width(f) - 1, 0))
                       : infinity(terms, f, which == 3);
    if (which == 4) {
        Term one = term_const(terms, fp_width(f), 1);
        t = term_or(terms, t, term_shl(terms, one, term_const(terms, fp_width(f), fp_precision(f) - 2)));
    }
    *value = (struct value){t, float_sort(f)};
    return true;
}

// A quotient rounded to odd.
static Term divide_reals(struct terms *terms, Term a, Term b) {
    Term quotient = term_fp_binary(terms, KIND_FP_DIV, REAL, FP_TOWARD_ZERO, a, b);
    Term up = term_fp_binary(terms, KIND_FP_DIV, REAL, FP_UPWARD, a, b);
    Term down = term_fp_binary(terms, KIND_FP_DIV, REAL, FP_DOWNWARD, a, b);
    return up == down ? quotient : term_or(terms, quotient, term_const(terms, fp_width(REAL), 1));
}

bool script_read_float_atom(struct script *script, uint32_t cell, struct value *value) {
    struct terms *terms = script->terms;
    const struct cell *c = cell_at(script, cell);
    const char *text = cell_text(script, cell);
    if (c->token == TOKEN_SYMBOL) {
        for (unsigned i = 0; i < COUNT(roundings); i++) {
            if (strcmp(text, roundings[i].short_name) != 0 && strcmp(text, roundings[i].long_name) != 0)
                continue;
            *value = (struct value){term_const(terms, 3, roundings[i].rounding),
                                    {.kind = SORT_ROUNDING, .width = 3}};
            return true;
        }
        return false;
    }
    if (c->token != TOKEN_NUMERAL && c->token != TOKEN_DECIMAL) return false;
    unsigned digits = 0, width = FP_MAX_PRECISION;
    Term ten = term_const(terms, width, 10), number = term_const(terms, width, 0),
         scale = term_const(terms, width, 1);
    bool behind_point = false;
    for (const char *p = text; *p; p++) {
        if (*p == '.') {
            behind_point = true;
            continue;
        }
        digits += digits || *p != '0' || behind_point;
        number =
            term_add(terms, term_mul(terms, number, ten), term_const(terms, width, (uint64_t)(*p - '0')));
        if (behind_point) scale = term_mul(terms, scale, ten);
    }
    if (digits > 47) { // 10^48 < 2^160
        script_error(script, cell, "unsupported: a number of more than 47 digits");
        return true;
    }
    number = term_int_to_fp(terms, false, REAL, FP_TOWARD_ZERO, number);
    scale = term_int_to_fp(terms, false, REAL, FP_TOWARD_ZERO, scale);
    *value = (struct value){divide_reals(terms, number, scale), {.kind = SORT_REAL, .width = fp_width(REAL)}};
    return true;
}

// ---- Operators

static bool give(const struct application *app, Term t, struct sort sort) {
    *app->result = (struct value){t, sort};
    return true;
}

static bool give_truth(const struct application *app, Term t) {
    return give(app, t, (struct sort){.kind = SORT_BOOL, .width = 1});
}

static bool is_rounding(const struct application *app, uint32_t i) {
    return i < app->count && app->args[i].sort.kind == SORT_ROUNDING;
}

static enum fp_rounding rounding_of(const struct application *app) {
    return (enum fp_rounding)term_value(app->script->terms, app->args[0].term);
}

// Checks that the arguments from `first` on are floats of one format.
static bool want_floats(const struct application *app, uint32_t first, uint32_t least, bool more) {
    uint32_t count = app->count - MIN(first, app->count);
    if (count < least || (!more && count > least))
        return script_wrong_operands(app, "wrong number of arguments");
    for (uint32_t i = first; i < app->count; i++) {
        if (app->args[i].sort.kind != SORT_FLOAT)
            return script_wrong_operands(app, "arguments must be floats");
        if (!same_sort(app->args[i].sort, app->args[first].sort))
            return script_wrong_operands(app, "arguments must have one format");
    }
    return true;
}

Term script_float_same(struct terms *terms, fp_format f, Term a, Term b) {
    Term nan =
        term_and(terms, term_fp_is(terms, KIND_FP_IS_NAN, f, a), term_fp_is(terms, KIND_FP_IS_NAN, f, b));
    return term_or(terms, nan, term_eq(terms, a, b));
}

// Compares each argument with the next one.
static bool apply_comparison(const struct application *app, enum kind kind, bool swapped) {
    struct terms *terms = app->script->terms;
    if (!want_floats(app, 0, 2, true)) return false;
    Term all = term_true(terms);
    for (uint32_t i = 0; i + 1 < app->count; i++) {
        Term a = app->args[i].term, b = app->args[i + 1].term;
        all = term_and(
            terms, all,
            term_fp_compare(terms, kind, app->args[0].sort.index_width, swapped ? b : a, swapped ? a : b));
    }
    return give_truth(app, all);
}

// fp.min and fp.max of zeros of different sign: SMT-LIB does not specify the result. It is given by two variables of
// one bit, one for each order of the signs, the same for all uses with one format.
static Term with_open_zero(struct script *script, struct shape shape, const Term *operands, Term t) {
    struct terms *terms = script->terms;
    unsigned width = shape.width;
    Term sign = term_extract(terms, operands[0], width - 1, 1),
         other = term_extract(terms, operands[1], width - 1, 1),
         zeros = term_and(terms, term_fp_is(terms, KIND_FP_IS_ZERO, shape.format, operands[0]),
                          term_fp_is(terms, KIND_FP_IS_ZERO, shape.format, operands[1])),
         is_open = term_and(terms, zeros, term_xor(terms, sign, other));
    if (is_open == term_false(terms)) return t;
    char name[40];
    snprintf(name, sizeof name, "\003%s %u %u", kind_infos[shape.kind].text, fp_exponent_bits(shape.format),
             fp_precision(shape.format));
    Term choice = term_variable(terms, name, 2);
    Term result = term_ite(terms, sign, term_extract(terms, choice, 0, 1), term_extract(terms, choice, 1, 1));
    return term_ite(terms, is_open, term_concat(terms, result, term_const(terms, width - 1, 0)), t);
}

static bool apply_float_kind(const struct application *app, enum kind kind) {
    unsigned properties = kind_infos[kind].properties, arity = kind_infos[kind].arity;
    uint32_t first = properties & KP_ROUNDS ? 1 : 0;
    if (properties & KP_PREDICATE && arity == 2) return apply_comparison(app, kind, false);
    if (first && !is_rounding(app, 0))
        return script_wrong_operands(app, "the first argument is a rounding mode, as RNE");
    if (!want_floats(app, first, arity, false)) return false;
    struct sort sort = app->args[first].sort;
    struct shape shape = {.kind = (uint8_t)kind,
                          .rounding = first ? (uint8_t)rounding_of(app) : 0,
                          .width = sort.width,
                          .format = sort.index_width};
    Term operands[3] = {0};
    for (unsigned i = 0; i < arity; i++) operands[i] = app->args[first + i].term;
    Term t = term_make(app->script->terms, shape, operands);
    if (kind == KIND_FP_MIN || kind == KIND_FP_MAX) t = with_open_zero(app->script, shape, operands, t);
    return properties & KP_PREDICATE ? give_truth(app, t) : give(app, t, sort);
}

// Applies (fp sign exponent fraction).
static bool apply_fp(const struct application *app) {
    if (app->count != 3) return script_wrong_operands(app, "wants sign, exponent and fraction");
    for (unsigned i = 0; i < 3; i++)
        if (app->args[i].sort.kind != SORT_BITS)
            return script_wrong_operands(app, "arguments must be bit-vectors");
    unsigned exponent = app->args[1].sort.width, fraction = app->args[2].sort.width;
    if (app->args[0].sort.width != 1 || exponent < 2 || exponent > FP_MAX_EXPONENT ||
        fraction > FP_MAX_PRECISION - 3)
        return script_wrong_operands(app, "unsupported widths");
    struct terms *terms = app->script->terms;
    Term t = term_concat(terms, app->args[0].term, term_concat(terms, app->args[1].term, app->args[2].term));
    return give(app, t, float_sort(FP_FORMAT(exponent, fraction + 1, 0)));
}

static bool apply_real(const struct application *app, bool divide) {
    struct terms *terms = app->script->terms;
    for (uint32_t i = 0; i < app->count; i++)
        if (app->args[i].sort.kind != SORT_REAL)
            return script_wrong_operands(app, "arguments must be numbers");
    if (app->count != (divide ? 2u : 1u)) return script_wrong_operands(app, "wrong number of arguments");
    Term a = app->args[0].term;
    Term t = divide ? divide_reals(terms, a, app->args[1].term)
                    : term_fp_unary(terms, KIND_FP_NEG, REAL, FP_NEAREST_EVEN, a);
    return give(app, t, app->args[0].sort);
}

// Applies ((_ to_fp e s) bits), and with a rounding mode: to a float, to a signed integer, to a number.
static bool apply_to_fp(const struct application *app, uint32_t index, bool is_unsigned) {
    struct terms *terms = app->script->terms;
    fp_format f;
    if (!read_format(app->script, index, &f)) return false;
    if (app->count == 1 && !is_unsigned && app->args[0].sort.kind == SORT_BITS) {
        if (app->args[0].sort.width != fp_width(f))
            return script_wrong_operands(app, "the bit-vector has another width");
        return give(app, app->args[0].term, float_sort(f));
    }
    if (app->count != 2 || !is_rounding(app, 0))
        return script_wrong_operands(app, "wants a rounding mode and a value");
    Term a = app->args[1].term, t = 0;
    enum fp_rounding rounding = rounding_of(app);
    switch (app->args[1].sort.kind) {
    case SORT_BITS: t = term_int_to_fp(terms, !is_unsigned, f, rounding, a); break;
    case SORT_FLOAT:
        t = is_unsigned ? 0 : term_fp_to_fp(terms, app->args[1].sort.index_width, f, rounding, a);
        break;
    case SORT_REAL: t = is_unsigned ? 0 : term_fp_to_fp(terms, REAL, f, rounding, a); break;
    default: break;
    }
    return t ? give(app, t, float_sort(f)) : script_wrong_operands(app, "the value has the wrong sort");
}

static bool apply_to_int(const struct application *app, uint32_t index, bool is_signed) {
    uint64_t width;
    if (!script_read_numeral(app->script, index, &width)) return false;
    if (width < 1 || width > TERM_MAX_WIDTH)
        return script_wrong_operands(app, "a bit-vector has 1 to 65535 bits");
    if (!is_rounding(app, 0))
        return script_wrong_operands(app, "the first argument is a rounding mode, as RNE");
    if (!want_floats(app, 1, 1, false)) return false;
    Term t = term_fp_to_int(app->script->terms, is_signed, app->args[1].sort.index_width, rounding_of(app),
                            app->args[1].term, (unsigned)width);
    return give(app, t, (struct sort){.kind = SORT_BITS, .width = (uint16_t)width});
}

bool script_apply_float(const struct application *app, uint32_t builtin, uint32_t head) {
    const struct script *script = app->script;
    const struct value *args = app->args;
    if (builtin >= FLOAT_KIND_FIRST) return apply_float_kind(app, (enum kind)(builtin - FLOAT_KIND_FIRST));
    uint32_t index = 0;
    if (FLOAT_IS_INDEXED(builtin)) {
        const struct cell *c = cell_at(script, head);
        uint32_t indices = builtin <= FLOAT_TO_FP_UNSIGNED ? 2 : 1;
        if (c->token != TOKEN_OPEN || c->count != indices + 2)
            return script_wrong_operands(app, "is an indexed operator: (_ name number ...)");
        index = cell_at(script, cell_at(script, c->child)->next)->next;
    }
    switch (builtin) {
    case FLOAT_FP: return apply_fp(app);
    case FLOAT_GT: return apply_comparison(app, KIND_FP_LT, true);
    case FLOAT_GEQ: return apply_comparison(app, KIND_FP_LE, true);
    case FLOAT_MINUS: return apply_real(app, false);
    case FLOAT_DIVIDE: return apply_real(app, true);
    case FLOAT_TO_FP:
    case FLOAT_TO_FP_UNSIGNED: return apply_to_fp(app, index, builtin == FLOAT_TO_FP_UNSIGNED);
    case FLOAT_TO_UBV:
    case FLOAT_TO_SBV: return apply_to_int(app, index, builtin == FLOAT_TO_SBV);
    default:
        assert(builtin == FLOAT_TO_BITS);
        if (!want_floats(app, 0, 1, false)) return false;
        return give(app, args[0].term, (struct sort){.kind = SORT_BITS, .width = args[0].sort.width});
    }
}

void script_print_float_value(struct text *out, struct sort sort, const uint64_t *bits) {
    fp_format f = sort.index_width;
    unsigned fraction = fp_fraction_bits(f), exponent = fp_exponent_bits(f), width = sort.width;
    uint64_t part[4] = {0};
    bool ones = true, any = false;
    for (unsigned i = 0; i < exponent; i++) ones &= limbs_bit(bits, fraction + i);
    for (unsigned i = 0; i < fraction; i++) any |= limbs_bit(bits, i);
    if (ones && any) {
        text_add(out, "(_ NaN %u %u)", exponent, fp_precision(f));
        return;
    }
    text_add(out, "(fp #b%d ", limbs_bit(bits, width - 1));
    limbs_extract(part, bits, width, fraction, exponent);
    smtlib_print_limbs(out, exponent, part);
    text_add(out, " ");
    limbs_extract(part, bits, width, 0, fraction);
    smtlib_print_limbs(out, fraction, part);
    text_add(out, ")");
}
