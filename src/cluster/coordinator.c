#include "cluster/coordinator.h"

#include "cluster/bundle.h"
#include "cluster/worth.h"
#include "cover/cover.h"
#include "explore/frontier.h"
#include "message/stream.h"

#include <string.h>

#define PATIENCE      0.05 // work time to wait for requested states: the worker may be in a long query
#define LEARN_SECONDS 0.2  // between two orders that report coverage of other workers

struct handout {
    uint64_t order;
    struct bundle states;
    bool start;
};

struct cluster_member {
    struct explore_part *part;
    bool present, asked, killed;
    double asked_at, learned_at;    // work time; time of the clock
    uint32_t asked_least;           // `least` of the last request for states to this worker
    double processor, rebuilding;   // as in its report when it was last idle
    uint64_t taken;                 // likewise: number of states that it was given
    uint64_t orders, done, reports; // sent, carried out, received
    uint64_t held;                  // number of states, as last reported
    uint64_t learned;               // version of the coverage that was last sent to the worker
    struct bundle frontier;         // states that the worker keeps, as last reported
    vec(struct handout) handouts;
    vec(struct text) outgoing;
    struct coordinator_job job;
    // Coverage known to the worker: per edge, per function, per item of a test.
    uint8_t *edges, *functions, *tested;
};

struct coordinator {
    struct explore *explore;
    const struct ir_program *program;
    vec(struct cluster_member) members;
    bundles pool;
    uint64_t pooled; // number of states in the pool
    bool start;      // the initial states have yet to be created
    bool ending, is_short;
    struct worth worth;
    double work_time; // of the last coordinator_balance
    uint64_t version; // version of the merged coverage; incremented when something new is covered
    uint64_t messages, bytes;
    uint32_t targets_reached;
};

struct coordinator *coordinator_new(struct explore *explore, const struct checkpoint *from) {
    struct coordinator *coordinator = NEW(struct coordinator);
    coordinator->explore = explore;
    coordinator->program = vm_program(explore_vm(explore));
    coordinator->start = !from;
    if (from && from->entry_count) {
        vec_push(&coordinator->pool, bundle_make(from->entries, from->entry_count));
        coordinator->pooled = from->entry_count;
    }
    explore_merge_states(explore, coordinator->pooled);
    return coordinator;
}

static void free_handout(struct handout *handout) { bundle_free(&handout->states); }

static void free_member(struct coordinator *coordinator, struct cluster_member *member) {
    const struct ir_program *program = coordinator->program;
    explore_part_free(member->part);
    bundle_free(&member->frontier);
    vec_each (struct handout, one, &member->handouts) free_handout(one);
    vec_free(&member->handouts);
    vec_each (struct text, order, &member->outgoing) text_free(order);
    vec_free(&member->outgoing);
    DELETE_ARRAY(member->edges, program->edge_count);
    DELETE_ARRAY(member->functions, program->function_count);
    DELETE_ARRAY(member->tested, cover_item_count(program));
}

void coordinator_free(struct coordinator *coordinator) {
    vec_each (struct cluster_member, member, &coordinator->members) free_member(coordinator, member);
    vec_free(&coordinator->members);
    vec_each (struct bundle, bundle, &coordinator->pool) bundle_free(bundle);
    vec_free(&coordinator->pool);
    DELETE(coordinator);
}

uint32_t coordinator_join(struct coordinator *coordinator) {
    const struct ir_program *program = coordinator->program;
    vec_push(&coordinator->members,
             ((struct cluster_member){.present = true,
                                      .part = explore_part_new(),
                                      .edges = NEW_ARRAY(uint8_t, program->edge_count),
                                      .functions = NEW_ARRAY(uint8_t, program->function_count),
                                      .tested = NEW_ARRAY(uint8_t, cover_item_count(program))}));
    return coordinator->members.count - 1;
}

static struct cluster_member *member_of(const struct coordinator *coordinator, uint32_t worker) {
    assert(worker < coordinator->members.count);
    return &coordinator->members.at[worker];
}

bool coordinator_has(const struct coordinator *coordinator, uint32_t worker) {
    return member_of(coordinator, worker)->present;
}

// ---- where states are

static void add_to_pool(struct coordinator *coordinator, struct bundle bundle) {
    if (!bundle.count) {
        bundle_free(&bundle);
        return;
    }
    coordinator->pooled += bundle.count;
    vec_push(&coordinator->pool, bundle);
}

