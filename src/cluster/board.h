// A run as it is stored in Redis, and its atomic operations. Each operation is one script.
//
// Work is a stream with a consumer group. Each entry is a token for some states of the frontier; the states are in a
// hash under the token's name. A worker owns at most one token. A commit takes effect atomically, and only if the
// worker still owns the token: the results since the last commit, the states it keeps and the states it gives away.
// If the owner is silent, another worker claims the token and starts from the states of the last commit. So each path
// is explored and counted exactly once, even if workers die.
//
// Keys: tamar:{RUN}: and
//   meta     hash: version, id, state (run, done, end, over), host and folder of the results, names of the values
//   blob:N   values named by their hash: the program, the run's options and inputs
//   work     stream of tokens, with the group "workers"
//   states   hash: the states of each token
//   reports  stream of results, read by the starter and trimmed when its checkpoint is on disk
//   done     hash: number of the last commit of each worker
//   workers  hash: statistics of each worker
//   hungry   sorted set: idle workers, by the time at which they last asked for a token
//   load     sorted set: workers, by their number of states
//   asked    sorted set: workers that were asked for states, by the time of the request
//   files    hash: answers about files of the starter's machine
//   wanted   list of questions about files that have no answer yet
//   answers  stream of batches of the solver's answers, trimmed to BOARD_BATCHES
//   known    coverage of all workers
//   starter  the starter's lock
#ifndef TAMAR_CLUSTER_BOARD_H
#define TAMAR_CLUSTER_BOARD_H

#include "base/vec.h"
#include "cluster/redis.h"

// The approximate number of batches of answers that are kept; the oldest are removed first.
#define BOARD_BATCHES "512"
// The largest backlog of reports, in bytes; beyond it workers defer their commits.
#define BOARD_STREAM_SIZE "67108864"

struct board;

enum board_state {
    BOARD_NONE, // there is no such run
    BOARD_RUN,
    BOARD_DONE, // no state is left
    BOARD_END,  // the starter has asked workers to end
    BOARD_OVER, // the starter has its results, or has abandoned the run
    BOARD_AWAY, // the server does not answer, or refuses the command
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
    uint64_t timeout; // milliseconds after which a silent worker is considered dead
};
// Returns false if the server does not answer.
bool board_read_meta(struct board *board, struct board_meta *meta);
void board_meta_free(struct board_meta *meta);

// Sets `name` to a hash of the bytes: 32 characters and a NUL.
void board_name(const void *bytes, size_t size, char name[33]);
bool board_put_blob(struct board *board, const char *name, const void *bytes, size_t size);
// Returns false if the value is missing or does not match the hash in its name.
bool board_get_blob(struct board *board, const char *name, struct text *to);

typedef vec(struct text) board_parts;
// Begins a run. Each part holds the states of one token; an empty part means the initial states of the program.
bool board_begin(struct board *board, const struct board_meta *meta, const board_parts *parts);
enum board_state board_get_state(struct board *board);
bool board_set_state(struct board *board, enum board_state state);
// Removes all keys except the record that the run is over.
void board_clear(struct board *board);

// Takes the starter's lock. `who`: host, process and a random number. Returns false if another starter holds it,
// named in `other`, or if the server does not answer (`other` is empty).
bool board_lock(struct board *board, const char *who, struct text *other);
void board_unlock(struct board *board, const char *who);

// ---- the starter

struct board_report {
    const char *position, *bytes;
    size_t size;
};
// Reads the reports after a position ("0": from the first one), waiting at most `milliseconds`. Valid until the next
// call.
bool board_read_reports(struct board *board, const char *after, uint32_t milliseconds,
                        const struct board_report **reports, uint32_t *count);
// Reads all reports after a position and, at the same moment, the states of all tokens. `over`: also marks the run as
// over.
bool board_snapshot(struct board *board, const char *after, bool over, const struct board_report **reports,
                    uint32_t *count, board_parts *states);
// Deletes the reports up to this position.
bool board_trim(struct board *board, const char *position, uint64_t bytes);
bool board_set_known(struct board *board, uint64_t version, const struct text *known);

struct board_worker {
    char name[96];
    uint64_t paths, instructions, given, taken, held, messages, bytes;
    double busy, rebuilding, present;
    uint32_t status; // BOARD_WORKER_...
};
enum { BOARD_WORKER_HERE, BOARD_WORKER_LEFT, BOARD_WORKER_DEAD };
typedef vec(struct board_worker) board_workers;
bool board_read_workers(struct board *board, board_workers *workers);

// ---- workers

// Sets the time of silence after which tokens of other workers may be claimed.
void board_set_timeout(struct board *board, uint64_t milliseconds);

struct board_commit {
    const char *worker, *token;
    uint64_t number, held;
    const struct text *report, *kept; // kept: the states that the worker keeps; empty: the token is done
    const board_parts *given;
    const struct board_worker *about;
};
enum board_answer {
    BOARD_ACCEPTED,
    BOARD_REFUSED, // another worker owns the token now
    BOARD_LATER,   // the server does not answer, or the backlog of reports is full
};
// Commits atomically. Sets *state, and *known to the version of the shared coverage.
enum board_answer board_commit(struct board *board, const struct board_commit *commit,
                               enum board_state *state, uint64_t *known);
// Takes a token for a worker that has none, waiting briefly. `token` is empty if there is none.
enum board_state board_take(struct board *board, const char *worker, char token[64], struct text *states);
// Sets *wanted to the number of idle workers that this worker should give states to.
enum board_state board_ask(struct board *board, const char *worker, uint64_t held, uint32_t *wanted);
bool board_get_known(struct board *board, struct text *known);
// Reports that these workers are alive. Returns BOARD_AWAY if the server could not be reached.
enum board_state board_beat(struct board *board, const char *const *workers, uint32_t count);
// Records that the worker has left: its token can be claimed at once.
bool board_leave(struct board *board, const char *worker, uint32_t status);

// ---- answers of the solver (answers.h)

bool board_put_answers(struct board *board, const char *writer, const struct text *batch);
// Reads the next batches after `position`, which is advanced, except those of this writer. Valid until the next call.
bool board_get_answers(struct board *board, const char *writer, char *position, size_t size,
                       const struct board_report **batches, uint32_t *count);

// ---- files of the starter's machine (foreign.h)

// Returns false if there is no answer yet.
bool board_get_file(struct board *board, const char *question, struct text *answer);
bool board_want_file(struct board *board, const char *question);
// Takes a question that has no answer yet. Returns false if there is none.
bool board_next_wanted(struct board *board, struct text *question);
bool board_put_file(struct board *board, const char *question, const struct text *answer);

#endif
