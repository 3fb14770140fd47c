// Local search over the inputs of conditions with floats: changes one number at a time so that the distance of the
// conditions from being true decreases. A result is evaluated like any other model; only complete enumeration answers
// no.
//
// The search variables are the numbers that the conditions compute with, each made of some input bytes. A variable is
// tried at its current value plus and minus every power of two, and at the constants of the conditions. If the operands
// of a comparison have another order at a tried value, bisection finds the value where the order changes: for a
// comparison that is monotone in one variable, this finds a solution if there is one. If no variable helps, some are
// set at random. The search is deterministic. If the inputs have few values, all combinations are run instead, which
// answers yes or no.
#include "solver/interval_layer.h"

#include "base/clock.h"
#include "base/random.h"
#include "expr/softfloat.h"
#include "solver/flat.h"

#include <stdlib.h>

#define MOST_VARIABLES  64u
#define MOST_CONSTANTS  48u
#define VARIABLE_BYTES  16u
#define TRIED_VARIABLES 12u // tried for one unsatisfied condition
#define KICKS           6u  // random changes before a restart from the best assignment
// Budgets in executed ops, each a few nanoseconds.
#define SHORT_SEARCH 1500000u
#define LONG_SEARCH  100000000u
// The budget of enumeration is this many times larger: it decides the query.
#define ENUMERATIONS      10u
#define LAZY_COMBINATIONS 4096

struct search_variable {
    fp_format format; // 0: an integer
    unsigned count;   // number of bytes
    uint32_t at[VARIABLE_BYTES];
    uint32_t *ops; // the ops that depend on it
    uint32_t op_count;
    uint64_t *reaches; // `ops` as a bit set
    bool bounded;
    __int128 low, high; // if bounded: all other values are infeasible; ranks or integers
};

struct local_search {
    struct query *query;
    struct flat flat;
    struct random random;
    struct search_variable variables[MOST_VARIABLES];
    unsigned variable_count;
    __int128 constants[MOST_CONSTANTS]; // ranks or integers
    fp_format constant_formats[MOST_CONSTANTS];
    unsigned constant_count;
    uint8_t *bytes; // the current assignment
    double miss;
    uint32_t leaf; // the comparison that is being improved
    uint64_t budget;
};

// ---- Search variables

static void add_variable(struct local_search *search, struct search_variable variable) {
    assert(variable.count > 0 && variable.count <= VARIABLE_BYTES);
    if (search->variable_count == MOST_VARIABLES) return;
    for (unsigned i = 0; i < search->variable_count; i++) {
        struct search_variable *known = &search->variables[i];
        if (known->count != variable.count ||
            memcmp(known->at, variable.at, variable.count * sizeof *variable.at) != 0)
            continue;
        if (!known->format) known->format = variable.format;
        return;
    }
    search->variables[search->variable_count++] = variable;
}

// The bytes that an op concatenates, lowest first; zeros above them are skipped. False: another op.
static bool joined_bytes(const struct flat *flat, uint32_t number, struct search_variable *variable) {
    for (;;) {
        const struct flat_op *op = &flat->ops.at[number];
        if (op->kind == KIND_BYTE) {
            if (variable->count == VARIABLE_BYTES) return false;
            memmove(variable->at + 1, variable->at, variable->count * sizeof *variable->at);
            variable->at[0] = op->arg[0];
            variable->count++;
            return true;
        }
        if (op->kind != KIND_CONCAT) return false;
        const struct flat_op *high = &flat->ops.at[op->arg[0]];
        if (high->kind == KIND_CONST) {
            if (variable->count) return false;
        } else if (high->kind == KIND_BYTE && variable->count < VARIABLE_BYTES) {
            memmove(variable->at + 1, variable->at, variable->count * sizeof *variable->at);
            variable->at[0] = high->arg[0];
            variable->count++;
        } else {
            return false;
        }
        number = op->arg[1];
    }
}

