// Uninterpreted functions: (declare-fun f (A B) C) is an array from the concatenated bits of its arguments to C. An
// application is a read of that array, and congruence holds as for arrays: equal indices have equal elements.
#include "expr/print_term.h"
#include "expr/smtlib_int.h"

// Reads the sorts of the parameters and makes placeholders; *index gets their concatenation. False after an error.
static bool read_parameters(struct script *script, uint32_t list, Term *index) {
    struct terms *terms = script->terms;
    unsigned width = 0;
    for (uint32_t at = cell_at(script, list)->child; at; at = cell_at(script, at)->next) {
        struct sort sort;
        if (!script_read_sort(script, at, &sort)) return false;
        if (sort.kind != SORT_BOOL && sort.kind != SORT_BITS) {
            script_error(script, at,
                         "unsupported: arguments of this sort; Bool and (_ BitVec n) are possible");
            return false;
        }
        width += sort.width;
        if (width > TERM_MAX_WIDTH) {
            script_error(script, at, "the arguments have more than %u bits", TERM_MAX_WIDTH);
            return false;
        }
        Term placeholder = script_new_parameter(script, sort).term;
        *index = *index ? term_concat(terms, *index, placeholder) : placeholder;
    }
    return true;
}

bool script_declare_function(struct script *script, uint32_t symbol, uint32_t list, struct sort sort) {
    uint32_t first = script->parameters.count;
    Term index = 0;
    assert(cell_at(script, list)->count);
    if (!read_parameters(script, list, &index)) return false;
    struct sort whole = {SORT_ARRAY, sort.width, (uint16_t)term_width(script->terms, index)};
    struct value array = script_declare(script, symbol, whole);
    if (!array.term) {
        script_error(script, list, "a function of this name but another sort exists");
        return false;
    }
    script_bind_symbol(script,
                       (struct binding){.symbol = symbol,
                                        .meaning = MEANS_FUNCTION,
                                        .declared = true,
                                        .value = {term_select(script->terms, array.term, index), sort},
                                        .array = array,
                                        .first_parameter = first,
                                        .parameter_count = script->parameters.count - first});
    return true;
}

// ---- models

// Copies bits low to low + width - 1.
static void cut_bits(const uint64_t *from, unsigned low, unsigned width, uint64_t *to) {
    for (unsigned i = 0; i < width; i++) {
        unsigned at = low + i;
        if (i % 64 == 0) to[i / 64] = 0;
        to[i / 64] |= (from[at / 64] >> at % 64 & 1) << i % 64;
    }
}

static void print_bits(struct text *out, struct sort sort, const uint64_t *limbs) {
    if (sort.kind == SORT_BOOL)
        text_add(out, "%s", limbs[0] & 1 ? "true" : "false");
    else if (sort.kind == SORT_FLOAT)
        script_print_float_value(out, sort, limbs);
    else
        smtlib_print_limbs(out, sort.width, limbs);
}

// Prints that all arguments have the values of an index of the array.
static void print_equalities(struct script *script, struct text *out, const struct binding *function,
                             const uint64_t *index) {
    unsigned low = function->array.sort.index_width;
    uint64_t *limbs = NEW_ARRAY(uint64_t, low / 64 + 1);
    text_add(out, function->parameter_count > 1 ? "(and" : "");
    for (uint32_t i = 0; i < function->parameter_count; i++) {
        struct sort sort = script->parameters.at[function->first_parameter + i].sort;
        low -= sort.width; // the first argument has the highest bits
        cut_bits(index, low, sort.width, limbs);
        text_add(out, "%s(= x!%u ", function->parameter_count > 1 ? " " : "", i);
        print_bits(out, sort, limbs);
        text_add(out, ")");
    }
    text_add(out, function->parameter_count > 1 ? ")" : "");
    DELETE_ARRAY(limbs, function->array.sort.index_width / 64 + 1);
}

void script_print_function(struct script *script, struct text *out, const struct binding *function,
                           struct evaluator *evaluator) {
    char name[80];
    const uint64_t *index, *element;
    text_add(out, "(");
    for (uint32_t i = 0; i < function->parameter_count; i++) {
        script_sort_text(script->parameters.at[function->first_parameter + i].sort, name, sizeof name);
        text_add(out, "%s(x!%u %s)", i ? " " : "", i, name);
    }
    script_sort_text(function->value.sort, name, sizeof name);
    text_add(out, ") %s ", name);
    struct array_value *array = evaluate_array(evaluator, function->array.term);
    uint32_t count = 0;
    for (; array_value_entry(array, count, &index, &element); count++) {
        text_add(out, "(ite ");
        print_equalities(script, out, function, index);
        text_add(out, " ");
        print_bits(out, function->value.sort, element);
        text_add(out, " ");
    }
    print_bits(out, function->value.sort, array_value_default(array));
    for (uint32_t i = 0; i < count; i++) text_add(out, ")");
    array_value_free(array);
}
