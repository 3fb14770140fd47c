#include "campaign.h"

#include "base/hash.h"
#include "explore/checkpoint.h"
#include "explore/follow.h"

#include <string.h>

#define MOST_RUNS 400

static void note_wrong(struct campaign *campaign, const char *wrong) {
    if (!campaign->wrong) campaign->wrong = wrong;
}

// ---- tests

static enum vm_event event_of(enum test_outcome outcome) {
    switch (outcome) {
    case TEST_EXITED: return VM_EXITED;
    case TEST_SIGNALLED: return VM_SIGNALLED;
    case TEST_BUG: return VM_BUG;
    default: return VM_UNKNOWN; // nothing else is expected
    }
}

// Follows the test's decisions: the path must end in the same way and use up all decisions.
static const char *follow(struct campaign *campaign, const struct test_case *test) {
    struct follow_view view = {0};
    struct followed followed;
    explore_follow(campaign->oracle->program->symbolic, &campaign->options, test, &view, &followed);
    bool same = followed.event == event_of(test->outcome) && !followed.strayed && !followed.decisions_left &&
                (test->outcome != TEST_EXITED || followed.exit_status == test->exit_status) &&
                (test->outcome != TEST_BUG || !strcmp(bug_facts[followed.bug.kind].name, test->bug));
    follow_free(&followed);
    return same ? NULL : "a test's decisions lead to another end";
}

static void on_message(void *context, const struct message *message) {
    struct campaign *campaign = context;
    if (message->kind != MESSAGE_TEST) return;
    const struct test_case *test = message->test_case;
    struct explore_tested tested = explore_tested(campaign->explore);
    struct finished path = {.vm = explore_vm(campaign->explore),
                            .terms = explore_terms(campaign->explore),
                            .solver = explore_solver(campaign->explore),
                            .state = tested.state,
                            .event = event_of(test->outcome),
                            .exit_status = test->exit_status,
                            .bug = tested.bug};
    campaign->tests++;
    if (campaign->wrong) return;
    note_wrong(campaign, oracle_judge(campaign->oracle, &path));
    campaign->fingerprint =
        hash_bytes(test->decisions, test->decision_count * sizeof *test->decisions, campaign->fingerprint);
    for (uint32_t i = 0; i < test->input_count; i++)
        campaign->fingerprint =
            hash_bytes(test->inputs[i].bytes, test->inputs[i].size, campaign->fingerprint);
    if (campaign->follows && !random_below(&campaign->random, 4))
        note_wrong(campaign, follow(campaign, test));
}

// ---- runs

static bool any_left_out(struct campaign *campaign) {
    const struct explore_result *result = explore_result(campaign->explore);
    for (uint32_t i = 0; i < result->given_up_count; i++)
        if (result->given_up[i].lost) return true;
    return false;
}

// Sets one limit such that the run ends soon.
static void set_limit(struct campaign *campaign) {
    struct explore_options *options = &campaign->options;
    const struct run_counters none = {0},
                              *so_far = options->resume ? &options->resume->status->counts : &none;
    uint64_t few = 1 + random_below(&campaign->random, 6);
    options->max_forks = options->max_tests = options->max_paths = options->max_instructions = 0;
    if (!campaign->is_interrupted) return;
    switch (random_below(&campaign->random, 4)) {
    case 0: options->max_forks = so_far->forks + few; break;
    case 1: options->max_tests = so_far->tests + few; break;
    case 2: options->max_paths = so_far->completed + so_far->errors + so_far->stopped + few; break;
    default: options->max_instructions = so_far->instructions + 20 * few; break;
    }
}

static void start_run(struct campaign *campaign) {
    set_limit(campaign);
    campaign->runs++;
    campaign->explore = explore_new(campaign->oracle->program->symbolic, &campaign->options);
    explore_run(campaign->explore);
    campaign->incomplete |= any_left_out(campaign);
}

