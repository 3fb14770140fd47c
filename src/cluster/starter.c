#include "cluster/starter.h"

#include "base/clock.h"
#include "base/error.h"
#include "base/log.h"
#include "base/run_limits.h"
#include "cluster/bundle.h"
#include "cluster/crew.h"
#include "cluster/foreign.h"
#include "cover/cover.h"
#include "explore/frontier.h"
#include "message/stream.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

#define REPLY_SECONDS   3.0
#define OPEN_SECONDS    15.0 // until the lock of a killed starter expires
#define LOOK_MS         50u
#define LOCK_SECONDS    2.0 // between two renewals of the lock
#define WORKERS_SECONDS 0.5
#define KNOWN_SECONDS   0.5
#define QUIET_SECONDS   3.0 // without an answer before a warning is printed
#define LAST_PART       0.4 // share of limits_allowance() for the last commits
#define TOKEN_STATES    64u // states per token in a resumed run

struct starter {
    struct starter_options options;
    struct board *board;
    struct board_meta meta; // as stored in Redis, or to be stored
    char host[65], who[128];
    bool joins;
    struct explore *explore;
    const struct explore_options *explore_options;
    const struct ir_program *ir;
    struct crew *crew;
    char position[64], trimmed[64]; // the last merged report; the last report that the checkpoint covers
    uint64_t bytes, trim_bytes;     // size of the reports since the last trim
    board_workers workers;
    uint64_t covered;    // items whose coverage has been published
    uint64_t file_bytes; // size of the answers about files
    double next_lock, next_workers, next_known, silent_since;
    bool said_away, said_refused, has_all;
    // The run at the last snapshot.
    struct arena *arena;
    entries states;
    bool unbegun;
};

static void say_away(const struct starter *starter) {
    struct text address = {0};
    redis_add_address(&address, board_address(starter->board));
    user_error_at(address.at, "Is redis-server running there, and does it take connections from this host?",
                  "%s", board_problem(starter->board));
    text_free(&address);
}

// ---- the start

// Removes the lock of a dead starter of this host.
static void break_lock(struct starter *starter, const char *holder) {
    char *end;
    size_t length = strlen(starter->host);
    if (strncmp(holder, starter->host, length) != 0 || holder[length] != ' ') return;
    long process = strtol(holder + length + 1, &end, 10);
    if (process > 0 && kill((pid_t)process, 0) != 0 && errno == ESRCH) board_unlock(starter->board, holder);
}

static bool lock(struct starter *starter) {
    struct text other = {0};
    double until = clock_seconds() + OPEN_SECONDS;
    bool good = false;
    while (!(good = board_lock(starter->board, starter->who, &other)) && clock_seconds() < until &&
           !limits_over()) {
        if (!other.count && redis_was_refused(board_redis(starter->board))) break;
        if (!other.count && clock_seconds() > until - OPEN_SECONDS + REPLY_SECONDS) break;
        if (other.count) break_lock(starter, other.at);
        clock_pause(LOOK_MS);
    }
    if (!good && other.count)
        user_error_at(board_address(starter->board)->run,
                      "Wait for its end, use another name for this run, or end that process.",
                      "another process has started this run: %s", other.at);
    else if (!good)
        say_away(starter);
    text_free(&other);
    return good;
}

struct starter *starter_open(const struct redis_address *address, const struct starter_options *options) {
    struct starter *starter = NEW(struct starter);
    uint64_t random = 0;
    if (getrandom(&random, sizeof random, GRND_NONBLOCK) != sizeof random) random = (uint64_t)time(NULL);
    starter->options = *options;
    starter->board = board_new(address, REPLY_SECONDS);
    starter->has_all = true;
    gethostname(starter->host, sizeof starter->host - 1);
    snprintf(starter->who, sizeof starter->who, "%s %d %016llx", starter->host, (int)getpid(),
             (unsigned long long)random);
    snprintf(starter->position, sizeof starter->position, "0");
    if (lock(starter)) return starter;
    starter_free(starter);
    return NULL;
}

static void forget_states(struct starter *starter) {
    vec_free(&starter->states);
    arena_free(starter->arena);
    starter->arena = NULL;
}

