// A malicious peer: its streams are well-formed and have correct checksums, but fields have other values. The
// coordinator and the worker reject these streams, or accept them without harm: the run still ends. (False statements
// about paths are accepted. It is the task of the transport to admit only trusted peers.)
//
//   test_cluster_hostile [FIRST_SEED [COUNT]]
#include "../check.h"
#include "base/alloc.h"
#include "base/arena.h"
#include "base/random.h"
#include "base/text.h"
#include "cluster/coordinator.h"
#include "cluster/parcel.h"
#include "cluster/worker.h"
#include "message/stream.h"
#include "symbolic_program.h"

#include <stdlib.h>
#include <string.h>

static uint64_t first = 1, count = 400;
static uint32_t refused, taken; // changed streams that were rejected; that were accepted

static uint64_t strange(struct random *random, uint64_t old) {
    static const uint64_t values[] = {0, 1, 2, 255, 65535, INT32_MAX, UINT32_MAX, INT64_MAX, UINT64_MAX};
    switch (random_below(random, 4)) {
    case 0: return old + 1;
    case 1: return old - 1;
    case 2: return random_below(random, 40);
    default: return values[random_below(random, COUNT(values))];
    }
}

static void mutate(struct random *random, const struct layout *layout, struct arena *arena, char *value);

static void mutate_items(struct random *random, const struct field *field, struct arena *arena, char *value) {
    uint32_t *size = (uint32_t *)(value + field->count_at);
    void **items = (void **)(value + field->at);
    if (*size && !random_below(random, 3)) {
        *size -= 1 + (uint32_t)random_below(random, *size);
        return;
    }
    if (!*size) return;
    uint32_t which = (uint32_t)random_below(random, *size);
    if (field->of) {
        char *copy = arena_memdup(arena, *items, (size_t)*size * field->of->size);
        mutate(random, field->of, arena, copy + (size_t)which * field->of->size);
        *items = copy;
    } else if (field->kind == FIELD_BYTES || field->kind == FIELD_SHARED_BYTES) {
        uint8_t *copy = arena_memdup(arena, *items, (size_t)*size + 1);
        copy[which] = (uint8_t)strange(random, copy[which]);
        *items = copy;
    } else if (field->kind == FIELD_NUMBERS || field->kind == FIELD_SHARED_NUMBERS ||
               (field->kind == FIELD_SET && which == *size - 1)) { // the encoder requires sets to ascend
        uint32_t *copy = arena_memdup(arena, *items, (size_t)*size * sizeof *copy);
        uint32_t new = (uint32_t)strange(random, copy[which]);
        if (field->kind != FIELD_SET || !which || new > copy[which - 1]) copy[which] = new;
        *items = copy;
    }
}

// Changes the value of one field.
static void mutate(struct random *random, const struct layout *layout, struct arena *arena, char *value) {
    const struct field *field = &layout->fields[random_below(random, layout->field_count)];
    char *at = value + field->at;
    switch (field->kind) {
    case FIELD_FLAG: *(bool *)at = !*(bool *)at; break;
    case FIELD_NUMBER: *(uint32_t *)at = (uint32_t)strange(random, *(uint32_t *)at); break;
    case FIELD_LONG: *(uint64_t *)at = strange(random, *(uint64_t *)at); break;
    case FIELD_INTEGER: *(int *)at = (int)strange(random, (uint64_t)*(int *)at); break;
    case FIELD_REAL: *(double *)at = (double)strange(random, 0); break;
    case FIELD_ENUM: *(int *)at = (int)random_below(random, field->values); break;
    case FIELD_TEXT: *(const char **)at = random_below(random, 2) ? NULL : "other"; break;
    case FIELD_ONE: mutate(random, field->of, arena, at); break;
    case FIELD_TEXTS: break;
    default: mutate_items(random, field, arena, value); break;
    }
}

