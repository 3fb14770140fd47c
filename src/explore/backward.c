// Call-chain-backward search (Otter 3.1.2 and Figure 3.4): collects partial paths to targets and joins them.
//
// Speculative states (vm.h) start at functions, first at those that contain a target. When one reaches a
// target, the edges that it took are stored as a partial path of its start function. The callers of that
// function become start functions, too. A state that enters a function with partial paths is stopped there, and
// a copy of the state takes each of these paths, edge by edge. When a copy reaches the target, its path becomes
// a partial path of its own start function. If the state began at the program's entry, the target is reached. After all
// attempts the state that was stopped continues, unchanged.
//
// A partial path is stored as edges, not as decisions. The caller's state has more constraints, so that fewer
// edges are decisions, and only decisions need queries. Edges in the C library are not part of a partial path: there
// a copy may fork, and all its forks continue.
//
// Speculative states are held by the search but not counted: when all states that began at the entry have
// ended, every path was explored.
#include "explore/explore_int.h"

#include "search/target_distance.h"

#include <string.h>

#define PATHS_MOST     32u        // partial paths kept per function
#define EDGES_MOST     200000u    // edges of one partial path
#define FOLLOWERS_MOST 16u        // states that one attempt to take a path may fork into
#define FOLLOW_BUDGET  1000000u   // instructions of one attempt
#define START_BUDGET   100000000u // instructions from the program's entry to main

struct partial_path {
    uint32_t mark, count;
    uint32_t *edges;
};

struct start_function {
    vec(struct partial_path) paths;
    bool added; // it is a start function
};

struct backward {
    const struct ir_function *main; // main of the program, or its harness function
    struct state *at_main;          // a state at the entry of main; NULL: main was never reached
    struct start_function *starts;  // by function
    uint32_t start_count;           // functions of the program
    uint32_t entered;               // function, plus 1, at whose entry the running state stopped; 0: none
    uint32_t reached;               // mark, plus 1, at which a running speculative state stopped; 0: none
    const struct partial_path *following;
    vec(struct state *) followers;
    bool starting;
};

// ---- start functions

// Returns main, or the harness function if main is the runtime's; NULL: neither is user code.
static const struct ir_function *first_function(const struct ir_program *program) {
    static const char *const names[] = {"main", "LLVMFuzzerTestOneInput"};
    for (unsigned i = 0; i < COUNT(names); i++) {
        const struct ir_function *function = ir_find_function(program, names[i]);
        if (function && function->code && !function->runtime) return function;
    }
    return NULL;
}

static void run_to_main(struct explore *explore) {
    struct backward *backward = explore->backward;
    struct state *state = vm_start(explore->vm, explore->options.environments);
    uint32_t mark = IR_MARK_ENTRY | backward->main->index;
    state->speculation.is_on = backward->starting = true;
    vm_enable_mark(explore->vm, mark, true);
    explore->running = state;
    enum vm_event event = VM_FORKED;
    while ((event == VM_FORKED || event == VM_BUDGET) && !backward->entered &&
           state->instructions < START_BUDGET && !explore_at_limit(explore))
        event = explore_run_state(explore, state, START_BUDGET);
    explore->running = NULL;
    vm_enable_mark(explore->vm, mark, false);
    if (backward->entered)
        backward->at_main = state;
    else
        vm_free_state(explore->vm, state);
    backward->starting = false;
    backward->entered = 0;
}

static void add_start(struct explore *explore, uint32_t function) {
    struct backward *backward = explore->backward;
    assert(function < backward->start_count);
    if (backward->starts[function].added) return;
    backward->starts[function].added = true;
    if (function == backward->main->index) {
        targets_open_main(explore->options.targets);
    } else if (backward->at_main) {
        struct state *state =
            vm_start_speculative(explore->vm, backward->at_main, &explore->program->functions[function]);
        explore_add_state(explore, state, NULL);
    }
}

