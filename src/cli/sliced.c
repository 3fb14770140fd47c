#include "cli/sliced.h"

#include "base/arena.h"
#include "base/error.h"
#include "base/file.h"
#include "base/log.h"
#include "transform/slice.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define STEPS          10000000u // of the slicer, for each function
#define DEFAULT_PERIOD 10.0      // seconds for one of auto's modes, where the run has no limit

static void keep_inputs(void *context, const struct test_case *test) {
    struct seeds *seeds = context;
    if (!seeds->arena) seeds->arena = arena_new();
    struct test_input *inputs = ARENA_ARRAY(seeds->arena, struct test_input, test->input_count + 1);
    const char **arguments = ARENA_ARRAY(seeds->arena, const char *, test->argument_count + 1);
    for (uint32_t i = 0; i < test->input_count; i++) {
        uint8_t *bytes = arena_alloc(seeds->arena, test->inputs[i].size + 1);
        if (test->inputs[i].size) memcpy(bytes, test->inputs[i].bytes, test->inputs[i].size);
        inputs[i] = test->inputs[i];
        inputs[i].name = arena_strdup(seeds->arena, test->inputs[i].name);
        inputs[i].bytes = bytes;
    }
    for (uint32_t i = 0; i < test->argument_count; i++)
        arguments[i] = arena_strdup(seeds->arena, test->arguments[i]);
    vec_push(&seeds->at, ((struct test_case){.arguments = arguments,
                                             .argument_count = test->argument_count,
                                             .inputs = inputs,
                                             .input_count = test->input_count,
                                             .environment = test->environment}));
}

// The sliced program in our form. The front end reads files, so it becomes one for a moment.
static struct ir_program *load_sliced(const struct text *bitcode, unsigned mode,
                                      const struct run_options *options) {
    struct text sliced = {0};
    struct slice_counts counts;
    transform_slice(bitcode, mode, STEPS, &sliced, &counts);
    if (counts.out_of_steps)
        warning("--slice %u: in %u of %u functions not all paths were looked at", mode, counts.out_of_steps,
                counts.functions);
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
        program = front_load(&(struct front_input){&word, 1}, &front, NULL);
    }
    if (fd >= 0) unlink(path.at);
    text_free(&path);
    text_free(&sliced);
    return program;
}

static bool explore_sliced(struct seeds *seeds, const struct ir_program *program, unsigned mode,
                           double period, const struct run_options *options,
                           const struct surroundings *surroundings, const char *directory,
                           void (*watch)(struct explore *explore)) {
    uint32_t before = seeds->at.count;
    struct explore_options explore = run_explore_options(options, surroundings, directory);
    explore.max_time = period;
    explore.on_test = keep_inputs;
    explore.context = seeds;
    struct explore *exploring = explore_new(program, &explore);
    watch(exploring);
    explore_run(exploring);
    watch(NULL);
    const struct explore_result *result = explore_result(exploring);
    bool interrupted = result->end == END_INTERRUPTED;
    say_line("sliced by mode %u: %llu paths, %u inputs for the original%s", mode,
             (unsigned long long)result->completed + result->errors, seeds->at.count - before,
             result->end == END_COMPLETE ? "; every path was explored" : "");
    explore_free(exploring);
    return !interrupted;
}

bool sliced_seeds(struct seeds *seeds, const struct text *bitcode, const struct run_options *options,
                  const struct surroundings *surroundings, const char *directory,
                  void (*watch)(struct explore *explore), double *left) {
    static const unsigned in_turn[] = {5, 4, 2, 3, 1}; // the most helpful first
    bool all = options->slice == SLICE_AUTO;
    double period = options->max_time > 0 ? options->max_time / (all ? 2 * COUNT(in_turn) : 2)
                    : all                 ? DEFAULT_PERIOD
                                          : 0;
    *left = options->max_time / 2;
    for (unsigned i = 0; i < (all ? COUNT(in_turn) : 1); i++) {
        unsigned mode = all ? in_turn[i] : options->slice;
        struct ir_program *program = load_sliced(bitcode, mode, options);
        bool go_on =
            program && explore_sliced(seeds, program, mode, period, options, surroundings, directory, watch);
        ir_program_free(program);
        if (!go_on) return false;
    }
    return true;
}
