// `tamar ir`: prints the IR of a program.
#include "base/error.h"
#include "cli/command.h"
#include "front/front.h"
#include "run/common_options.h"

#include <stdio.h>

#define IR_OPTIONS(X, T)                                                                                     \
    X(T, LIST, function, "NAME", "print only this function")                                                 \
    X(T, FLAG, verify, 0, "check every invariant of the IR instead of printing it")                          \
    X(T, SET, check, "overflow|shift|uninit|pointer-difference", "none",                                     \
      "include the operations of these checks")                                                              \
    X(T, TEXT, entry, "FUNCTION", NULL, "the function to start at, instead of main")                         \
    X(T, FLAG, whole, 0, "load every definition, not only reachable ones")                                   \
    X(T, TEXT, runtime, "DIR", NULL, "the folder of the C library's bitcode")                                \
    X(T, FLAG, no_libc, 0, "do not link a C library")                                                        \
    X(T, FLAG, allow_undefined, 0, "accept functions without a body")                                        \
    COMMON_OPTIONS(X, T)
OPTIONS_STRUCT(ir_options, IR_OPTIONS)
OPTIONS_TABLE(ir_options, IR_OPTIONS)

static int print_functions(const struct ir_program *program, const struct option_list *names) {
    for (uint32_t i = 0; i < names->count; i++) {
        const struct ir_function *function = ir_find_function(program, names->at[i].values[0]);
        if (!function) {
            user_error_at("ir", "Without --function, all reachable functions are printed.",
                          "the program has no function \"%s\", or never reaches it", names->at[i].values[0]);
            return EXIT_USAGE;
        }
        ir_print_function(stdout, program, function);
    }
    if (!names->count) ir_print(stdout, program);
    return EXIT_OK;
}

static int show(const struct ir_program *program, const struct ir_options *options) {
    if (!options->verify) return print_functions(program, &options->function);
    const char *wrong = ir_verify(program);
    if (wrong) error_internal("the IR is not sound: %s", wrong);
    printf("%u functions, %u globals, %u blocks, %u edges: sound\n", program->function_count,
           program->global_count, program->block_count, program->edge_count);
    return EXIT_OK;
}

// clang instruments narrowing; the front end does not lower it. So overflow here means only arithmetic.
static uint64_t checks_of(uint64_t option) {
    static const enum check checks[] = {CHECK_ARITHMETIC, CHECK_SHIFT, CHECK_UNINIT,
                                        CHECK_POINTER_DIFFERENCE};
    uint64_t set = 0;
    for (unsigned i = 0; i < COUNT(checks); i++)
        if (option >> i & 1) set |= UINT64_C(1) << checks[i];
    return set;
}

static int run(const struct command *command, char **argv) {
    struct ir_options options;
    struct operands operands;
    int status;
    if (!command_parse(command, argv, &options, &operands, &status)) return status;
    COMMON_APPLY(&options);
    struct front_input input = {operands.words.at, operands.words.count};
    struct front_options front = {.runtime = options.runtime,
                                  .start = options.entry,
                                  .whole = options.whole,
                                  .no_libc = options.no_libc,
                                  .checks = checks_of(options.check),
                                  .allow_undefined = options.allow_undefined};
    struct front_times times = {0};
    struct ir_program *program = front_load(&input, &front, &times);
    log_detail("compile %.3f s, read %.3f s, passes %.3f s, link %.3f s, lower %.3f s", times.compile,
               times.read, times.passes, times.link, times.lower);
    status = program ? show(program, &options) : EXIT_USAGE;
    ir_program_free(program);
    options_free(command->options, &options);
    operands_free(&operands);
    return status;
}

const struct command ir_command = {
    .name = "ir",
    .help = "print the IR of a program, with source lines",
    .operands = "PROGRAM...",
    .description = "Loads the program as `tamar run` would and prints its IR: the reachable functions, "
                   "one instruction per line, with its source location.",
    .options = &ir_options_table,
    .style = OPERANDS_COMPILER,
    .run = run,
};
