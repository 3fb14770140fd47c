#include "cluster/delta.h"

#include "message/stream.h"

#include <string.h>

typedef vec(uint64_t) counts;
typedef vec(uint32_t) numbers;

#define SETS 5u // lists of coverage_delta that only grow

struct totals {
    struct run_status status;
    counts bugs, given_up; // number of paths and counts, by the entry's number
    numbers sets[SETS];
    uint32_t tests;
};

struct delta {
    struct totals accepted; // values accepted so far
    struct totals next;     // values after the report of the last delta_split
};

struct delta *delta_new(void) { return NEW(struct delta); }

static void totals_free(struct totals *totals) {
    vec_free(&totals->bugs);
    vec_free(&totals->given_up);
    for (unsigned i = 0; i < SETS; i++) vec_free(&totals->sets[i]);
    *totals = (struct totals){0};
}

void delta_free(struct delta *delta) {
    if (!delta) return;
    totals_free(&delta->accepted);
    totals_free(&delta->next);
    DELETE(delta);
}

void delta_accept(struct delta *delta) {
    totals_free(&delta->accepted);
    delta->accepted = delta->next;
    delta->next = (struct totals){0};
}

void delta_part_free(struct delta_part *part) {
    text_free(&part->report);
    text_free(&part->kept);
    vec_free(&part->given);
    arena_free(part->arena);
    *part = (struct delta_part){0};
}

// ---- numbers

static void subtract(void *from, const void *before, size_t size) {
    uint64_t *now = from;
    const uint64_t *old = before;
    assert(size % sizeof *now == 0);
    for (size_t i = 0; i < size / sizeof *now; i++) now[i] -= old[i];
}

static struct run_status status_since(const struct run_status *now, const struct run_status *before) {
    struct run_status status = *now;
    subtract(&status.counts, &before->counts, sizeof status.counts);
    subtract(&status.symbolic, &before->symbolic, sizeof status.symbolic);
    subtract(&status.solver, &before->solver, sizeof status.solver);
    status.seconds -= before->seconds;
    status.work_seconds -= before->work_seconds;
    status.solver_seconds -= before->solver_seconds;
    status.search_seconds -= before->search_seconds;
    status.infeasible_seconds -= before->infeasible_seconds;
    status.peak_memory = 0; // a maximum, not a sum
    return status;
}

// Returns the items of an ascending list that are missing in the earlier list, which is ascending, too.
static const uint32_t *items_since(struct arena *arena, const uint32_t *now, uint32_t count,
                                   const numbers *before, uint32_t *new_count) {
    uint32_t *items = ARENA_ARRAY(arena, uint32_t, count), old = 0;
    *new_count = 0;
    for (uint32_t i = 0; i < count; i++) {
        while (old < before->count && before->at[old] < now[i]) old++;
        if (old < before->count && before->at[old] == now[i]) continue;
        items[(*new_count)++] = now[i];
    }
    return items;
}

static struct coverage_delta coverage_since(struct delta *delta, struct arena *arena,
                                            const struct coverage_delta *now) {
    struct coverage_delta news = {0};
    const struct {
        const uint32_t *now;
        uint32_t count;
        const uint32_t **news;
        uint32_t *new_count;
    } sets[SETS] = {{now->edges, now->edge_count, &news.edges, &news.edge_count},
                    {now->symbolic, now->symbolic_count, &news.symbolic, &news.symbolic_count},
                    {now->functions, now->function_count, &news.functions, &news.function_count},
                    {now->positions, now->position_count, &news.positions, &news.position_count},
                    {now->tested, now->tested_count, &news.tested, &news.tested_count}};
    for (unsigned i = 0; i < SETS; i++) {
        *sets[i].news =
            items_since(arena, sets[i].now, sets[i].count, &delta->accepted.sets[i], sets[i].new_count);
        vec_reserve(&delta->next.sets[i], sets[i].count);
        if (sets[i].count) memcpy(delta->next.sets[i].at, sets[i].now, sets[i].count * sizeof(uint32_t));
        delta->next.sets[i].count = sets[i].count;
    }
    return news; // pending branches are counted together with the states
}

// ---- the messages of a report

struct splitting {
    struct delta *delta;
    struct delta_part *part;
    struct message_writer *stream;
    vec(const struct test_case *) tests; // written before the bugs that refer to them
    vec(const struct finding *) findings;
    numbers bug_numbers; // per bug: its number in the new report, 0: not included
    uint32_t given_up;
    entries kept;
};

static uint64_t count_before(const counts *counts, uint32_t index) {
    return index < counts->count ? counts->at[index] : 0;
}