static uint64_t assigned(const struct cluster_member *member) {
    uint64_t sum = 0;
    vec_each (struct handout, one, &member->handouts) sum += one->states.count + one->start;
    return sum;
}

static void count_states(struct coordinator *coordinator) {
    uint64_t sum = coordinator->pooled + coordinator->start;
    vec_each (struct cluster_member, member, &coordinator->members)
        if (member->present) sum += member->held + assigned(member);
    explore_merge_states(coordinator->explore, sum);
}

static bool is_idle(const struct cluster_member *member) {
    return member->present && !member->held && !member->handouts.count;
}

bool coordinator_is_done(const struct coordinator *coordinator) {
    if (coordinator->start || coordinator->pooled) return false;
    vec_each (struct cluster_member, member, &coordinator->members)
        if (member->present && !is_idle(member)) return false;
    return true;
}

uint32_t coordinator_useful_workers(const struct coordinator *coordinator, uint32_t most) {
    uint64_t states = coordinator->pooled + coordinator->start;
    uint32_t count = 0;
    vec_each (struct cluster_member, member, &coordinator->members) {
        if (!member->present) continue;
        count++;
        if (is_idle(member)) return 0;
        states += member->held + assigned(member);
    }
    return count < most && states > count ? (uint32_t)MIN(most - count, states - count) : 0;
}

uint32_t coordinator_busy_workers(const struct coordinator *coordinator) {
    uint32_t count = 0;
    vec_each (struct cluster_member, member, &coordinator->members)
        count += member->present && !is_idle(member);
    return count;
}

bool coordinator_is_short(const struct coordinator *coordinator) { return coordinator->is_short; }

static void leave(struct coordinator *coordinator, struct cluster_member *member) {
    assert(member->present);
    member->present = false;
    add_to_pool(coordinator, member->frontier);
    member->frontier = (struct bundle){0};
    member->held = 0;
    vec_each (struct handout, one, &member->handouts) {
        coordinator->start |= one->start;
        add_to_pool(coordinator, one->states);
    }
    vec_clear(&member->handouts);
    vec_each (struct text, order, &member->outgoing) text_free(order);
    vec_clear(&member->outgoing);
    count_states(coordinator);
}

void coordinator_lost(struct coordinator *coordinator, uint32_t worker) {
    struct cluster_member *member = member_of(coordinator, worker);
    if (!member->present) return;
    member->job.killed = !coordinator->ending;
    leave(coordinator, member);
}

// ---- reports

// Counts the branches at which states in orders and in the pool are pending. A worker counts those of its own states.
static void count_waiting(struct coordinator *coordinator, const struct frontier_entry *all, uint32_t count,
                          bool waits) {
    for (uint32_t i = 0; i < count; i++) explore_merge_waiting(coordinator->explore, &all[i], waits);
}

// Removes the orders that the worker has carried out: its report has their states.
static void end_handouts(struct coordinator *coordinator, struct cluster_member *member, uint64_t done) {
    uint32_t kept = 0;
    struct arena *arena = arena_new();
    entries arrived = {0};
    vec_each (struct handout, one, &member->handouts) {
        if (one->order > done) {
            member->handouts.at[kept++] = *one;
            continue;
        }
        bundle_read(&one->states, arena, &arrived);
        free_handout(one);
    }
    member->handouts.count = kept;
    count_waiting(coordinator, arrived.at, arrived.count, false);
    vec_free(&arrived);
    arena_free(arena);
}

static bool set_known(uint8_t *known, const uint32_t *items, uint32_t count, const uint8_t *all) {
    bool news = false;
    for (uint32_t i = 0; i < count; i++) {
        known[items[i]] = 1;
        news |= !all[items[i]];
    }
    return news;
}

static void note_coverage(struct coordinator *coordinator, struct cluster_member *member,
                          const struct coverage_delta *coverage) {
    struct vm *vm = explore_vm(coordinator->explore);
    bool news = set_known(member->edges, coverage->edges, coverage->edge_count, vm_edges_seen(vm));
    news |=
        set_known(member->functions, coverage->functions, coverage->function_count, vm_functions_seen(vm));
    news |= set_known(member->tested, coverage->tested, coverage->tested_count,
                      explore_covered_by_tests(coordinator->explore));
    coordinator->version += news;
}