void starter_free(struct starter *starter) {
    if (!starter) return;
    if (starter->crew) crew_free(starter->crew);
    board_unlock(starter->board, starter->who);
    board_meta_free(&starter->meta);
    vec_free(&starter->workers);
    forget_states(starter);
    board_free(starter->board);
    DELETE(starter);
}

static void set_text(struct text *to, const char *text) {
    text_clear(to);
    text_add(to, "%s", text);
}

// Computes the names (hashes) of this run's values.
static void name_values(const struct starter *starter, char program[33], char run[33]) {
    board_name(starter->options.program->at, starter->options.program->count, program);
    board_name(starter->options.parcel->at, starter->options.parcel->count, run);
}

static const char *meta_problem(const struct starter *starter) {
    const struct board_meta *meta = &starter->meta;
    char program[33], run[33];
    name_values(starter, program, run);
    if (strcmp(meta->version.at, starter->options.version) != 0)
        return "it was started by another version of Tamar";
    if (strcmp(meta->program.at, program) != 0) return "it is a run of another program";
    if (strcmp(meta->run.at, run) != 0) return "it was started with other options or inputs";
    if (strcmp(meta->host.at, starter->host) != 0 || access(meta->folder.at, R_OK | W_OK) != 0)
        return "its results are not here";
    return NULL;
}

bool starter_examine(struct starter *starter, const char **folder) {
    *folder = NULL;
    if (!board_read_meta(starter->board, &starter->meta)) {
        say_away(starter);
        return false;
    }
    if (starter->meta.state == BOARD_NONE || starter->meta.state == BOARD_OVER) return true;
    const char *wrong = meta_problem(starter);
    if (wrong) {
        user_error_at(board_address(starter->board)->run,
                      "Use another name for this run, or start that one again where it was started: its "
                      "results say how (program.json).",
                      "there is a run of this name, and %s (%s:%s)", wrong, starter->meta.host.at,
                      starter->meta.folder.at);
        return false;
    }
    starter->joins = true;
    *folder = starter->meta.folder.at;
    return true;
}

// ---- states

static void add_states(struct starter *starter, const struct text *stream) {
    struct message_reader *reader = message_reader_new(starter->arena, stream->at, stream->count);
    struct message message;
    enum message_status status;
    const char *wrong = NULL;
    if (!stream->count) starter->unbegun = true;
    while (stream->count && !wrong && (status = message_read(reader, &message)) == MESSAGE_READ) {
        const struct frontier_entry *entry = message.frontier_entry;
        wrong = message.kind != MESSAGE_FRONTIER ? "it has other messages than states"
                : entry->environment >= starter->explore_options->environment_count
                    ? "it has a command line that this exploration does not have"
                    : frontier_problem(starter->ir, entry);
        if (!wrong) vec_push(&starter->states, *entry);
    }
    if (stream->count && !wrong && status == MESSAGE_REFUSED) wrong = message_problem(reader);
    if (wrong && !starter->said_refused) user_warning("states in Redis are rejected: %s", wrong);
    starter->said_refused |= wrong != NULL;
    if (wrong) explore_merge_lost(starter->explore, "states in Redis that could not be read", 1);
    message_reader_free(reader);
}

static void count_waiting(struct starter *starter, bool waits) {
    for (uint32_t i = 0; i < starter->states.count; i++)
        explore_merge_waiting(starter->explore, &starter->states.at[i], waits);
}

// ---- reports

static void add_report(struct starter *starter, const struct board_report *report) {
    struct arena *arena = arena_new();
    struct text problem = {0};
    struct explore_part *part = explore_part_new();
    const struct checkpoint *from =
        checkpoint_read_report(arena, report->bytes, report->size, starter->ir, &problem);
    if (!from || !explore_merge(starter->explore, part, from, &problem)) {
        user_warning("a report of a worker is rejected: %s", problem.at);
        explore_merge_lost(starter->explore, "reports of workers that could not be read", 1);
    }
    explore_part_free(part);
    text_free(&problem);
    arena_free(arena);
    snprintf(starter->position, sizeof starter->position, "%s", report->position);
    starter->bytes += report->size;
}

static void add_reports(struct starter *starter, const struct board_report *reports, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) add_report(starter, &reports[i]);
}

