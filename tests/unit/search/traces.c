#include "traces.h"

#include "base/alloc.h"
#include "base/text.h"
#include "search/search_int.h"

const char *sample_expression(uint32_t index) {
    static const char *const inner[] = {"rp", "depth", "exe"};
    static char sample[100];
    for (uint32_t i = 0; i <= index; i++)
        if (!strategy_classes[i]) return NULL;
    const struct strategy_class *class = strategy_classes[index];
    struct text text = {0};
    text_add(&text, "%s", class->name);
    for (uint32_t i = 0; class->arguments && class->arguments[i]; i++) {
        char letter = class->arguments[i];
        if (letter == 'S') text_add(&text, "%c%s", i ? ',' : '(', inner[i % COUNT(inner)]);
        if (letter == 'N') text_add(&text, "%c%s", i ? ',' : '(', "3");
        if (letter == '+') text_add(&text, ",%s", inner[i % COUNT(inner)]);
    }
    if (class->arguments && *class->arguments) text_add(&text, ")");
    assert(text.count < sizeof sample);
    memcpy(sample, text.at, text.count + 1);
    text_free(&text);
    return sample;
}

void trace_start(struct trace *trace, const char *expression, uint64_t seed, bool pending) {
    struct search_error error;
    struct search_options options = {.expression = expression, .random_seed = seed, .pending = pending};
    *trace = (struct trace){.search = search_new(&options, &error), .random = {seed}};
    assert(trace->search);
}

void trace_end(struct trace *trace) {
    while (trace->held.count) {
        struct state *state = vec_pop(&trace->held);
        search_remove(trace->search, state);
        DELETE(state);
    }
    while (trace->out.count) {
        struct state *state = vec_pop(&trace->out);
        DELETE(state);
    }
    search_free(trace->search);
    vec_free(&trace->held);
    vec_free(&trace->out);
}

static struct state *any(struct trace *trace) {
    return trace->held.count ? trace->held.at[random_below(&trace->random, trace->held.count)] : NULL;
}

struct state *trace_add(struct trace *trace) {
    struct state *state = NEW(struct state), *parent = any(trace);
    state->number = trace->next++;
    state->fork.depth = parent ? ++parent->fork.depth : 0;
    state->waiting.condition = random_below(&trace->random, 4) == 0;
    if (random_below(&trace->random, 4) == 0) parent = NULL; // an initial state
    state->start.function = parent ? parent->start.function : (uint32_t)random_below(&trace->random, 3);
    vec_push(&trace->held, state);
    search_add(trace->search, state, parent);
    return state;
}

static struct state *take_out(struct trace *trace, const struct state *state) {
    for (uint32_t i = 0;; i++)
        if (trace->held.at[i] == state) {
            struct state *found = trace->held.at[i];
            trace->held.at[i] = *vec_last(&trace->held);
            (void)vec_pop(&trace->held);
            return found;
        }
}

void trace_remove(struct trace *trace) {
    struct state *state = any(trace);
    if (!state) return;
    search_remove(trace->search, state);
    take_out(trace, state);
    vec_push(&trace->out, state);
}

void trace_add_again(struct trace *trace) {
    if (!trace->out.count) return;
    struct state *state = vec_pop(&trace->out);
    search_add(trace->search, state, any(trace));
    vec_push(&trace->held, state);
}

struct state *trace_pick(struct trace *trace) {
    struct state *state = search_pick(trace->search);
    struct search_step step = {.state = state};
    if (state->waiting.condition) {
        state->waiting.condition = 0;
        step.revived = true;
        search_note(trace->search, &step);
        return state;
    }
    step.instructions = random_below(&trace->random, 8000);
    step.work = step.instructions + random_below(&trace->random, 100000);
    step.forked = (uint32_t)random_below(&trace->random, 4);
    step.fresh = (uint32_t)random_below(&trace->random, 3);
    step.dangerous = (uint32_t)random_below(&trace->random, 2);
    step.ended = random_below(&trace->random, 5) == 0;
    for (uint32_t i = 0; i < step.forked; i++) {
        struct state *child = NEW(struct state);
        child->number = trace->next++;
        child->fork.depth = ++state->fork.depth;
        child->waiting.condition = random_below(&trace->random, 2) == 0;
        child->start.function = state->start.function;
        vec_push(&trace->held, child);
        search_add(trace->search, child, state);
    }
    search_note(trace->search, &step);
    if (step.ended) {
        search_remove(trace->search, state);
        vec_push(&trace->out, take_out(trace, state));
    }
    return state;
}

bool trace_holds(const struct trace *trace, const struct state *state) {
    for (uint32_t i = 0; i < trace->held.count; i++)
        if (trace->held.at[i] == state) return true;
    return false;
}