static uint32_t count_reached(const struct coordinator *coordinator) {
    const struct explore_result *result = explore_result(coordinator->explore);
    uint32_t count = 0;
    for (uint32_t i = 0; i < result->target_count; i++)
        count += (result->targets[i].outcome != TARGET_NOT_FOUND) + (result->targets[i].bug != 0);
    return count;
}

// Updates `worth` if the worker has explored all states that it was given.
static void note_worth(struct coordinator *coordinator, struct cluster_member *member,
                       const struct checkpoint *from) {
    const struct work_report *report = from->report;
    uint64_t taken = from->status->counts.taken;
    if (!is_idle(member)) return;
    double processor = report->processor - member->processor;
    double rebuilding = report->rebuilding - member->rebuilding;
    if (rebuilding > 0)
        worth_note(&coordinator->worth, taken - member->taken, processor, rebuilding, coordinator->work_time);
    member->taken = taken;
    member->processor = report->processor;
    member->rebuilding = report->rebuilding;
}

static void note_job(struct cluster_member *member, const struct checkpoint *from) {
    const struct run_counters *counts = &from->status->counts;
    member->job.paths = counts->completed + counts->errors + counts->stopped;
    member->job.instructions = counts->instructions;
    member->job.given = counts->given;
    member->job.taken = counts->taken;
    member->job.busy = from->report->busy;
    member->job.rebuilding = worth_rebuilding(from->report);
    member->job.present = from->report->present;
}

static const char *order_problem(const struct cluster_member *member, const struct work_report *report) {
    if (report->number != member->reports + 1) return "a report is missing, or came twice";
    if (report->orders < member->done || report->orders > member->orders)
        return "it has carried out orders that it did not get";
    return NULL;
}

static bool accept(struct coordinator *coordinator, struct cluster_member *member, const void *bytes,
                   size_t size, struct arena *arena, struct text *problem) {
    const struct checkpoint *from = checkpoint_read_report(arena, bytes, size, coordinator->program, problem);
    const char *wrong = from ? order_problem(member, from->report) : NULL;
    if (wrong) text_add(problem, "%s", wrong);
    if (!from || wrong) return false;
    const struct work_report *report = from->report;
    note_coverage(coordinator, member, from->coverage);
    if (!explore_merge(coordinator->explore, member->part, from, problem)) return false;
    member->reports++;
    member->done = report->orders;
    member->held = report->held;
    if (report->given || !report->held) member->asked = false;
    end_handouts(coordinator, member, report->orders);
    count_waiting(coordinator, from->entries, report->given, true);
    bundle_free(&member->frontier);
    member->frontier = bundle_of(bytes, size, report->given, report->kept);
    add_to_pool(coordinator, bundle_of(bytes, size, 0, report->given));
    note_worth(coordinator, member, from);
    note_job(member, from);
    uint32_t reached = count_reached(coordinator);
    coordinator->version += reached != coordinator->targets_reached;
    coordinator->targets_reached = reached;
    coordinator->is_short |=
        report->last && from->status->end && !strcmp(from->status->end, explore_end_names[END_MEMORY]);
    if (report->last) leave(coordinator, member);
    return true;
}

bool coordinator_receive(struct coordinator *coordinator, uint32_t worker, const void *bytes, size_t size,
                         struct text *problem) {
    struct cluster_member *member = member_of(coordinator, worker);
    assert(member->present);
    struct arena *arena = arena_new();
    coordinator->messages++;
    coordinator->bytes += size;
    bool good = accept(coordinator, member, bytes, size, arena, problem);
    arena_free(arena);
    if (!good) coordinator_lost(coordinator, worker);
    count_states(coordinator);
    return good;
}

// ---- orders

static void send_order(struct coordinator *coordinator, struct cluster_member *member, struct work_order what,
                       const struct frontier_entry *all, uint32_t count,
                       const struct coverage_delta *coverage, const struct target_status *targets,
                       uint32_t target_count) {
    struct text text = {0};
    struct message_writer *stream = message_writer_new(&text);
    what.number = ++member->orders;
    message_write(stream, MESSAGE_ORDER, &what);
    for (uint32_t i = 0; i < count; i++) message_write(stream, MESSAGE_FRONTIER, &all[i]);
    if (coverage) message_write(stream, MESSAGE_COVERAGE, coverage);
    for (uint32_t i = 0; i < target_count; i++) message_write(stream, MESSAGE_TARGET, &targets[i]);
    message_writer_end(stream);
    coordinator->messages++;
    coordinator->bytes += text.count;
    vec_push(&member->outgoing, text);
}

