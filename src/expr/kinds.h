// The table of the term language: every operation, its names and properties. The enum, the printers, the SMT-LIB
// reader and the random generator of the tests are made from it.
//
// CORE kinds are the kinds of nodes: code that walks terms (blaster, evaluator) meets only these kinds. DERIVED
// operations are builders only (term_apply, term_sub, term_ule ...): they are expressed in core kinds, so no node has
// such a kind. VIEWS are arrays made of other arrays. Reading an element of a view gives a term over those other
// arrays, so no SELECT reads a view, and code that walks bit-vector terms does not meet views (array_views.c).
//
// X(NAME, "text", arity, "SMT-LIB name", "C spelling", properties)
//
// "text" is the name in Tamar's own messages. SMT-LIB name and C spelling are NULL if the operation has none.
#ifndef TAMAR_EXPR_KINDS_H
#define TAMAR_EXPR_KINDS_H

// Properties.
// f(a, b) = f(b, a). A constant is the second operand, else the smaller id is first (sums: left-nested).
#define KP_COMMUTES  1u
#define KP_PREDICATE 2u // the result is one bit
#define KP_SAME      4u // bit-vector operands have the same width; so has the result, unless KP_PREDICATE is set
#define KP_ARRAY     8u  // the result is an array
#define KP_LEAF      16u // no term operands
#define KP_FLOAT     32u // floats are bit patterns of the shape's format (conversions: see struct shape)
#define KP_ROUNDS    64u // depends on the shape's rounding mode