static void find_variables(struct local_search *search, unsigned positions) {
    const struct flat *flat = &search->flat;
    bool *covered = NEW_ARRAY(bool, positions);
    for (unsigned pass = 0; pass < 2; pass++) // floats first
        for (uint32_t i = 0; i < flat->ops.count; i++) {
            const struct flat_op *op = &flat->ops.at[i];
            bool is_float = kind_infos[op->kind].properties & KP_FLOAT && op->kind != KIND_SINT_TO_FP &&
                            op->kind != KIND_UINT_TO_FP;
            if (op->kind == KIND_CONCAT || is_float != !pass) continue;
            for (unsigned k = 0; k < op->arity; k++) {
                struct search_variable variable = {0};
                if (op->arg[k] >= flat->ops.count || !joined_bytes(flat, op->arg[k], &variable)) continue;
                if (is_float) variable.format = op->shape.source ? op->shape.source : op->shape.format;
                if (variable.count == 1 && covered[variable.at[0]]) continue;
                add_variable(search, variable);
                for (unsigned b = 0; b < variable.count; b++) covered[variable.at[b]] = true;
            }
        }
    for (uint32_t i = 0; i < flat->ops.count; i++)
        if (flat->ops.at[i].kind == KIND_BYTE && !covered[flat->ops.at[i].arg[0]]) {
            covered[flat->ops.at[i].arg[0]] = true;
            add_variable(search, (struct search_variable){.count = 1, .at = {flat->ops.at[i].arg[0]}});
        }
    DELETE_ARRAY(covered, positions);
}

// Bounds the variables by the ranges of the inputs.
static void bound_variables(struct local_search *search) {
    struct input_range ranges[MOST_VARIABLES];
    unsigned count = query_input_ranges(search->query, ranges, MOST_VARIABLES);
    for (unsigned i = 0; i < count; i++)
        for (unsigned k = 0; k < search->variable_count; k++) {
            struct search_variable *variable = &search->variables[k];
            const struct input_range *range = &ranges[i];
            if (variable->count != range->count || variable->format != range->format ||
                memcmp(variable->at, range->positions, variable->count * sizeof *variable->at) != 0)
                continue;
            variable->bounded = true;
            // Converts ranks of float_range.h to those of flat_rank, in which both zeros have rank 0.
            variable->low = range->format && range->low < 0 ? range->low + 1 : range->low;
            variable->high = range->format && range->high < 0 ? range->high + 1 : range->high;
            assert(variable->low <= variable->high);
        }
}

static bool turns(const struct search_variable *variable, const struct flat_op *op, const struct flat *flat,
                  const bool *reached) {
    if (op->kind == KIND_BYTE) {
        for (unsigned b = 0; b < variable->count; b++)
            if (variable->at[b] == op->arg[0]) return true;
        return false;
    }
    if (op->kind == KIND_SELECT) {
        if (reached[op->arg[0]]) return true;
        const struct flat_op *table = op;
        if (term_kind(flat->terms, table->term) == KIND_ARRAY_LITERAL) {
            unsigned bytes;
            if (term_literal_packed(flat->terms, table->term, &bytes)) return false;
            for (uint32_t i = 0; i < op->arg[2]; i++)
                if (reached[flat->elements.at[op->arg[1] + i]]) return true;
            return false;
        }
        for (uint32_t i = 0; i < op->arg[2]; i++)
            for (unsigned b = 0; b < variable->count; b++)
                if (flat->elements.at[op->arg[1] + i] == variable->at[b]) return true;
        return false;
    }
    for (unsigned i = 0; i < op->arity; i++)
        if (reached[op->arg[i]]) return true;
    return false;
}

