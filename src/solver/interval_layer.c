// The interval layer: refutes queries with floats if a range becomes empty. Otherwise tries values within the ranges:
// the path's model clamped to them, their midpoints and their ends.
#include "solver/interval_layer.h"

static struct facts facts_under(void *context, Term t) { return ranges_of(context, t); }

// The input bytes that a term concatenates, lowest first. Returns their number; 0 if it is another term.
static unsigned bytes_of(struct query *query, Term t, uint32_t *positions, unsigned most) {
    struct terms *terms = query->solver->terms;
    unsigned count = term_width(terms, t) / 8, left = count;
    if (term_width(terms, t) % 8 || count > most) return 0;
    for (;;) {
        Term high = term_kind(terms, t) == KIND_CONCAT ? term_arg(terms, t, 0) : t;
        if (term_kind(terms, high) != KIND_BYTE) return 0;
        assert(left > 0);
        positions[--left] = query_position(query, term_var(terms, high));
        if (high == t) return count;
        t = term_arg(terms, t, 1);
    }
}

enum interval_choice { CHOICE_NEAREST, CHOICE_MIDDLE, CHOICE_LOW, CHOICE_HIGH, CHOICES };

static __int128 choose(enum interval_choice choice, __int128 low, __int128 high, __int128 now) {
    assert(low <= high);
    switch (choice) {
    case CHOICE_NEAREST: return now < low ? low : now > high ? high : now;
    case CHOICE_MIDDLE: return rank_between(low, high);
    case CHOICE_LOW: return low;
    default: assert(choice == CHOICE_HIGH); return high;
    }
}

static void choose_value(struct query *query, const struct interval *interval, enum interval_choice choice) {
    uint32_t positions[RANGE_BYTES];
    unsigned count = bytes_of(query, interval->term, positions, COUNT(positions));
    if (!count) return;
    uint64_t words[2] = {0};
    for (unsigned i = 0; i < count; i++)
        words[i / 8] |= (uint64_t)query->found.at[positions[i]] << 8 * (i % 8);
    if (interval->format) {
        __int128 now = 0;
        struct float_range range = interval->floats;
        bool number = float_range_position(interval->format, words, &now);
        if (!float_range_has_numbers(range) || (!number && range.nan)) return;
        float_range_pattern(interval->format, choose(choice, range.low, range.high, now), words);
    } else {
        words[0] = (uint64_t)choose(choice, interval->ints.low, interval->ints.high,
                                    sign_extend(words[0], 8 * count));
    }
    for (unsigned i = 0; i < count; i++)
        query->found.at[positions[i]] = (uint8_t)(words[i / 8] >> 8 * (i % 8));
}

static bool try_values(struct query *query, const struct intervals *intervals) {
    struct solver *solver = query->solver;
    for (enum interval_choice choice = 0; choice < CHOICES; choice++) {
        memcpy(query->found.at, query->start.at, query->start.count);
        vec_each (const struct interval, interval, &intervals->list)
            if (interval->how == INTERVAL_LEAF) choose_value(query, interval, choice);
        query_assign(query, query->found.at);
        bool holds = true;
        for (uint32_t i = 0; i < query->conditions.count && holds; i++)
            holds = evaluate(solver->evaluator, query->conditions.at[i]);
        if (holds) return true;
    }
    return false;
}

// Computes the ranges of all terms of the query. False: it has no model. *all: no condition was left out (if
// some were, a refutation still holds).
static bool narrow(struct query *query, struct intervals *intervals, bool *all) {
    struct solver *solver = query->solver;
    intervals->terms = solver->terms;
    ranges_start(solver->ranges, query_byte_facts, query);
    *all = true;
    for (uint32_t i = 0; i < query->conditions.count && *all; i++)
        *all = intervals_add(intervals, query->conditions.at[i], facts_under, solver->ranges);
    return !ranges_contradict(solver->ranges) &&
           intervals_narrow(intervals, query->conditions.at, query->conditions.count);
}

unsigned query_input_ranges(struct query *query, struct input_range *ranges, unsigned most) {
    struct intervals intervals = {0};
    unsigned count = 0;
    bool all;
    if (narrow(query, &intervals, &all))
        vec_each (const struct interval, interval, &intervals.list) {
            struct input_range *range = &ranges[count];
            if (interval->how != INTERVAL_LEAF || count == most) continue;
            if (interval->format && !float_range_has_numbers(interval->floats)) continue;
            range->count = bytes_of(query, interval->term, range->positions, RANGE_BYTES);
            range->format = interval->format;
            range->low = interval->format ? interval->floats.low : interval->ints.low;
            range->high = interval->format ? interval->floats.high : interval->ints.high;
            count += range->count > 0;
        }
    intervals_free(&intervals);
    return count;
}

enum answer solver_layer_interval(struct query *query) {
    struct solver *solver = query->solver;
    if (!terms_have_floats(solver->terms) || query->has_arrays || !query_has_floats(query))
        return ANSWER_UNKNOWN;
    struct intervals intervals = {0};
    bool all, possible = narrow(query, &intervals, &all);
    enum answer answer = !possible                              ? ANSWER_NO
                         : all && try_values(query, &intervals) ? ANSWER_YES
                                                                : ANSWER_UNKNOWN;
    intervals_free(&intervals);
    return answer;
}
