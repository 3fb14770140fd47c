#include "cluster/answers.h"

#include "base/alloc.h"
#include "base/arena.h"
#include "base/clock.h"
#include "message/stream.h"
#include "solver/shared.h"

#include <string.h>

#define TABLE_BYTES ((size_t)16 << 20)
#define SECONDS     1.0  // between two exchanges
#define MOST_SENT   256u // most answers in a batch

struct answers {
    struct board *board;
    const char *writer;
    struct shared_answers *table;
    uint64_t position; // in the table's log
    char read[64];     // position of the last batch that was read
    double next;
};

struct answers *answers_new(struct board *board, const char *writer) {
    struct answers *answers = NEW(struct answers);
    *answers =
        (struct answers){.board = board, .writer = writer, .table = shared_new(TABLE_BYTES), .read = "0"};
    return answers;
}

void answers_free(struct answers *answers) {
    if (!answers) return;
    shared_free(answers->table);
    DELETE(answers);
}

struct shared_answers *answers_table(const struct answers *answers) { return answers->table; }

static void send(struct answers *answers) {
    struct shared_answer found[MOST_SENT];
    uint64_t position = answers->position;
    uint32_t count = shared_since(answers->table, &position, found, MOST_SENT);
    struct text batch = {0};
    struct message_writer *writer = message_writer_new(&batch);
    for (uint32_t i = 0; i < count; i++) {
        struct solver_answer answer = {found[i].name.a, found[i].name.b, found[i].refuted, found[i].model,
                                       found[i].size};
        message_write(writer, MESSAGE_ANSWER, &answer);
    }
    message_writer_end(writer);
    if (!count || board_put_answers(answers->board, answers->writer, &batch)) answers->position = position;
    text_free(&batch);
}

static void add(struct answers *answers, const struct solver_answer *from) {
    struct shared_answer answer = {{from->name_a, from->name_b}, from->model_size, from->refuted, {0}};
    if (from->model_size > SHARED_MODEL || (from->refuted && from->model_size)) return;
    if (from->model_size) memcpy(answer.model, from->model, from->model_size);
    shared_add_foreign(answers->table, &answer);
}

// A damaged batch is used up to the damage: each record before it has a correct checksum.
static void receive(struct answers *answers, const struct board_report *batch) {
    struct arena *arena = arena_new();
    struct message_reader *reader = message_reader_new(arena, batch->bytes, batch->size);
    struct message message;
    while (message_read(reader, &message) == MESSAGE_READ)
        if (message.kind == MESSAGE_ANSWER) add(answers, message.solver_answer);
    message_reader_free(reader);
    arena_free(arena);
}

void answers_exchange(struct answers *answers) {
    const struct board_report *batches;
    uint32_t count;
    double now = clock_seconds();
    if (!answers->table || now < answers->next) return;
    answers->next = now + SECONDS;
    send(answers);
    if (!board_get_answers(answers->board, answers->writer, answers->read, sizeof answers->read, &batches,
                           &count))
        return;
    for (uint32_t i = 0; i < count; i++) receive(answers, &batches[i]);
}
