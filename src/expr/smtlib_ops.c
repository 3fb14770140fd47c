// The operators of the theories: names, operand sorts, construction.
#include "expr/smtlib_int.h"

enum builtin {
    OP_KIND, // a bit-vector kind of the table; the kind is in the next field
    OP_EQ,
    OP_DISTINCT,
    OP_AND,
    OP_OR,
    OP_XOR,
    OP_NOT,
    OP_IMPLIES,
    OP_ITE,
    OP_COMP,
    OP_CONCAT,
    OP_SELECT,
    OP_STORE,
    OP_EXTRACT,
    OP_ZERO_EXTEND,
    OP_SIGN_EXTEND,
    OP_REPEAT,
    OP_ROTATE_LEFT,
    OP_ROTATE_RIGHT,
    OP_COUNT
};

static const struct {
    const char *name;
    enum builtin op;
} core_names[] = {{"=", OP_EQ},
                  {"distinct", OP_DISTINCT},
                  {"and", OP_AND},
                  {"or", OP_OR},
                  {"xor", OP_XOR},
                  {"not", OP_NOT},
                  {"=>", OP_IMPLIES},
                  {"ite", OP_ITE},
                  {"bvcomp", OP_COMP},
                  {"concat", OP_CONCAT},
                  {"select", OP_SELECT},
                  {"store", OP_STORE},
                  {"extract", OP_EXTRACT},
                  {"zero_extend", OP_ZERO_EXTEND},
                  {"sign_extend", OP_SIGN_EXTEND},
                  {"repeat", OP_REPEAT},
                  {"rotate_left", OP_ROTATE_LEFT},
                  {"rotate_right", OP_ROTATE_RIGHT}};

_Static_assert(OP_KIND == 0, "so that 0 is not a builtin");
#define IS_INDEXED(op) ((op) >= OP_EXTRACT)
_Static_assert((unsigned)OP_COUNT + KIND_COUNT < FLOAT_FIRST, "numbers of builtins are apart");

void script_register_builtins(struct script *script) {
    for (enum kind kind = KIND_NONE + 1; kind < KIND_COUNT; kind++) {
        const char *name = kind_infos[kind].smtlib;
        if (!name || strncmp(name, "bv", 2) != 0) continue;
        uint32_t symbol = script_intern_symbol(script, name);
        script->symbols.at[symbol].builtin = OP_COUNT + kind;
    }
    for (unsigned i = 0; i < COUNT(core_names); i++) {
        uint32_t symbol = script_intern_symbol(script, core_names[i].name);
        script->symbols.at[symbol].builtin = core_names[i].op;
    }
    script_register_float_builtins(script);
}

bool script_wrong_operands(const struct application *app, const char *what) {
    script_error(app->script, app->cell, "%s: %s", app->name, what);
    return false;
}

static bool want_count(const struct application *app, uint32_t least, uint32_t most) {
    if (app->count >= least && app->count <= most) return true;
    char text[80];
    if (least == most)
        snprintf(text, sizeof text, "wants %u arguments, has %u", least, app->count);
    else
        snprintf(text, sizeof text, "wants at least %u arguments, has %u", least, app->count);
    return script_wrong_operands(app, text);
}

static bool want_bool(const struct application *app) {
    for (uint32_t i = 0; i < app->count; i++)
        if (app->args[i].sort.kind != SORT_BOOL)
            return script_wrong_operands(app, "arguments must be of sort Bool");
    return true;
}

static bool want_bits(const struct application *app) {
    for (uint32_t i = 0; i < app->count; i++)
        if (app->args[i].sort.kind != SORT_BITS)
            return script_wrong_operands(app, "arguments must be bit-vectors");
    return true;
}

static bool want_same(const struct application *app) {
    for (uint32_t i = 1; i < app->count; i++) {
        if (same_sort(app->args[0].sort, app->args[i].sort)) continue;
        char a[80], b[80], text[240];
        script_sort_text(app->args[0].sort, a, sizeof a);
        script_sort_text(app->args[i].sort, b, sizeof b);
        snprintf(text, sizeof text, "arguments must have one sort, not %s and %s", a, b);
        return script_wrong_operands(app, text);
    }
    return true;
}

