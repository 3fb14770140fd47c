// `tamar solve`: the solver as a command, with the behaviour of other SMT solvers.
#include "base/error.h"
#include "base/run_limits.h"
#include "cli/command.h"
#include "expr/smtlib.h"
#include "run/common_options.h"
#include "run/layer_options.h"
#include "solver/solver.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define SOLVE_OPTIONS(X, T)                                                                                  \
    X(T, SECONDS, timeout, "S", 0, "time limit for one check-sat; then it answers unknown (0: none)")        \
    X(T, NUMBER, max_memory, "MB", 4000, 0, 1000000, "end beyond this much memory (0: no limit)")            \
    X(T, NUMBER, conflicts, "N", 100000, 0, UINT32_MAX, "conflicts of SAT before Z3 is asked (0: no limit)") \
    X(T, FLAG, check_solver, 0, "check every refutation with Z3")                                            \
    X(T, SET, layers, LAYER_CHOICES, LAYER_DEFAULTS, "the layers of the solver that are used")               \
    X(T, SWITCH, independence, true,                                                                         \
      "solve all conditions together, not each set of conditions that share inputs")                         \
    X(T, SWITCH, substitution, true, "encode every array element as a variable")                             \
    X(T, SWITCH, refinement, true, "add all array axioms at once, not only violated ones")                   \
    X(T, SWITCH, expansion, true, "never expand small tables and short chains of stores to multiplexers")    \
    X(T, SWITCH, simplification, true, "do not simplify gates")                                              \
    X(T, TEXT, cache, "FILE", NULL, "keep answers in FILE, across runs")                                     \
    X(T, NUMBER, cache_size, "MB", 1024, 1, 1048576, "the largest size of that file")                        \
    X(T, FLAG, stats, 0, "print statistics at the end")                                                      \
    COMMON_OPTIONS(X, T)

OPTIONS_STRUCT(solve_options, SOLVE_OPTIONS)
OPTIONS_TABLE(solve_options, SOLVE_OPTIONS)

struct session {
    struct solver_options options;
    bool print_statistics; // print statistics at the end
    bool checks;           // a check-sat has no answer yet
    struct solver *solver;
    struct path_condition path; // path condition of the last check-sat; get-model prints its model
};

static void end(struct session *session) {
    path_free(&session->path);
    solver_free(session->solver);
    session->solver = NULL;
}

static void reset(void *context, struct terms *terms) {
    struct session *session = context;
    if (session->solver && session->print_statistics && !terms)
        solver_print_statistics(session->solver, stdout);
    end(session);
    if (terms) session->solver = solver_new(terms, &session->options); // NULL: the script has ended
}

static uint8_t byte_of(void *context, uint32_t var) { return path_byte(context, var); }
static const struct array_value *array_of(void *context, uint32_t var) { return path_array(context, var); }

static enum smtlib_answer check(void *context, const Term *conditions, size_t count, struct assignment *model,
                                const char **reason) {
    struct session *session = context;
    session->checks = true;
    path_free(&session->path);
    path_add_all(session->solver, &session->path, conditions, (uint32_t)count);
    uint64_t start = solver_statistics(session->solver)->nanoseconds;
    enum answer answer = solver_check(session->solver, &session->path);
    session->checks = false;
    switch (answer) {
    case ANSWER_YES:
        *model = (struct assignment){.byte = byte_of, .array = array_of, .context = &session->path};
        return SMTLIB_SAT;
    case ANSWER_NO: return SMTLIB_UNSAT;
    default: break;
    }
    double seconds = 1e-9 * (double)(solver_statistics(session->solver)->nanoseconds - start);
    *reason = session->options.timeout > 0 && seconds >= session->options.timeout ? "timeout" : "incomplete";
    return SMTLIB_UNKNOWN;
}

// Handles (set-option :timeout MS), as in Z3.
static bool option(void *context, const char *keyword, const char *value) {
    struct session *session = context;
    if (strcmp(keyword, ":timeout")) return false;
    char *rest;
    double milliseconds = strtod(value, &rest);
    if (*rest || milliseconds < 0) return false;
    session->options.timeout = milliseconds / 1000;
    solver_set_timeout(session->solver, session->options.timeout);
    return true;
}

