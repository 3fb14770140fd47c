#include "bench/solver/streams.h"

#include "base/clock.h"
#include "sat/sat.h"
#include "solver/solver.h"

#include <setjmp.h>

#define RECORDING_LIMIT 5000000000u // nanoseconds; without simplification exploring can take long

// A program is run again for each path: the decisions up to the last open branch are repeated (without recording), then
// the other side of that branch is taken, and everything after it is new.
struct decision {
    bool taken;
    bool open;      // the other side is feasible, too
    uint32_t depth; // depth of the path condition before the decision
    struct path_condition before;
};

struct recorder {
    struct solver *solver;
    struct path_condition path;
    vec(struct decision) decisions;
    uint32_t repeated, depth;
    jmp_buf end;
};

static void record(struct stream *stream, enum event_kind kind, Term condition) {
    vec_push(&stream->events, ((struct event){kind, condition, 0}));
    stream->asks += kind == EVENT_ASK;
}

static enum answer ask(struct stream *stream, Term condition, struct model **model) {
    if (stream->asks >= stream->most) longjmp(stream->recorder->end, 1);
    record(stream, EVENT_ASK, condition);
    return solver_may_be_true(stream->recorder->solver, &stream->recorder->path, condition, model);
}

static void push(struct stream *stream, Term condition, struct model *model) {
    struct recorder *r = stream->recorder;
    record(stream, EVENT_PUSH, condition);
    path_add(r->solver, &r->path, condition, model);
    r->depth++;
}

bool decide(struct stream *stream, Term condition) {
    struct recorder *r = stream->recorder;
    struct terms *terms = stream->terms;
    if (term_is_const(terms, condition)) return term_value(terms, condition);
    if (r->repeated < r->decisions.count) return r->decisions.at[r->repeated++].taken;
    struct model *yes_model, *no_model;
    Term negated = term_not(terms, condition);
    enum answer yes = ask(stream, condition, &yes_model), no = ask(stream, negated, &no_model);
    struct decision decision = {
        .taken = yes == ANSWER_YES, .open = yes == ANSWER_YES && no == ANSWER_YES, .depth = r->depth};
    decision.before = path_copy(&r->path);
    if (decision.open || yes == ANSWER_UNKNOWN || no == ANSWER_UNKNOWN)
        push(stream, decision.taken ? condition : negated, decision.taken ? yes_model : no_model);
    model_release(yes_model);
    model_release(no_model);
    vec_push(&r->decisions, decision);
    r->repeated++;
    return decision.taken;
}

void check_never(struct stream *stream, Term condition) {
    struct recorder *r = stream->recorder;
    if (term_is_const(stream->terms, condition)) return;
    if (r->repeated < r->decisions.count) {
        r->repeated++;
        return;
    }
    struct model *model;
    struct decision decision = {.depth = r->depth, .before = path_copy(&r->path)};
    if (ask(stream, condition, NULL) != ANSWER_NO) { // feasible: the path continues without it, if it can
        Term fine = term_not(stream->terms, condition);
        if (ask(stream, fine, &model) == ANSWER_NO) longjmp(r->end, 2);
        push(stream, fine, model);
        model_release(model);
    }
    vec_push(&r->decisions, decision);
    r->repeated++;
}

// Goes back to the last open decision and takes its other side. Returns false if none is left.
static bool backtrack(struct stream *stream) {
    struct recorder *r = stream->recorder;
    while (r->decisions.count && !vec_last(&r->decisions)->open) {
        struct decision last = vec_pop(&r->decisions);
        path_free(&last.before);
    }
    return r->decisions.count > 0;
}

void stream_record(struct stream *stream, const struct program *program, bool simplify, uint32_t most) {
    *stream = (struct stream){.terms = terms_new(), .most = most};
    terms_set_simplify(stream->terms, simplify);
    struct solver_options options = solver_defaults;
    options.timeout = 0.5;
    uint64_t start = clock_nanoseconds();
    struct recorder recorder = {.solver = solver_new(stream->terms, &options)};
    stream->recorder = &recorder;
    for (;;) {
        recorder.repeated = 0;
        int end = setjmp(recorder.end);
        if (!end) program->run(stream, program->size);
        if (end == 1 || clock_nanoseconds() - start > RECORDING_LIMIT || !backtrack(stream)) break;
        struct decision *last = vec_last(&recorder.decisions);
        // The branch's condition is the first one pushed after `before`.
        uint32_t at = stream->events.count, depth = recorder.depth;
        Term condition = 0;
        while (depth > last->depth) {
            struct event event = stream->events.at[--at];
            depth += event.kind == EVENT_POP ? 1 : event.kind == EVENT_PUSH ? -1u : 0;
            if (event.kind == EVENT_PUSH && depth == last->depth) condition = event.condition;
        }
        for (; recorder.depth > last->depth; recorder.depth--) record(stream, EVENT_POP, 0);
        path_free(&recorder.path);
        recorder.path = path_copy(&last->before);
        last->taken = !last->taken;
        last->open = false;
        Term other = term_not(stream->terms, condition);
        struct model *model;
        solver_may_be_true(recorder.solver, &recorder.path, other, &model);
        push(stream, other, model);
        model_release(model);
    }
    vec_each (struct decision, decision, &recorder.decisions) path_free(&decision->before);
    vec_free(&recorder.decisions);
    path_free(&recorder.path);
    solver_free(recorder.solver);
    stream->recorder = NULL;
}

void stream_free(struct stream *stream) {
    vec_free(&stream->events);
    terms_free(stream->terms);
}
