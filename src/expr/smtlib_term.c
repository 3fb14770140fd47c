// Names, sorts, and the stack machine that converts s-expressions to terms.
#include "expr/smtlib_int.h"

enum form { FORM_APPLY, FORM_LET, FORM_BODY, FORM_ANNOTATED };

// ---- Names ----

uint32_t script_intern_symbol(struct script *script, const char *name) {
    uint64_t hash = hash_bytes(name, strlen(name), 0) >> 1;
    uint64_t *head = map_put(&script->symbol_map, hash);
    for (uint32_t i = (uint32_t)*head; i; i = script->symbols.at[i].next)
        if (strcmp(script->symbols.at[i].name, name) == 0) return i;
    struct symbol symbol = {.name = mem_strdup(name), .next = (uint32_t)*head};
    *head = script->symbols.count;
    vec_push(&script->symbols, symbol);
    return (uint32_t)*head;
}

struct binding *script_find_binding(struct script *script, uint32_t symbol) {
    uint32_t binding = script->symbols.at[symbol].binding;
    return binding ? &script->bindings.at[binding - 1] : NULL;
}

void script_bind_symbol(struct script *script, struct binding binding) {
    struct symbol *symbol = &script->symbols.at[binding.symbol];
    binding.previous = symbol->binding;
    vec_push(&script->bindings, binding);
    symbol->binding = script->bindings.count;
}

void script_unbind_symbols(struct script *script, uint32_t count) {
    while (script->bindings.count > count) {
        struct binding binding = vec_pop(&script->bindings);
        script->symbols.at[binding.symbol].binding = binding.previous;
    }
}

bool script_read_numeral(struct script *script, uint32_t cell, uint64_t *value) {
    if (!cell || cell_at(script, cell)->token != TOKEN_NUMERAL) {
        script_error(script, cell, "expected a number");
        return false;
    }
    *value = 0;
    for (const char *p = cell_text(script, cell); *p; p++) {
        if (__builtin_mul_overflow(*value, 10, value) ||
            __builtin_add_overflow(*value, (uint64_t)(*p - '0'), value)) {
            script_error(script, cell, "the number is too large");
            return false;
        }
    }
    return true;
}

// ---- Sorts ----

void script_sort_text(struct sort sort, char *text, size_t size) {
    if (sort.kind == SORT_BOOL)
        snprintf(text, size, "Bool");
    else if (sort.kind == SORT_BITS)
        snprintf(text, size, "(_ BitVec %u)", sort.width);
    else if (sort.kind != SORT_ARRAY)
        script_float_sort_text(sort, text, size);
    else
        snprintf(text, size, "(Array (_ BitVec %u) (_ BitVec %u))", sort.index_width, sort.width);
}

static bool read_width(struct script *script, uint32_t cell, uint16_t *width) {
    uint64_t value;
    if (!script_read_numeral(script, cell, &value)) return false;
    if (value < 1 || value > TERM_MAX_WIDTH) {
        script_error(script, cell, "a bit-vector has 1 to %u bits", TERM_MAX_WIDTH);
        return false;
    }
    *width = (uint16_t)value;
    return true;
}

static bool read_array_sort(struct script *script, uint32_t cell, struct sort *sort) {
    struct sort parts[2];
    uint32_t part = cell_at(script, cell_at(script, cell)->child)->next;
    for (unsigned i = 0; i < 2; i++, part = cell_at(script, part)->next) {
        // Arrays of arrays are not supported, so one level suffices.
        const struct cell *c = cell_at(script, part);
        if (c->token == TOKEN_OPEN && cell_is(script, c->child, "Array")) {
            script_error(script, part, "unsupported sort: arrays inside of arrays");
            return false;
        }
        if (!script_read_sort(script, part, &parts[i])) return false;
        if (parts[i].kind != SORT_BITS) {
            script_error(script, part, "unsupported sort: arrays are from bit-vectors to bit-vectors");
            return false;
        }
    }
    *sort = (struct sort){SORT_ARRAY, parts[1].width, parts[0].width};
    return true;
}