static void statistics(void *context, FILE *out) {
    struct session *session = context;
    solver_print_statistics(session->solver, out);
}

static void take_options(struct solver_options *to, const struct solve_options *from) {
    *to = solver_defaults;
    layers_apply(to, from->layers);
    to->independence = from->independence;
    to->check = from->check_solver;
    to->blast = (struct blast_options){.substitution = from->substitution,
                                       .refinement = from->refinement,
                                       .expansion = from->expansion,
                                       .sharing = from->simplification};
    to->timeout = from->timeout;
    to->conflicts = from->conflicts;
    to->cache_file = from->cache;
    to->cache_size = (size_t)from->cache_size << 20;
}

struct solve_script {
    FILE *in;
    const struct smtlib_solver *solver;
    const struct smtlib_options *options;
    struct smtlib_result result;
};

static void run_script(void *context) {
    struct solve_script *script = context;
    script->result = smtlib_run(script->in, stdout, script->solver, script->options);
}

// Ends the script at the limit of memory; the current check-sat answers unknown.
NORETURN static void end_at_limit(const struct session *session) {
    if (session->checks) puts("unknown");
    fflush(stdout);
    user_error_at("--max-memory", "Raise the limit, or give 0 for no limit.", "is reached");
    exit(EXIT_LIMIT); // the abandoned session is inconsistent
}

static int solve_file(const struct solve_options *options, const char *name) {
    bool standard = !name || !strcmp(name, "-");
    FILE *in = standard ? stdin : fopen(name, "r");
    if (!in) {
        user_error_at(name, "Give an SMT-LIB file, or - for standard input.", "%s", strerror(errno));
        return EXIT_USAGE;
    }
    struct session session = {.print_statistics = options->stats};
    take_options(&session.options, options);
    struct smtlib_solver solver = {check, reset, option, statistics, &session};
    struct smtlib_options smtlib = {.name = standard ? "standard input" : name};
    struct solve_script script = {in, &solver, &smtlib, {0}};
    limits_open(0, options->max_memory << 20, "");
    limits_begin(0);
    limits_allow_kill("a query was being answered", "unknown\n");
    if (!limits_run(run_script, &script)) end_at_limit(&session);
    limits_close();
    end(&session);
    if (!standard) fclose(in);
    return script.result.errors ? EXIT_USAGE : EXIT_OK;
}

static int run_solve(const struct command *command, char **argv) {
    struct solve_options options;
    struct operands operands = {0};
    int status;
    if (!command_parse(command, argv, &options, &operands, &status)) return status;
    COMMON_APPLY(&options);
    if (operands.words.count > 1) {
        user_error_at("tamar solve", "Give one file, or - for standard input.", "%u files are given",
                      operands.words.count);
        status = EXIT_USAGE;
    } else {
        status = solve_file(&options, operands.words.count ? operands.words.at[0] : NULL);
    }
    options_free(command->options, &options);
    operands_free(&operands);
    return status;
}

const struct command solve_command = {
    .name = "solve",
    .help = "decide SMT-LIB 2 scripts over bit-vectors, floats, arrays and uninterpreted functions",
    .operands = "[FILE.smt2 | -]",
    .description =
        "Reads an SMT-LIB 2.6 script (QF_AUFBVFP and its sublogics) from "
        "the file, or from "
        "standard input, and answers as SMT solvers do: sat, unsat or unknown for each check-sat, models and "
        "values on request, (error \"...\") with line and column for errors. After a "
        "rejected assertion, "
        "check-sat answers unknown instead of sat. The exit status is 0 unless there were errors, "
        "or the "
        "file cannot be read (2), or --max-memory was reached (3).\n\n"
        "The layers of the solver can be chosen one by one: see docs/solver.md.",
    .options = &solve_options_table,
    .style = OPERANDS_PLAIN,
    .run = run_solve,
};
