#include "cluster/worker.h"

#include "base/clock.h"
#include "base/run_limits.h"
#include "base/vec.h"
#include "explore/merge.h"
#include "message/stream.h"

#define POLL_SECONDS   0.002 // between two polls for orders
#define REPORT_SECONDS 0.1   // shortest time between two reports
#define FIRST_SECONDS  0.01  // until the first report, which shows whether there is work for other workers
// Shares of the processor time, not of the clock: they hold for workers that share a processor, too.
#define REPORT_SHARE 60.0       // a report follows after this multiple of the last report's processor time
#define LATEST       4.0        // or, by the clock, after this multiple of that time
#define GIVE_SHARE   10.0       // states are given away after this multiple of it
#define MOST_GIVEN   (1u << 16) // states given away at once

struct worker {
    struct worker_options options;
    struct explore *explore;
    struct text stream; // the next report: tests and findings so far
    struct message_writer *writer;
    uint64_t orders, reports;
    bool asked;             // the coordinator has asked for states
    uint32_t least, wanted; // least number of states to give; number of idle workers to give to
    bool reported;          // no change since the last report
    bool ended, lost, paused;
    double began, busy, running_since, next_report, latest_report;
    double processor,
        processor_since; // processor time of `busy`; of the process when `running_since` was set
    double report_processor, give_processor; // processor time from which states are reported, given away
};

static double now(const struct worker *worker) { return worker->options.clock(); }

static uint64_t states(const struct worker *worker) { return explore_result(worker->explore)->counts.states; }

// ---- reports

static void on_message(void *context, const struct message *message) {
    struct worker *worker = context;
    if (message->kind == MESSAGE_TEST || message->kind == MESSAGE_FINDING)
        message_write(worker->writer, message->kind, message->body);
}

static void report(struct worker *worker, uint32_t give, bool last) {
    double before = now(worker), cost = clock_processor_seconds();
    double busy = worker->busy + (worker->running_since > 0 ? before - worker->running_since : 0);
    double processor = worker->processor + (worker->running_since > 0 ? cost - worker->processor_since : 0);
    struct work_report report = {.number = ++worker->reports,
                                 .orders = worker->orders,
                                 .busy = busy,
                                 .processor = processor,
                                 .rebuilding = explore_result(worker->explore)->rebuilding_seconds,
                                 .present = before - worker->began,
                                 .last = last};
    explore_report(worker->explore, worker->writer, &report, give, last);
    message_write(worker->writer, MESSAGE_REPORT, &report);
    message_writer_end(worker->writer);
    if (!worker->lost && !worker->options.send(worker->options.context, &worker->stream)) worker->lost = true;
    text_clear(&worker->stream);
    worker->writer = message_writer_new(&worker->stream);
    worker->reported = true;
    double processor_after = clock_processor_seconds();
    cost = processor_after - cost;
    worker->next_report = now(worker) + worker->options.report_seconds;
    worker->latest_report = worker->next_report + LATEST * REPORT_SHARE * cost;
    worker->report_processor = processor_after + REPORT_SHARE * cost;
    worker->give_processor = processor_after + GIVE_SHARE * cost;
    if (worker->lost) worker->ended = true;
}

// Gives each idle worker as many states as this one keeps.
static void give(struct worker *worker) {
    uint64_t part = states(worker) / (worker->wanted + 1), most = states(worker) - MAX(part, 1);
    worker->asked = false;
    report(worker, (uint32_t)MIN(most, MOST_GIVEN), false);
}

static bool may_send(const struct worker *worker) {
    return !worker->options.may_send || worker->options.may_send(worker->options.context);
}

static bool may_give(const struct worker *worker) {
    return worker->asked && states(worker) / 2 >= MAX(1, worker->least) &&
           clock_processor_seconds() >= worker->give_processor;
}

static bool must_report(const struct worker *worker) {
    double time = now(worker);
    return time >= worker->next_report &&
           (time >= worker->latest_report || clock_processor_seconds() >= worker->report_processor);
}

static bool on_progress(void *context) {
    struct worker *worker = context;
    if (!worker->options.poll(worker->options.context, worker, false)) worker->ended = worker->lost = true;
    if (worker->ended || worker->paused) return false;
    bool gives = may_give(worker);
    if ((gives || must_report(worker)) && may_send(worker)) {
        if (gives)
            give(worker);
        else
            report(worker, 0, false);
    }
    return !worker->ended;
}

// ---- orders

struct orders {
    const struct work_order *order;
    const struct coverage_delta *coverage;
    vec(const struct target_status *) targets;
    vec(struct frontier_entry) entries;
};

static const char *take_message(const struct worker *worker, struct orders *orders,
                                const struct message *message) {
    switch (message->kind) {
    case MESSAGE_ORDER:
        if (orders->order) return "there are two orders";
        orders->order = message->work_order;
        return NULL;
    case MESSAGE_COVERAGE:
        if (orders->coverage) return "coverage comes twice";
        orders->coverage = message->coverage_delta;
        return explore_learn_problem(worker->explore, message->coverage_delta);
    case MESSAGE_TARGET: vec_push(&orders->targets, message->target_status); return NULL;
    case MESSAGE_FRONTIER: vec_push(&orders->entries, *message->frontier_entry); return NULL;
    default: return "it has messages that are not part of an order";
    }
}