static void find_reach(struct local_search *search) {
    const struct flat *flat = &search->flat;
    uint32_t count = flat->ops.count;
    bool *reached = NEW_ARRAY(bool, count);
    for (unsigned k = 0; k < search->variable_count; k++) {
        struct search_variable *variable = &search->variables[k];
        variable->op_count = 0;
        for (uint32_t i = 0; i < count; i++) {
            reached[i] = turns(variable, &flat->ops.at[i], flat, reached);
            variable->op_count += reached[i];
        }
        variable->ops = NEW_ARRAY(uint32_t, variable->op_count + 1);
        variable->reaches = NEW_ARRAY(uint64_t, count / 64 + 1);
        for (uint32_t i = 0, n = 0; i < count; i++)
            if (reached[i]) variable->ops[n++] = i, variable->reaches[i / 64] |= (uint64_t)1 << i % 64;
    }
    DELETE_ARRAY(reached, count);
}

static void find_constants(struct local_search *search) {
    const struct flat *flat = &search->flat;
    for (uint32_t i = 0; i < flat->ops.count; i++) {
        const struct flat_op *op = &flat->ops.at[i];
        bool is_float = kind_infos[op->kind].properties & KP_FLOAT;
        for (unsigned k = 0; k < op->arity && op->kind != KIND_CONCAT; k++) {
            if (flat->ops.at[op->arg[k]].kind != KIND_CONST || search->constant_count == MOST_CONSTANTS)
                continue;
            const uint64_t *value = flat_value(flat, op->arg[k]);
            if (!is_float && op->widths[k] > 64) continue;
            fp_format format = is_float ? op->shape.format : 0;
            if (is_float && (!format || flat_is_nan(format, value))) continue;
            __int128 constant = is_float ? flat_rank(format, value) : (__int128)*value;
            bool known = false;
            for (unsigned n = 0; n < search->constant_count; n++)
                known |= search->constants[n] == constant && search->constant_formats[n] == format;
            if (known) continue;
            search->constants[search->constant_count] = constant;
            search->constant_formats[search->constant_count++] = format;
        }
    }
}

// ---- Changing a variable

static unsigned variable_bits(const struct search_variable *variable) { return 8 * variable->count; }

static void read_pattern(const struct local_search *search, const struct search_variable *variable,
                         uint64_t *pattern) {
    pattern[0] = pattern[1] = 0;
    for (unsigned i = 0; i < variable->count; i++)
        pattern[i / 8] |= (uint64_t)search->bytes[variable->at[i]] << 8 * (i % 8);
}

static bool is_float(const struct search_variable *variable) {
    return variable->format && fp_width(variable->format) == variable_bits(variable);
}

static __int128 read_variable(const struct local_search *search, const struct search_variable *variable) {
    uint64_t pattern[2];
    read_pattern(search, variable, pattern);
    if (!is_float(variable))
        return (__int128)((unsigned __int128)(pattern[1] & mask_bits(62)) << 64 | pattern[0]);
    return flat_is_nan(variable->format, pattern) ? 0 : flat_rank(variable->format, pattern);
}

static void write_pattern(struct local_search *search, const struct search_variable *variable,
                          const uint64_t *pattern) {
    for (unsigned i = 0; i < variable->count; i++)
        search->bytes[variable->at[i]] = (uint8_t)(pattern[i / 8] >> 8 * (i % 8));
}

static void write_variable(struct local_search *search, const struct search_variable *variable,
                           __int128 value) {
    uint64_t pattern[2] = {(uint64_t)value, (uint64_t)(value >> 64)};
    if (is_float(variable)) flat_from_rank(variable->format, value, pattern);
    write_pattern(search, variable, pattern);
}

static double run_changed(struct local_search *search, const struct search_variable *variable) {
    flat_run(&search->flat, search->bytes, variable->ops, variable->op_count);
    search->budget -= MIN(search->budget, variable->op_count + 8u);
    return flat_miss(&search->flat);
}