bool script_read_sort(struct script *script, uint32_t cell, struct sort *sort) {
    if (!cell) {
        script_error(script, 0, "expected a sort");
        return false;
    }
    const struct cell *c = cell_at(script, cell);
    if (c->token == TOKEN_SYMBOL) {
        if (cell_is(script, cell, "Bool")) {
            *sort = (struct sort){.kind = SORT_BOOL, .width = 1};
            return true;
        }
        struct binding *binding =
            script_find_binding(script, script_intern_symbol(script, cell_text(script, cell)));
        if (binding && binding->meaning == MEANS_SORT) {
            *sort = binding->value.sort;
            return true;
        }
    } else if (c->token == TOKEN_OPEN && c->count == 3) {
        uint32_t second = cell_at(script, c->child)->next;
        if (cell_is(script, c->child, "_") && cell_is(script, second, "BitVec")) {
            *sort = (struct sort){.kind = SORT_BITS};
            return read_width(script, cell_at(script, second)->next, &sort->width);
        }
        if (cell_is(script, c->child, "Array")) return read_array_sort(script, cell, sort);
    }
    if (script_read_float_sort(script, cell, sort)) return true;
    if (script->failed) return false;
    struct text text = {0};
    cell_print(script, &text, cell);
    script_error(script, cell, "unknown or unsupported sort %.100s", text.at ? text.at : "()");
    text_free(&text);
    return false;
}

// ---- Atoms ----

static struct value bits_value(struct script *script, unsigned width, const uint64_t *limbs) {
    Term t = term_const_limbs(script->terms, width, limbs);
    return (struct value){t, {.kind = SORT_BITS, .width = (uint16_t)width}};
}

static bool read_digits(struct script *script, uint32_t cell, struct value *value) {
    const char *text = cell_text(script, cell);
    unsigned each = cell_at(script, cell)->token == TOKEN_HEX ? 4 : 1;
    size_t width = strlen(text) * each;
    if (width > TERM_MAX_WIDTH) {
        script_error(script, cell, "a bit-vector has 1 to %u bits", TERM_MAX_WIDTH);
        return false;
    }
    uint64_t *limbs = NEW_ARRAY(uint64_t, limbs_count((unsigned)width));
    size_t at = width;
    for (; *text; text++) {
        at -= each;
        unsigned digit = (unsigned)(*text <= '9' ? *text - '0' : (*text | 32) - 'a' + 10);
        limbs[at / 64] |= (uint64_t)digit << (at % 64);
    }
    *value = bits_value(script, (unsigned)width, limbs);
    DELETE_ARRAY(limbs, limbs_count((unsigned)width));
    return true;
}

static bool read_atom(struct script *script, uint32_t cell, struct value *value) {
    const struct cell *c = cell_at(script, cell);
    if (c->token == TOKEN_HEX || c->token == TOKEN_BINARY) return read_digits(script, cell, value);
    if (c->token != TOKEN_SYMBOL) {
        if (script_read_float_atom(script, cell, value)) return !script->failed;
        script_error(script, cell, "expected a term; numbers are written #b..., #x... or (_ bvN width)");
        return false;
    }
    struct binding *binding =
        script_find_binding(script, script_intern_symbol(script, cell_text(script, cell)));
    if (binding && binding->meaning == MEANS_VALUE) {
        *value = binding->value;
        return true;
    }
    if (binding && binding->meaning == MEANS_FUNCTION) {
        script_error(script, cell, "function '%.100s' wants %u arguments", cell_text(script, cell),
                     binding->parameter_count);
        return false;
    }
    if (script_read_float_atom(script, cell, value)) return true;
    bool is_true = cell_is(script, cell, "true");
    if (!is_true && !cell_is(script, cell, "false")) {
        script_error(script, cell, "unknown constant '%.100s'", cell_text(script, cell));
        return false;
    }
    *value = (struct value){term_bool(script->terms, is_true), {.kind = SORT_BOOL, .width = 1}};
    return true;
}

// Reads (_ bv42 8).
static bool read_indexed_constant(struct script *script, uint32_t cell, struct value *value) {
    if (script_read_float_constant(script, cell, value)) return true;
    if (script->failed) return false;
    const struct cell *c = cell_at(script, cell);
    uint32_t second = c->count == 3 ? cell_at(script, c->child)->next : 0;
    const char *text =
        second && cell_at(script, second)->token == TOKEN_SYMBOL ? cell_text(script, second) : "";
    if (strncmp(text, "bv", 2) != 0 || !text[2] || strspn(text + 2, "0123456789") != strlen(text + 2)) {
        script_error(script, cell,
                     "unknown constant; an indexed operator stands at the head of its application");
        return false;
    }
    uint16_t width;
    if (!read_width(script, cell_at(script, second)->next, &width)) return false;
    uint32_t n = limbs_count(width);
    // Computes value * 10 + digit modulo 2^width; a value that does not fit is an error.
    uint64_t *limbs = NEW_ARRAY(uint64_t, n + 1);
    bool fits = true;
    for (const char *p = text + 2; *p && fits; p++) {
        uint64_t carry = (uint64_t)(*p - '0');
        for (uint32_t i = 0; i <= n; i++) {
            unsigned __int128 product = (unsigned __int128)limbs[i] * 10 + carry;
            limbs[i] = (uint64_t)product;
            carry = (uint64_t)(product >> 64);
        }
        fits = !limbs[n] && !(width % 64 && limbs[n - 1] >> (width % 64));
    }
    if (fits)
        *value = bits_value(script, width, limbs);
    else
        script_error(script, cell, "%.60s does not fit into %u bits", text, width);
    DELETE_ARRAY(limbs, n + 1);
    return fits;
}