static bool read_order(const struct worker *worker, struct orders *orders, struct arena *arena,
                       const void *bytes, size_t size, struct text *problem) {
    struct message_reader *reader = message_reader_new(arena, bytes, size);
    struct message message;
    const char *wrong = NULL;
    enum message_status status = MESSAGE_READ;
    while (!wrong && (status = message_read(reader, &message)) == MESSAGE_READ)
        wrong = take_message(worker, orders, &message);
    if (!wrong && status == MESSAGE_END && (!orders->order || orders->order->number != worker->orders + 1))
        wrong = "an order is missing, or came twice";
    if (!wrong && status == MESSAGE_END && orders->order->start && worker->orders && states(worker))
        wrong = "it asks for the initial states, but has others";
    if (wrong || status == MESSAGE_REFUSED) text_add(problem, "%s", wrong ? wrong : message_problem(reader));
    message_reader_free(reader);
    return !problem->count;
}

static void carry_out(struct worker *worker, const struct orders *orders) {
    worker->orders++;
    worker->reported = false;
    if (orders->coverage || orders->targets.count)
        explore_learn(worker->explore, orders->coverage, orders->targets.at, orders->targets.count);
    if (orders->order->start) explore_start(worker->explore);
    if (orders->order->give && states(worker)) {
        worker->asked = true;
        worker->least = MIN(orders->order->least, MOST_GIVEN);
        worker->wanted = MIN(MAX(1, orders->order->wanted), MOST_GIVEN);
    }
    if (orders->order->end) worker->ended = true;
}

bool worker_receive(struct worker *worker, const void *bytes, size_t size, struct text *problem) {
    struct arena *arena = arena_new();
    struct orders orders = {0};
    bool good = read_order(worker, &orders, arena, bytes, size, problem), taken = false;
    if (good && orders.entries.count) {
        struct frontier_entry *entries =
            arena_memdup(arena, orders.entries.at, orders.entries.count * sizeof *orders.entries.at);
        good = taken = explore_take_entries(worker->explore, entries, orders.entries.count, arena, problem);
    }
    if (good) carry_out(worker, &orders);
    if (!good) worker->ended = true;
    vec_free(&orders.targets);
    vec_free(&orders.entries);
    if (!taken) arena_free(arena);
    return good;
}

// ---- the worker

struct worker *worker_new(const struct ir_program *program, const struct worker_options *options) {
    struct worker *worker = NEW(struct worker);
    struct explore_options explore = *options->explore;
    worker->options = *options;
    if (!worker->options.clock) worker->options.clock = clock_seconds;
    double first = options->report_seconds > 0 ? options->report_seconds : FIRST_SECONDS;
    if (worker->options.report_seconds <= 0) worker->options.report_seconds = REPORT_SECONDS;
    explore.empty = true;
    explore.resume = NULL;
    explore.written = NULL;
    explore.written_count = 0;
    explore.max_time = 0;
    explore.max_tests = explore.max_forks = explore.max_instructions = 0;
    explore.max_paths = explore.max_bugs = 0;
    explore.on_message = on_message;
    explore.on_progress = on_progress;
    explore.progress_seconds = POLL_SECONDS;
    explore.every_step = options->every_step;
    explore.context = worker;
    worker->writer = message_writer_new(&worker->stream);
    worker->explore = explore_new(program, &explore);
    if (!worker->explore) {
        worker_free(worker);
        return NULL;
    }
    worker->began = now(worker);
    worker->next_report = worker->began + first;
    return worker;
}

void worker_free(struct worker *worker) {
    if (!worker) return;
    message_writer_end(worker->writer);
    text_free(&worker->stream);
    if (worker->explore) explore_free(worker->explore);
    DELETE(worker);
}

void worker_pause(struct worker *worker) { worker->paused = true; }
bool worker_has_ended(const struct worker *worker) { return worker->ended; }
struct explore *worker_explore(struct worker *worker) { return worker->explore; }

void worker_run(struct worker *worker) {
    if (states(worker) && !worker->ended) {
        worker->paused = false;
        worker->running_since = now(worker);
        worker->processor_since = clock_processor_seconds();
        explore_run(worker->explore);
        worker->busy += now(worker) - worker->running_since;
        worker->processor += clock_processor_seconds() - worker->processor_since;
        worker->running_since = 0;
        worker->reported = false;
        if (limits_reached() != LIMIT_NONE) worker->ended = true;
    }
    if (!states(worker)) worker->asked = false;
    if (!worker->ended && !states(worker) && !worker->reported) report(worker, 0, false);
}

void worker_serve(struct worker *worker) {
    while (!worker->ended) {
        worker_run(worker);
        if (worker->ended || states(worker)) continue;
        if (!worker->options.poll(worker->options.context, worker, true)) worker->ended = worker->lost = true;
        if (limits_over()) worker->ended = true;
    }
    if (!worker->lost) report(worker, 0, true);
}