// Returns false if Redis cannot be reached.
static bool snapshot(struct starter *starter, bool over) {
    const struct board_report *reports;
    uint32_t count;
    board_parts parts = {0};
    bool good = board_snapshot(starter->board, starter->position, over, &reports, &count, &parts);
    if (good) {
        forget_states(starter);
        starter->arena = arena_new();
        starter->unbegun = false;
        add_reports(starter, reports, count);
        vec_each (struct text, part, &parts) add_states(starter, part);
        frontier_sort(starter->states.at, starter->states.count);
    }
    vec_each (struct text, part, &parts) text_free(part);
    vec_free(&parts);
    return good;
}

// ---- beginning

static board_parts first_parts(const struct checkpoint *from) {
    board_parts parts = {0};
    for (uint32_t i = 0; from && i < from->entry_count; i += TOKEN_STATES)
        vec_push(&parts, bundle_make(from->entries + i, MIN(TOKEN_STATES, from->entry_count - i)).stream);
    if (!from) vec_push(&parts, (struct text){0});
    return parts;
}

static bool publish(struct starter *starter, const char *folder, const struct checkpoint *from) {
    struct board_meta *meta = &starter->meta;
    const struct text *program = starter->options.program, *parcel = starter->options.parcel;
    char names[2][33];
    name_values(starter, names[0], names[1]);
    set_text(&meta->version, starter->options.version);
    set_text(&meta->id, starter->who);
    set_text(&meta->host, starter->host);
    set_text(&meta->folder, folder);
    set_text(&meta->program, names[0]);
    set_text(&meta->run, names[1]);
    meta->timeout = starter->options.timeout;
    board_parts parts = first_parts(from);
    bool good = board_put_blob(starter->board, names[0], program->at, program->count) &&
                board_put_blob(starter->board, names[1], parcel->at, parcel->count) &&
                board_begin(starter->board, meta, &parts);
    vec_each (struct text, part, &parts) text_free(part);
    vec_free(&parts);
    if (!good) say_away(starter);
    return good;
}

// Resumes the run that is in Redis. Returns false if the checkpoint is of another run.
static bool take_up(struct starter *starter, const struct checkpoint *from) {
    if (from && (!from->position || strcmp(from->position->id, starter->meta.id.at) != 0)) {
        user_error_at(starter->meta.folder.at, "Use another name for this run.",
                      "the results are no longer those of the run in Redis");
        return false;
    }
    if (from) snprintf(starter->position, sizeof starter->position, "%s", from->position->position);
    log_line("the run is in Redis already: continuing it, results in %s", starter->meta.folder.at);
    return starter->meta.state != BOARD_END || board_set_state(starter->board, BOARD_RUN);
}

bool starter_begin(struct starter *starter, const struct starter_begin *begin) {
    const struct checkpoint *from = begin->options->resume;
    starter->explore = begin->explore;
    starter->explore_options = begin->options;
    starter->ir = begin->ir;
    explore_merge_begin(begin->explore);
    for (uint32_t i = 0; from && i < from->entry_count; i++)
        explore_merge_waiting(begin->explore, &from->entries[i], false); // all states are in Redis
    if (!(starter->joins ? take_up(starter, from) : publish(starter, begin->folder, from))) return false;
    struct crew_options crew = {.jobs = begin->jobs,
                                .max_memory = begin->max_memory,
                                .timeout = starter->meta.timeout,
                                .board = starter->board,
                                .program = begin->ir,
                                .explore = begin->options};
    starter->crew = crew_new(&crew);
    explore_merge_states(begin->explore, 1);
    return true;
}

// ---- shared coverage

static const uint32_t *all_set(struct arena *arena, const uint8_t *bytes, uint32_t size, uint32_t *count) {
    uint32_t *items = ARENA_ARRAY(arena, uint32_t, size);
    *count = 0;
    for (uint32_t i = 0; i < size; i++)
        if (bytes[i]) items[(*count)++] = i;
    return items;
}

// Appends the targets that need not be looked for any more. Returns their number.
static uint32_t write_targets(struct starter *starter, struct message_writer *writer) {
    const struct explore_result *result = explore_result(starter->explore);
    uint32_t count = 0;
    for (uint32_t i = 0; i < result->target_count; i++) {
        struct target_status status;
        if (!explore_target_news(&result->targets[i], i, &status)) continue;
        count += 1 + (status.bug != 0);
        message_write(writer, MESSAGE_TARGET, &status);
    }
    return count;
}