// The order of the operands of the comparison: -1, 0, 1; 2 for NaNs and for other ops.
static int order_of(const struct local_search *search) {
    const struct flat *flat = &search->flat;
    assert(search->leaf < flat->ops.count);
    const struct flat_op *op = &flat->ops.at[search->leaf];
    if (op->arity != 2 || op->widths[0] > 128) return 2;
    const uint64_t *a = flat_value(flat, op->arg[0]), *b = flat_value(flat, op->arg[1]);
    __int128 x, y;
    if (kind_infos[op->kind].properties & KP_FLOAT) {
        if (flat_is_nan(op->shape.format, a) || flat_is_nan(op->shape.format, b)) return 2;
        x = flat_rank(op->shape.format, a);
        y = flat_rank(op->shape.format, b);
    } else if (op->widths[0] <= 64) {
        bool is_signed = op->kind != KIND_ULT;
        x = is_signed ? (__int128)sign_extend(*a, op->widths[0]) : (__int128)*a;
        y = is_signed ? (__int128)sign_extend(*b, op->widths[0]) : (__int128)*b;
    } else {
        return 2;
    }
    return (x > y) - (x < y);
}

struct best {
    double miss;
    uint64_t pattern[2];
};

static int try_value(struct local_search *search, const struct search_variable *variable, __int128 value,
                     struct best *best) {
    write_variable(search, variable, value);
    double miss = run_changed(search, variable);
    if (miss < best->miss) {
        best->miss = miss;
        read_pattern(search, variable, best->pattern);
    }
    return order_of(search);
}

// Bisects between two values with different order until they are adjacent.
static void halve(struct local_search *search, const struct search_variable *variable, __int128 from,
                  __int128 to, int order, struct best *best) {
    while ((from > to ? from - to : to - from) > 1 && best->miss > 0 && search->budget) {
        __int128 middle = from + (to - from) / 2;
        if (try_value(search, variable, middle, best) == order)
            from = middle;
        else
            to = middle;
    }
}

// Finds the best value of one variable and sets it. Returns whether the distance decreased.
static bool turn(struct local_search *search, const struct search_variable *variable) {
    struct best best = {.miss = search->miss};
    read_pattern(search, variable, best.pattern);
    const __int128 here = read_variable(search, variable);
    int order = try_value(search, variable, here, &best);
    unsigned bits = is_float(variable) ? variable_bits(variable) - 1 : variable_bits(variable);
    for (int direction = -1; direction <= 1; direction += 2) {
        __int128 last = here;
        bool crossed = false;
        for (unsigned k = 0; k < MIN(bits, 126u) && best.miss > 0 && search->budget; k++) {
            __int128 value = here + direction * ((__int128)1 << k);
            if (!is_float(variable) && variable->count < 8) value &= ((__int128)1 << bits) - 1;
            int now = try_value(search, variable, value, &best);
            if (!crossed && order != 2 && now != 2 && now != order && order != 0) {
                crossed = true;
                halve(search, variable, last, value, order, &best);
            }
            last = value;
        }
    }
    for (unsigned i = 0; i < search->constant_count && best.miss > 0 && search->budget; i++) {
        if (search->constant_formats[i] != (is_float(variable) ? variable->format : 0)) continue;
        for (int step = -1; step <= 1; step++) {
            int now = try_value(search, variable, search->constants[i] + step, &best);
            if (step == 0 && order != 2 && now != 2 && now != order && order != 0)
                halve(search, variable, here, search->constants[i], order, &best);
        }
        if (is_float(variable)) try_value(search, variable, -search->constants[i], &best);
    }
    if (is_float(variable) && best.miss > 0) {
        try_value(search, variable, -here, &best);
        uint64_t nan[2];
        flat_from_rank(variable->format,
                       (__int128)mask_bits(fp_exponent_bits(variable->format))
                           << (fp_precision(variable->format) - 1),
                       nan);
        nan[(fp_precision(variable->format) - 2) / 64] |= (uint64_t)1
                                                          << (fp_precision(variable->format) - 2) % 64;
        write_pattern(search, variable, nan);
        double miss = run_changed(search, variable);
        if (miss < best.miss) best = (struct best){miss, {nan[0], nan[1]}};
    }
    bool better = best.miss < search->miss;
    write_pattern(search, variable, best.pattern);
    search->miss = run_changed(search, variable);
    assert(search->miss <= best.miss); // never worse than before
    return better;
}

