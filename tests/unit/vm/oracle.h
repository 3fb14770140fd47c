// The oracle: the behaviour of a generated program for each of its inputs, found by concrete runs, without terms and
// solver. Also the judge, which compares finished paths with the oracle.
//
// A finished path is right if for every input that satisfies its path condition, with the path's choices, the concrete
// run ends in the same way and leaves the same bytes in the compared objects. A set of finished paths is complete if
// every input, with each sequence of choices, belongs to exactly one of them. There are two exceptions:
// - An input that violates an assumption belongs to at most one path, perhaps to none: the path that continues does
//   not report the inputs that it excludes.
// - The kind of error of an access (out of bounds, after free, null) depends on the address: a path in which an access
//   fails reports the kind for its own model. Other inputs of that path fail in the same instruction.
#ifndef TAMAR_TEST_ORACLE_H
#define TAMAR_TEST_ORACLE_H

#include "base/vec.h"
#include "symbolic_program.h"
#include "vm/vm.h"

#define COMPARED_BYTES 512

// The end of a run for one input and one sequence of choices.
struct outcome {
    uint32_t input; // first byte + domain * second byte
    uint32_t choices[MOST_CHOICES], choice_count;
    enum vm_event event; // EXITED, SIGNALLED, BUG or STOPPED
    int exit_status;
    enum bug_kind kind;
    uint64_t site;  // hash of the bug's call stack
    uint32_t paths; // number of finished paths with this outcome
    uint8_t bytes[COMPARED_BYTES];
};

struct oracle {
    const struct symbolic_program *program;
    vec(struct outcome) outcomes; // by input
    uint32_t inputs;              // number of inputs
    uint8_t *edges_seen;          // edges that any concrete run took
};

// Returns false if a run does not end, or its outcome is not determined. The program is then not used.
bool oracle_open(struct oracle *oracle, const struct symbolic_program *program);
void oracle_close(struct oracle *oracle);
// Resets the number of paths of every outcome.
void oracle_reset(struct oracle *oracle);

uint8_t oracle_byte(const struct oracle *oracle, uint32_t input, uint32_t index);

// A finished path: its last state, in the VM that ran it.
struct finished {
    struct vm *vm;
    struct terms *terms;
    struct solver *solver;
    const struct state *state;
    enum vm_event event;
    int exit_status;
    const struct bug *bug; // set for VM_BUG
    bool incomplete;       // the VM reported that values were skipped: inputs of the path may be excluded
};
// Returns NULL, or an error message (static storage). Counts the path for each outcome that belongs to it.
const char *oracle_judge(struct oracle *oracle, const struct finished *path);
// Called when all paths have been judged. `incomplete`: the VM reported that some were dropped.
const char *oracle_judge_all(struct oracle *oracle, bool incomplete, const uint8_t *edges_seen);

#endif
