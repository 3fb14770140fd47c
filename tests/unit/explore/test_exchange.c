// Several explorations of a generated program exchange states at random moments. Together they find the paths of a
// single exploration, each once; the oracle judges every path. Also: entries of a checkpoint describe their states, and
// checkpoints with a changed byte are rejected.
//
//   test_explore_exchange [FIRST_SEED [COUNT]]
#include "../check.h"
#include "base/alloc.h"
#include "base/arena.h"
#include "base/random.h"
#include "base/text.h"
#include "explore/checkpoint.h"
#include "message/stream.h"
#include "oracle.h"

#include <stdlib.h>
#include <string.h>

#define MOST_GROUP 3
#define MOST_EXCHANGES                                                                                       \
    40 // few: a moved state is rebuilt from the program's start, and each exploration must finish

static uint64_t first = 1, count = 150;

struct group;

struct member {
    struct group *group;
    struct explore *explore;
};

struct group {
    struct oracle *oracle;
    struct random random;
    struct explore_options options;
    struct member members[MOST_GROUP];
    uint32_t size;
    uint32_t turn; // the running member
    uint64_t given, taken;
    uint32_t exchanges;
    bool incomplete; // the VM reported incompleteness
    const char *wrong;
};

static void note_wrong(struct group *group, const char *wrong) {
    if (!group->wrong) group->wrong = wrong;
}

static void on_message(void *context, const struct message *message) {
    struct member *member = context;
    struct group *group = member->group;
    if (message->kind != MESSAGE_TEST || group->wrong) return;
    const struct test_case *test = message->test_case;
    struct explore_tested tested = explore_tested(member->explore);
    struct finished path = {.vm = explore_vm(member->explore),
                            .terms = explore_terms(member->explore),
                            .solver = explore_solver(member->explore),
                            .state = tested.state,
                            .event = test->outcome == TEST_EXITED      ? VM_EXITED
                                     : test->outcome == TEST_SIGNALLED ? VM_SIGNALLED
                                     : test->outcome == TEST_BUG       ? VM_BUG
                                                                       : VM_UNKNOWN,
                            .exit_status = test->exit_status,
                            .bug = tested.bug};
    note_wrong(group, oracle_judge(group->oracle, &path));
}

// Returns the number of pending states of all explorations: a choice without pending states counts as decided.
static uint64_t all_waiting(const struct group *group) {
    uint64_t sum = 0;
    for (uint32_t i = 0; i < group->size; i++)
        for (uint32_t b = 0; b < group->oracle->program->symbolic->block_count; b++)
            sum += vm_pending_per_block(explore_vm(group->members[i].explore))[b];
    return sum;
}

// Moves some states of the running member to another one.
static void give_some(struct member *member) {
    struct group *group = member->group;
    uint64_t waiting = all_waiting(group);
    struct text stream = {0}, problem = {0};
    uint64_t before = explore_result(member->explore)->counts.states;
    struct member *other = &group->members[random_below(&group->random, group->size)];
    uint32_t most = 1 + (uint32_t)random_below(&group->random, 4);
    uint32_t given = explore_give(member->explore, most, &stream);
    if (given > most || explore_result(member->explore)->counts.states != before - given)
        note_wrong(group, "the giver counts its states wrong");
    before = explore_result(other->explore)->counts.states;
    if (!explore_take(other->explore, stream.at, stream.count, &problem))
        note_wrong(group, "states that were given cannot be taken");
    if (explore_result(other->explore)->counts.states != before + given)
        note_wrong(group, "the taker counts its states wrong");
    if (all_waiting(group) != waiting)
        note_wrong(group, "pending states of a choice are counted differently");
    group->given += given;
    text_free(&stream);
    text_free(&problem);
}

static bool on_progress(void *context) {
    struct member *member = context;
    struct group *group = member->group;
    bool gives = !random_below(&group->random, 4) && group->exchanges < MOST_EXCHANGES;
    group->exchanges += gives;
    if (gives) give_some(member);
    return !group->wrong && random_below(&group->random, 30) != 0; // the next member runs
}

// ---- a group

static const struct vm_start_config nothing_around = {0};

static const struct configuration {
    const char *search;
    bool pending, relaxed;
} configurations[] = {
    {"dfs", false, false},        {"bfs", false, false},        {"rp", false, false},
    {"klee", false, false},       {"pending(rp)", true, false}, {"bfs", true, false},
    {"rr(rp,dfs)", false, false}, {"depth", true, false},       {"pending(dfs)", true, true}};