// ---- The stack machine ----

static void push_frame(struct script *script, enum form form, uint32_t cell, uint32_t cursor) {
    struct script_frame frame = {(uint8_t)form, cell, cursor, script->values.count, script->bindings.count};
    vec_push(&script->frames, frame);
}

static uint32_t nth(const struct script *script, uint32_t cell, uint32_t n) {
    uint32_t at = cell_at(script, cell)->child;
    while (at && n-- > 0) at = cell_at(script, at)->next;
    return at;
}

static bool start_let(struct script *script, uint32_t cell) {
    uint32_t list = nth(script, cell, 1);
    if (cell_at(script, cell)->count != 3 || cell_at(script, list)->token != TOKEN_OPEN ||
        !cell_at(script, list)->count) {
        script_error(script, cell, "let wants a list of bindings and a term");
        return false;
    }
    for (uint32_t pair = cell_at(script, list)->child; pair; pair = cell_at(script, pair)->next) {
        const struct cell *c = cell_at(script, pair);
        if (c->token != TOKEN_OPEN || c->count != 2 || cell_at(script, c->child)->token != TOKEN_SYMBOL) {
            script_error(script, pair, "a binding is (symbol term)");
            return false;
        }
    }
    push_frame(script, FORM_LET, cell, cell_at(script, list)->child);
    return true;
}

// Pushes the value of an atom, or a frame for a list.
static bool start(struct script *script, uint32_t cell) {
    struct value value;
    const struct cell *c = cell_at(script, cell);
    if (c->token != TOKEN_OPEN || cell_is(script, c->child, "_")) {
        bool known = c->token == TOKEN_OPEN ? read_indexed_constant(script, cell, &value)
                                            : read_atom(script, cell, &value);
        if (known) vec_push(&script->values, value);
        return known;
    }
    if (!c->count) {
        script_error(script, cell, "expected a term");
        return false;
    }
    if (cell_is(script, c->child, "let")) return start_let(script, cell);
    if (cell_is(script, c->child, "!")) {
        if (c->count >= 4 && c->count % 2 == 0) {
            push_frame(script, FORM_ANNOTATED, cell, nth(script, cell, 1));
            return true;
        }
        script_error(script, cell, "an annotation is (! term :keyword value ...)");
        return false;
    }
    if (cell_is(script, c->child, "forall") || cell_is(script, c->child, "exists")) {
        script_error(script, cell, "unsupported: quantifiers");
        return false;
    }
    push_frame(script, FORM_APPLY, cell, cell_at(script, c->child)->next);
    return true;
}

// Substitutes the arguments for the placeholders in a function's body.
static bool apply_function(struct script *script, uint32_t cell, const struct binding *function,
                           const struct value *args, uint32_t count, struct value *result) {
    struct terms *terms = script->terms;
    if (count != function->parameter_count) {
        script_error(script, cell, "the function wants %u arguments", function->parameter_count);
        return false;
    }
    struct map map = {0};
    bool good = true;
    for (uint32_t i = 0; i < count && good; i++) {
        struct value parameter = script->parameters.at[function->first_parameter + i];
        good = same_sort(parameter.sort, args[i].sort);
        if (!good) {
            char wanted[80];
            script_sort_text(parameter.sort, wanted, sizeof wanted);
            script_error(script, cell, "argument %u must be of sort %s", i + 1, wanted);
        } else if (parameter.sort.kind == SORT_ARRAY) {
            *map_put(&map, parameter.term) = args[i].term;
        } else {
            // The placeholder consists of input bytes: each is replaced by its part of the argument.
            VarSet vars = term_support(terms, parameter.term);
            unsigned width = parameter.sort.width, bytes = (width + 7) / 8;
            for (unsigned k = 0; k < bytes; k++) {
                uint32_t var = varset_next(terms, vars, 0);
                for (unsigned n = 0; n < k; n++) var = varset_next(terms, vars, var + 1);
                unsigned part = MIN(8u, width - 8 * k);
                Term byte = term_zext(terms, term_extract(terms, args[i].term, 8 * k, part), 8);
                *map_put(&map, term_var_byte(terms, var)) = byte;
            }
        }
    }
    if (good)
        *result =
            (struct value){term_substitute(terms, function->value.term, &map, NULL), function->value.sort};
    map_free(&map);
    return good;
}