// clang-format off
#define CORE_KINDS(X)                                                                                  \
    /* Leaves. */                                                                                      \
    X(CONST,       "const",       0, NULL,      NULL,  KP_LEAF)                                        \
    X(BYTE,        "byte",        0, NULL,      NULL,  KP_LEAF) /* 8 bits: one byte of an input */     \
    X(ARRAY_INPUT, "array-input", 0, NULL,      NULL,  KP_LEAF | KP_ARRAY) /* first n input bytes, then 0 */ \
    X(ARRAY_VAR,   "array-var",   0, NULL,      NULL,  KP_LEAF | KP_ARRAY) /* declared in SMT-LIB */   \
    /* Bitwise; one-bit vectors are the booleans. */                                                   \
    X(NOT,         "not",         1, "bvnot",   "~",   KP_SAME)                                        \
    X(AND,         "and",         2, "bvand",   "&",   KP_SAME | KP_COMMUTES)                          \
    X(OR,          "or",          2, "bvor",    "|",   KP_SAME | KP_COMMUTES)                          \
    X(XOR,         "xor",         2, "bvxor",   "^",   KP_SAME | KP_COMMUTES)                          \
    /* Arithmetic modulo 2^width. Division by zero as SMT-LIB has it: x/u0 = ~0, x%u0 = x,             \
       x/s0 = x<0 ? 1 : -1, x%s0 = x. */                                                               \
    X(NEG,         "neg",         1, "bvneg",   "-",   KP_SAME)                                        \
    X(ADD,         "add",         2, "bvadd",   "+",   KP_SAME | KP_COMMUTES)                          \
    X(MUL,         "mul",         2, "bvmul",   "*",   KP_SAME | KP_COMMUTES)                          \
    X(UDIV,        "udiv",        2, "bvudiv",  "/u",  KP_SAME)                                        \
    X(UREM,        "urem",        2, "bvurem",  "%u",  KP_SAME)                                        \
    X(SDIV,        "sdiv",        2, "bvsdiv",  "/s",  KP_SAME)                                        \
    X(SREM,        "srem",        2, "bvsrem",  "%s",  KP_SAME) /* sign of the dividend, as in C */    \
    /* Shifts by a term of the same width; by the width or more: 0, 0, copies of the sign. By a constant     \
       they are concat, extract and sext, so these have a non-constant second operand. */              \
    X(SHL,         "shl",         2, "bvshl",   "<<",  KP_SAME)                                        \
    X(LSHR,        "lshr",        2, "bvlshr",  ">>u", KP_SAME)                                        \
    X(ASHR,        "ashr",        2, "bvashr",  ">>s", KP_SAME)                                        \
    /* Cutting and joining. concat(high, low): high is not a concat (chains are right-nested). A zero-extension \
       is concat(0, x). extract: bits [low, low + width). */                                           \
    X(CONCAT,      "concat",      2, "concat",  NULL,  0)                                              \
    X(EXTRACT,     "extract",     1, NULL,      NULL,  0)                                              \
    X(SEXT,        "sext",        1, NULL,      NULL,  0)                                              \
    /* The canonical predicates; constants stand on the right. */                                      \
    X(EQ,          "eq",          2, NULL,      "==",  KP_SAME | KP_COMMUTES | KP_PREDICATE) /* width > 1 */ \
    X(ULT,         "ult",         2, "bvult",   "<u",  KP_SAME | KP_PREDICATE)                         \
    X(SLT,         "slt",         2, "bvslt",   "<s",  KP_SAME | KP_PREDICATE)                         \
    X(ITE,         "ite",         3, "ite",     NULL,  0)                                              \
    /* Arrays from index-width bits to width bits. */                                                  \
    X(SELECT,      "select",      2, "select",  NULL,  0)                                              \
    X(STORE,       "store",       3, "store",   NULL,  KP_ARRAY)                                       \
    X(ARRAY_CONST, "array-const", 1, NULL,      NULL,  KP_ARRAY) /* the operand everywhere */          \
    X(ARRAY_LITERAL, "array-literal", 0, NULL,  NULL,  KP_ARRAY) /* listed elements, then 0 */         \
    X(ARRAY_ITE,   "array-ite",   3, "ite",     NULL,  KP_ARRAY)                                       \
    X(ARRAY_EQ,    "array-eq",    2, NULL,      "==",  KP_COMMUTES | KP_PREDICATE)                     \
    /* Floating point: operands and results are storage bit patterns. NaN results follow x86-64 SSE:   \
       the first NaN operand (x87: the one that the x87 picks) made quiet, else the default NaN        \
       (negative, quiet, no payload). */                                                               \
    X(FP_ADD,      "fp.add",      2, "fp.add",  "+.",  KP_FLOAT | KP_SAME | KP_ROUNDS)                 \
    X(FP_SUB,      "fp.sub",      2, "fp.sub",  "-.",  KP_FLOAT | KP_SAME | KP_ROUNDS)                 \
    X(FP_MUL,      "fp.mul",      2, "fp.mul",  "*.",  KP_FLOAT | KP_SAME | KP_ROUNDS)                 \
    X(FP_DIV,      "fp.div",      2, "fp.div",  "/.",  KP_FLOAT | KP_SAME | KP_ROUNDS)                 \
    X(FP_FMA,      "fp.fma",      3, "fp.fma",  NULL,  KP_FLOAT | KP_SAME | KP_ROUNDS)                 \
    X(FP_SQRT,     "fp.sqrt",     1, "fp.sqrt", NULL,  KP_FLOAT | KP_SAME | KP_ROUNDS)                 \
    X(FP_REM,      "fp.rem",      2, "fp.rem",  NULL,  KP_FLOAT | KP_SAME) /* IEEE remainder */        \
    X(FP_MOD,      "fp.mod",      2, NULL,      "%.",  KP_FLOAT | KP_SAME) /* C's fmod, LLVM's frem */ \
    X(FP_MIN,      "fp.min",      2, "fp.min",  NULL,  KP_FLOAT | KP_SAME) /* C's fmin; -0 below +0 */ \
    X(FP_MAX,      "fp.max",      2, "fp.max",  NULL,  KP_FLOAT | KP_SAME)                             \
    X(FP_ROUND,    "fp.round",    1, "fp.roundToIntegral", NULL, KP_FLOAT | KP_SAME | KP_ROUNDS)       \
    X(FP_EQ,       "fp.eq",       2, "fp.eq",   "==.", KP_FLOAT | KP_SAME | KP_COMMUTES | KP_PREDICATE) \
    X(FP_LT,       "fp.lt",       2, "fp.lt",   "<.",  KP_FLOAT | KP_SAME | KP_PREDICATE)              \
    X(FP_LE,       "fp.le",       2, "fp.leq",  "<=.", KP_FLOAT | KP_SAME | KP_PREDICATE)              \
    /* Conversions. Out of range or NaN: to signed 100..0, to unsigned 11..1. */                       \
    X(FP_TO_FP,    "fp.to_fp",    1, NULL,      NULL,  KP_FLOAT | KP_ROUNDS) /* from source to format */ \
    X(FP_TO_SINT,  "fp.to_sbv",   1, NULL,      NULL,  KP_FLOAT | KP_ROUNDS) /* from source */         \
    X(FP_TO_UINT,  "fp.to_ubv",   1, NULL,      NULL,  KP_FLOAT | KP_ROUNDS) /* from source */         \
    X(SINT_TO_FP,  "sint-to-fp",  1, NULL,      NULL,  KP_FLOAT | KP_ROUNDS) /* to format */           \
    X(UINT_TO_FP,  "uint-to-fp",  1, NULL,      NULL,  KP_FLOAT | KP_ROUNDS)

