#include "cluster/board.h"

#include "base/alloc.h"
#include "base/hash.h"
#include "cluster/board_scripts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_BATCHES "32" // batches of answers that are read at once

enum {
#define X(name) DO_##name,
    BOARD_SCRIPTS(X)
#undef X
        SCRIPT_COUNT
};

static const char *const script_texts[] = {
#define X(name) SCRIPT_##name,
    BOARD_SCRIPTS(X)
#undef X
};

struct board {
    struct redis *redis;
    struct redis_address address;
    struct redis_script scripts[SCRIPT_COUNT];
    char prefix[96], timeout[24];
    vec(struct board_report) reports; // reports of the last reply
};

struct board *board_new(const struct redis_address *address, double seconds) {
    struct board *board = NEW(struct board);
    board->address = *address;
    for (unsigned i = 0; i < SCRIPT_COUNT; i++) board->scripts[i].text = script_texts[i];
    snprintf(board->prefix, sizeof board->prefix, "tamar:{%s}:", address->run);
    board->redis = redis_new(address, board->scripts, SCRIPT_COUNT, seconds);
    board_set_timeout(board, 15000);
    return board;
}

void board_free(struct board *board) {
    if (!board) return;
    redis_free(board->redis);
    vec_free(&board->reports);
    DELETE(board);
}

struct redis *board_redis(struct board *board) { return board->redis; }
const struct redis_address *board_address(const struct board *board) { return &board->address; }
const char *board_problem(const struct board *board) { return redis_problem(board->redis); }

void board_set_timeout(struct board *board, uint64_t milliseconds) {
    snprintf(board->timeout, sizeof board->timeout, "%llu", (unsigned long long)milliseconds);
}

// ---- words of a command

struct command_words {
    vec(const char *) at;
    vec(size_t) sizes;
};

static void add_bytes(struct command_words *words, const void *bytes, size_t size) {
    vec_push(&words->at, size ? (const char *)bytes : "");
    vec_push(&words->sizes, size);
}

static void add_word(struct command_words *words, const char *word) { add_bytes(words, word, strlen(word)); }
static void add_text(struct command_words *words, const struct text *text) {
    add_bytes(words, text->at, text->count);
}

static void words_free(struct command_words *words) {
    vec_free(&words->at);
    vec_free(&words->sizes);
}

// Runs the script with these words and frees them.
static const struct redis_reply *run(struct board *board, unsigned script, struct command_words *words) {
    const struct redis_reply *reply =
        redis_run_script(board->redis, script, board->prefix, words->at.count, words->at.at, words->sizes.at);
    words_free(words);
    return reply;
}

static const char *number(char room[24], uint64_t value) {
    snprintf(room, 24, "%llu", (unsigned long long)value);
    return room;
}

static void key(const struct board *board, char room[192], const char *name) {
    snprintf(room, 192, "%s%s", board->prefix, name);
}

// ---- the run as a whole

static enum board_state state_of(const struct redis_reply *reply) {
    static const char *const names[] = {"none", "run", "done", "end", "over"};
    if (!reply) return BOARD_AWAY;
    for (unsigned i = 0; i < COUNT(names); i++)
        if (!strcmp(redis_text(reply, NULL), names[i])) return (enum board_state)i;
    return BOARD_NONE;
}

static void set_text(struct text *to, const struct redis_reply *reply) {
    size_t size;
    const char *bytes = redis_text(reply, &size);
    text_clear(to);
    text_add_bytes(to, bytes, size);
}

bool board_read_meta(struct board *board, struct board_meta *meta) {
    char name[192];
    key(board, name, "meta");
    const struct redis_reply *reply = redis_words(board->redis, "HMGET", name, "state", "version", "id",
                                                  "host", "folder", "program", "run", "timeout");
    *meta = (struct board_meta){.state = BOARD_AWAY};
    if (!reply) return false;
    meta->state = redis_is_nothing(redis_at(reply, 0)) ? BOARD_NONE : state_of(redis_at(reply, 0));
    struct text *const texts[] = {&meta->version, &meta->id,      &meta->host,
                                  &meta->folder,  &meta->program, &meta->run};
    for (uint32_t i = 0; i < COUNT(texts); i++) set_text(texts[i], redis_at(reply, i + 1));
    meta->timeout = (uint64_t)MAX(100, redis_number(redis_at(reply, 7)));
    return true;
}

void board_meta_free(struct board_meta *meta) {
    text_free(&meta->version);
    text_free(&meta->id);
    text_free(&meta->host);
    text_free(&meta->folder);
    text_free(&meta->program);
    text_free(&meta->run);
}