static void open_group(struct group *group, struct oracle *oracle, const struct configuration *how,
                       uint64_t seed) {
    *group = (struct group){.oracle = oracle, .random = {seed}};
    group->options = (struct explore_options){.search = how->search,
                                              .random_seed = seed,
                                              .pending = how->pending,
                                              .relax_checks = how->relaxed,
                                              .step = 1 + random_below(&group->random, 60),
                                              .emit = EMIT_ALL,
                                              .solver = solver_defaults,
                                              .environments = &nothing_around,
                                              .environment_count = 1,
                                              .on_message = on_message,
                                              .on_progress = on_progress,
                                              .every_step = true};
    group->options.machine.array_offsets = program_array_offsets(oracle->program);
    group->size = 1 + (uint32_t)random_below(&group->random, MOST_GROUP);
    oracle_reset(oracle);
    for (uint32_t i = 0; i < group->size; i++) {
        struct explore_options options = group->options;
        options.empty = i > 0;
        options.context = &group->members[i];
        group->members[i] = (struct member){group, explore_new(oracle->program->symbolic, &options)};
    }
}

static bool anything_left(const struct group *group) {
    for (uint32_t i = 0; i < group->size; i++)
        if (explore_result(group->members[i].explore)->counts.states) return true;
    return false;
}

static const char *judge(struct group *group) {
    const struct ir_program *program = group->oracle->program->symbolic;
    uint8_t *edges = NEW_ARRAY(uint8_t, program->edge_count);
    const char *wrong = NULL;
    for (uint32_t i = 0; i < group->size; i++) {
        struct explore *explore = group->members[i].explore;
        const struct explore_result *result = explore_result(explore);
        if (result->counts.killed) wrong = "a path could not be rebuilt";
        for (uint32_t k = 0; k < result->given_up_count; k++) group->incomplete |= result->given_up[k].lost;
        for (uint32_t e = 0; e < program->edge_count; e++) edges[e] |= vm_edges_seen(explore_vm(explore))[e];
        for (uint32_t b = 0; b < program->block_count; b++)
            if (vm_pending_per_block(explore_vm(explore))[b])
                wrong = "a block has pending states, but there is none";
        group->taken += result->counts.taken;
    }
    if (!wrong && group->given != group->taken) wrong = "not every state that was given was taken";
    // The targets of a pointer that are left out depend on the model, and a rebuilt state has another model.
    if (!wrong && !(group->incomplete && group->given))
        wrong = oracle_judge_all(group->oracle, group->incomplete, edges);
    DELETE_ARRAY(edges, program->edge_count);
    return wrong;
}

// Returns an error message, or NULL.
static const char *run_group(struct group *group) {
    explore_run(group->members[0].explore);
    while (!group->wrong && anything_left(group)) {
        struct member *member = &group->members[random_below(&group->random, group->size)];
        if (explore_result(member->explore)->counts.states) explore_run(member->explore);
    }
    return group->wrong ? group->wrong : judge(group);
}

static void close_group(struct group *group) {
    for (uint32_t i = 0; i < group->size; i++) explore_free(group->members[i].explore);
}

static void together_as_alone(void **state) {
    uint64_t given = 0, programs = 0;
    for (uint64_t seed = first; seed < first + count; seed++) {
        const struct configuration *how = &configurations[seed % COUNT(configurations)];
        struct symbolic_program program = symbolic_program(seed, 0);
        struct oracle oracle;
        if (oracle_open(&oracle, &program)) {
            struct group group;
            size_t before = mem_in_use();
            open_group(&group, &oracle, how, seed);
            const char *wrong = run_group(&group);
            if (wrong)
                fail_msg("program %llu, %s%s%s, %u explorations: %s", (unsigned long long)seed, how->search,
                         how->pending ? ", pending" : "", how->relaxed ? ", relaxed" : "", group.size, wrong);
            given += group.given;
            programs++;
            close_group(&group);
            assert_int_equal(mem_in_use(), before);
            oracle_close(&oracle);
        }
        symbolic_program_free(&program);
    }
    if (count >= 20) assert_true(given > 2 * programs);
}

// ---- damage

