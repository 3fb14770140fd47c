#include "run/sliced.h"

#include "base/arena.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/file.h"
#include "base/log.h"
#include "cluster/processes.h"
#include "explore/scout.h"
#include "transform/slice.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define STEPS          10000000u // limit of the slicer's steps in each function
#define DEFAULT_PERIOD 10.0      // seconds per mode of --slice auto, if the run has no time limit

// The inputs that the exploration of one sliced program has found so far.
struct tried_inputs {
    struct seeds *seeds;
    struct scout *scout; // runs the inputs on the original program
    uint32_t tried;      // number of inputs that the scout has run
    double seconds;      // time of these runs
    uint32_t jobs;       // worker processes; if not 0, inputs are tried only after the workers have ended
};

// Whether the scout, which runs the original, can give it all inputs of the test.
static bool is_scoutable(const struct test_case *test) {
    for (uint32_t i = 0; i < test->input_count; i++) {
        const struct test_input *input = &test->inputs[i];
        bool is_harness = input->kind == INPUT_OBJECT && !strcmp(input->name, input_roles[ROLE_HARNESS].name);
        if (input->kind != INPUT_ARGUMENT && input->kind != INPUT_STDIN && input->kind != INPUT_FILE &&
            !is_harness)
            return false;
    }
    return true;
}

// Whether the input becomes a seed: it covers something new or shows a new bug in the original. If the scout cannot
// tell, it must cover something new in the sliced program (is_new).
static bool is_wanted(struct tried_inputs *inputs, const struct test_case *test, bool is_new) {
    struct scouted scouted;
    if (!is_scoutable(test)) return is_new;
    double began = clock_seconds();
    scout_run(inputs->scout, test, NULL, NULL, &scouted);
    inputs->seconds += clock_seconds() - began;
    inputs->tried++;
    return scouted.fresh || scouted.is_new_bug || (is_new && scouted.end != SCOUT_ENDED);
}

static void keep_inputs(void *context, const struct message *message) {
    struct tried_inputs *inputs = context;
    struct seeds *seeds = inputs->seeds;
    if (message->kind != MESSAGE_TEST) return;
    const struct test_case *test = message->test_case;
    if (!inputs->jobs && !is_wanted(inputs, test, test->fresh_count || test->outcome == TEST_BUG)) return;
    struct test_case seed = {.arguments = test->arguments,
                             .argument_count = test->argument_count,
                             .inputs = test->inputs,
                             .input_count = test->input_count,
                             .environment = test->environment};
    if (!seeds->arena) seeds->arena = arena_new();
    if (inputs->jobs) { // by_decisions sorts the seeds by them
        seed.decisions = test->decisions;
        seed.decision_count = test->decision_count;
    }
    layout_copy(&layout_test_case, seeds->arena, &seed, &seed);
    vec_push(&seeds->at, seed);
}

// Loads the sliced program through a temporary file, since the front end reads files.
static struct ir_program *load_sliced(const struct text *bitcode, struct summary_slice *slice,
                                      const struct run_options *options) {
    struct text sliced = {0};
    struct slice_counts counts;
    double began = clock_seconds();
    transform_slice(bitcode, &(struct slice_how){slice->mode, STEPS, options->slice_only}, &sliced, &counts);
    slice->slicing = clock_seconds() - began;
    slice->cut = counts.cut;
    if (!counts.functions)
        user_warning("--slice-only %s: no function's source matches, so nothing is cut", options->slice_only);
    if (counts.out_of_steps)
        user_warning("--slice %u: in %u of %u functions not all paths were examined", slice->mode,
                     counts.out_of_steps, counts.functions);
    const char *folder = getenv("TMPDIR");
    struct text path = {0};
    text_add(&path, "%s/tamar-sliced-XXXXXX.bc", folder && *folder ? folder : "/tmp");
    struct ir_program *program = NULL;
    int fd = mkstemps(path.at, 3);
    if (fd >= 0) close(fd);
    if (fd < 0 || !file_write(path.at, sliced.at, sliced.count)) {
        user_error_at(path.at, "Set TMPDIR to a directory that can be written.",
                      "the sliced program cannot be written");
    } else {
        const char *word = path.at;
        struct front_options front = run_front_options(options);
        front.allow_undefined =
            true; // the original was accepted; an executable may keep names that nothing calls
        program = front_load(&(struct front_input){&word, 1}, &front, NULL);
    }
    if (fd >= 0) unlink(path.at);
    text_free(&path);
    text_free(&sliced);
    return program;
}

