// SMT-LIB 2.6 scripts in QF_AUFBVFP and its sublogics. The solver is called through the struct below, so that the
// reader does not depend on a decision procedure.
#ifndef TAMAR_EXPR_SMTLIB_H
#define TAMAR_EXPR_SMTLIB_H

#include "expr/eval.h"
#include "expr/expr.h"

#include <stdio.h>

enum smtlib_answer { SMTLIB_UNKNOWN, SMTLIB_SAT, SMTLIB_UNSAT };

struct smtlib_solver {
    // Decides the conjunction of all terms (width 1). On SAT, `*model` is set to an assignment that is valid until
    // the next call of check or reset. On UNKNOWN, `*reason` is a word or phrase ("timeout").
    enum smtlib_answer (*check)(void *context, const Term *conditions, size_t count, struct assignment *model,
                                const char **reason);
    // Resets the script with a new term context, which replaces the old one (freed afterwards). Also called once
    // before the first command, and at the end with NULL: release all terms.
    void (*reset)(void *context, struct terms *terms);
    // Handles (set-option :timeout ms) and similar options. Returns true if the option is known. May be NULL.
    bool (*option)(void *context, const char *keyword, const char *value);
    // (get-info :all-statistics). May be NULL.
    void (*statistics)(void *context, FILE *out);
    void *context;
};

struct smtlib_options {
    const char *name;   // name of the input, for messages outside of the protocol
    bool stop_on_error; // end at the first (error ...); else continue, as other solvers do
};

struct smtlib_result {
    unsigned errors;         // (error ...) answers printed
    enum smtlib_answer last; // answer of the last check-sat
    unsigned checks;         // number of check-sat commands
};

// Reads commands from `in` and writes answers to `out` until (exit) or the end. The caller owns everything.
struct smtlib_result smtlib_run(FILE *in, FILE *out, const struct smtlib_solver *solver,
                                const struct smtlib_options *options);

// Reads the assertions of a script without running it. Returns the conditions asserted at the end (caller frees with
// mem_free(at, MAX(count, 1) * sizeof *at)). On error returns NULL and sets `*error` to a message ("line:column:
// ...", caller frees with mem_free_string).
Term *smtlib_read_conditions(struct terms *terms, const char *text, size_t size, size_t *count, char **error);

#endif