static void publish_known(struct starter *starter) {
    struct arena *arena = arena_new();
    struct vm *vm = explore_vm(starter->explore);
    struct coverage_delta all = {0};
    all.edges = all_set(arena, vm_edges_seen(vm), starter->ir->edge_count, &all.edge_count);
    all.functions = all_set(arena, vm_functions_seen(vm), starter->ir->function_count, &all.function_count);
    all.tested = all_set(arena, explore_covered_by_tests(starter->explore), cover_item_count(starter->ir),
                         &all.tested_count);
    uint64_t covered = (uint64_t)all.edge_count + all.function_count + all.tested_count;
    struct text known = {0};
    struct message_writer *writer = message_writer_new(&known);
    message_write(writer, MESSAGE_COVERAGE, &all);
    covered += write_targets(starter, writer);
    message_writer_end(writer);
    if (covered != starter->covered && board_set_known(starter->board, covered, &known))
        starter->covered = covered;
    text_free(&known);
    arena_free(arena);
}

// ---- during the run

static void count_states(struct starter *starter) {
    uint64_t sum = 0;
    vec_each (struct board_worker, worker, &starter->workers)
        if (worker->status == BOARD_WORKER_HERE) sum += worker->held;
    explore_merge_states(starter->explore, MAX(sum, 1));
}

#define MOST_FILES ((uint64_t)256 << 20) // bytes of file content stored in Redis at most

static void answer_questions(struct starter *starter) {
    const struct vm_host *host = &starter->explore_options->machine.host;
    struct text question = {0}, answer = {0};
    for (uint32_t i = 0; i < 16 && board_next_wanted(starter->board, &question); i++) {
        text_clear(&answer);
        if (starter->file_bytes > MOST_FILES)
            text_add(&answer, "n");
        else
            foreign_answer(question.at, host->directory, host->hidden, host->hidden_count, &answer);
        starter->file_bytes += answer.count;
        board_put_file(starter->board, question.at, &answer);
    }
    text_free(&question);
    text_free(&answer);
}

static void keep_up(struct starter *starter) {
    double now = clock_seconds();
    answer_questions(starter);
    if (now >= starter->next_lock) {
        struct text other = {0};
        board_lock(starter->board, starter->who, &other);
        text_free(&other);
        starter->next_lock = now + LOCK_SECONDS;
    }
    if (now >= starter->next_workers) {
        board_read_workers(starter->board, &starter->workers);
        count_states(starter);
        starter->next_workers = now + WORKERS_SECONDS;
    }
    if (now >= starter->next_known) {
        publish_known(starter);
        starter->next_known = now + KNOWN_SECONDS;
    }
    if (starter->trimmed[0] && board_trim(starter->board, starter->trimmed, starter->trim_bytes)) {
        starter->trimmed[0] = 0;
        starter->trim_bytes = 0;
    }
}

static void note_answer(struct starter *starter, bool answers) {
    if (answers) {
        if (starter->said_away) log_line("Redis answers again");
        starter->silent_since = 0;
        starter->said_away = false;
        return;
    }
    if (starter->silent_since == 0) starter->silent_since = clock_seconds();
    if (starter->said_away || clock_seconds() < starter->silent_since + QUIET_SECONDS) return;
    user_warning("Redis does not answer (%s): workers continue with their states, and commit later",
                 board_problem(starter->board));
    starter->said_away = true;
}

// Merges new reports. Returns true if none will follow.
static bool collect(struct starter *starter) {
    const struct board_report *reports;
    uint32_t count;
    enum board_state state =
        board_get_state(starter->board); // read before the reports, so that none is missed
    bool good = state != BOARD_AWAY &&
                board_read_reports(starter->board, starter->position, LOOK_MS, &reports, &count);
    note_answer(starter, good);
    if (!good) {
        clock_pause(LOOK_MS);
        return false;
    }
    add_reports(starter, reports, count);
    if (state == BOARD_NONE || state == BOARD_OVER) {
        user_error_at(board_address(starter->board)->run,
                      "Was the database emptied, or did it lose acknowledged writes? `tamar run --resume` "
                      "continues from the last checkpoint.",
                      "the run is no longer in Redis");
        limits_request(LIMIT_INTERRUPT);
        return false;
    }
    return state == BOARD_DONE && !count;
}