// Adds the callers as start functions. A caller in the C library (qsort, atexit) is replaced by its own
// callers.
static void add_callers(struct explore *explore, uint32_t function, uint8_t *visited) {
    const struct graph *graph = targets_graph(explore->options.targets);
    visited[function] = 1;
    for (uint32_t i = 0; i < graph_caller_count(graph, function); i++) {
        uint32_t caller = graph_caller(graph, function, i).function;
        if (visited[caller] || graph_call_depth(graph, caller) == UINT32_MAX) continue;
        if (explore->program->functions[caller].runtime)
            add_callers(explore, caller, visited);
        else
            add_start(explore, caller);
    }
}

// ---- partial paths

static void add_path(struct explore *explore, const struct state *state, uint32_t mark) {
    assert(state->start.function && state->speculation.is_on);
    uint32_t function = state->start.function - 1, count = shared_list_count(state->speculation.edges);
    struct start_function *start = &explore->backward->starts[function];
    if (start->paths.count == PATHS_MOST) return;
    struct partial_path path = {mark, count, NEW_ARRAY(uint32_t, count)};
    shared_list_copy(state->speculation.edges, path.edges);
    vec_push(&start->paths, path);
    explore->result.counts.partial++;
    if (start->paths.count > 1) return;
    vm_enable_mark(explore->vm, IR_MARK_ENTRY | function, true);
    targets_add_goal(explore->options.targets, function);
    uint8_t *visited = NEW_ARRAY(uint8_t, explore->program->function_count);
    add_callers(explore, function, visited);
    DELETE_ARRAY(visited, explore->program->function_count);
}

// ---- joining them

// Handles a copy that has reached the target.
static void joined(struct explore *explore, struct state *state, const struct partial_path *path) {
    assert(state->speculation.taken == path->count); // it took all required edges
    explore->result.counts.joined++;
    if (state->start.function) {
        add_path(explore, state, path->mark);
        vm_free_state(explore->vm, state);
        return;
    }
    vm_end_speculative(explore->vm, state, path->edges, path->count);
    explore_target_reached(explore, state, path->mark);
    if (targets_is_open(explore->options.targets, path->mark)) // reached, but a bug is wanted there
        explore_add_state(explore, state, NULL);
    else
        vm_free_state(explore->vm, state);
}

static bool follow(struct explore *explore, struct state *state, uint64_t *spent) {
    struct backward *backward = explore->backward;
    uint64_t before = state->instructions;
    explore->running = state;
    backward->reached = 0;
    bool possible = !state->waiting.condition || explore_try_revive(explore, state) == REVIVAL_POSSIBLE;
    enum vm_event event = possible ? explore_run_state(explore, state, FOLLOW_BUDGET) : VM_STOPPED;
    explore->running = NULL;
    *spent += state->instructions - before;
    if (backward->reached) return true;
    if ((event == VM_FORKED || event == VM_BUDGET) && *spent < FOLLOW_BUDGET)
        vec_push(&backward->followers, state);
    else
        vm_free_state(explore->vm, state);
    return false;
}

// Runs copies of the state along the path, one after the other, until one reaches its end. Returns the
// instructions executed.
static uint64_t try_path(struct explore *explore, struct state *state, struct partial_path path) {
    struct backward *backward = explore->backward;
    uint64_t spent = 0;
    uint32_t depth = state->fork.depth;
    assert(!backward->following && !backward->followers.count);
    struct state *first = vm_fork(explore->vm, state), *found = NULL;
    state->fork.depth = first->fork.depth = depth;
    first->speculation.is_on = true;
    first->speculation.taken = 0;
    state_set_seeds(first, NULL, 0);
    backward->following = &path;
    vec_push(&backward->followers, first);
    vm_require_edges(explore->vm, path.edges, path.count);
    while (backward->followers.count && !found && !explore_at_limit(explore)) {
        struct state *next = vec_pop(&backward->followers);
        if (follow(explore, next, &spent)) found = next;
    }
    vm_require_edges(explore->vm, NULL, 0);
    while (backward->followers.count) vm_free_state(explore->vm, vec_pop(&backward->followers));
    backward->following = NULL;
    backward->reached = 0;
    if (found) joined(explore, found, &path);
    return spent;
}