// Changes, repeats or drops one or a few messages of the stream.
static struct text lie(struct random *random, const struct text *stream) {
    struct arena *arena = arena_new();
    struct message_reader *reader = message_reader_new(arena, stream->at, stream->count);
    struct text text = {0};
    struct message_writer *writer = message_writer_new(&text);
    struct message message;
    while (message_read(reader, &message) == MESSAGE_READ) {
        const struct layout *layout = message_layouts[message.kind];
        char *copy = arena_memdup(arena, message.body, layout->size);
        uint64_t what = random_below(random, 12);
        if (what < 3) mutate(random, layout, arena, copy);
        if (what == 3 && !random_below(random, 4)) continue;
        message_write(writer, message.kind, copy);
        if (what == 4 && !random_below(random, 4)) message_write(writer, message.kind, copy);
    }
    message_writer_end(writer);
    message_reader_free(reader);
    arena_free(arena);
    return text;
}

// ---- a coordinator and a worker

struct pair {
    struct coordinator *coordinator;
    struct explore *explore;
    struct random random;
    struct worker *worker;
    uint32_t number;
    bool lies_up, lies_down; // changes the worker's reports, or the coordinator's orders
    uint32_t polls;
};

static bool send_report(void *context, const struct text *report) {
    struct pair *pair = context;
    struct text problem = {0};
    bool lies = pair->lies_up && !random_below(&pair->random, 2);
    struct text other = lies ? lie(&pair->random, report) : (struct text){0};
    const struct text *sent = lies ? &other : report;
    bool good = coordinator_receive(pair->coordinator, pair->number, sent->at, sent->count, &problem);
    taken += good && lies;
    refused += !good;
    text_free(&other);
    text_free(&problem);
    return good && coordinator_has(pair->coordinator, pair->number);
}

static bool poll_orders(void *context, struct worker *worker, bool wait) {
    struct pair *pair = context;
    struct text order, problem = {0};
    coordinator_balance(pair->coordinator, (double)pair->polls, (double)pair->polls);
    if (++pair->polls > 3000) return false; // the worker claims to hold states that do not exist
    bool any = coordinator_next(pair->coordinator, pair->number, &order);
    if (!any) return !wait || !coordinator_is_done(pair->coordinator);
    struct text other =
        pair->lies_down && !random_below(&pair->random, 2) ? lie(&pair->random, &order) : (struct text){0};
    const struct text *sent = other.count ? &other : &order;
    bool good = worker_receive(worker, sent->at, sent->count, &problem);
    taken += good && other.count;
    refused += !good;
    text_free(&other);
    text_free(&order);
    text_free(&problem);
    return true;
}

static double clock_now(void) {
    static double time;
    return time += 0.001;
}

static const struct vm_start_config nothing_around = {0};

static void run_pair(const struct ir_program *program, uint64_t seed) {
    struct explore_options options = {.search = seed % 2 ? "bfs" : "pending(rp)",
                                      .random_seed = seed,
                                      .step = 5,
                                      .emit = seed % 3 ? EMIT_ALL : EMIT_NEW,
                                      .findings = true,
                                      .max_instructions = 100000,
                                      .solver = solver_defaults,
                                      .environments = &nothing_around,
                                      .environment_count = 1};
    struct pair pair = {.random = {seed}, .lies_up = seed % 4 != 0, .lies_down = seed % 4 == 0};
    pair.explore = explore_new(program, &options);
    explore_merge_begin(pair.explore);
    pair.coordinator = coordinator_new(pair.explore, NULL);
    for (uint32_t round = 0; round < 6 && !coordinator_is_done(pair.coordinator); round++) {
        struct worker_options worker = {.explore = &options,
                                        .context = &pair,
                                        .send = send_report,
                                        .poll = poll_orders,
                                        .clock = clock_now,
                                        .every_step = true,
                                        .report_seconds = 0.01};
        pair.number = coordinator_join(pair.coordinator);
        pair.worker = worker_new(program, &worker);
        if (round == 5) pair.lies_up = pair.lies_down = false;
        worker_serve(pair.worker);
        coordinator_lost(pair.coordinator, pair.number);
        worker_free(pair.worker);
    }
    coordinator_close(pair.coordinator, END_COMPLETE);
    coordinator_free(pair.coordinator);
    explore_free(pair.explore);
}