void board_name(const void *bytes, size_t size, char name[33]) {
    snprintf(name, 33, "%016llx%016llx", (unsigned long long)hash_bytes(bytes, size, 1),
             (unsigned long long)hash_bytes(bytes, size, 0x74616d61));
}

bool board_put_blob(struct board *board, const char *name, const void *bytes, size_t size) {
    char room[192], part[64];
    snprintf(part, sizeof part, "blob:%s", name);
    key(board, room, part);
    struct command_words words = {0};
    add_word(&words, "SET");
    add_word(&words, room);
    add_bytes(&words, bytes, size);
    bool good = size <= REDIS_LARGEST &&
                redis_command(board->redis, words.at.count, words.at.at, words.sizes.at) != NULL;
    words_free(&words);
    return good;
}

bool board_get_blob(struct board *board, const char *name, struct text *to) {
    char room[192], part[64], found[33];
    snprintf(part, sizeof part, "blob:%.32s", name);
    key(board, room, part);
    const struct redis_reply *reply = redis_words(board->redis, "GET", room);
    if (redis_is_nothing(reply)) return false;
    set_text(to, reply);
    board_name(to->at, to->count, found);
    return to->count <= REDIS_LARGEST && !strcmp(found, name);
}

bool board_begin(struct board *board, const struct board_meta *meta, const board_parts *parts) {
    char room[24];
    struct command_words words = {0};
    const struct text *const texts[] = {&meta->version, &meta->id,      &meta->host,
                                        &meta->folder,  &meta->program, &meta->run};
    for (unsigned i = 0; i < COUNT(texts); i++) add_text(&words, texts[i]);
    add_word(&words, number(room, meta->timeout));
    vec_each (const struct text, part, parts) add_text(&words, part);
    return run(board, DO_BEGIN, &words) != NULL;
}

enum board_state board_get_state(struct board *board) {
    char name[192];
    key(board, name, "meta");
    const struct redis_reply *reply = redis_words(board->redis, "HGET", name, "state");
    return reply ? state_of(reply) : BOARD_AWAY;
}

bool board_set_state(struct board *board, enum board_state state) {
    char name[192];
    assert(state == BOARD_RUN || state == BOARD_END);
    key(board, name, "meta");
    return redis_words(board->redis, "HSET", name, "state", state == BOARD_RUN ? "run" : "end") != NULL;
}

void board_clear(struct board *board) {
    struct command_words words = {0};
    run(board, DO_CLEAR, &words);
}

bool board_lock(struct board *board, const char *who, struct text *other) {
    struct command_words words = {0};
    add_word(&words, who);
    const struct redis_reply *reply = run(board, DO_LOCK, &words);
    if (reply) set_text(other, reply);
    return reply && !other->count;
}

void board_unlock(struct board *board, const char *who) {
    struct command_words words = {0};
    add_word(&words, who);
    run(board, DO_UNLOCK, &words);
}

// ---- the starter

// Parses entries of a stream: the entry's name, then fields and values in turn.
static void list_reports(struct board *board, const struct redis_reply *entries) {
    vec_clear(&board->reports);
    for (uint32_t i = 0; i < redis_count(entries); i++) {
        const struct redis_reply *entry = redis_at(entries, i), *fields = redis_at(entry, 1);
        struct board_report report = {.position = redis_text(redis_at(entry, 0), NULL), .bytes = ""};
        for (uint32_t k = 0; k + 1 < redis_count(fields); k += 2)
            if (!strcmp(redis_text(redis_at(fields, k), NULL), "b"))
                report.bytes = redis_text(redis_at(fields, k + 1), &report.size);
        vec_push(&board->reports, report);
    }
}

bool board_read_reports(struct board *board, const char *after, uint32_t milliseconds,
                        const struct board_report **reports, uint32_t *count) {
    char name[192], wait[24];
    key(board, name, "reports");
    const struct redis_reply *reply = redis_words(board->redis, "XREAD", "COUNT", "64", "BLOCK",
                                                  number(wait, MAX(1, milliseconds)), "STREAMS", name, after);
    *count = 0;
    if (!reply) return false;
    list_reports(board, redis_at(redis_at(reply, 0), 1));
    *reports = board->reports.at;
    *count = board->reports.count;
    return true;
}