static bool give_bool(const struct application *app, Term t) {
    *app->result = (struct value){t, {.kind = SORT_BOOL, .width = 1}};
    return true;
}

static bool give_bits(const struct application *app, Term t) {
    uint16_t width = (uint16_t)width_of(app->script->terms, t);
    *app->result = (struct value){t, {.kind = SORT_BITS, .width = width}};
    return true;
}

static bool apply_chain(const struct application *app, bool distinct) {
    struct terms *terms = app->script->terms;
    if (!want_count(app, 2, UINT32_MAX) || !want_same(app)) return false;
    Term all = term_true(terms);
    if (distinct && app->count > 10000) return script_wrong_operands(app, "too many arguments");
    for (uint32_t i = 0; i < app->count; i++) {
        uint32_t end = distinct ? app->count : MIN(i + 2, app->count);
        for (uint32_t k = i + 1; k < end; k++) {
            Term a = app->args[i].term, b = app->args[k].term;
            Term same = app->args[i].sort.kind == SORT_FLOAT
                            ? script_float_same(terms, app->args[i].sort.index_width, a, b)
                            : term_eq(terms, a, b);
            all = term_and(terms, all, distinct ? term_not(terms, same) : same);
        }
    }
    return give_bool(app, all);
}

static bool apply_logic(const struct application *app, enum builtin op) {
    struct terms *terms = app->script->terms;
    bool unary = op == OP_NOT;
    if (!want_count(app, unary || op == OP_AND || op == OP_OR ? 1 : 2, unary ? 1 : UINT32_MAX) ||
        !want_bool(app))
        return false;
    if (op == OP_NOT) return give_bool(app, term_not(terms, app->args[0].term));
    if (op == OP_IMPLIES) { // right-associative
        Term t = app->args[app->count - 1].term;
        for (uint32_t i = app->count - 1; i-- > 0;) t = term_implies(terms, app->args[i].term, t);
        return give_bool(app, t);
    }
    enum kind kind = op == OP_AND ? KIND_AND : op == OP_OR ? KIND_OR : KIND_XOR;
    Term t = app->args[0].term;
    for (uint32_t i = 1; i < app->count; i++) t = term_apply(terms, kind, t, app->args[i].term, 0);
    return give_bool(app, t);
}

static bool apply_ite(const struct application *app) {
    if (!want_count(app, 3, 3)) return false;
    if (app->args[0].sort.kind != SORT_BOOL)
        return script_wrong_operands(app, "the condition must be of sort Bool");
    if (!same_sort(app->args[1].sort, app->args[2].sort))
        return script_wrong_operands(app, "both branches must have one sort");
    Term t = term_ite(app->script->terms, app->args[0].term, app->args[1].term, app->args[2].term);
    *app->result = (struct value){t, app->args[1].sort};
    return true;
}

static bool apply_concat(const struct application *app) {
    if (!want_count(app, 2, UINT32_MAX) || !want_bits(app)) return false;
    uint64_t width = 0;
    for (uint32_t i = 0; i < app->count; i++) width += app->args[i].sort.width;
    if (width > TERM_MAX_WIDTH) return script_wrong_operands(app, "the result has more than 65535 bits");
    Term t = app->args[app->count - 1].term;
    for (uint32_t i = app->count - 1; i-- > 0;) t = term_concat(app->script->terms, app->args[i].term, t);
    return give_bits(app, t);
}

