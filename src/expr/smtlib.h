// SMT-LIB 2.6 scripts: QF_BV, QF_ABV, QF_FP, QF_BVFP, QF_ABVFP, the array part of QF_AUFBV. The solver is reached through the
// struct below, so that the language knows nothing of the procedures behind it.
#ifndef TAMAR_EXPR_SMTLIB_H
#define TAMAR_EXPR_SMTLIB_H

#include "expr/eval.h"
#include "expr/expr.h"

#include <stdio.h>

enum smtlib_answer { SMTLIB_UNKNOWN, SMTLIB_SAT, SMTLIB_UNSAT };

struct smtlib_solver {
    // Decides the conjunction of all terms (width 1). On SAT, `*model` is set to an assignment that stays
    // good until the next call of check or reset. On UNKNOWN, `*reason` is a word or phrase ("timeout").
    enum smtlib_answer (*check)(void *context, const Term *conditions, size_t count, struct assignment *model,
                                const char **reason);
    // The script starts again, with a fresh term context that replaces the old one (which is freed
    // afterwards). Called once before the first command, too, and at the end with NULL: let go of all terms.
    void (*reset)(void *context, struct terms *terms);
    // (set-option :timeout ms) and the like; true when it is understood. May be NULL.
    bool (*option)(void *context, const char *keyword, const char *value);
    // (get-info :all-statistics). May be NULL.
    void (*statistics)(void *context, FILE *out);
    void *context;
};

struct smtlib_options {
    const char *name;   // of the input, for messages outside of the protocol
    bool stop_on_error; // end at the first (error ...); else go on with the next command, as other solvers do
};

struct smtlib_result {
    unsigned errors;         // (error ...) answers printed
    enum smtlib_answer last; // of the last check-sat
    unsigned checks;         // number of them
};

// Reads commands from `in` and writes answers to `out` until (exit) or the end. The caller owns everything.
struct smtlib_result smtlib_run(FILE *in, FILE *out, const struct smtlib_solver *solver,
                                const struct smtlib_options *options);

// Reads the assertions of a script without running it: appends nothing to any solver. Returns the
// conditions asserted at the end (caller frees with mem_free(at, MAX(count, 1) * sizeof *at)), or NULL and
// a message in `*error` ("line:column: ...", caller frees with mem_free_string).
Term *smtlib_read_conditions(struct terms *terms, const char *text, size_t size, size_t *count, char **error);

#endif
