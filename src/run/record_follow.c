// Follows a recorded input in the engine, to find the decisions, the constraints and the outcome of its path. No query
// is needed.
#include "base/error.h"
#include "base/log.h"
#include "explore/follow.h"
#include "explore/render.h"
#include "expr/print_term.h"
#include "output/tests.h"
#include "run/native_replay.h"
#include "run/out_folder.h"
#include "run/record_store.h"

#include <string.h>

#define SECONDS          20.0   // time limit for one seed: symbolic floating point can be very slow
#define MOST_CONSTRAINTS 20000u // most constraints that are written; a run needs only the decisions

struct ending {
    struct arena *arena;
    const struct ir_program *program;
    struct finding finding;
    struct text constraints;
    uint32_t *decisions;
    uint32_t decision_count;
};

static void ended(void *context, struct vm *vm, enum vm_event event) {
    struct ending *ending = context;
    if (event != VM_BUG && event != VM_NOT_MODELLED) return;
    const struct bug *bug = vm_bug(vm);
    ending->finding =
        (struct finding){.kind = bug_facts[bug->kind].name,
                         .message = arena_strdup(ending->arena, bug->message.at ? bug->message.at : ""),
                         .details = "",
                         .place = render_place(vm, bug->site),
                         .replayed = -1};
}

struct recorded_conditions {
    vec(Term) at;
};

static void collect(void *context, Term condition) {
    struct recorded_conditions *conditions = context;
    vec_push(&conditions->at, condition);
}

static void left(void *context, struct terms *terms, const struct state *state) {
    struct ending *ending = context;
    ending->decision_count = shared_list_count(state->history.decisions);
    ending->decisions = ARENA_ARRAY(ending->arena, uint32_t, ending->decision_count + 1);
    shared_list_copy(state->history.decisions, ending->decisions);
    struct recorded_conditions conditions = {0};
    path_each(state->path, collect, &conditions);
    if (conditions.at.count && conditions.at.count <= MOST_CONSTRAINTS)
        terms_print_script(terms, &ending->constraints, conditions.at.at, conditions.at.count);
    vec_free(&conditions.at);
}

static enum test_outcome outcome_of(enum vm_event event) {
    switch (event) {
    case VM_EXITED: return TEST_EXITED;
    case VM_SIGNALLED: return TEST_SIGNALLED;
    case VM_BUG: return TEST_BUG;
    case VM_NOT_MODELLED: return TEST_NOT_MODELLED;
    default: return TEST_STOPPED;
    }
}

static void say_outcome(const struct test_case *test, const struct finding *finding, bool differs,
                        int natively) {
    if (test->outcome == TEST_BUG)
        log_line("seed %u: %s at %s:%u: %s", test->number, finding->kind, finding->place.file,
                 finding->place.line, finding->message);
    else if (test->outcome == TEST_NOT_MODELLED)
        log_line("seed %u: the engine can follow it only up to something that is not modelled: %s",
                 test->number, finding->message);
    else if (differs)
        log_line("seed %u: natively it ended with status %d, in the engine with %d", test->number, natively,
                 test->exit_status);
}

static bool follow_one(struct native_replay *replay, struct record_store *store, uint32_t number,
                       bool again) {
    struct test_case test;
    struct finding finding;
    if (!out_read_test(replay->arena, replay->folder, number, &test, &finding)) return false;
    if (test.decision_count && !again) return true;
    replay_set_inputs(replay, &test);
    struct ending ending = {.arena = replay->arena, .program = replay->program};
    struct follow_view view = {
        .context = &ending, .ended = ended, .left = left, .by_model = true, .seconds = SECONDS};
    struct followed followed;
    explore_follow(replay->program, &replay->explore, &test, &view, &followed);
    if (followed.event == VM_UNKNOWN) {
        log_line("seed %u: the engine did not finish it in %g s; only its input is kept", number, SECONDS);
        text_free(&ending.constraints);
        follow_free(&followed);
        return true;
    }
    int natively = test.exit_status;
    bool recorded = test.outcome == TEST_EXITED || test.outcome == TEST_SIGNALLED;
    test.outcome = outcome_of(followed.event);
    test.exit_status =
        test.outcome == TEST_EXITED || test.outcome == TEST_SIGNALLED ? followed.exit_status : 0;
    test.decisions = ending.decisions;
    test.decision_count = ending.decision_count;
    test.instructions = followed.instructions;
    say_outcome(&test, &ending.finding, recorded && natively != test.exit_status, natively);
    bool good =
        record_replace(store, &test, ending.finding.kind ? &ending.finding : NULL, &ending.constraints);
    text_free(&ending.constraints);
    follow_free(&followed);
    return good;
}

bool record_follow(struct record_store *store, const uint32_t *numbers, uint32_t count, bool again) {
    struct native_replay replay = {.arena = arena_new()};
    bool good = replay_open(&replay, store->folder);
    for (uint32_t i = 0; good && i < count; i++) good = follow_one(&replay, store, numbers[i], again);
    replay_close(&replay);
    return good;
}