static bool any_worker_is_here(struct starter *starter) {
    if (!board_read_workers(starter->board, &starter->workers)) return false;
    vec_each (struct board_worker, worker, &starter->workers)
        if (worker->status == BOARD_WORKER_HERE) return true;
    return false;
}

// Asks workers for their last commit and moves the remaining states to the exploration.
static void end(struct starter *starter, bool done, enum explore_end why) {
    double patience = LAST_PART * limits_allowance(), until = clock_seconds() + patience;
    if (!done) board_set_state(starter->board, BOARD_END);
    crew_end(starter->crew, done ? 2 * patience : patience);
    while (!done && any_worker_is_here(starter) && clock_seconds() < until) clock_pause(LOOK_MS);
    starter->has_all = snapshot(starter, true);
    board_read_workers(starter->board, &starter->workers);
    if (!starter->has_all) {
        explore_merge_lost(starter->explore,
                           "states are in Redis, which does not answer: start the run again", 1);
        explore_merge_end(starter->explore, NULL, 0, arena_new(), why == END_COMPLETE ? END_INTERRUPTED : why,
                          false);
        return;
    }
    count_waiting(starter, true);
    struct frontier_entry *left =
        arena_memdup(starter->arena, starter->states.at, starter->states.count * sizeof *starter->states.at);
    struct arena *arena = starter->arena;
    starter->arena = NULL; // owned by the exploration now
    explore_merge_end(starter->explore, left, starter->states.count, arena, why, starter->unbegun);
    board_clear(starter->board);
}

static void run(void *self) {
    struct starter *starter = self;
    enum explore_end why = END_COMPLETE;
    bool over = false, done = false;
    while (!over && !done) {
        if (!crew_tend(starter->crew, crew_state(starter->crew) == BOARD_RUN)) {
            why = END_WORKERS;
            break;
        }
        done = collect(starter);
        if (!starter->said_away) keep_up(starter);
        over = explore_merge_at_limit(starter->explore);
    }
    end(starter, done, why);
}

// ---- the interface

static uint32_t job_count(const void *self) { return ((const struct starter *)self)->workers.count; }

static struct coordinator_job job(const void *self, uint32_t index) {
    const struct starter *starter = self;
    assert(index < starter->workers.count);
    const struct board_worker *worker = &starter->workers.at[index];
    return (struct coordinator_job){.paths = worker->paths,
                                    .instructions = worker->instructions,
                                    .given = worker->given,
                                    .taken = worker->taken,
                                    .busy = worker->busy,
                                    .rebuilding = worker->rebuilding,
                                    .present = worker->present,
                                    .killed = worker->status == BOARD_WORKER_DEAD};
}

static uint64_t messages(const void *self, uint64_t *bytes) {
    const struct starter *starter = self;
    uint64_t count = redis_traffic(board_redis(starter->board), bytes);
    vec_each (struct board_worker, worker, &starter->workers) {
        count += worker->messages;
        *bytes += worker->bytes;
    }
    return count;
}

static bool can_checkpoint(void *self) {
    struct starter *starter = self;
    return starter->has_all && snapshot(starter, false) && !starter->unbegun;
}

static bool checkpoint(void *self, struct text *to) {
    struct starter *starter = self;
    struct shared_position position = {.id = starter->meta.id.at, .position = starter->position};
    count_waiting(starter, true);
    bool good =
        explore_merge_checkpoint(starter->explore, starter->states.at, starter->states.count, &position, to);
    count_waiting(starter, false);
    forget_states(starter);
    if (!good || !strcmp(starter->position, "0")) return good;
    snprintf(starter->trimmed, sizeof starter->trimmed, "%s", starter->position);
    starter->trim_bytes += starter->bytes;
    starter->bytes = 0;
    return good;
}

static bool has_all(const void *self) { return ((const struct starter *)self)->has_all; }
static void free_starter(void *self) { starter_free(self); }

struct sharing starter_sharing(struct starter *starter) {
    static const struct sharing_methods methods = {.run = run,
                                                   .free = free_starter,
                                                   .job_count = job_count,
                                                   .job = job,
                                                   .messages = messages,
                                                   .can_checkpoint = can_checkpoint,
                                                   .checkpoint = checkpoint,
                                                   .has_all = has_all};
    return (struct sharing){&methods, starter};
}