bool board_snapshot(struct board *board, const char *after, bool over, const struct board_report **reports,
                    uint32_t *count, board_parts *states) {
    struct command_words words = {0};
    add_word(&words, after);
    add_word(&words, over ? "1" : "0");
    const struct redis_reply *reply = run(board, DO_SNAPSHOT, &words), *all = redis_at(reply, 1);
    *count = 0;
    if (!reply) return false;
    list_reports(board, redis_at(reply, 0));
    *reports = board->reports.at;
    *count = board->reports.count;
    for (uint32_t i = 0; i < redis_count(all); i++) {
        struct text text = {0};
        set_text(&text, redis_at(all, i));
        vec_push(states, text);
    }
    return true;
}

bool board_trim(struct board *board, const char *position, uint64_t bytes) {
    char room[24];
    struct command_words words = {0};
    add_word(&words, position);
    add_word(&words, number(room, bytes));
    return run(board, DO_TRIM, &words) != NULL;
}

bool board_set_known(struct board *board, uint64_t version, const struct text *known) {
    char room[24];
    struct command_words words = {0};
    add_word(&words, number(room, version));
    add_text(&words, known);
    return run(board, DO_KNOWN, &words) != NULL;
}

// Parses a digit for the status, followed by numbers.
static bool parse_worker(struct board_worker *worker, const char *text) {
    unsigned long long n[7];
    if (sscanf(text, "%1u %llu %llu %llu %llu %llu %llu %llu %lf %lf %lf", &worker->status, &n[0], &n[1],
               &n[2], &n[3], &n[4], &n[5], &n[6], &worker->busy, &worker->rebuilding,
               &worker->present) != 11 ||
        worker->status > BOARD_WORKER_DEAD)
        return false;
    worker->paths = n[0];
    worker->instructions = n[1];
    worker->given = n[2];
    worker->taken = n[3];
    worker->held = n[4];
    worker->messages = n[5];
    worker->bytes = n[6];
    return worker->busy >= 0 && worker->rebuilding >= 0 && worker->present >= 0;
}

bool board_read_workers(struct board *board, board_workers *workers) {
    char name[192];
    key(board, name, "workers");
    const struct redis_reply *reply = redis_words(board->redis, "HGETALL", name);
    if (!reply) return false;
    vec_clear(workers);
    for (uint32_t i = 0; i + 1 < redis_count(reply); i += 2) {
        struct board_worker worker = {0};
        snprintf(worker.name, sizeof worker.name, "%s", redis_text(redis_at(reply, i), NULL));
        if (parse_worker(&worker, redis_text(redis_at(reply, i + 1), NULL))) vec_push(workers, worker);
    }
    return true;
}

// ---- workers

static void add_worker(struct text *to, const struct board_worker *worker) {
    text_add(to, "%u %llu %llu %llu %llu %llu %llu %llu %.3f %.3f %.3f", worker->status,
             (unsigned long long)worker->paths, (unsigned long long)worker->instructions,
             (unsigned long long)worker->given, (unsigned long long)worker->taken,
             (unsigned long long)worker->held, (unsigned long long)worker->messages,
             (unsigned long long)worker->bytes, worker->busy, worker->rebuilding, worker->present);
}

enum board_answer board_commit(struct board *board, const struct board_commit *commit,
                               enum board_state *state, uint64_t *known) {
    char numbers[2][24];
    struct command_words words = {0};
    struct text about = {0};
    add_worker(&about, commit->about);
    add_word(&words, commit->worker);
    add_word(&words, commit->token);
    add_word(&words, number(numbers[0], commit->number));
    add_word(&words, number(numbers[1], commit->held));
    add_text(&words, commit->report);
    add_text(&words, commit->kept);
    add_text(&words, &about);
    add_word(&words, BOARD_STREAM_SIZE);
    vec_each (const struct text, part, commit->given) add_text(&words, part);
    const struct redis_reply *reply = run(board, DO_COMMIT, &words);
    text_free(&about);
    *state = state_of(redis_at(reply, 0));
    if (!reply) return BOARD_LATER;
    const char *answer = redis_text(redis_at(reply, 1), NULL);
    *known = (uint64_t)redis_number(redis_at(reply, 2));
    if (!strcmp(answer, "accepted")) return BOARD_ACCEPTED;
    return !strcmp(answer, "later") ? BOARD_LATER : BOARD_REFUSED;
}

static enum board_state take_now(struct board *board, const char *worker, char token[64],
                                 struct text *states) {
    struct command_words words = {0};
    size_t size;
    add_word(&words, worker);
    add_word(&words, board->timeout);
    const struct redis_reply *reply = run(board, DO_TAKE, &words);
    token[0] = 0;
    if (!reply) return BOARD_AWAY;
    const char *name = redis_text(redis_at(reply, 1), &size);
    if (size < 64) memcpy(token, name, size + 1);
    set_text(states, redis_at(reply, 2));
    return state_of(redis_at(reply, 0));
}

