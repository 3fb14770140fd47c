#include "search/search.h"

#include "base/arena.h"
#include "base/clock.h"
#include "base/hash.h"
#include "base/options.h"
#include "base/text.h"
#include "base/vec.h"
#include "search/fork_tree.h"
#include "search/start_functions.h"

struct search {
    struct search_options options;
    struct search_context context;
    struct strategy *strategy;
    struct arena *arena;         // memory of the expression
    struct random random;        // for evictions
    vec(struct state *) held[2]; // unordered; [1]: pending states
    struct map indices;          // state number -> index in its list
    uint64_t nanoseconds;
};

struct random search_random(struct search_context *context) {
    return (struct random){hash_combine(context->options->random_seed, ++context->instances)};
}

bool search_check(const char *expression, bool *pending, struct search_error *error) {
    struct arena *arena = arena_new();
    const struct expression *parsed = parse_search(arena, expression, error);
    bool good = parsed != NULL;
    if (good) *pending |= parse_is_pending(parsed);
    arena_free(arena);
    return good;
}

bool search_is_backward(const char *expression) {
    struct arena *arena = arena_new();
    struct search_error error;
    const struct expression *parsed = parse_search(arena, expression, &error);
    bool backward = parsed && parse_is_backward(parsed);
    arena_free(arena);
    return backward;
}

struct search *search_new(const struct search_options *options, struct search_error *error) {
    struct arena *arena = arena_new();
    struct expression *expression = parse_search(arena, options->expression, error);
    if (!expression) {
        arena_free(arena);
        return NULL;
    }
    struct search *search = NEW(struct search);
    search->options = *options;
    search->arena = arena;
    search->context = (struct search_context){
        .options = &search->options, .tree = fork_tree_new(), .whole = &search->context};
    if (parse_is_backward(expression)) search->context.starts = start_functions_new();
    search->random = search_random(&search->context);
    struct expression whole = {.class = &strategy_pending, .count = 1, .arguments = &expression};
    bool wrap = options->pending && !parse_is_pending(expression);
    search->strategy = strategy_new(&search->context, wrap ? &whole : expression);
    assert(search->context.walkers <= FORK_TREE_WALKERS);
    return search;
}

void search_free(struct search *search) {
    strategy_free(search->strategy);
    fork_tree_free(search->context.tree);
    start_functions_free(search->context.starts);
    arena_free(search->arena);
    for (unsigned i = 0; i < 2; i++) vec_free(&search->held[i]);
    map_free(&search->indices);
    DELETE(search);
}

uint32_t search_count(const struct search *search) { return search->held[0].count + search->held[1].count; }
uint32_t search_pending_count(const struct search *search) { return search->held[1].count; }
double search_seconds(const struct search *search) { return (double)search->nanoseconds * 1e-9; }

// Adds the state to a list of held states. `indices` encodes 2 * (index in the list) + (number of the list).
static void hold(struct search *search, struct state *state) {
    unsigned kind = state->waiting.condition != 0;
    *map_put(&search->indices, state->number) = 2 * (uint64_t)search->held[kind].count + kind;
    vec_push(&search->held[kind], state);
}

static void let_go(struct search *search, const struct state *state) {
    uint64_t *found = map_get(&search->indices, state->number);
    assert(found);
    unsigned kind = *found & 1;
    assert(search->held[kind].at[*found / 2] == state);
    struct state *last = vec_pop(&search->held[kind]);
    if (last != state) {
        search->held[kind].at[*found / 2] = last;
        *map_get(&search->indices, last->number) = *found;
    }
    map_remove(&search->indices, state->number);
}

void search_add(struct search *search, struct state *state, const struct state *parent) {
    uint64_t start = clock_nanoseconds();
    hold(search, state);
    fork_tree_add(search->context.tree, state, parent);
    if (search->context.starts) start_functions_add(search->context.starts, state, parent);
    strategy_add(search->strategy, state, parent);
    search->nanoseconds += clock_nanoseconds() - start;
}

void search_remove(struct search *search, struct state *state) {
    uint64_t start = clock_nanoseconds();
    strategy_remove(search->strategy, state);
    fork_tree_remove(search->context.tree, state);
    if (search->context.starts) start_functions_remove(search->context.starts, state);
    let_go(search, state);
    search->nanoseconds += clock_nanoseconds() - start;
}

struct state *search_pick(struct search *search) {
    assert(search_count(search));
    uint64_t start = clock_nanoseconds();
    struct state *state = strategy_pick(search->strategy);
    search->nanoseconds += clock_nanoseconds() - start;
    return state;
}

void search_note(struct search *search, const struct search_step *step) {
    uint64_t start = clock_nanoseconds();
    assert(!step->revived || !step->state->waiting.condition);
    if (step->revived) {
        let_go(search, step->state);
        hold(search, step->state);
    }
    fork_tree_end_step(search->context.tree);
    if (search->context.starts) start_functions_end_step(search->context.starts, step->state);
    if (search->context.charged && !step->revived)
        fork_tree_charge(search->context.tree, step->state, step->work);
    strategy_note(search->strategy, step);
    search->nanoseconds += clock_nanoseconds() - start;
}

struct state *search_victim(struct search *search) {
    assert(search_count(search));
    uint64_t chosen = random_below(&search->random, search_count(search));
    return chosen < search->held[0].count ? search->held[0].at[chosen]
                                          : search->held[1].at[chosen - search->held[0].count];
}

struct state *search_pending_victim(struct search *search) {
    assert(search->held[1].count);
    return search->held[1].at[random_below(&search->random, search->held[1].count)];
}

uint32_t search_state_block(const struct state *state) {
    if (!state->frames.chunk) return 0;
    const struct frame *frame = frames_top(&state->frames);
    return frame->function->first_block + ir_block_at(frame->function, frame->instruction);
}

void search_add_help(struct text *text) {
    for (const struct strategy_class *const *class = strategy_classes; *class; class ++) {
        text_add(text, "  %s%s", (*class)->name, (*class)->usage ? (*class)->usage : "");
        if ((*class)->meaning) text_add(text, " = %s", (*class)->meaning);
        text_add(text, "\n      ");
        struct text both = {0};
        text_add(&both, "%s %s", (*class)->help, (*class)->when);
        options_add_wrapped(text, both.at, 6);
        text_add(text, "\n");
        text_free(&both);
    }
}