static struct explore *interrupted(const struct symbolic_program *program, uint64_t seed, bool pending) {
    struct explore_options options = {.search = "bfs",
                                      .random_seed = seed,
                                      .pending = pending,
                                      .step = 20,
                                      .emit = EMIT_ALL,
                                      .findings = true,
                                      .max_forks = 2 + seed % 6,
                                      .solver = solver_defaults,
                                      .environments = &nothing_around,
                                      .environment_count = 1};
    struct explore *explore = explore_new(program->symbolic, &options);
    explore_run(explore);
    return explore;
}

static bool is_accepted(const struct ir_program *program, const struct text *bytes) {
    struct arena *arena = arena_new();
    struct text problem = {0};
    bool good = checkpoint_read(arena, bytes->at, bytes->count, program, &problem) != NULL;
    assert_int_equal(good, !problem.count);
    text_free(&problem);
    arena_free(arena);
    return good;
}

static bool is_taken(struct explore *explore, const struct text *bytes) {
    struct text problem = {0};
    uint64_t before = explore_result(explore)->counts.states;
    bool good = explore_take(explore, bytes->at, bytes->count, &problem);
    if (!good) assert_int_equal(explore_result(explore)->counts.states, before);
    text_free(&problem);
    return good;
}

// ---- entries

static const struct state *state_numbered(struct explore *explore, uint64_t number) {
    uint32_t live;
    struct state *const *all = vm_live(explore_vm(explore), &live);
    for (uint32_t i = 0; i < live; i++)
        if (all[i]->number == number) return all[i];
    return NULL;
}

static void check_sequence(struct shared_list list, const uint32_t *values, uint32_t count_of_values) {
    assert_int_equal(shared_list_count(list), count_of_values);
    uint32_t *all = NEW_ARRAY(uint32_t, count_of_values);
    shared_list_copy(list, all);
    if (count_of_values) assert_memory_equal(all, values, count_of_values * sizeof *all);
    DELETE_ARRAY(all, count_of_values);
}

static void check_model(struct explore *explore, const struct state *state,
                        const struct frontier_entry *entry) {
    const struct inputs *inputs = vm_inputs(explore_vm(explore));
    uint32_t numbers[MOST_INPUTS], at = 0;
    assert_int_equal(entry->input_count, state_inputs_count(&state->inputs));
    assert_true(entry->input_count <= MOST_INPUTS);
    state_inputs_copy(&state->inputs, numbers);
    for (uint32_t i = 0; i < entry->input_count; i++) {
        const struct frontier_input *input = &entry->inputs[i];
        struct input_id id = inputs_id(inputs, numbers[i]);
        assert_int_equal(input->kind, id.kind);
        assert_int_equal(input->index, id.index);
        assert_string_equal(input->name, id.name);
        assert_int_equal(input->size, state_inputs_size(&state->inputs, numbers[i]));
        for (uint32_t k = 0; k < input->size; k++)
            assert_int_equal(entry->model[at++],
                             path_byte(state->path, terms_input_var(explore_terms(explore), numbers[i], k)));
    }
    assert_int_equal(entry->model_size, at);
}

static void check_entry(struct explore *explore, const struct frontier_entry *entry) {
    const struct state *state = state_numbered(explore, entry->number);
    assert_non_null(state);
    assert_int_equal(entry->environment, state->start.environment);
    assert_int_equal(entry->depth, state->fork.depth);
    assert_int_equal(entry->progress, state->coverage.progress);
    assert_int_equal(entry->instructions, state->instructions);
    assert_int_equal(entry->incomplete, state->incomplete);
    assert_int_equal(entry->pending, state->waiting.condition != 0);
    assert_int_equal(entry->follows, state->seed.follows);
    assert_int_equal(entry->pending_edge, state->waiting.edge);
    assert_int_equal(entry->pending_block, state->waiting.block);
    check_sequence(state->history.decisions, entry->decisions, entry->decision_count);
    check_sequence(state->coverage.fresh, entry->fresh, entry->fresh_count);
    check_model(explore, state, entry);
}

// Sets fields that these programs never change, so that a field missing from an entry is detected.
static void vary_states(struct explore *explore, uint64_t seed) {
    struct random random = {seed};
    uint32_t live;
    struct state *const *all = vm_live(explore_vm(explore), &live);
    for (uint32_t i = 0; i < live; i++) {
        all[i]->incomplete = random_below(&random, 2);
        all[i]->seed.follows = random_below(&random, 2);
        all[i]->coverage.progress = (uint32_t)random_below(&random, 9);
        all[i]->fork.depth = (uint32_t)random_below(&random, 99);
    }
}

