#include "cluster/remote.h"

#include "base/clock.h"
#include "base/error.h"
#include "base/run_limits.h"
#include "cluster/delta.h"
#include "cluster/foreign.h"
#include "cluster/worker.h"
#include "cluster/worth.h"
#include "explore/frontier.h"
#include "message/stream.h"

#include <string.h>
#include <unistd.h>

#define REPLY_SECONDS  5.0  // timeout of a reply
#define COMMIT_SECONDS 1.0  // between two commits: the work lost if a worker dies
#define ASK_SECONDS    0.05 // between two checks whether other workers are idle
#define RETRY_MS       100
#define LAST_SECONDS   20.0 // for the last commit, if the server cannot be reached

struct remote {
    const struct remote_options *options;
    struct board *board;
    struct worker *worker;
    char token[64]; // empty: none
    uint64_t orders, commits;
    struct delta *delta;
    // A commit that the server has not accepted yet.
    bool unsent;
    struct delta_part part;
    board_parts given;
    uint32_t wanted; // idle workers to give states to
    struct worth worth;
    double processor, rebuilding; // as in the report that finished the last token, in seconds
    uint64_t taken;               // likewise: number of states that the worker has got
    uint64_t known;               // version of the shared coverage
    double next_ask, next_try;
    bool is_over, is_lost, is_refused; // is_refused: the data in Redis is invalid
};

static uint64_t held(const struct remote *remote) {
    return explore_result(worker_explore(remote->worker))->counts.states;
}

// ---- orders to the worker, in place of a coordinator's

// Passes an order to the worker, followed by the messages of `more` unless NULL. Returns false if the worker refuses
// it.
static bool give_order(struct remote *remote, struct work_order order, const struct text *more) {
    struct arena *arena = arena_new();
    struct text stream = {0}, problem = {0};
    struct message_writer *writer = message_writer_new(&stream);
    order.number = ++remote->orders;
    message_write(writer, MESSAGE_ORDER, &order);
    enum message_status status = MESSAGE_END;
    if (more) {
        struct message_reader *reader = message_reader_new(arena, more->at, more->count);
        struct message message;
        while ((status = message_read(reader, &message)) == MESSAGE_READ)
            message_write(writer, message.kind, message.body);
        if (status == MESSAGE_REFUSED) text_add(&problem, "%s", message_problem(reader));
        message_reader_free(reader);
    }
    message_writer_end(writer);
    bool good = status == MESSAGE_END && worker_receive(remote->worker, stream.at, stream.count, &problem);
    if (!good) {
        user_error_at(board_address(remote->board)->run, "Start the run again, under another name.",
                      "the data in Redis is refused: %s", problem.at);
        remote->is_refused = true;
    }
    text_free(&stream);
    text_free(&problem);
    arena_free(arena);
    return good;
}

static bool take_state(struct remote *remote, enum board_state state) {
    if (state == BOARD_OVER || state == BOARD_NONE || state == BOARD_DONE) remote->is_over = true;
    if (state == BOARD_END && !worker_has_ended(remote->worker))
        return give_order(remote, (struct work_order){.end = true}, NULL);
    return !remote->is_over;
}

static void learn(struct remote *remote, uint64_t version) {
    if (version == remote->known || remote->unsent) return;
    struct text known = {0};
    remote->known = version;
    if (board_get_known(remote->board, &known) && !worker_has_ended(remote->worker))
        give_order(remote, (struct work_order){0}, &known);
    text_free(&known);
}

// ---- commits

static void forget_unsent(struct remote *remote) {
    if (!remote->unsent) return;
    delta_part_free(&remote->part);
    vec_each (struct text, part, &remote->given) text_free(part);
    vec_clear(&remote->given);
    remote->unsent = false;
}

// Deals the states that are given away out to the idle workers.
static void share_given(struct remote *remote) {
    entries *given = &remote->part.given, part = {0};
    uint32_t parts = MIN(MAX(1, remote->wanted), given->count);
    frontier_sort(given->at, given->count);
    for (uint32_t i = 0; i < parts; i++) {
        bundle_deal(given, i, parts, &part);
        vec_push(&remote->given, bundle_make(part.at, part.count).stream);
    }
    vec_free(&part);
    remote->wanted = 0;
}

static struct board_worker about(const struct remote *remote) {
    const struct run_counters *counts = &remote->part.counts;
    struct board_worker worker = {.paths = counts->completed + counts->errors + counts->stopped,
                                  .instructions = counts->instructions,
                                  .given = counts->given,
                                  .taken = counts->taken,
                                  .held = remote->part.about.held,
                                  .busy = remote->part.about.busy,
                                  .rebuilding = worth_rebuilding(&remote->part.about),
                                  .present = remote->part.about.present};
    worker.messages = redis_traffic(board_redis(remote->board), &worker.bytes);
    return worker;
}

// Updates `worth` when all states of the token have been explored.
static void note_worth(struct remote *remote) {
    const struct work_report *about = &remote->part.about;
    uint64_t taken = remote->part.counts.taken;
    double processor = about->processor - remote->processor;
    double rebuilding = about->rebuilding - remote->rebuilding;
    if (rebuilding > 0)
        worth_note(&remote->worth, taken - remote->taken, processor, rebuilding, clock_processor_seconds());
    remote->taken = taken;
    remote->processor = about->processor;
    remote->rebuilding = about->rebuilding;
}

