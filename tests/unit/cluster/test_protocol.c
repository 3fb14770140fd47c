// The protocol of workers, without processes: orders and reports are delivered, and workers die and join, at random
// moments. For every schedule, a generated program gives each path once, and the bugs, counts and coverage of a single
// exploration. Damaged, repeated and missing messages are rejected.
//
//   test_cluster_protocol [FIRST_SEED [COUNT]]
#include "../check.h"
#include "base/alloc.h"
#include "base/arena.h"
#include "base/hash.h"
#include "base/random.h"
#include "base/text.h"
#include "cluster/coordinator.h"
#include "cluster/worker.h"
#include "cluster/worth.h"
#include "message/stream.h"
#include "symbolic_program.h"

#include <stdlib.h>
#include <string.h>

#define MOST_WORKERS 4u
#define MOST_DEATHS  6u
#define MOST_TURNS   200000u

static uint64_t first = 1, count = 120;

// ---- the results of a run

struct outcome {
    vec(uint64_t) paths; // sorted
    struct run_counters counts;
    vec(uint64_t) bugs; // kind, call stack and path of each bug; sorted
    uint8_t *edges;
    uint32_t edge_count;
    bool complete;
};

static int by_value(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

static void note_test(void *context, const struct message *message) {
    struct outcome *outcome = context;
    if (message->kind == MESSAGE_TEST) vec_push(&outcome->paths, test_case_path(message->test_case));
}

static void note_result(struct outcome *outcome, struct explore *explore, const struct ir_program *program) {
    const struct explore_result *result = explore_result(explore);
    outcome->counts = result->counts;
    outcome->complete = result->complete;
    outcome->edge_count = program->edge_count;
    outcome->edges = NEW_ARRAY(uint8_t, program->edge_count);
    memcpy(outcome->edges, vm_edges_seen(explore_vm(explore)), program->edge_count);
    for (uint32_t i = 0; i < result->bug_count; i++) {
        const struct found_bug *bug = &result->bugs[i];
        uint64_t hash = hash_combine(hash_combine(bug->kind, bug->fault), bug->operation.line);
        hash = hash_combine(hash_combine(hash, bug->operation.function), bug->operation.ordinal);
        hash = hash_combine(hash_combine(hash, bug->operation.column), bug->paths);
        hash = hash_combine(hash_combine(hash, bug->stacks.count), bug->callers.count);
        vec_push(&outcome->bugs, hash_combine(hash, bug->frames));
    }
    if (outcome->paths.count) qsort(outcome->paths.at, outcome->paths.count, sizeof(uint64_t), by_value);
    if (outcome->bugs.count) qsort(outcome->bugs.at, outcome->bugs.count, sizeof(uint64_t), by_value);
}

static void free_outcome(struct outcome *outcome) {
    vec_free(&outcome->paths);
    vec_free(&outcome->bugs);
    if (outcome->edges) DELETE_ARRAY(outcome->edges, outcome->edge_count);
}

static const char *difference(const struct outcome *a, const struct outcome *b) {
    if (a->paths.count != b->paths.count) return "another number of paths";
    if (a->paths.count && memcmp(a->paths.at, b->paths.at, a->paths.count * sizeof(uint64_t)) != 0)
        return "other paths";
    if (a->bugs.count != b->bugs.count) return "another number of bugs";
    if (a->bugs.count && memcmp(a->bugs.at, b->bugs.at, a->bugs.count * sizeof(uint64_t)) != 0)
        return "other bugs";
    if (a->complete != b->complete) return "not as complete";
    if (memcmp(a->edges, b->edges, a->edge_count) != 0) return "other edges";
#define SAME(name)                                                                                           \
    if (a->counts.name != b->counts.name) {                                                                  \
        print_message("%llu, not %llu\n", (unsigned long long)b->counts.name,                                \
                      (unsigned long long)a->counts.name);                                                   \
        return "another count: " #name;                                                                      \
    }
    SAME(completed)
    SAME(errors)
    SAME(stopped)
    SAME(incomplete)
    SAME(killed)
    SAME(forks)
    SAME(tests)
    SAME(states)
#undef SAME
    return NULL;
}

// ---- explorations

static const struct vm_start_config nothing_around = {0};

static const struct configuration {
    const char *search;
    bool pending, relaxed;
} configurations[] = {{"dfs", false, false},        {"bfs", false, false}, {"rp", false, false},
                      {"pending(rp)", true, false}, {"bfs", true, false},  {"rr(rp,dfs)", false, false},
                      {"pending(dfs)", true, true}};

static struct explore_options options_of(const struct configuration *how, uint64_t seed) {
    return (struct explore_options){.reports_news = seed % 2 != 0,
                                    .search = how->search,
                                    .random_seed = seed,
                                    .pending = how->pending,
                                    .relax_checks = how->relaxed,
                                    .step = 1 + seed % 40,
                                    .emit = EMIT_ALL,
                                    .solver = solver_defaults,
                                    .environments = &nothing_around,
                                    .environment_count = 1,
                                    .on_message = note_test};
}

// ---- the network

typedef vec(struct text) queue;

static struct text queue_pop(queue *queue) {
    struct text text = queue->at[0];
    memmove(queue->at, queue->at + 1, --queue->count * sizeof *queue->at);
    return text;
}

static void queue_free(queue *queue) {
    vec_each (struct text, text, queue) text_free(text);
    vec_free(queue);
}

struct network;

struct node {
    struct network *network;
    struct worker *worker; // NULL: dead
    queue orders, reports;
    uint32_t number;
};

struct network {
    const struct ir_program *program;
    struct explore_options options;
    struct explore *explore; // merges the reports
    struct coordinator *coordinator;
    struct random random;
    vec(struct node *) nodes;
    uint32_t deaths;
};

static double time_now;
static double clock_now(void) { return time_now += 0.0005; }

static bool send_report(void *context, const struct text *report) {
    struct node *node = context;
    struct text copy = {0};
    text_add_bytes(&copy, report->at, report->count);
    vec_push(&node->reports, copy);
    return true;
}

static void deliver_order(struct node *node) {
    struct text order = queue_pop(&node->orders), problem = {0};
    assert_true(worker_receive(node->worker, order.at, order.count, &problem));
    text_free(&order);
    text_free(&problem);
}

static bool poll_orders(void *context, struct worker *worker, bool wait) {
    struct node *node = context;
    if (node->orders.count && !random_below(&node->network->random, 3)) deliver_order(node);
    if (!random_below(&node->network->random, 10)) worker_pause(worker);
    return true;
}

static void add_node(struct network *network) {
    struct node *node = NEW(struct node);
    node->network = network;
    struct worker_options options = {.explore = &network->options,
                                     .context = node,
                                     .send = send_report,
                                     .poll = poll_orders,
                                     .clock = clock_now,
                                     .every_step = true,
                                     .report_seconds = 0.001};
    node->worker = worker_new(network->program, &options);
    node->number = coordinator_join(network->coordinator);
    vec_push(&network->nodes, node);
}

static void deliver_report(struct network *network, struct node *node) {
    struct text report = queue_pop(&node->reports), problem = {0};
    if (!coordinator_receive(network->coordinator, node->number, report.at, report.count, &problem))
        fail_msg("a report was refused: %s", problem.at);
    text_free(&report);
    text_free(&problem);
}

// Some of the dead worker's messages still arrive.
static void kill_node(struct network *network, struct node *node) {
    uint32_t arrive = (uint32_t)random_below(&network->random, node->reports.count + 1);
    for (uint32_t i = 0; i < arrive; i++) deliver_report(network, node);
    coordinator_lost(network->coordinator, node->number);
    worker_free(node->worker);
    node->worker = NULL;
    network->deaths++;
}

static struct node *any_alive(struct network *network) {
    for (;;) {
        struct node *node = network->nodes.at[random_below(&network->random, network->nodes.count)];
        if (node->worker) return node;
    }
}

static void fetch_orders(struct network *network) {
    vec_each (struct node *, node, &network->nodes) {
        struct text order;
        while ((*node)->worker && coordinator_next(network->coordinator, (*node)->number, &order))
            vec_push(&(*node)->orders, order);
    }
}

static void take_turn(struct network *network) {
    struct node *node = any_alive(network);
    uint64_t what = random_below(&network->random, 100);
    if (what < 30) {
        if (node->reports.count) deliver_report(network, node);
    } else if (what < 55) {
        if (node->orders.count) deliver_order(node);
    } else if (what < 90) {
        worker_run(node->worker);
    } else if (what < 98) {
        coordinator_balance(network->coordinator, clock_now(), clock_now());
    } else if (network->deaths < MOST_DEATHS) {
        kill_node(network, node);
        add_node(network);
    }
    fetch_orders(network);
}

static uint64_t messages;

static void check_checkpoint(struct network *network) {
    if (!coordinator_can_checkpoint(network->coordinator)) return;
    struct text bytes = {0}, problem = {0};
    struct arena *arena = arena_new();
    assert_true(coordinator_checkpoint(network->coordinator, &bytes));
    const struct checkpoint *read = checkpoint_read(arena, bytes.at, bytes.count, network->program, &problem);
    assert_non_null(read);
    for (uint32_t i = 0; i + 1 < read->entry_count; i++) // no state is in two places
        assert_true(read->entries[i].decision_count != read->entries[i + 1].decision_count ||
                    memcmp(read->entries[i].decisions, read->entries[i + 1].decisions,
                           read->entries[i].decision_count * sizeof(uint32_t)) != 0);
    arena_free(arena);
    text_free(&bytes);
    text_free(&problem);
}

// Runs until no state is left, or for `turns` turns.
static void run_network(struct network *network, uint32_t workers, uint32_t turns) {
    for (uint32_t i = 0; i < workers; i++) add_node(network);
    uint32_t turn = 0;
    for (; !coordinator_is_done(network->coordinator) && turn < turns; turn++) {
        take_turn(network);
        if (turn % 64 == 63) check_checkpoint(network);
    }
    if (turn == MOST_TURNS)
        fail_msg("seed %llu: no end: %llu states", (unsigned long long)network->options.random_seed,
                 (unsigned long long)explore_result(network->explore)->counts.states);
    uint64_t bytes;
    messages += coordinator_messages(network->coordinator, &bytes);
    coordinator_close(network->coordinator, END_COMPLETE);
}

static void open_network(struct network *network, const struct ir_program *program,
                         const struct explore_options *options, const struct checkpoint *from, uint64_t seed,
                         struct outcome *outcome) {
    *network = (struct network){.program = program, .options = *options, .random = {seed}};
    network->options.context = outcome;
    network->options.resume = from;
    network->explore = explore_new(program, &network->options);
    explore_merge_begin(network->explore);
    network->coordinator = coordinator_new(network->explore, from);
}

static void close_network(struct network *network) {
    vec_each (struct node *, node, &network->nodes) {
        worker_free((*node)->worker);
        queue_free(&(*node)->orders);
        queue_free(&(*node)->reports);
        DELETE(*node);
    }
    vec_free(&network->nodes);
    coordinator_free(network->coordinator);
    explore_free(network->explore);
}

// ---- the tests

static bool alone(const struct ir_program *program, struct explore_options options, struct outcome *outcome) {
    options.context = outcome;
    struct explore *explore = explore_new(program, &options);
    explore_run(explore);
    note_result(outcome, explore, program);
    bool certain = explore_result(explore)->complete; // else the paths that are left out depend on models
    explore_free(explore);
    return certain;
}

static void together_as_alone(void **state) {
    uint32_t programs = 0, deaths = 0;
    for (uint64_t seed = first; seed < first + count; seed++) {
        const struct configuration *how = &configurations[seed % COUNT(configurations)];
        struct symbolic_program program = symbolic_program(seed, 0);
        struct explore_options options = options_of(how, seed);
        struct outcome one = {0}, many = {0};
        if (alone(program.symbolic, options, &one)) {
            size_t before = mem_in_use();
            struct network network;
            open_network(&network, program.symbolic, &options, NULL, seed, &many);
            run_network(&network, 1 + (uint32_t)(seed % MOST_WORKERS), MOST_TURNS);
            note_result(&many, network.explore, program.symbolic);
            const char *wrong = difference(&one, &many);
            if (wrong)
                fail_msg("program %llu, %s%s, %u deaths: %s", (unsigned long long)seed, how->search,
                         how->pending ? ", pending" : "", network.deaths, wrong);
            deaths += network.deaths;
            programs++;
            close_network(&network);
            free_outcome(&many);
            assert_int_equal(mem_in_use(), before);
        }
        free_outcome(&one);
        symbolic_program_free(&program);
    }
    if (count >= 60) assert_true(programs > count / 4 && deaths > programs / 2 && messages > 8 * programs);
}

// A run is interrupted, and resumed from its checkpoint with another number of workers.
static void interrupted_and_resumed(void **state) {
    uint32_t resumed = 0;
    for (uint64_t seed = first; seed < first + count / 2; seed++) {
        const struct configuration *how = &configurations[seed % COUNT(configurations)];
        struct symbolic_program program = symbolic_program(seed, 0);
        struct explore_options options = options_of(how, seed);
        struct outcome one = {0}, many = {0};
        if (alone(program.symbolic, options, &one)) {
            struct network network;
            struct text bytes = {0}, problem = {0};
            struct arena *arena = arena_new();
            open_network(&network, program.symbolic, &options, NULL, seed, &many);
            run_network(&network, 1 + (uint32_t)(seed % MOST_WORKERS), 20 + (uint32_t)(seed % 100));
            assert_true(explore_checkpoint(network.explore, &bytes));
            close_network(&network);
            const struct checkpoint *from =
                checkpoint_read(arena, bytes.at, bytes.count, program.symbolic, &problem);
            assert_non_null(from);
            open_network(&network, program.symbolic, &options, from, seed + 1, &many);
            run_network(&network, 1 + (uint32_t)(seed / 3 % MOST_WORKERS), MOST_TURNS);
            note_result(&many, network.explore, program.symbolic);
            const char *wrong = difference(&one, &many);
            if (wrong) fail_msg("program %llu, %s: %s", (unsigned long long)seed, how->search, wrong);
            resumed += from->entry_count > 0;
            close_network(&network);
            arena_free(arena);
            text_free(&bytes);
            text_free(&problem);
        }
        free_outcome(&one);
        free_outcome(&many);
        symbolic_program_free(&program);
    }
    if (count >= 60) assert_true(resumed > count / 20);
}

static bool is_accepted(struct network *network, struct node *node, const struct text *report) {
    struct text problem = {0};
    bool good = coordinator_receive(network->coordinator, node->number, report->at, report->count, &problem);
    assert_int_equal(good, !problem.count);
    text_free(&problem);
    return good;
}

static void run_to_first_report(struct network *network, struct node *node) {
    coordinator_balance(network->coordinator, clock_now(), clock_now());
    fetch_orders(network);
    while (node->orders.count) deliver_order(node);
    while (!node->reports.count) worker_run(node->worker);
}

// A changed byte, a repeated report or a missing report: the worker counts as lost, and its report is not used.
static void bad_reports_are_refused(void **state) {
    struct symbolic_program program = symbolic_program(2, 0);
    struct explore_options options = options_of(&configurations[1], 2);
    for (uint32_t round = 0; round < 40; round++) {
        struct outcome outcome = {0};
        struct network network;
        open_network(&network, program.symbolic, &options, NULL, round, &outcome);
        add_node(&network);
        struct node *node = network.nodes.at[0];
        run_to_first_report(&network, node);
        struct text report = queue_pop(&node->reports);
        if (round % 2) {
            size_t at = (size_t)random_below(&network.random, report.count);
            report.at[at] = (char)(report.at[at] ^ (1 << round % 8));
            assert_false(is_accepted(&network, node, &report));
            assert_int_equal(outcome.paths.count, 0);
        } else {
            assert_true(is_accepted(&network, node, &report));
            uint32_t paths = outcome.paths.count;
            assert_false(is_accepted(&network, node, &report));
            assert_int_equal(outcome.paths.count, paths);
        }
        assert_false(coordinator_has(network.coordinator, node->number));
        text_free(&report);
        worker_free(node->worker);
        node->worker = NULL;
        run_network(&network, 1, MOST_TURNS); // another worker explores everything
        struct outcome one = {0};
        if (alone(program.symbolic, options, &one)) {
            note_result(&outcome, network.explore, program.symbolic);
            assert_null(difference(&one, &outcome));
        }
        free_outcome(&one);
        close_network(&network);
        free_outcome(&outcome);
    }
    symbolic_program_free(&program);
}

static void bad_orders_are_refused(void **state) {
    struct symbolic_program program = symbolic_program(2, 0);
    struct explore_options options = options_of(&configurations[1], 2);
    for (uint32_t round = 0; round < 40; round++) {
        struct outcome outcome = {0};
        struct network network;
        open_network(&network, program.symbolic, &options, NULL, round, &outcome);
        add_node(&network);
        struct node *node = network.nodes.at[0];
        coordinator_balance(network.coordinator, clock_now(), clock_now());
        fetch_orders(&network);
        struct text order = queue_pop(&node->orders), problem = {0};
        if (round % 2) {
            size_t at = (size_t)random_below(&network.random, order.count);
            order.at[at] = (char)(order.at[at] ^ (1 << round % 8));
        } else {
            assert_true(worker_receive(node->worker, order.at, order.count, &problem));
        }
        assert_false(worker_receive(node->worker, order.at, order.count, &problem));
        assert_true(problem.count > 0 && worker_has_ended(node->worker));
        text_free(&order);
        text_free(&problem);
        coordinator_close(network.coordinator, END_INTERRUPTED);
        assert_false(explore_result(network.explore)->complete);
        close_network(&network);
        free_outcome(&outcome);
    }
    symbolic_program_free(&program);
}

// Moves that cost too much of the time make the next ones larger; cheap ones, and idle workers, smaller.
static void states_are_moved_where_that_is_worth_it(void **state) {
    struct worth worth = {0};
    worth_note(&worth, 1, 1.0, 0.01, 0);
    assert_int_equal(worth.least, 0); // one state is enough
    for (uint32_t i = 1; i <= 4; i++) {
        worth_note(&worth, 1, 0.01, 0.005, 1);
        assert_int_equal(worth.least, 1u << i);
    }
    worth_note(&worth, 1, 1.0, 0.05, 1); // neither expensive nor cheap
    assert_int_equal(worth.least, 16);
    worth_wait(&worth, 1.25); // too early
    assert_int_equal(worth.least, 16);
    worth_wait(&worth, 1.27); // a pause is about five times as long as the move took
    assert_int_equal(worth.least, 8);
    worth_note(&worth, 1, 1.0, 0.01, 4);
    assert_int_equal(worth.least, 4);
    worth_note(&worth, 100, 0.02, 0.01, 5); // as many, near the end of a run: they had hardly any work
    assert_int_equal(worth.least, 100);
    for (uint32_t i = 0; i < 20; i++) worth_note(&worth, 1, 0.01, 0.01, 5);
    assert_true(worth.least <= 4096);
}

int main(int argc, char **argv) {
    if (argc > 1) first = strtoull(argv[1], NULL, 10);
    if (argc > 2) count = strtoull(argv[2], NULL, 10);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(together_as_alone), cmocka_unit_test(interrupted_and_resumed),
        cmocka_unit_test(states_are_moved_where_that_is_worth_it), cmocka_unit_test(bad_reports_are_refused),
        cmocka_unit_test(bad_orders_are_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