// Saves the ended run as a checkpoint and frees it; the next run resumes from the checkpoint.
static void hand_over_checkpoint(struct campaign *campaign) {
    struct text bytes = {0}, problem = {0};
    struct arena *arena = arena_new();
    explore_checkpoint(campaign->explore, &bytes);
    explore_free(campaign->explore);
    campaign->explore = NULL;
    campaign->options.resume =
        checkpoint_read(arena, bytes.at, bytes.count, campaign->oracle->program->symbolic, &problem);
    if (!campaign->options.resume) note_wrong(campaign, "a checkpoint cannot be read");
    text_free(&problem);
    arena_free(campaign->arena);
    campaign->arena = arena;
    text_free(&bytes);
}

static void (*const handovers[])(struct campaign *campaign) = {hand_over_checkpoint};

// ---- the campaign

static const struct vm_start_config nothing_around = {0};

static void make_seeds(struct campaign *campaign, uint32_t count) {
    static const char *const names[MOST_INPUTS] = {"x", "x#1"};
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t k = 0; k < MOST_INPUTS; k++) {
            campaign->seed_bytes[i][k] =
                (uint8_t)random_below(&campaign->random, campaign->oracle->program->domain);
            campaign->seed_inputs[i][k] =
                (struct test_input){INPUT_OBJECT, names[k], &campaign->seed_bytes[i][k], 1};
        }
        campaign->seeds[i] =
            (struct test_case){.inputs = campaign->seed_inputs[i], .input_count = MOST_INPUTS};
    }
    campaign->options.seeds = campaign->seeds;
    campaign->options.seed_count = count;
}

void campaign_open(struct campaign *campaign, struct oracle *oracle,
                   const struct configuration *configuration, uint64_t seed) {
    *campaign = (struct campaign){.oracle = oracle, .random = {seed}};
    campaign->options = (struct explore_options){.search = configuration->search,
                                                 .random_seed = seed,
                                                 .pending = configuration->pending,
                                                 .relax_checks = configuration->relaxed,
                                                 .step = 1 + random_below(&campaign->random, 100),
                                                 .emit = EMIT_ALL,
                                                 .solver = solver_defaults,
                                                 .environments = &nothing_around,
                                                 .environment_count = 1,
                                                 .on_message = on_message,
                                                 .context = campaign};
    campaign->options.machine.checks =
        program_has(oracle->program, PROGRAM_UNINITIALISED) ? CHECK_BIT(UNINIT) : 0;
    campaign->options.machine.array_offsets = program_array_offsets(oracle->program);
    make_seeds(campaign, configuration->seeds);
    oracle_reset(oracle);
}

const char *campaign_run(struct campaign *campaign) {
    for (;;) {
        start_run(campaign);
        if (campaign->wrong) return campaign->wrong;
        const struct explore_result *result = explore_result(campaign->explore);
        if (result->counts.killed) return "a path could not be rebuilt";
        if (!result->counts.states) break;
        if (!campaign->is_interrupted) return "states are left at the end";
        if (campaign->runs == MOST_RUNS) campaign->is_interrupted = false;
        handovers[random_below(&campaign->random, COUNT(handovers))](campaign);
        if (campaign->wrong) return campaign->wrong;
    }
    const struct explore_result *result = explore_result(campaign->explore);
    if (result->counts.tests != campaign->tests ||
        result->counts.completed + result->counts.errors != campaign->tests)
        return "the numbers of tests and paths differ";
    for (uint32_t i = 0; i < campaign->oracle->program->symbolic->block_count; i++)
        if (vm_pending_per_block(explore_vm(campaign->explore))[i])
            return "a block has pending states, but there is none";
    return oracle_judge_all(campaign->oracle, campaign->incomplete,
                            vm_edges_seen(explore_vm(campaign->explore)));
}

void campaign_close(struct campaign *campaign) {
    if (campaign->explore) explore_free(campaign->explore);
    arena_free(campaign->arena);
}