bool coordinator_next(struct coordinator *coordinator, uint32_t worker, struct text *order) {
    struct cluster_member *member = member_of(coordinator, worker);
    if (!member->outgoing.count) return false;
    *order = member->outgoing.at[0];
    member->outgoing.count--;
    memmove(member->outgoing.at, member->outgoing.at + 1,
            member->outgoing.count * sizeof *member->outgoing.at);
    return true;
}

static void assign(struct coordinator *coordinator, struct cluster_member *member,
                   const struct frontier_entry *all, uint32_t count, bool start) {
    send_order(coordinator, member, (struct work_order){.start = start}, all, count, NULL, NULL, 0);
    struct handout handout = {.order = member->orders, .start = start};
    if (count) handout.states = bundle_make(all, count);
    vec_push(&member->handouts, handout);
}

static uint32_t count_idle(const struct coordinator *coordinator) {
    uint32_t count = 0;
    vec_each (struct cluster_member, member, &coordinator->members) count += is_idle(member);
    return count;
}

static void assign_start(struct coordinator *coordinator) {
    vec_each (struct cluster_member, member, &coordinator->members) {
        if (!is_idle(member)) continue;
        assign(coordinator, member, NULL, 0, true);
        coordinator->start = false;
        return;
    }
}

// Deals the pool out to the idle workers, or to fewer if each would get less than worth.least states. States adjacent
// in the execution tree go to different workers: each gets about as much work.
static void assign_pool(struct coordinator *coordinator, uint32_t idle) {
    struct arena *arena = arena_new();
    entries all = {0}, part = {0};
    vec_each (struct bundle, bundle, &coordinator->pool) {
        bundle_read(bundle, arena, &all);
        bundle_free(bundle);
    }
    vec_clear(&coordinator->pool);
    coordinator->pooled = 0;
    frontier_sort(all.at, all.count);
    uint32_t parts = MIN(MIN(idle, all.count), MAX(1, all.count / MAX(1, coordinator->worth.least)));
    uint32_t number = 0;
    vec_each (struct cluster_member, member, &coordinator->members) {
        if (!is_idle(member) || number == parts) continue;
        bundle_deal(&all, number++, parts, &part);
        assign(coordinator, member, part.at, part.count, false);
    }
    assert(number == parts);
    vec_free(&part);
    vec_free(&all);
    arena_free(arena);
}

// Returns the worker with the most states, except workers already asked for worth.least states or fewer.
static struct cluster_member *richest(const struct coordinator *coordinator) {
    struct cluster_member *best = NULL;
    uint64_t most = 0;
    vec_each (struct cluster_member, member, &coordinator->members) {
        bool waits = member->asked && member->asked_least <= coordinator->worth.least;
        uint64_t has = member->present && !waits ? member->held + assigned(member) : 0;
        if (has <= most) continue;
        most = has;
        best = member;
    }
    return best;
}

static void ask_for_states(struct coordinator *coordinator, uint32_t idle) {
    double now = coordinator->work_time;
    uint32_t outstanding = 0, busy = coordinator_busy_workers(coordinator);
    vec_each (struct cluster_member, member, &coordinator->members)
        outstanding += member->present && member->asked && now - member->asked_at < PATIENCE;
    uint32_t each = busy ? (idle + busy - 1) / busy : 1; // idle workers for each busy one
    for (struct cluster_member *rich; outstanding < idle && (rich = richest(coordinator)); outstanding++) {
        struct work_order order = {.give = true, .least = coordinator->worth.least, .wanted = each};
        send_order(coordinator, rich, order, NULL, 0, NULL, NULL, 0);
        rich->asked = true;
        rich->asked_least = order.least;
        rich->asked_at = now;
    }
}

// ---- coverage of other workers

// Returns the indices of bytes that are set in `all` but not in `known`, and sets them in `known`.
static const uint32_t *news_of(struct arena *arena, const uint8_t *all, uint8_t *known, uint32_t size,
                               uint32_t *count) {
    vec(uint32_t) items = {0};
    for (uint32_t i = 0; i < size; i++) {
        if (!all[i] || known[i]) continue;
        known[i] = 1;
        vec_push(&items, i);
    }
    *count = items.count;
    const uint32_t *copy = arena_memdup(arena, items.at, items.count * sizeof *items.at);
    vec_free(&items);
    return copy;
}