// Every field of an entry equals the field of its state.
static void entries_say_the_states(void **state) {
    uint32_t entries = 0;
    for (uint64_t seed = first; seed < first + 60; seed++) {
        struct symbolic_program program = symbolic_program(seed, 0);
        struct explore *explore = interrupted(&program, seed, seed % 2);
        struct arena *arena = arena_new();
        struct text bytes = {0}, problem = {0};
        vary_states(explore, seed);
        explore_checkpoint(explore, &bytes);
        const struct checkpoint *read =
            checkpoint_read(arena, bytes.at, bytes.count, program.symbolic, &problem);
        assert_non_null(read);
        assert_int_equal(read->entry_count, explore_result(explore)->counts.states);
        for (uint32_t i = 0; i < read->entry_count; i++) check_entry(explore, &read->entries[i]);
        entries += read->entry_count;
        text_free(&bytes);
        text_free(&problem);
        arena_free(arena);
        explore_free(explore);
        symbolic_program_free(&program);
    }
    assert_true(entries > 60);
}

// Gives away up to `most` states; `numbers` gets their numbers.
static uint32_t numbers_given(struct explore *explore, uint32_t most, uint64_t *numbers) {
    struct text stream = {0};
    struct message message;
    uint32_t given = explore_give(explore, most, &stream), at = 0;
    assert_true(given <= most);
    struct arena *arena = arena_new();
    struct message_reader *reader = message_reader_new(arena, stream.at, stream.count);
    while (message_read(reader, &message) == MESSAGE_READ) numbers[at++] = message.frontier_entry->number;
    assert_int_equal(at, given);
    message_reader_free(reader);
    arena_free(arena);
    text_free(&stream);
    return given;
}

// Half of the states is every second one in the order of their costs: neither side gets only those near the program's
// start.
static void given_states_are_spread(void **state) {
    uint32_t checked = 0;
    for (uint64_t seed = first; seed < first + 60; seed++) {
        struct symbolic_program program = symbolic_program(seed, 0);
        uint64_t all[64], half[64];
        struct explore *explore = interrupted(&program, seed, seed % 2);
        uint32_t given = numbers_given(explore, COUNT(all), all);
        explore_free(explore);
        explore = interrupted(&program, seed, seed % 2);
        uint32_t some = numbers_given(explore, given / 2, half);
        explore_free(explore);
        symbolic_program_free(&program);
        assert_int_equal(some, given / 2);
        for (uint32_t i = 0; i < some; i++) {
            uint32_t rank = 0;
            while (rank < given && all[rank] != half[i]) rank++;
            assert_true(rank / 2 == i);
        }
        checked += given >= 4;
    }
    assert_true(checked > 5);
}

static void damaged_streams(void **state) {
    uint32_t checked = 0;
    for (uint64_t seed = first; seed < first + 40 && checked < 4; seed++) {
        struct symbolic_program program = symbolic_program(seed, 0);
        struct explore *explore = interrupted(&program, seed, false);
        struct text checkpoint = {0}, given = {0};
        explore_checkpoint(explore, &checkpoint);
        if (explore_give(explore, 2, &given)) {
            checked++;
            assert_true(is_accepted(program.symbolic, &checkpoint));
            for (size_t i = 0; i < checkpoint.count; i++) {
                checkpoint.at[i] = (char)(checkpoint.at[i] ^ (1 << i % 8));
                assert_false(is_accepted(program.symbolic, &checkpoint));
                checkpoint.at[i] = (char)(checkpoint.at[i] ^ (1 << i % 8));
            }
            for (size_t i = 0; i < given.count; i++) {
                given.at[i] = (char)(given.at[i] ^ (1 << i % 8));
                assert_false(is_taken(explore, &given));
                given.at[i] = (char)(given.at[i] ^ (1 << i % 8));
            }
            assert_false(is_taken(explore, &checkpoint)); // a checkpoint is more than a stream of entries
            assert_true(is_taken(explore, &given));
        }
        text_free(&checkpoint);
        text_free(&given);
        explore_free(explore);
        symbolic_program_free(&program);
    }
    assert_int_equal(checked, 4);
}

int main(int argc, char **argv) {
    if (argc > 1) first = strtoull(argv[1], NULL, 10);
    if (argc > 2) count = strtoull(argv[2], NULL, 10);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(together_as_alone), cmocka_unit_test(entries_say_the_states),
        cmocka_unit_test(given_states_are_spread), cmocka_unit_test(damaged_streams)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
