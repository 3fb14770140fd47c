// Decisions: the only code in which a path takes one of several alternatives.
//
// A choice is a question that symbolic values leave open, and on which the program's behaviour or the terms that the VM
// builds depend. Its kind is a row of CHOICE_TABLE. Its alternatives are mutually exclusive conditions. vm_choose takes
// one for the running state, under the policy that applies to that state:
//
//   REQUIRED  a speculative state takes the edge that it has to take, or its path ends
//   RECORDED  a state that is replayed or rebuilt takes the recorded decision, without a query
//   MODEL     the state takes the alternative of its model; the rest becomes one state, pending or checked at once (of
//             a switch: a state for each of up to 16 other cases, and one for the rest). A state that follows its
//             model (seed.follows) takes every choice in this way, without a query, except KERNEL and UNINITIALISED;
//             where many states wait, some of its other alternatives are dropped and reported (novelty.h)
//   EAGER     the solver is queried for each alternative (KERNEL: all are feasible, and nothing is queried)
//
// After klee_set_forking(0) (state.forks_off) a state takes one alternative of each BRANCH, CASE, PART, VALUE and
// KERNEL. The others are reported as incompleteness, unless the solver refutes them.
//
// Under every policy:
// 1. The alternative that a state takes is in its decision history (history.decisions), unless the choice was a
//    constant. So are the solver's answers on which terms depend (vm_know), and values that were concretized.
// 2. Terms are built from the instruction's operands and from recorded decisions, never from a model or from an answer
//    that is not recorded. With 1: a replay builds the same terms and meets the same choices, without a query.
// 3. An alternative that no state takes is infeasible, or it has been reported as incompleteness.
// 4. Before the last choice of an instruction nothing changes in the state but its path condition and its decisions. So
//    a state that waits in the middle of an instruction still points at that instruction. The last `history.repeated`
//    words of its decisions were made there. When the state runs, it re-executes the instruction and takes them as
//    recorded.
// 5. A state for the remaining values or cases excludes those that other states took. The exclusions are the last
//    `history.excluded` words of its decisions. They are dropped when the state takes an alternative, which implies
//    them.
#ifndef TAMAR_VM_CHOICE_H
#define TAMAR_VM_CHOICE_H

#include "vm/vm_int.h"

// Kinds: CHOICE(NAME, words of a decision, use of the term, incompleteness reported if the solver answers unknown).
#define CHOICE_TABLE(CHOICE)                                                                                 \
    CHOICE(BRANCH, 1, "a branch", "the solver gave no answer: one side of a branch is not explored")         \
    CHOICE(CASE, 1, "a switch", "the solver gave no answer: cases of a switch are not explored")             \
    CHOICE(PART, 1, "a branch", "the solver gave no answer: one side of a branch is not explored")           \
    CHOICE(VALUE, 2, "a value that must be concrete",                                                        \
           "the solver gave no answer: further values are not explored")                                     \
    CHOICE(FIXED, 2, NULL, NULL)                                                                             \
    CHOICE(ASSUMPTION, 1, "an assumption", "the solver gave no answer: a path is not explored")              \
    CHOICE(CHECK, 1, "an operation that may fail", "the solver gave no answer: a check is not decided")      \
    CHOICE(UNINITIALISED, 1, NULL, "the solver gave no answer: a check is not decided")                      \
    CHOICE(KERNEL, 1, NULL, NULL)

// BRANCH, CASE: a branch or switch of the program; a state moves along the edge of its alternative.
// PART: two sets of values that the VM treats differently. The state of the other set re-executes the instruction.
// VALUE: each value is an alternative. The state of the other values re-executes the instruction.
// FIXED: the term is concretized: it gets its value in the model, the other values are not explored.
// ASSUMPTION: alternative 1 continues, 0 ends the path.
// CHECK: alternative 1 continues, 0 is a bug.
// UNINITIALISED: see enum use.
// KERNEL: alternatives 0 to count - 1, all feasible.
enum choice_kind {
#define CHOICE(name, words, use, unanswered) CHOICE_##name,
    CHOICE_TABLE(CHOICE)
#undef CHOICE
};