static void lies_do_no_harm(void **state) {
    for (uint64_t seed = first; seed < first + count; seed++) {
        struct symbolic_program program = symbolic_program(seed % 50 + 1, 0);
        size_t before = mem_in_use();
        run_pair(program.symbolic, seed);
        assert_int_equal(mem_in_use(), before);
        symbolic_program_free(&program);
    }
    if (count >= 100) assert_true(refused > count / 4 && taken > count / 4);
}

// ---- a run received from another machine

static struct explore_options rich_options(void) {
    static const struct vm_text arguments[] = {{"program", 0}, {NULL, 3}, {"x", 0}},
                                variables[] = {{"HOME=/", 0}, {"LANG", 4}};
    static const struct vm_range sockets[] = {{1, 8}, {2, 2}};
    static const struct vm_file files[] = {
        {.least = 4, .most = 4},
        {.path = "a.txt", .most = 9},
        {.path = "b", .least = 3, .most = 3, .content = (const uint8_t *)"abc"},
        {.path = "c", .least = 4, .most = 4, .around = (const uint8_t *)"abcd", .from = 1, .to = 3}};
    static const struct vm_start_config environments[] = {
        {.arguments = arguments, .argument_count = 3, .variables = variables, .variable_count = 2},
        {.arguments = arguments,
         .argument_count = 1,
         .own_files = true,
         .files = files,
         .file_count = 4,
         .sockets = sockets,
         .socket_count = 2,
         .input = (const uint8_t *)"in",
         .input_size = 2}};
    static const struct test_input inputs[] = {
        {.kind = INPUT_FILE, .name = "stdin", .bytes = (const uint8_t *)"abcd", .size = 4}};
    static const struct test_case seeds[] = {{.number = 1, .inputs = inputs, .input_count = 1}};
    return (struct explore_options){.search = "bfs",
                                    .solver = solver_defaults,
                                    .seeds = seeds,
                                    .seed_count = 1,
                                    .machine = {.host = {.directory = "/tmp",
                                                         .start_time = 5,
                                                         .input = {0, 16},
                                                         .sockets = sockets,
                                                         .socket_count = 2},
                                                .files = files,
                                                .file_count = 4,
                                                .stack_size = 64 << 20},
                                    .environments = environments,
                                    .environment_count = 2};
}

static void runs_come_as_they_were_sent(void **state) {
    struct symbolic_program program = symbolic_program(1, 0);
    struct explore_options options = rich_options();
    static const struct parcel_target targets[] = {{"a.c", 7}, {"b.c", 9}};
    struct parcel_front front = {
        .checks = 5, .targets = targets, .target_count = 2, .known_name = "list", .known = "any a.c\n"};
    struct text sent = {0}, again = {0}, problem = {0};
    struct parcel parcel;
    assert_true(parcel_write(&sent, &options, &front, program.symbolic, "name"));
    assert_true(parcel_read(&parcel, sent.at, sent.count, &problem));
    assert_int_equal(parcel.form, parcel_form(program.symbolic));
    assert_true(parcel_write(&again, &parcel.explore, &parcel.front, program.symbolic, parcel.name));
    assert_int_equal(sent.count, again.count);
    assert_memory_equal(sent.at, again.at, sent.count);
    parcel_free(&parcel);
    uint32_t refused_runs = 0;
    for (uint64_t seed = first; seed < first + count; seed++) {
        struct random random = {seed};
        struct text other = lie(&random, &sent);
        text_clear(&problem);
        bool good = parcel_read(&parcel, other.at, other.count, &problem);
        refused_runs += !good;
        assert_true(good == !problem.count);
        parcel_free(&parcel);
        text_free(&other);
    }
    if (count >= 100) assert_true(refused_runs > 0 && refused_runs < count);
    text_free(&sent);
    text_free(&again);
    text_free(&problem);
    symbolic_program_free(&program);
}

int main(int argc, char **argv) {
    if (argc > 1) first = strtoull(argv[1], NULL, 10);
    if (argc > 2) count = strtoull(argv[2], NULL, 10);
    const struct CMUnitTest tests[] = {cmocka_unit_test(lies_do_no_harm),
                                       cmocka_unit_test(runs_come_as_they_were_sent)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