static int by_decisions(const void *a, const void *b) {
    const struct test_case *x = a, *y = b;
    if (x->environment != y->environment) return x->environment < y->environment ? -1 : 1;
    for (uint32_t i = 0; i < x->decision_count && i < y->decision_count; i++)
        if (x->decisions[i] != y->decisions[i]) return x->decisions[i] < y->decisions[i] ? -1 : 1;
    return x->decision_count < y->decision_count ? -1 : x->decision_count > y->decision_count;
}

// Explores in several processes. They find inputs in any order, which must not matter: the inputs are sorted before
// they are tried.
static void run_processes(struct tried_inputs *inputs, struct explore *exploring,
                          const struct ir_program *program, const struct explore_options *explore,
                          uint64_t memory, uint32_t first) {
    struct processes_options options = {.jobs = inputs->jobs, .explore = explore, .max_memory = memory};
    struct sharing sharing = processes_sharing(processes_new(exploring, program, &options));
    sharing.methods->run(sharing.self);
    sharing.methods->free(sharing.self);
    struct seeds *seeds = inputs->seeds;
    if (seeds->at.count > first)
        qsort(seeds->at.at + first, seeds->at.count - first, sizeof *seeds->at.at, by_decisions);
    uint32_t kept = first;
    for (uint32_t i = first; i < seeds->at.count; i++) {
        struct test_case *seed = &seeds->at.at[i];
        seed->decisions = NULL; // the decisions belong to the sliced program
        seed->decision_count = 0;
        if (is_wanted(inputs, seed, true)) seeds->at.at[kept++] = *seed;
    }
    seeds->at.count = kept;
}

// Returns false if interrupted.
static bool explore_sliced(struct sliced *sliced, const struct ir_program *program,
                           struct summary_slice *slice, double period, const struct run_options *options,
                           const struct program_inputs *program_inputs, const char *directory) {
    struct tried_inputs inputs = {.seeds = sliced->seeds, .jobs = sliced->jobs};
    uint32_t before = sliced->seeds->at.count;
    struct explore_options explore = run_explore_options(options, program_inputs, directory);
    struct explore_options original = explore;
    inputs.scout = scout_new(sliced->original, &original);
    explore.max_time = period;
    explore.emit = EMIT_ALL; // a path that covers nothing new here may do so in the original
    explore.on_message = keep_inputs;
    explore.context = &inputs;
    struct explore_options own = explore;
    if (sliced->jobs)
        own.solver.disk = false; // only workers query the solver, and a process can open its file once
    struct explore *exploring = explore_new(program, &own);
    if (sliced->jobs)
        run_processes(&inputs, exploring, program, &explore, options->max_memory << 20, before);
    else
        explore_run(exploring);
    const struct explore_result *result = explore_result(exploring);
    const struct solver_counters *solver = solver_statistics(explore_solver(exploring));
    slice->inputs = sliced->seeds->at.count - before;
    slice->tried = inputs.tried;
    slice->trying = inputs.seconds;
    slice->paths = result->counts.completed + result->counts.errors;
    slice->queries = solver->queries;
    slice->solved = counters_answered(solver, LAYER_GROUP_SAT) + counters_answered(solver, LAYER_GROUP_Z3);
    slice->seconds = result->seconds;
    slice->complete = result->complete;
    bool interrupted = result->end == END_INTERRUPTED;
    log_line("sliced by mode %u in %.2f s: %llu paths, %u inputs for the original%s", slice->mode,
             slice->slicing, (unsigned long long)slice->paths, slice->inputs,
             slice->complete ? "; every path of the sliced program was explored" : "");
    explore_free(exploring);
    scout_free(inputs.scout);
    return !interrupted;
}

bool sliced_explore(struct sliced *sliced, const struct text *bitcode, const struct run_options *options,
                    const struct program_inputs *program_inputs, const char *directory) {
    static const unsigned in_turn[] = {5, 4, 2, 3, 1}; // the most helpful first
    static_assert(COUNT(in_turn) <= COUNT(sliced->slices), "one for each mode");
    bool all = options->slice == SLICE_AUTO, go_on = true;
    double limit = options->max_time;
    double period = limit > 0 ? limit / (all ? 2 * COUNT(in_turn) : 2) : all ? DEFAULT_PERIOD : 0;
    sliced->left = limit;
    for (unsigned i = 0; i < (all ? COUNT(in_turn) : 1) && go_on; i++) {
        struct summary_slice *slice = &sliced->slices[sliced->count++];
        slice->mode = all ? in_turn[i] : options->slice;
        struct ir_program *program = load_sliced(bitcode, slice, options);
        if (!program) return false;
        go_on = explore_sliced(sliced, program, slice, period, options, program_inputs, directory);
        sliced->left -= slice->seconds + slice->slicing;
        ir_program_free(program);
    }
    // Leaves some time for the original, however long the steps above took.
    sliced->left = limit > 0 ? MAX(sliced->left, limit / 10) : 0;
    return true;
}