// Alternatives of a use of a value. USE_FAILS: the value depends on uninitialised bytes, which is a bug.
// USE_WHERE_DEFINED: the path continues with the inputs for which the value does not depend on them. USE_NEVER_DEPENDS:
// the value depends on them for no input.
enum use { USE_FAILS, USE_WHERE_DEFINED, USE_NEVER_DEPENDS };

struct choice {
    enum choice_kind kind;
    const char *name; // description of the choice, as shown to a reader of the path; NULL: a text of the kind
    Term term;        // the condition (width 1) or the value (at most 64 bits)
    const struct ir_insn *targets; // BRANCH: edges and targets
    const struct ir_switch *cases; // CASE: the switch
    uint32_t count;                // KERNEL: number of alternatives
    bool now;                      // MODEL: the rest is checked at once, even if states may be pending
    void (*fails)(struct vm *vm, void *context); // CHECK, UNINITIALISED: reports the bug of the running state
    Term (*condition)(struct vm *vm, const struct choice *choice, uint64_t alternative); // UNINITIALISED
    // KERNEL: applies the alternative to a state, which may be the running one.
    void (*apply)(struct vm *vm, struct state *state, const struct choice *choice, uint64_t alternative);
    void *context;
    // Results.
    uint64_t taken; // alternative of the running state
    bool decided;   // the term was not a constant
    bool forked;    // the sink got other states
    enum rest {
        REST_ELSEWHERE, // other states take the other alternatives; in a replay: not known
        REST_REFUTED,   // the other alternatives are infeasible
        REST_LEFT_OUT   // the other alternatives are not explored, and may be feasible
    } rest;
};

// Takes an alternative for the running state. STEP_NEXT: the state has taken choice->taken. STEP_RELOAD: it has also
// moved along the edge. STEP_STOP: the run ends with outcome.event.
enum step vm_choose(struct vm *vm, struct choice *choice);

// Checks that `ok` holds. `name`: description of the check. If `ok` can be false, `fails` is called to report the bug,
// with a failing state as the running one.
enum step vm_check(struct vm *vm, const char *name, Term ok, void (*fails)(struct vm *vm, void *context),
                   void *context);
// Restricts the path to inputs for which the condition holds; ends it if there are none.
enum step vm_assume(struct vm *vm, Term condition);
// Forks on the value of the term (at most 64 bits): one state for each feasible value.
enum step vm_fork_on_value(struct vm *vm, Term term, uint64_t *value);
// Forks on the condition. *taken: whether it holds for the running state. The state of the other side re-executes the
// instruction.
enum step vm_part(struct vm *vm, Term condition, bool *taken);
// Concretizes the term (at most 64 bits) to its value in the model. Reports `why`: the other values are not explored.
enum step vm_concretize(struct vm *vm, Term term, const char *why, uint64_t *value);

// Facts: answers of the solver on which terms depend. They do not fork, but they are recorded as decisions: a replay
// reads them back.
// Returns true if the next fact is recorded: the caller reads it with vm_recall. False: the caller returns *step if
// that is not STEP_NEXT; otherwise it queries the fact and records it with vm_know.
bool vm_is_recorded(struct vm *vm, enum step *step);
void vm_recall(struct vm *vm, uint32_t *words, uint32_t count);
// Called after the last vm_recall of a fact. Returns STEP_NEXT, unless the recorded words ended within the fact: states
// that are rebuilt together may diverge there.
enum step vm_recalled(struct vm *vm);
void vm_know(struct vm *vm, const uint32_t *words, uint32_t count);
uint64_t vm_recall_number(struct vm *vm); // reads 64 bits: two words
void vm_know_number(struct vm *vm, uint64_t number);
// Queries whether the condition is satisfiable on this path; the answer is a fact.
enum step vm_ask(struct vm *vm, Term condition, enum answer *answer);
// *fixes: whether the state follows its model. It then takes the model's value of addresses, lengths and sizes, so that
// terms stay small; another state gets the other values.
enum step vm_fixes_values(struct vm *vm, bool *fixes);
// Computes unsigned bounds of the term on this path, not always the tightest ones.
enum step vm_bounds(struct vm *vm, Term term, uint64_t *low, uint64_t *high);
// Replaces an ite term whose value the path condition implies by that constant; leaves other terms as they are.
enum step vm_fold_implied(struct vm *vm, Term *term);

#endif