// ---- The search

// The comparison that keeps a condition from having the wanted value.
static uint32_t find_leaf(struct local_search *search, uint32_t op, bool wanted) {
    const struct flat *flat = &search->flat;
    for (;;) {
        const struct flat_op *at = &flat->ops.at[op];
        const float *miss = flat->miss[wanted].at;
        if (at->width != 1) return op;
        if (at->kind == KIND_NOT) {
            op = at->arg[0];
            wanted = !wanted;
        } else if (at->kind == KIND_AND || at->kind == KIND_OR) {
            bool all = (at->kind == KIND_AND) == wanted; // both operands must have the wanted value
            float first = miss[at->arg[0]], second = miss[at->arg[1]];
            bool take_first = all ? second == 0 || (first > 0 && (random_next(&search->random) & 1))
                                  : first < second || (first == second && (random_next(&search->random) & 1));
            op = at->arg[!take_first];
        } else if (at->kind == KIND_ITE) {
            bool side = *flat_value(flat, at->arg[0]);
            op = at->arg[side ? 1 : 2];
        } else {
            return op;
        }
    }
}

static __int128 below_wide(struct random *random, unsigned __int128 limit) {
    unsigned __int128 wide = (unsigned __int128)random_next(random) << 64 | random_next(random);
    return (__int128)(limit ? wide % limit : wide);
}

// A random number within the variable's bounds. Uniform by value, in long double: ranks would cluster around zero.
static __int128 random_between(struct local_search *search, const struct search_variable *variable) {
    fp_format f = variable->format;
    assert(variable->bounded && is_float(variable));
    long double ends[2], value;
    uint64_t pattern[2] = {0}, wide[2] = {0};
    const uint64_t *arg = pattern;
    for (unsigned i = 0; i < 2; i++) {
        flat_from_rank(f, i ? variable->high : variable->low, pattern);
        struct shape up = {.kind = KIND_FP_TO_FP, .format = FP_X87, .source = f, .width = 80};
        fp_apply(up, fp_width(f), &arg, wide);
        ends[i] = 0;
        memcpy(&ends[i], wide, 10);
    }
    long double share = (long double)(random_next(&search->random) >> 11) * 0x1p-53L;
    value = ends[0] + (ends[1] - ends[0]) * share;
    // Round numbers are more likely.
    if (random_below(&search->random, 4) == 0 && value > -1e15L && value < 1e15L)
        value = (long double)(int64_t)value;
    arg = wide;
    wide[1] = 0;
    memcpy(wide, &value, 10);
    struct shape down = {
        .kind = KIND_FP_TO_FP, .format = f, .source = FP_X87, .width = (uint16_t)fp_width(f)};
    fp_apply(down, 80, &arg, pattern);
    return flat_is_nan(f, pattern) ? variable->low : flat_rank(f, pattern);
}

static __int128 random_value(struct local_search *search, const struct search_variable *variable) {
    struct random *random = &search->random;
    if (variable->bounded && random_below(random, 8)) {
        if (is_float(variable) && random_below(random, 4)) return random_between(search, variable);
        unsigned __int128 span = (unsigned __int128)variable->high - (unsigned __int128)variable->low + 1;
        return (__int128)((unsigned __int128)variable->low + (unsigned __int128)below_wide(random, span));
    }
    unsigned bits = MIN(variable_bits(variable), 126u);
    __int128 wide = (__int128)((unsigned __int128)random_next(random) << 62 ^ random_next(random));
    wide &= ((__int128)1 << bits) - 1;
    if (!is_float(variable)) return random_below(random, 2) ? wide >> random_below(random, bits) : wide;
    // Exponents near the exponent of 1.0 are more likely.
    unsigned below = fp_precision(variable->format) - 1, exponents = fp_exponent_bits(variable->format);
    __int128 fraction = wide & (((__int128)1 << below) - 1);
    int64_t bias = ((int64_t)1 << (exponents - 1)) - 1, spread = MIN(bias, 64);
    if (random_below(random, 4) == 0) spread = bias;
    int64_t exponent = bias + (int64_t)random_below(random, 2 * (uint64_t)spread) - spread;
    if (random_below(random, 2)) fraction &= ~(((__int128)1 << random_below(random, below)) - 1);
    __int128 rank = (__int128)exponent << below | fraction;
    return random_below(random, 2) ? rank : -rank;
}

