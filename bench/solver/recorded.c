// A stream from the log of a run (`tamar run --log-queries`): the script is read like any other, and each check-sat
// becomes an event.
#include "bench/solver/recorded.h"

#include "base/hash.h"
#include "bench/solver/streams.h"
#include "expr/smtlib.h"

#include <string.h>

struct reading {
    struct stream stream;
    vec(Term) asserted;  // conditions asserted by the last query
    vec(uint32_t) nodes; // node of each of these conditions in the tree of paths
    struct map children; // node << 32 | condition -> node
    uint32_t node_count;
    void (*use)(void *context, const struct stream *stream);
    void *context;
};

static void record(struct reading *reading, struct event event) {
    vec_push(&reading->stream.events, event);
    reading->stream.asks += event.kind == EVENT_ASK;
}

static void push(struct reading *reading, Term condition) {
    uint32_t parent = reading->nodes.count ? *vec_last(&reading->nodes) : 0;
    uint64_t *node = map_put(&reading->children, (uint64_t)parent << 32 | condition);
    if (!*node) *node = ++reading->node_count;
    record(reading, (struct event){EVENT_PUSH, condition, (uint32_t)*node});
    vec_push(&reading->asserted, condition);
    vec_push(&reading->nodes, (uint32_t)*node);
}

// The last condition is the query; the others are the path condition.
static enum smtlib_answer check(void *context, const Term *conditions, size_t count, struct assignment *model,
                                const char **reason) {
    struct reading *reading = context;
    *reason = "recording";
    if (!count || reading->stream.asks >= reading->stream.most) return SMTLIB_UNKNOWN;
    uint32_t common = 0;
    while (common < reading->asserted.count && common + 1 < count &&
           reading->asserted.at[common] == conditions[common])
        common++;
    for (; reading->asserted.count > common; reading->asserted.count--, reading->nodes.count--)
        record(reading, (struct event){.kind = EVENT_POP});
    for (uint32_t i = common; i + 1 < count; i++) push(reading, conditions[i]);
    record(reading, (struct event){EVENT_ASK, conditions[count - 1], 0});
    return SMTLIB_UNKNOWN;
}

// The terms of the script still exist at its end.
static void reset(void *context, struct terms *terms) {
    struct reading *reading = context;
    if (terms)
        reading->stream.terms = terms;
    else
        reading->use(reading->context, &reading->stream);
}

bool recorded_read(const char *file, uint32_t most, void (*use)(void *context, const struct stream *stream),
                   void *context) {
    FILE *in = fopen(file, "r"), *nowhere = fopen("/dev/null", "w");
    bool good = in && nowhere;
    if (good) {
        struct reading reading = {.stream.most = most, .use = use, .context = context};
        struct smtlib_solver solver = {.check = check, .reset = reset, .context = &reading};
        good = !smtlib_run(in, nowhere, &solver, &(struct smtlib_options){.name = file}).errors;
        vec_free(&reading.stream.events);
        vec_free(&reading.asserted);
        vec_free(&reading.nodes);
        map_free(&reading.children);
    }
    if (in) fclose(in);
    if (nowhere) fclose(nowhere);
    return good;
}