static uint64_t try_paths(struct explore *explore, struct state *state, uint32_t function) {
    uint64_t spent = 0;
    uint32_t count = explore->backward->starts[function].paths.count; // not those that the attempts add
    for (uint32_t i = 0; i < count && !explore_at_limit(explore); i++) {
        struct partial_path path = explore->backward->starts[function].paths.at[i];
        if (targets_is_open(explore->options.targets, path.mark)) spent += try_path(explore, state, path);
    }
    return spent;
}

// ---- events of the exploration

static bool at_own_entry(const struct state *state) {
    return state->start.function && state->frames.depth == state->start.depth;
}

bool backward_marked(struct explore *explore, struct state *state, uint32_t mark) {
    struct backward *backward = explore->backward;
    if (mark & IR_MARK_ENTRY) {
        uint32_t function = mark & ~IR_MARK_ENTRY;
        bool begins = backward->starting && function == backward->main->index;
        bool known = !backward->following && !at_own_entry(state) && backward->starts[function].paths.count;
        if (!begins && !known) return true;
        backward->entered = function + 1;
        vm_request_stop(explore->vm);
        return true;
    }
    if (!state->speculation.is_on) return false;
    const struct partial_path *path = backward->following;
    bool there = path ? mark == path->mark && state->speculation.taken == path->count
                      : targets_is_open(explore->options.targets, mark);
    if (!there || backward->starting) return true;
    backward->reached = mark + 1;
    vm_request_stop(explore->vm);
    return true;
}

bool backward_forked(struct explore *explore, struct state *child) {
    struct backward *backward = explore->backward;
    if (!child->speculation.is_on || (!backward->following && !backward->starting)) return false;
    if (backward->following && backward->followers.count < FOLLOWERS_MOST)
        vec_push(&backward->followers, child);
    else
        vm_free_state(explore->vm, child);
    return true;
}

// A speculative state can be dropped once it has reached the only target, all targets are reached, or its path
// has become too long.
bool backward_ran(struct explore *explore, struct state *state, uint64_t *spent) {
    struct backward *backward = explore->backward;
    uint32_t entered = backward->entered, reached = backward->reached;
    backward->entered = backward->reached = 0;
    if (reached) add_path(explore, state, reached - 1);
    if (entered) *spent += try_paths(explore, state, entered - 1);
    if (!state->speculation.is_on) return false;
    uint32_t open = targets_open_count(explore->options.targets);
    return !open || (reached && open == 1) || shared_list_count(state->speculation.edges) > EDGES_MOST;
}

void backward_start(struct explore *explore) {
    struct targets *targets = explore->options.targets;
    run_to_main(explore);
    for (uint32_t t = 0; t < targets_count(targets); t++) {
        uint32_t count;
        const struct ir_point *points = targets_points(targets, t, &count);
        for (uint32_t i = 0; i < count && targets_is_open(targets, t); i++)
            add_start(explore, points[i].function);
    }
}

void backward_open(struct explore *explore) {
    const struct ir_function *main = first_function(explore->program);
    uint32_t steps;
    if (!search_is_backward(explore->options.search) || !explore->options.targets || !main) return;
    assert(!targets_order(explore->options.targets, &steps));
    (void)steps;
    explore->backward = NEW(struct backward);
    explore->backward->main = main;
    explore->backward->start_count = explore->program->function_count;
    explore->backward->starts = NEW_ARRAY(struct start_function, explore->program->function_count);
}

void backward_close(struct explore *explore) {
    struct backward *backward = explore->backward;
    if (!backward) return;
    for (uint32_t f = 0; f < backward->start_count; f++) {
        vec_each (struct partial_path, path, &backward->starts[f].paths)
            DELETE_ARRAY(path->edges, path->count);
        vec_free(&backward->starts[f].paths);
    }
    DELETE_ARRAY(backward->starts, backward->start_count);
    vec_free(&backward->followers);
    if (backward->at_main) vm_free_state(explore->vm, backward->at_main);
    DELETE(backward);
    explore->backward = NULL;
}