static bool apply_array(const struct application *app, bool store) {
    if (!want_count(app, store ? 3 : 2, store ? 3 : 2)) return false;
    struct sort array = app->args[0].sort, index = app->args[1].sort;
    if (array.kind != SORT_ARRAY) return script_wrong_operands(app, "the first argument must be an array");
    if (index.kind != SORT_BITS || index.width != array.index_width)
        return script_wrong_operands(app, "the index has the wrong sort");
    struct terms *terms = app->script->terms;
    Term from = app->args[0].term, at = app->args[1].term;
    if (!store || !term_is_const(terms, at)) from = term_array_gather(terms, from);
    if (!store) return give_bits(app, term_select(terms, from, at));
    if (app->args[2].sort.kind != SORT_BITS || app->args[2].sort.width != array.width)
        return script_wrong_operands(app, "the element has the wrong sort");
    Term t = term_store(terms, from, at, app->args[2].term);
    *app->result = (struct value){t, array};
    return true;
}

// Applies a bit-vector kind of the table.
static bool apply_kind(const struct application *app, enum kind kind) {
    struct terms *terms = app->script->terms;
    uint32_t arity = kind_infos[kind].arity;
    bool predicate = kind_infos[kind].properties & KP_PREDICATE;
    bool chains = kind == KIND_ADD || kind == KIND_MUL || kind == KIND_AND || kind == KIND_OR ||
                  kind == KIND_XOR || kind == KIND_XNOR;
    if (!want_count(app, arity, chains ? UINT32_MAX : arity) || !want_bits(app) || !want_same(app))
        return false;
    if ((kind == KIND_UMUL_OVERFLOW || kind == KIND_SMUL_OVERFLOW) &&
        app->args[0].sort.width > TERM_MAX_WIDTH / 2)
        return script_wrong_operands(app, "unsupported for more than 32767 bits");
    Term t = term_apply(terms, kind, app->args[0].term, arity > 1 ? app->args[1].term : 0, 0);
    for (uint32_t i = 2; i < app->count; i++) t = term_apply(terms, kind, t, app->args[i].term, 0);
    return predicate ? give_bool(app, t) : give_bits(app, t);
}

static bool apply_extract(const struct application *app, uint64_t high, uint64_t low) {
    if (high >= app->args[0].sort.width || low > high)
        return script_wrong_operands(app, "the bits are not within the operand");
    Term t = term_extract(app->script->terms, app->args[0].term, (unsigned)low, (unsigned)(high - low + 1));
    return give_bits(app, t);
}

static bool apply_repeat(const struct application *app, uint64_t times) {
    if (times < 1 || times * app->args[0].sort.width > TERM_MAX_WIDTH)
        return script_wrong_operands(app, "1 to 65535 bits are possible");
    Term t = app->args[0].term;
    while (--times > 0) t = term_concat(app->script->terms, app->args[0].term, t);
    return give_bits(app, t);
}

// Applies ((_ name n ...) x).
static bool apply_indexed(const struct application *app, enum builtin op, uint32_t head) {
    struct script *script = app->script;
    struct terms *terms = script->terms;
    uint32_t first = cell_at(script, cell_at(script, cell_at(script, head)->child)->next)->next;
    uint64_t n[2] = {0};
    if (cell_at(script, head)->count != (op == OP_EXTRACT ? 4u : 3u))
        return script_wrong_operands(app, "wrong number of indices");
    if (!script_read_numeral(script, first, &n[0])) return false;
    if (op == OP_EXTRACT && !script_read_numeral(script, cell_at(script, first)->next, &n[1])) return false;
    if (!want_count(app, 1, 1) || !want_bits(app)) return false;
    Term a = app->args[0].term;
    unsigned width = app->args[0].sort.width;
    if (n[0] > TERM_MAX_WIDTH && op != OP_ROTATE_LEFT && op != OP_ROTATE_RIGHT)
        return script_wrong_operands(app, "the index is too large");
    switch (op) {
    case OP_EXTRACT: return apply_extract(app, n[0], n[1]);
    case OP_REPEAT: return apply_repeat(app, n[0]);
    case OP_ZERO_EXTEND:
    case OP_SIGN_EXTEND: {
        uint64_t wanted = width + n[0];
        if (wanted > TERM_MAX_WIDTH) return script_wrong_operands(app, "the result has more than 65535 bits");
        return give_bits(app, op == OP_ZERO_EXTEND ? term_zext(terms, a, (unsigned)wanted)
                                                   : term_sext(terms, a, (unsigned)wanted));
    }
    default: {
        unsigned by = (unsigned)(n[0] % width);
        if (op == OP_ROTATE_RIGHT) by = (width - by) % width;
        if (!by) return give_bits(app, a);
        Term high = term_extract(terms, a, 0, width - by);
        return give_bits(app, term_concat(terms, high, term_extract(terms, a, width - by, by)));
    }
    }
}