static void kick(struct local_search *search) {
    for (unsigned n = 1 + (unsigned)random_below(&search->random, 2); n > 0; n--) {
        assert(search->variable_count > 0);
        const struct search_variable *variable =
            &search->variables[random_below(&search->random, search->variable_count)];
        write_variable(search, variable, random_value(search, variable));
        search->miss = run_changed(search, variable);
    }
}

// Picks one unsatisfied condition and changes the variables that reach it, in random order.
static bool improve(struct local_search *search) {
    const struct flat *flat = &search->flat;
    uint32_t violated = 0, chosen = 0;
    for (uint32_t i = 0; i < flat->roots.count; i++)
        if (!*flat_value(flat, flat->roots.at[i]) && random_below(&search->random, ++violated) == 0)
            chosen = flat->roots.at[i];
    if (!violated) return false;
    search->leaf = find_leaf(search, chosen, true);
    unsigned order[MOST_VARIABLES], count = 0;
    for (unsigned i = 0; i < search->variable_count; i++)
        if (search->variables[i].reaches[search->leaf / 64] >> search->leaf % 64 & 1) order[count++] = i;
    for (unsigned i = 0; i < MIN(count, TRIED_VARIABLES); i++) {
        unsigned other = i + (unsigned)random_below(&search->random, count - i), swap = order[i];
        order[i] = order[other];
        order[other] = swap;
        if (turn(search, &search->variables[order[i]])) return true;
        if (!search->budget) break;
    }
    return false;
}

static bool out_of_time(const struct query *query) {
    return limits_over() || (query->deadline && clock_nanoseconds() >= query->deadline);
}

static bool run_search(struct local_search *search) {
    uint32_t positions = search->query->vars.count, kicks = 0;
    assert(search->query->start.count == positions);
    uint8_t *best_bytes = NEW_ARRAY(uint8_t, positions);
    flat_run(&search->flat, search->bytes, NULL, 0);
    search->miss = flat_miss(&search->flat);
    double best = search->miss;
    memcpy(best_bytes, search->bytes, positions);
    while (search->miss > 0 && search->budget && !out_of_time(search->query)) {
        if (improve(search)) {
            if (search->miss < best) {
                best = search->miss;
                memcpy(best_bytes, search->bytes, positions);
                kicks = 0;
            }
            continue;
        }
        if (++kicks % KICKS == 0) {
            memcpy(search->bytes, kicks % (4 * KICKS) ? best_bytes : search->query->start.at, positions);
            flat_run(&search->flat, search->bytes, NULL, 0);
            search->miss = flat_miss(&search->flat);
        }
        kick(search);
    }
    DELETE_ARRAY(best_bytes, positions);
    assert((search->miss <= 0) == flat_holds(&search->flat)); // 0 exactly where all conditions hold
    return search->miss <= 0;
}

static bool find_float(void *context, Term t) {
    struct terms *terms = context;
    return !(kind_infos[term_kind(terms, t)].properties & KP_FLOAT);
}

bool query_has_floats(struct query *query) {
    struct terms *terms = query->solver->terms;
    if (!terms_have_floats(terms)) return false;
    return !term_visit(terms, query->conditions.at, query->conditions.count, find_float, terms);
}

// ---- Enumeration

