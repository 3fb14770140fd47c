// Streams of queries as an engine makes them: a small program is explored depth first, every branch queries
// both of its sides, the path condition grows and shrinks. A stream is recorded once and replayed by each
// solver.
#ifndef TAMAR_BENCH_STREAMS_H
#define TAMAR_BENCH_STREAMS_H

#include "base/vec.h"
#include "expr/expr.h"

enum event_kind {
    EVENT_ASK, // may `condition` be true under the conditions pushed so far?
    EVENT_PUSH,
    EVENT_POP,
};
struct event {
    enum event_kind kind;
    Term condition;
    uint32_t
        node; // number of the path condition after a push, the same when the stream returns to it; 0: none
};

struct stream {
    struct terms *terms;
    vec(struct event) events;
    uint32_t asks, most; // recording stops at `most`
    // While recording:
    struct recorder *recorder;
};

struct program {
    const char *name;
    void (*run)(struct stream *stream, unsigned size);
    unsigned size;
    const char *what;
};
extern const struct program programs[];
extern const unsigned program_count;

// Explores the program; the terms live in `stream->terms` until stream_free.
void stream_record(struct stream *stream, const struct program *program, bool simplify, uint32_t most);
void stream_free(struct stream *stream);

// For programs: the side that this path takes. Recorded; the path ends (by longjmp) when the recording is full.
bool decide(struct stream *stream, Term condition);
// A check that forks off an error: queries the condition, continues without it.
void check_never(struct stream *stream, Term condition);

#endif