static void send_coverage(struct coordinator *coordinator, struct cluster_member *member) {
    const struct ir_program *program = coordinator->program;
    struct vm *vm = explore_vm(coordinator->explore);
    struct arena *arena = arena_new();
    struct coverage_delta news = {0};
    news.edges = news_of(arena, vm_edges_seen(vm), member->edges, program->edge_count, &news.edge_count);
    news.functions = news_of(arena, vm_functions_seen(vm), member->functions, program->function_count,
                             &news.function_count);
    news.tested = news_of(arena, explore_covered_by_tests(coordinator->explore), member->tested,
                          cover_item_count(program), &news.tested_count);
    const struct explore_result *result = explore_result(coordinator->explore);
    struct target_status *targets = ARENA_ARRAY(arena, struct target_status, result->target_count);
    uint32_t reached = 0;
    for (uint32_t i = 0; i < result->target_count; i++) {
        reached += explore_target_news(&result->targets[i], i, &targets[reached]);
    }
    if (news.edge_count || news.function_count || news.tested_count || reached)
        send_order(coordinator, member, (struct work_order){0}, NULL, 0, &news, targets, reached);
    arena_free(arena);
}

void coordinator_balance(struct coordinator *coordinator, double now, double work_time) {
    if (coordinator->ending) return;
    coordinator->work_time = work_time;
    vec_each (struct cluster_member, member, &coordinator->members) {
        if (!member->present || member->learned == coordinator->version ||
            now - member->learned_at < LEARN_SECONDS)
            continue;
        send_coverage(coordinator, member);
        member->learned = coordinator->version;
        member->learned_at = now;
    }
    if (coordinator->start) assign_start(coordinator);
    uint32_t idle = count_idle(coordinator);
    if (idle && coordinator->pooled) assign_pool(coordinator, idle);
    idle = count_idle(coordinator);
    if (idle) worth_wait(&coordinator->worth, work_time);
    if (idle) ask_for_states(coordinator, idle);
    count_states(coordinator);
}

// ---- the end

void coordinator_end(struct coordinator *coordinator) {
    coordinator->ending = true;
    vec_each (struct cluster_member, member, &coordinator->members)
        if (member->present)
            send_order(coordinator, member, (struct work_order){.end = true}, NULL, 0, NULL, NULL, 0);
}

static void read_all(const struct coordinator *coordinator, struct arena *arena, entries *to) {
    vec_each (struct bundle, bundle, &coordinator->pool) bundle_read(bundle, arena, to);
    vec_each (struct cluster_member, member, &coordinator->members) {
        bundle_read(&member->frontier, arena, to);
        vec_each (struct handout, one, &member->handouts) bundle_read(&one->states, arena, to);
    }
}

bool coordinator_can_checkpoint(const struct coordinator *coordinator) {
    if (coordinator->start) return false;
    vec_each (struct cluster_member, member, &coordinator->members)
        vec_each (struct handout, one, &member->handouts)
            if (one->start) return false;
    return true;
}

bool coordinator_checkpoint(struct coordinator *coordinator, struct text *to) {
    assert(coordinator_can_checkpoint(coordinator));
    struct arena *arena = arena_new();
    entries all = {0};
    read_all(coordinator, arena, &all);
    bool good = explore_merge_checkpoint(coordinator->explore, all.at, all.count, NULL, to);
    vec_free(&all);
    arena_free(arena);
    return good;
}

void coordinator_close(struct coordinator *coordinator, enum explore_end why) {
    for (uint32_t i = 0; i < coordinator->members.count; i++)
        if (coordinator_has(coordinator, i)) coordinator_lost(coordinator, i);
    struct arena *arena = arena_new();
    entries all = {0};
    read_all(coordinator, arena, &all);
    struct frontier_entry *copy = arena_memdup(arena, all.at, all.count * sizeof *all.at);
    explore_merge_end(coordinator->explore, copy, all.count, arena, why, coordinator->start);
    vec_free(&all);
}

uint32_t coordinator_job_count(const struct coordinator *coordinator) { return coordinator->members.count; }

struct coordinator_job coordinator_job(const struct coordinator *coordinator, uint32_t worker) {
    return member_of(coordinator, worker)->job;
}

uint64_t coordinator_messages(const struct coordinator *coordinator, uint64_t *bytes) {
    *bytes = coordinator->bytes;
    return coordinator->messages;
}