static void add_bug(struct splitting *splitting, const struct engine_bug *bug) {
    const counts *before = &splitting->delta->accepted.bugs;
    struct engine_bug news = *bug;
    news.paths -= count_before(before, splitting->bug_numbers.count);
    uint32_t listed = 0;
    vec_each (uint32_t, number, &splitting->bug_numbers) listed += *number != 0;
    vec_push(&splitting->bug_numbers, news.paths ? listed + 1 : 0);
    vec_push(&splitting->delta->next.bugs, bug->paths);
    if (!news.paths) return;
    news.number = listed + 1;
    message_write(splitting->stream, MESSAGE_ENGINE_BUG, &news);
}

static void add_given_up(struct splitting *splitting, const struct incompleteness *one) {
    counts *next = &splitting->delta->next.given_up;
    struct incompleteness news = *one;
    news.count -= count_before(&splitting->delta->accepted.given_up, next->count);
    vec_push(next, one->count);
    if (!news.count) return;
    news.number = ++splitting->given_up;
    message_write(splitting->stream, MESSAGE_INCOMPLETE, &news);
}

static void add_target(struct splitting *splitting, const struct target_status *target) {
    uint32_t before = splitting->delta->accepted.tests;
    struct target_status news = *target;
    news.test = target->test > before ? target->test - before : 0;
    news.bug = 0;
    if ((news.reached && news.test) || news.no_way) message_write(splitting->stream, MESSAGE_TARGET, &news);
}

static void take_message(struct splitting *splitting, const struct message *message) {
    struct delta *delta = splitting->delta;
    switch (message->kind) {
    case MESSAGE_TEST: vec_push(&splitting->tests, message->test_case); break;
    case MESSAGE_FINDING: vec_push(&splitting->findings, message->finding); break;
    case MESSAGE_ENGINE_BUG: add_bug(splitting, message->engine_bug); break;
    case MESSAGE_INCOMPLETE: add_given_up(splitting, message->incompleteness); break;
    case MESSAGE_TARGET: add_target(splitting, message->target_status); break;
    case MESSAGE_REPORT: splitting->part->about = *message->work_report; break;
    case MESSAGE_FRONTIER: vec_push(&splitting->kept, *message->frontier_entry); break;
    case MESSAGE_STATUS: {
        struct run_status status = status_since(message->run_status, &delta->accepted.status);
        splitting->part->counts = message->run_status->counts;
        delta->next.status = *message->run_status;
        delta->next.status.end = NULL;
        message_write(splitting->stream, MESSAGE_STATUS, &status);
        break;
    }
    case MESSAGE_COVERAGE: {
        struct coverage_delta news = coverage_since(delta, splitting->part->arena, message->coverage_delta);
        message_write(splitting->stream, MESSAGE_COVERAGE, &news);
        break;
    }
    default: break;
    }
}

static void write_tests(struct splitting *splitting) {
    uint32_t before = splitting->delta->accepted.tests;
    vec_each (const struct test_case *, test, &splitting->tests) {
        struct test_case news = **test;
        assert(news.number > before && (!news.finding || news.finding <= splitting->bug_numbers.count));
        news.number -= before;
        if (news.finding) news.finding = splitting->bug_numbers.at[news.finding - 1];
        message_write(splitting->stream, MESSAGE_TEST, &news);
    }
    vec_each (const struct finding *, finding, &splitting->findings) {
        struct finding news = **finding;
        news.test -= MIN(news.test, before);
        message_write(splitting->stream, MESSAGE_FINDING, &news);
    }
    splitting->delta->next.tests = before + splitting->tests.count;
}

// Separates the states that are given away: they are the first ones of a report.
static void share_states(struct splitting *splitting) {
    struct delta_part *part = splitting->part;
    uint32_t given = MIN(part->about.given, splitting->kept.count);
    for (uint32_t i = 0; i < given; i++) vec_push(&part->given, splitting->kept.at[i]);
    if (splitting->kept.count == given) return;
    struct bundle kept = bundle_make(splitting->kept.at + given, splitting->kept.count - given);
    part->kept = kept.stream;
}

void delta_split(struct delta *delta, const struct text *report, struct delta_part *part) {
    *part = (struct delta_part){.arena = arena_new()};
    totals_free(&delta->next);
    struct message_reader *reader = message_reader_new(part->arena, report->at, report->count);
    struct splitting splitting = {.delta = delta, .part = part, .stream = message_writer_new(&part->report)};
    struct message message;
    while (message_read(reader, &message) == MESSAGE_READ) take_message(&splitting, &message);
    write_tests(&splitting);
    struct work_report about = part->about;
    about.number = 1;
    about.orders = about.given = about.kept = 0;
    message_write(splitting.stream, MESSAGE_REPORT, &about);
    message_writer_end(splitting.stream);
    share_states(&splitting);
    vec_free(&splitting.tests);
    vec_free(&splitting.findings);
    vec_free(&splitting.bug_numbers);
    vec_free(&splitting.kept);
    message_reader_free(reader);
}