// Runs all combinations of values if there are few; answers yes or no. The last input changes fastest; after a change
// only the ops that depend on the input are run.
static enum answer enumerate(struct local_search *search, uint64_t budget) {
    struct query *query = search->query;
    uint32_t count = query->vars.count;
    double cost = query_combinations(query);
    if (cost == 0) return ANSWER_NO; // some domain is empty
    if (count > MOST_VARIABLES || cost * 8 > (double)budget) return ANSWER_UNKNOWN;
    search->variable_count = count;
    for (uint32_t i = 0; i < count; i++)
        search->variables[i] = (struct search_variable){.count = 1, .at = {i}};
    find_reach(search);
    // Changes of the other inputs are rare.
    cost *= search->variables[count - 1].op_count;
    if (cost > (double)budget) return ANSWER_UNKNOWN;
    for (uint32_t i = 0; i < count; i++) {
        search->bytes[i] = (uint8_t)model_set_next(&query->domains.at[i], 0);
    }
    flat_run(&search->flat, search->bytes, NULL, 0);
    for (uint64_t rounds = 0;; rounds++) {
        if (flat_holds(&search->flat)) return ANSWER_YES;
        if (rounds % 4096 == 4095 && out_of_time(query)) return ANSWER_UNKNOWN;
        uint32_t turned = count;
        while (turned-- > 0) {
            unsigned next = model_set_next(&query->domains.at[turned], search->bytes[turned] + 1u);
            search->bytes[turned] =
                (uint8_t)(next < 256 ? next : model_set_next(&query->domains.at[turned], 0));
            flat_run(&search->flat, search->bytes, search->variables[turned].ops,
                     search->variables[turned].op_count);
            if (next < 256) break;
            if (!turned) return ANSWER_NO;
        }
    }
}

static void drop_variables(struct local_search *search) {
    for (unsigned i = 0; i < search->variable_count; i++) {
        struct search_variable *variable = &search->variables[i];
        if (variable->ops) DELETE_ARRAY(variable->ops, variable->op_count + 1);
        if (variable->reaches) DELETE_ARRAY(variable->reaches, search->flat.ops.count / 64 + 1);
    }
    search->variable_count = 0;
}

static enum answer local_search(struct query *query, uint64_t budget) {
    struct solver *solver = query->solver;
    if (!terms_have_floats(solver->terms) || query->has_arrays || !query->vars.count) return ANSWER_UNKNOWN;
    bool floats = query_has_floats(query),
         few = query_combinations(query) <= LAZY_COMBINATIONS && query_combinations(query) > 0;
    if (!floats && !few) return ANSWER_UNKNOWN;
    struct local_search *search = NEW(struct local_search);
    search->query = query;
    search->budget = budget;
    search->random.state = query->conditions.count;
    enum answer answer = ANSWER_UNKNOWN;
    if (flat_compile(&search->flat, solver->terms, query->conditions.at, query->conditions.count,
                     solver->position.at)) {
        search->bytes = NEW_ARRAY(uint8_t, query->vars.count);
        answer = enumerate(search, ENUMERATIONS * budget);
        drop_variables(search);
        if (answer == ANSWER_UNKNOWN && floats) {
            memcpy(search->bytes, query->start.at, query->vars.count);
            find_variables(search, query->vars.count);
            bound_variables(search);
            find_reach(search);
            find_constants(search);
            if (search->variable_count && run_search(search)) answer = ANSWER_YES;
            drop_variables(search);
        }
        if (answer == ANSWER_YES) memcpy(query->found.at, search->bytes, query->vars.count);
        DELETE_ARRAY(search->bytes, query->vars.count);
        solver->work += WORK_OP * search->flat.ran + WORK_NAME * search->flat.ops.count;
        flat_free(&search->flat);
    } else if (few) {
        answer = query_enumerate(query); // too large to compile
    }
    DELETE(search);
    if (answer != ANSWER_UNKNOWN) cache_learn(query, answer, query->conditions.at, query->conditions.count);
    return answer;
}

enum answer solver_layer_search(struct query *query) { return local_search(query, SHORT_SEARCH); }
enum answer solver_layer_search2(struct query *query) { return local_search(query, LONG_SEARCH); }