// Applies ((as const (Array ...)) x).
static bool apply_const_array(const struct application *app, uint32_t sort_cell) {
    struct sort sort;
    if (!script_read_sort(app->script, sort_cell, &sort)) return false;
    if (sort.kind != SORT_ARRAY) return script_wrong_operands(app, "wants an array sort");
    if (!want_count(app, 1, 1)) return false;
    if (app->args[0].sort.kind != SORT_BITS || app->args[0].sort.width != sort.width)
        return script_wrong_operands(app, "the element has the wrong sort");
    *app->result =
        (struct value){term_array_const(app->script->terms, sort.index_width, app->args[0].term), sort};
    return true;
}

static bool apply_plain(const struct application *app, enum builtin op) {
    switch (op) {
    case OP_EQ: return apply_chain(app, false);
    case OP_DISTINCT: return apply_chain(app, true);
    case OP_AND:
    case OP_OR:
    case OP_XOR:
    case OP_NOT:
    case OP_IMPLIES: return apply_logic(app, op);
    case OP_ITE: return apply_ite(app);
    case OP_CONCAT: return apply_concat(app);
    case OP_SELECT: return apply_array(app, false);
    case OP_STORE: return apply_array(app, true);
    case OP_COMP:
        if (!want_count(app, 2, 2) || !want_bits(app) || !want_same(app)) return false;
        return give_bits(app, term_eq(app->script->terms, app->args[0].term, app->args[1].term));
    default: return script_wrong_operands(app, "is an indexed operator: (_ name number)");
    }
}

bool script_apply_builtin(struct script *script, uint32_t cell, uint32_t head, const struct value *args,
                          uint32_t count, struct value *result) {
    struct application app = {script, cell, "", args, count, result};
    const struct cell *c = cell_at(script, head);
    uint32_t symbol_cell = head;
    if (c->token == TOKEN_OPEN) {
        uint32_t second = c->count >= 2 ? cell_at(script, c->child)->next : 0;
        if (cell_is(script, c->child, "as") && cell_is(script, second, "const") && c->count == 3) {
            app.name = "const";
            return apply_const_array(&app, cell_at(script, second)->next);
        }
        bool indexed = cell_is(script, c->child, "_") && c->count >= 3;
        symbol_cell = indexed ? second : 0;
    }
    if (!symbol_cell || cell_at(script, symbol_cell)->token != TOKEN_SYMBOL) {
        script_error(script, cell, "expected an operator or function");
        return false;
    }
    app.name = cell_text(script, symbol_cell);
    uint32_t symbol = script_intern_symbol(script, app.name);
    uint32_t builtin = script->symbols.at[symbol].builtin;
    bool indexed = builtin < OP_COUNT ? IS_INDEXED(builtin) : FLOAT_IS_INDEXED(builtin);
    if (!builtin || (symbol_cell != head && !indexed)) {
        script_error(script, cell, "unknown operator or function '%.100s'", app.name);
        return false;
    }
    if (builtin >= FLOAT_FIRST) return script_apply_float(&app, builtin, head);
    if (builtin > OP_COUNT && builtin - OP_COUNT < KIND_COUNT)
        return apply_kind(&app, (enum kind)(builtin - OP_COUNT));
    assert(builtin < OP_COUNT);
    if (symbol_cell != head) return apply_indexed(&app, (enum builtin)builtin, head);
    return apply_plain(&app, (enum builtin)builtin);
}