// Sends the unsent commit. Returns false if another worker has taken over the states.
static bool deliver(struct remote *remote) {
    enum board_state state;
    uint64_t known = remote->known;
    struct board_worker worker = about(remote);
    struct board_commit commit = {.worker = remote->options->name,
                                  .token = remote->token,
                                  .number = remote->commits + 1,
                                  .held = remote->part.about.held,
                                  .report = &remote->part.report,
                                  .kept = &remote->part.kept,
                                  .given = &remote->given,
                                  .about = &worker};
    switch (board_commit(remote->board, &commit, &state, &known)) {
    case BOARD_LATER: remote->next_try = clock_seconds() + RETRY_MS * 0.001; return true;
    case BOARD_REFUSED:
        remote->is_lost = state != BOARD_OVER && state != BOARD_NONE;
        remote->is_over = !remote->is_lost;
        return false;
    case BOARD_ACCEPTED: break;
    }
    delta_accept(remote->delta);
    remote->commits++;
    if (!remote->part.kept.count) {
        remote->token[0] = 0;
        note_worth(remote);
    }
    forget_unsent(remote);
    if (state == BOARD_DONE) remote->is_over = true;
    learn(remote, known);
    return true;
}

// Retries until the commit is sent, the run is over, or the worker has to end.
static bool deliver_all(struct remote *remote) {
    double until = 0;
    while (remote->unsent) {
        if (!deliver(remote)) return false;
        if (!remote->unsent) break;
        if (limits_over() && until == 0) until = clock_seconds() + LAST_SECONDS;
        if (until > 0 && clock_seconds() > until) return false;
        clock_pause(RETRY_MS);
    }
    return true;
}

static bool send_report(void *context, const struct text *report) {
    struct remote *remote = context;
    if (!deliver_all(remote)) return false;
    if (!remote->token[0]) return true; // there is nothing to commit
    delta_split(remote->delta, report, &remote->part);
    remote->unsent = true;
    share_given(remote);
    if (!deliver(remote)) return false;
    return !remote->part.about.last || deliver_all(remote);
}

static bool may_send(void *context) { return !((struct remote *)context)->unsent; }

// ---- between two steps

static bool look_around(struct remote *remote) {
    double now = clock_seconds();
    if (remote->unsent) return now < remote->next_try || deliver(remote);
    if (now < remote->next_ask) return true;
    remote->next_ask = now + ASK_SECONDS;
    uint32_t wanted;
    enum board_state state = board_ask(remote->board, remote->options->name, held(remote), &wanted);
    if (state == BOARD_AWAY) return true;
    if (!take_state(remote, state)) return false;
    if (!wanted || worker_has_ended(remote->worker)) return true;
    remote->wanted = wanted;
    worth_wait(&remote->worth, clock_processor_seconds());
    struct work_order order = {.give = true, .least = remote->worth.least, .wanted = wanted};
    return give_order(remote, order, NULL);
}

// Starts on the states of a new token.
static bool take_states(struct remote *remote, const struct text *states) {
    struct work_order start = {.start = !states->count};
    if (give_order(remote, start, states->count ? states : NULL)) return true;
    remote->token[0] = 0;
    return false;
}

static bool receive_orders(void *context, struct worker *worker, bool wait) {
    struct remote *remote = context;
    if (!wait) return look_around(remote);
    if (limits_over()) return true;
    if (!deliver_all(remote)) return false;
    struct text states = {0};
    enum board_state state = board_take(remote->board, remote->options->name, remote->token, &states);
    bool good = true;
    if (state == BOARD_AWAY)
        clock_pause(RETRY_MS);
    else if (remote->token[0])
        good = take_states(remote, &states);
    else
        good = take_state(remote, state);
    text_free(&states);
    return good;
}

// Exits in the middle of a step: commits so far stay valid, and another worker repeats the rest.
NORETURN static void leave_step(void) { _exit(REMOTE_LOST_STATUS); }

enum remote_end remote_serve(const struct remote_options *options) {
    struct remote remote = {.options = options, .delta = delta_new()};
    struct explore_options explore = *options->explore;
    struct worker_options worker = {.explore = &explore,
                                    .context = &remote,
                                    .send = send_report,
                                    .poll = receive_orders,
                                    .may_send = may_send,
                                    .report_seconds = COMMIT_SECONDS};
    remote.board = board_new(options->address, REPLY_SECONDS);
    board_set_timeout(remote.board, options->timeout);
    struct foreign *foreign =
        options->foreign ? foreign_new(remote.board, options->user, options->group, leave_step) : NULL;
    if (foreign) {
        explore.machine.host.foreign = foreign_host(foreign);
        explore.machine.host.host_files = true;
    }
    remote.worker = worker_new(options->program, &worker);
    if (remote.worker) worker_serve(remote.worker);
    enum remote_end end = !remote.worker || remote.is_refused ? REMOTE_FAILED
                          : remote.is_lost || remote.unsent   ? REMOTE_LOST
                                                              : REMOTE_OVER;
    forget_unsent(&remote);
    worker_free(remote.worker);
    vec_free(&remote.given);
    delta_free(remote.delta);
    foreign_free(foreign);
    board_free(remote.board);
    return end;
}
