// A run as it lies in Redis, and the steps by which it changes. Each step is one script, so it happens as a whole or not at all.
//
// Work is a stream with a consumer group. An entry of it is a token for some states of the frontier, which lie in a hash under the token's
// name. A worker owns at most one token. When it commits, its results since the last commit, the states that it has left and those that
// it gives away take effect together, and only if it owns the token still. A token whose owner is silent is claimed by another worker, which
// begins with the states of the last commit. So each path is explored, and counted, once, whoever dies when.
//
// Keys: tamar:{RUN}: and
//   meta     hash: version, id, state (run, done, end, over), host and folder of the results, names of the values
//   blob:N   values named by their hash: the program, the run's options and inputs
//   work     stream of tokens, with the group "workers"; states: hash from token to states
//   reports  stream of results, read by the starter and trimmed when its checkpoint is on disk
//   done     hash: number of the last commit of each worker; workers: hash: what each worker says of itself
//   hungry, load, asked   sorted sets of workers: who waits since when, who has how many states, who was asked for some
//   files    hash: answers about files of the starter's machine; wanted: list of questions
//   known    coverage of all; answers, answers-old: the solver's answers, two generations; starter: who collects
#ifndef TAMAR_CLUSTER_SHARED_H
#define TAMAR_CLUSTER_SHARED_H

#include "base/vec.h"
#include "cluster/redis.h"

#define BOARD_STREAM_SIZE                                                                                    \
    "67108864" // bytes of reports that wait for the starter; workers hold theirs back beyond that
#define BOARD_ANSWERS "200000" // answers in a generation

struct board;

enum board_state {
    BOARD_NONE, // there is no such run
    BOARD_RUN,
    BOARD_DONE, // nothing is left to explore
    BOARD_END,  // the starter asks for the end
    BOARD_OVER, // the starter has its results, or is not interested any more
    BOARD_AWAY, // the server does not answer, or refuses
};

struct board *board_new(const struct redis_address *address, double seconds);
void board_free(struct board *board);
struct redis *board_redis(struct board *board);
const struct redis_address *board_address(const struct board *board);
const char *board_problem(const struct board *board);

// ---- the run as a whole

struct board_meta {
    enum board_state state;
    struct text version, id, host, folder, program, run;
    uint64_t timeout; // milliseconds after which a silent worker is taken for dead
};
// False: the server does not answer.
bool board_read_meta(struct board *board, struct board_meta *meta);
void board_meta_free(struct board_meta *meta);

// Hashes the bytes; the name is 32 characters and a NUL.
void board_name(const void *bytes, size_t size, char name[33]);
bool board_put_blob(struct board *board, const char *name, const void *bytes, size_t size);
// False: it is not there, or is not what its name says.
bool board_get_blob(struct board *board, const char *name, struct text *to);

typedef vec(struct text) board_parts;
// Begins a run. Parts: states to begin with, one token each; an empty one: the first states of the program.
bool board_begin(struct board *board, const struct board_meta *meta, const board_parts *parts);
enum board_state board_get_state(struct board *board);
bool board_set_state(struct board *board, enum board_state state);
// Removes everything but what says that the run is over.
void board_clear(struct board *board);

// Is this starter the only one? `who`: host, process and a random number. False with `other` empty: the server does not answer.
bool board_lock(struct board *board, const char *who, struct text *other);
void board_unlock(struct board *board, const char *who);

// ---- the starter

struct board_report {
    const char *position, *bytes;
    size_t size;
};
// Reports after a position, "0" being the beginning. Valid until the next call.
bool board_read_reports(struct board *board, const char *after, uint32_t milliseconds,
                        const struct board_report **reports, uint32_t *count);
// The same for all of them, and with them, at one moment, the states of all tokens. `over`: the run is over with that.
bool board_snapshot(struct board *board, const char *after, bool over, const struct board_report **reports,
                    uint32_t *count, board_parts *states);
// Reports up to this position are not needed any more.
bool board_trim(struct board *board, const char *position, uint64_t bytes);
bool board_set_known(struct board *board, uint64_t version, const struct text *known);

struct board_worker {
    char name[96];
    uint64_t paths, instructions, given, taken, held, messages, bytes;
    double busy, present;
    uint32_t status; // BOARD_WORKER_...
};
enum { BOARD_WORKER_HERE, BOARD_WORKER_LEFT, BOARD_WORKER_DEAD };
typedef vec(struct board_worker) board_workers;
bool board_read_workers(struct board *board, board_workers *workers);

// ---- workers

// Milliseconds after which tokens of others may be claimed.
void board_set_timeout(struct board *board, uint64_t milliseconds);

struct board_commit {
    const char *worker, *token;
    uint64_t number, held;
    const struct text *report, *kept; // kept is empty: the token is done
    const board_parts *given;
    const struct board_worker *about;
};
enum board_answer {
    BOARD_ACCEPTED,
    BOARD_REFUSED, // the token is another worker's now
    BOARD_LATER,   // the server is away, or has no room now
};
// `known`: the version of what is known of coverage.
enum board_answer board_commit(struct board *board, const struct board_commit *commit,
                               enum board_state *state, uint64_t *known);
// A token for a worker that has none; waits a moment for it. The token is empty when there is none.
enum board_state board_take(struct board *board, const char *worker, char token[64], struct text *states);
// Is the worker to give states away? To so many others.
enum board_state board_ask(struct board *board, const char *worker, uint64_t held, uint32_t *wanted);
bool board_get_known(struct board *board, struct text *known);
// These workers are alive; BOARD_AWAY: nobody was told.
enum board_state board_beat(struct board *board, const char *const *workers, uint32_t count);
// The worker has left: what it owned can be claimed at once.
bool board_leave(struct board *board, const char *worker, uint32_t status);

// ---- files of the starter's machine (foreign.h)

// False: there is no answer yet.
bool board_get_file(struct board *board, const char *question, struct text *answer);
bool board_want_file(struct board *board, const char *question);
// A question that nobody has answered yet. False: there is none.
bool board_next_wanted(struct board *board, struct text *question);
bool board_put_file(struct board *board, const char *question, const struct text *answer);

// ---- the solver's answers

bool board_get_answer(struct board *board, const char *name, size_t size, struct text *to);
void board_put_answer(struct board *board, const char *name, size_t size, const void *bytes, size_t count);

#endif