#define VIEW_KINDS(X)                                                                                  \
    /* Splice(below, above, concat(at, count)): element i is that of `above` if i - at < count, else that of `below`. */ \
    X(ARRAY_SPLICE, "array-splice", 3, NULL,    NULL,  KP_ARRAY)                                       \
    X(ARRAY_SHIFT, "array-shift", 2, NULL,      NULL,  KP_ARRAY) /* element i is element i + distance */ \
    X(ARRAY_NARROW, "array-narrow", 1, NULL,    NULL,  KP_ARRAY) /* elements cut into parts, lowest first */

#define DERIVED_KINDS(X)                                                                               \
    X(SUB,         "sub",         2, "bvsub",   "-",   KP_SAME)                                        \
    X(SMOD,        "smod",        2, "bvsmod",  NULL,  KP_SAME) /* sign of the divisor; x mod 0 = x */ \
    X(NAND,        "nand",        2, "bvnand",  NULL,  KP_SAME | KP_COMMUTES)                          \
    X(NOR,         "nor",         2, "bvnor",   NULL,  KP_SAME | KP_COMMUTES)                          \
    X(XNOR,        "xnor",        2, "bvxnor",  NULL,  KP_SAME | KP_COMMUTES)                          \
    X(NE,          "ne",          2, NULL,      "!=",  KP_SAME | KP_COMMUTES | KP_PREDICATE)           \
    X(ULE,         "ule",         2, "bvule",   "<=u", KP_SAME | KP_PREDICATE)                         \
    X(UGT,         "ugt",         2, "bvugt",   ">u",  KP_SAME | KP_PREDICATE)                         \
    X(UGE,         "uge",         2, "bvuge",   ">=u", KP_SAME | KP_PREDICATE)                         \
    X(SLE,         "sle",         2, "bvsle",   "<=s", KP_SAME | KP_PREDICATE)                         \
    X(SGT,         "sgt",         2, "bvsgt",   ">s",  KP_SAME | KP_PREDICATE)                         \
    X(SGE,         "sge",         2, "bvsge",   ">=s", KP_SAME | KP_PREDICATE)                         \
    X(ROTL,        "rotl",        2, NULL,      NULL,  KP_SAME) /* by a term, modulo the width */      \
    X(ROTR,        "rotr",        2, NULL,      NULL,  KP_SAME)                                        \
    X(ZEXT,        "zext",        1, NULL,      NULL,  0)                                              \
    /* One bit: does the operation overflow? */                                                        \
    X(NEG_OVERFLOW,  "nego",      1, "bvnego",  NULL,  KP_SAME | KP_PREDICATE)                         \
    X(UADD_OVERFLOW, "uaddo",     2, "bvuaddo", NULL,  KP_SAME | KP_COMMUTES | KP_PREDICATE)           \
    X(SADD_OVERFLOW, "saddo",     2, "bvsaddo", NULL,  KP_SAME | KP_COMMUTES | KP_PREDICATE)           \
    X(USUB_OVERFLOW, "usubo",     2, "bvusubo", NULL,  KP_SAME | KP_PREDICATE)                         \
    X(SSUB_OVERFLOW, "ssubo",     2, "bvssubo", NULL,  KP_SAME | KP_PREDICATE)                         \
    X(UMUL_OVERFLOW, "umulo",     2, "bvumulo", NULL,  KP_SAME | KP_COMMUTES | KP_PREDICATE)           \
    X(SMUL_OVERFLOW, "smulo",     2, "bvsmulo", NULL,  KP_SAME | KP_COMMUTES | KP_PREDICATE)           \
    X(SDIV_OVERFLOW, "sdivo",     2, "bvsdivo", NULL,  KP_SAME | KP_PREDICATE)                         \
    /* Floating point by bit operations. */                                                            \
    X(FP_NEG,      "fp.neg",      1, "fp.neg",  NULL,  KP_FLOAT | KP_SAME)                             \
    X(FP_ABS,      "fp.abs",      1, "fp.abs",  NULL,  KP_FLOAT | KP_SAME)                             \
    X(FP_COPYSIGN, "fp.copysign", 2, NULL,      NULL,  KP_FLOAT | KP_SAME) /* magnitude of a, sign of b */ \
    X(FP_IS_NAN,   "fp.isnan",    1, "fp.isNaN", NULL, KP_FLOAT | KP_SAME | KP_PREDICATE)              \
    X(FP_IS_INF,   "fp.isinf",    1, "fp.isInfinite", NULL, KP_FLOAT | KP_SAME | KP_PREDICATE)         \
    X(FP_IS_ZERO,  "fp.iszero",   1, "fp.isZero", NULL, KP_FLOAT | KP_SAME | KP_PREDICATE)             \
    X(FP_IS_NORMAL, "fp.isnormal", 1, "fp.isNormal", NULL, KP_FLOAT | KP_SAME | KP_PREDICATE)          \
    X(FP_IS_SUBNORMAL, "fp.issubnormal", 1, "fp.isSubnormal", NULL, KP_FLOAT | KP_SAME | KP_PREDICATE) \
    X(FP_IS_NEGATIVE, "fp.isnegative", 1, "fp.isNegative", NULL, KP_FLOAT | KP_SAME | KP_PREDICATE)    \
    X(FP_IS_POSITIVE, "fp.ispositive", 1, "fp.isPositive", NULL, KP_FLOAT | KP_SAME | KP_PREDICATE)    \
    X(FP_UNORDERED, "fp.unordered", 2, NULL,    NULL,  KP_FLOAT | KP_SAME | KP_COMMUTES | KP_PREDICATE)
// clang-format on

enum kind {
    KIND_NONE, // kind of Term 0
#define X(name, text, arity, smtlib, spelling, properties) KIND_##name,
    CORE_KINDS(X) KIND_CORE_COUNT,
    KIND_BEFORE_VIEWS = KIND_CORE_COUNT - 1, // not a kind: the next one is KIND_CORE_COUNT
    VIEW_KINDS(X) DERIVED_KINDS(X)
#undef X
        KIND_COUNT
};

struct kind_info {
    const char *name;     // "FP_ADD"
    const char *text;     // "fp.add"
    const char *smtlib;   // or NULL
    const char *spelling; // or NULL
    unsigned char arity;
    unsigned char properties; // KP_*
};

extern const struct kind_info kind_infos[KIND_COUNT];

#endif
