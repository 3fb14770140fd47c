// The one place where a path decides.
//
// A choice is a question that symbolic values leave open and on which the program's behaviour, or the terms that the
// machine builds, depend. Its kind is a row of CHOICE_TABLE, its alternatives are conditions that exclude each other.
// vm_choose takes it for the running state, under the policy that applies to that state:
//
//   REQUIRED  a speculative state takes the edge that it has to take, or its path ends
//   RECORDED  a state that is replayed or rebuilt takes the recorded decision; nothing is asked
//   MODEL     the state takes the alternative of its model; the rest becomes one state, pending or asked for at once. States
//             that follow their model (state->follows) take every choice in this way, and ask nothing
//   EAGER     the solver is asked for each alternative
//
// Under every policy:
// 1. The alternative that a state takes is in its decisions, unless the choice was a constant. So are the facts that the
//    solver gave and on which terms depend (vm_know), and values that were concretized.
// 2. Terms are built from the instruction's operands and from recorded decisions, never from a model or from an answer
//    that is not recorded. With 1: a replay builds the same terms and meets the same choices as the run, without a query.
// 3. An alternative that no state takes is infeasible, or it is an entry in the ledger of incompleteness.
// 4. Nothing in the state but its path condition and decisions changes before the last choice of an instruction. So a
//    state that waits in the middle of an instruction stands before it. The words at the end of its trail (`repeated`) are what
//    it decided there; when it runs, it executes the instruction again and takes them as recorded.
// 5. A state for the rest of the values or cases excludes those that other states took. Exclusions stand at the end of the trail
//    (`excluded`), until the state has taken an alternative, which implies them.
#ifndef TAMAR_VM_CHOICE_H
#define TAMAR_VM_CHOICE_H

#include "vm/vm_int.h"

// Kinds: CHOICE(NAME, words of a decision, use of the term, the incompleteness noted when the solver gives no answer).
#define CHOICE_TABLE(CHOICE)                                                                                 \
    CHOICE(BRANCH, 1, "a branch", "the solver gave no answer: one side of a branch is left out")             \
    CHOICE(CASE, 1, "a switch", "the solver gave no answer: cases of a switch are left out")                 \
    CHOICE(PART, 1, "a branch", "the solver gave no answer: one side of a branch is left out")               \
    CHOICE(VALUE, 2, "a value that the system needs",                                                        \
           "the solver gave no answer: further values are left out")                                         \
    CHOICE(FIXED, 2, NULL, NULL)                                                                             \
    CHOICE(ASSUMPTION, 1, "an assumption", "the solver gave no answer: a path is left out")                  \
    CHOICE(CHECK, 1, "an operation that may fail", "the solver gave no answer: a check is not decided")      \
    CHOICE(UNINITIALISED, 1, NULL, "the solver gave no answer: a check is not decided")                      \
    CHOICE(KERNEL, 1, NULL, NULL)

// BRANCH, CASE: of the program; a state moves along the edge of its alternative.
// PART: two parts of the values that the machine treats differently. The state of the other part repeats the instruction.
// VALUE: each value is an alternative. The state of the others repeats the instruction.
// FIXED: the term is concretized: the value of the model is taken, the others are not explored.
// ASSUMPTION: alternative 1 goes on, 0 ends the path.
// CHECK: alternative 1 goes on, 0 is a bug.
// UNINITIALISED: see enum use.
// KERNEL: alternatives 0 to count - 1, all feasible.
enum choice_kind {
#define CHOICE(name, words, use, unanswered) CHOICE_##name,
    CHOICE_TABLE(CHOICE)
#undef CHOICE
};

// Alternatives of an uninitialised use: the value may differ, it is defined for the inputs that go on, it never differs.
enum use { USE_FAILS, USE_WHERE_DEFINED, USE_NEVER_DEPENDS };

struct choice {
    enum choice_kind kind;
    Term term;                     // the condition (width 1) or the value (at most 64 bits) that decides
    const struct ir_insn *targets; // BRANCH: edges and targets
    const struct ir_switch *cases; // CASE
    uint32_t count;                // KERNEL
    bool now;                      // MODEL: the rest is asked for at once, also where states may be pending
    void (*fails)(struct vm *vm, void *context); // CHECK, UNINITIALISED: reports the bug of the running state
    Term (*condition)(struct vm *vm, const struct choice *choice, uint64_t alternative); // UNINITIALISED
    // KERNEL: the alternative's effect on a state, which may be the running one.
    void (*apply)(struct vm *vm, struct state *state, const struct choice *choice, uint64_t alternative);
    void *context;
    // Results.
    uint64_t taken; // by the running state
    bool decided;   // the term was not a constant
    bool forked;    // the sink got other states
};

// STEP_NEXT: the running state has taken an alternative. STEP_RELOAD: and moved along its edge. STEP_STOP: see vm->event.
enum step vm_choose(struct vm *vm, struct choice *choice);

// Callers.
// `ok` has to hold; a state in which it does not is reported by `fails`, which is called with that state running.
enum step vm_check(struct vm *vm, Term ok, void (*fails)(struct vm *vm, void *context), void *context);
// The path goes on where the condition holds.
enum step vm_assume(struct vm *vm, Term condition);
// One state for each feasible value of the term (at most 64 bits).
enum step vm_fork_on_value(struct vm *vm, Term term, uint64_t *value);
// *taken: whether the condition holds for the running state. The state of the other side repeats the instruction.
enum step vm_part(struct vm *vm, Term condition, bool *taken);
// Fixes the term (at most 64 bits) to its value in the model; the other values are not explored, which is noted.
enum step vm_concretize(struct vm *vm, Term term, const char *why, uint64_t *value);

// Facts: answers of the solver on which terms depend. They part no states, but they are decisions: a replay reads them back.
// True: the fact is recorded, and is read with vm_recall. False: the caller finds it out and records it with vm_know, unless
// *step is not STEP_NEXT, which it returns.
bool vm_is_recorded(struct vm *vm, enum step *step);
void vm_recall(struct vm *vm, uint32_t *words, uint32_t count);
// After the last vm_recall of a fact: STEP_NEXT, unless the recorded words ended within it. States that are rebuilt together
// part there.
enum step vm_recalled(struct vm *vm);
void vm_know(struct vm *vm, const uint32_t *words, uint32_t count);
uint64_t vm_recall_number(struct vm *vm); // of 64 bits
void vm_know_number(struct vm *vm, uint64_t number);
// Does the condition hold for some input?
enum step vm_ask(struct vm *vm, Term condition, enum answer *answer);
// Does the state take the value that its model has for an address, a length or a size, so that terms stay small? The other
// values are another state's.
enum step vm_fixes_values(struct vm *vm, bool *fixes);
// Bounds of the term, unsigned: the best ones, or those that are known.
enum step vm_bounds(struct vm *vm, Term term, uint64_t *low, uint64_t *high);
// A term over conditions that the path has decided meanwhile becomes the constant that it is; others stay.
enum step vm_fold_implied(struct vm *vm, Term *term);

#endif