enum board_state board_take(struct board *board, const char *worker, char token[64], struct text *states) {
    enum board_state state = take_now(board, worker, token, states);
    if (state != BOARD_RUN || token[0]) return state;
    char name[192];
    key(board, name, "work");
    const struct redis_reply *reply = redis_words(board->redis, "XREADGROUP", "GROUP", "workers", worker,
                                                  "COUNT", "1", "BLOCK", "250", "STREAMS", name, ">");
    return redis_count(reply) ? take_now(board, worker, token, states) : state;
}

enum board_state board_ask(struct board *board, const char *worker, uint64_t held, uint32_t *wanted) {
    char room[24];
    struct command_words words = {0};
    add_word(&words, worker);
    add_word(&words, number(room, held));
    const struct redis_reply *reply = run(board, DO_ASK, &words);
    *wanted = reply ? (uint32_t)MIN(64, MAX(0, redis_number(redis_at(reply, 1)))) : 0;
    return reply ? state_of(redis_at(reply, 0)) : BOARD_AWAY;
}

bool board_get_known(struct board *board, struct text *known) {
    char name[192];
    key(board, name, "known");
    const struct redis_reply *reply = redis_words(board->redis, "GET", name);
    if (redis_is_nothing(reply)) return false;
    set_text(known, reply);
    return true;
}

enum board_state board_beat(struct board *board, const char *const *workers, uint32_t count) {
    struct command_words words = {0};
    for (uint32_t i = 0; i < count; i++) add_word(&words, workers[i]);
    return state_of(run(board, DO_BEAT, &words));
}

bool board_leave(struct board *board, const char *worker, uint32_t status) {
    char room[24];
    struct command_words words = {0};
    add_word(&words, worker);
    add_word(&words, number(room, status));
    return run(board, DO_LEAVE, &words) != NULL;
}

// ---- answers of the solver

bool board_put_answers(struct board *board, const char *writer, const struct text *batch) {
    char name[192];
    key(board, name, "answers");
    struct command_words words = {0};
    const char *const head[] = {"XADD", name, "MAXLEN", "~", BOARD_BATCHES, "*", "w", writer, "b"};
    for (unsigned i = 0; i < COUNT(head); i++) add_word(&words, head[i]);
    add_text(&words, batch);
    bool good = redis_command(board->redis, words.at.count, words.at.at, words.sizes.at) != NULL;
    words_free(&words);
    return good;
}

bool board_get_answers(struct board *board, const char *writer, char *position, size_t size,
                       const struct board_report **batches, uint32_t *count) {
    char name[192], after[80];
    key(board, name, "answers");
    snprintf(after, sizeof after, "(%s", position);
    const struct redis_reply *reply =
        redis_words(board->redis, "XRANGE", name, after, "+", "COUNT", MOST_BATCHES);
    *count = 0;
    if (!reply) return false;
    list_reports(board, reply);
    if (board->reports.count) snprintf(position, size, "%s", vec_last(&board->reports)->position);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < board->reports.count; i++)
        if (strcmp(redis_text(redis_at(redis_at(redis_at(reply, i), 1), 1), NULL), writer) != 0)
            board->reports.at[kept++] = board->reports.at[i];
    *batches = board->reports.at;
    *count = kept;
    return true;
}

// ---- files of the starter's machine

bool board_get_file(struct board *board, const char *question, struct text *answer) {
    char name[192];
    key(board, name, "files");
    const struct redis_reply *reply = redis_words(board->redis, "HGET", name, question);
    if (redis_is_nothing(reply)) return false;
    set_text(answer, reply);
    return true;
}

bool board_want_file(struct board *board, const char *question) {
    char name[192];
    key(board, name, "wanted");
    return redis_words(board->redis, "RPUSH", name, question) != NULL;
}

bool board_next_wanted(struct board *board, struct text *question) {
    char name[192];
    key(board, name, "wanted");
    const struct redis_reply *reply = redis_words(board->redis, "LPOP", name);
    if (redis_is_nothing(reply)) return false;
    set_text(question, reply);
    return true;
}

bool board_put_file(struct board *board, const char *question, const struct text *answer) {
    char name[192];
    key(board, name, "files");
    struct command_words words = {0};
    add_word(&words, "HSETNX");
    add_word(&words, name);
    add_word(&words, question);
    add_text(&words, answer);
    bool good = redis_command(board->redis, words.at.count, words.at.at, words.sizes.at) != NULL;
    words_free(&words);
    return good;
}