static bool finish_apply(struct script *script, struct script_frame frame, struct value *result) {
    uint32_t head = cell_at(script, frame.cell)->child, count = script->values.count - frame.base;
    const struct value *args = count ? script->values.at + frame.base : NULL;
    if (cell_at(script, head)->token == TOKEN_SYMBOL) {
        struct binding *binding =
            script_find_binding(script, script_intern_symbol(script, cell_text(script, head)));
        if (binding && binding->meaning == MEANS_FUNCTION) {
            struct binding function = *binding;
            return apply_function(script, frame.cell, &function, args, count, result);
        }
        if (binding && binding->meaning == MEANS_VALUE) {
            script_error(script, head, "'%.100s' is not a function", cell_text(script, head));
            return false;
        }
    }
    return script_apply_builtin(script, frame.cell, head, args, count, result);
}

static bool annotate(struct script *script, struct script_frame frame) {
    struct value value = *vec_last(&script->values);
    for (uint32_t at = nth(script, frame.cell, 2); at;
         at = cell_at(script, cell_at(script, at)->next)->next) {
        uint32_t argument = cell_at(script, at)->next;
        if (cell_at(script, at)->token != TOKEN_KEYWORD) {
            script_error(script, at, "expected a keyword");
            return false;
        }
        if (strcmp(cell_text(script, at), ":named") != 0) continue;
        if (cell_at(script, argument)->token != TOKEN_SYMBOL) {
            script_error(script, argument, "a name is a symbol");
            return false;
        }
        uint32_t symbol = script_intern_symbol(script, cell_text(script, argument));
        if (script_find_binding(script, symbol) || script->symbols.at[symbol].builtin) {
            script_error(script, argument, "'%.100s' is already used", cell_text(script, argument));
            return false;
        }
        vec_push(&script->named, ((struct named){symbol, value, false}));
        script_bind_symbol(script,
                           (struct binding){.symbol = symbol, .meaning = MEANS_VALUE, .value = value});
    }
    return true;
}

static void bind_let(struct script *script, const struct script_frame *frame) {
    uint32_t i = frame->base;
    for (uint32_t pair = cell_at(script, nth(script, frame->cell, 1))->child; pair;
         pair = cell_at(script, pair)->next) {
        uint32_t symbol = script_intern_symbol(script, cell_text(script, cell_at(script, pair)->child));
        script_bind_symbol(
            script,
            (struct binding){.symbol = symbol, .meaning = MEANS_VALUE, .value = script->values.at[i++]});
    }
    script->values.count = frame->base;
}

// Ends a let: removes its bindings. Names given inside (:named) outlive it; they are rare, so they are bound again.
static void end_let(struct script *script, const struct script_frame *frame, uint32_t named_before) {
    script_unbind_symbols(script, frame->bindings);
    for (uint32_t i = named_before; i < script->named.count; i++) {
        struct named named = script->named.at[i];
        if (script_find_binding(script, named.symbol)) continue;
        script_bind_symbol(
            script, (struct binding){.symbol = named.symbol, .meaning = MEANS_VALUE, .value = named.value});
    }
}

// Executes one step of the topmost frame.
static bool step(struct script *script, uint32_t named_before) {
    struct script_frame *frame = vec_last(&script->frames);
    uint32_t cursor = frame->cursor;
    switch ((enum form)frame->form) {
    case FORM_APPLY:
    case FORM_ANNOTATED:
        if (cursor) {
            frame->cursor = frame->form == FORM_APPLY ? cell_at(script, cursor)->next : 0;
            return start(script, cursor);
        }
        struct script_frame done = vec_pop(&script->frames);
        if (done.form == FORM_ANNOTATED) return annotate(script, done);
        struct value result;
        if (!finish_apply(script, done, &result)) return false;
        script->values.count = done.base;
        vec_push(&script->values, result);
        return true;
    case FORM_LET:
        if (cursor) {
            frame->cursor = cell_at(script, cursor)->next;
            return start(script, nth(script, cursor, 1));
        }
        bind_let(script, frame);
        frame->form = FORM_BODY;
        return start(script, nth(script, frame->cell, 2));
    default: {
        struct script_frame let = vec_pop(&script->frames);
        end_let(script, &let, named_before);
        return true;
    }
    }
}

bool script_read_term(struct script *script, uint32_t cell, struct value *value) {
    if (!cell) {
        script_error(script, 0, "expected a term");
        return false;
    }
    uint32_t bindings = script->bindings.count, named = script->named.count;
    vec_clear(&script->frames);
    vec_clear(&script->values);
    bool good = start(script, cell);
    while (good && script->frames.count) good = step(script, named);
    if (!good) {
        script_unbind_symbols(script, bindings);
        script->named.count = named;
        return false;
    }
    assert(script->values.count == 1);
    *value = script->values.at[0];
    return true;
}
