#include "explore/checkpoint.h"

#include "base/run_limits.h"
#include "explore/explore_int.h"
#include "explore/frontier.h"

#include <stdlib.h>
#include <string.h>

// ---- writing

#define STATES_BETWEEN 16u // states written between two checks of the limits

static int by_number(const void *a, const void *b) {
    uint64_t x = (*(struct state *const *)a)->number, y = (*(struct state *const *)b)->number;
    return (x > y) - (x < y);
}

// Whether to save the state. States of an abandoned step that the search does not hold are left out: the
// decisions of the state that ran lead to them, too.
static bool is_whole(const struct explore *explore, const struct state *state) {
    if (!explore->abandoned || state->number < explore->step_first) return true;
    vec_each (uint64_t, number, &explore->step_added)
        if (*number == state->number) return true;
    return false;
}

struct state **checkpoint_live_states(const struct explore *explore, struct arena *arena, uint32_t *count) {
    uint32_t live;
    struct state *const *all = vm_live(explore->vm, &live),
                        **states = ARENA_ARRAY(arena, struct state *, live);
    *count = 0;
    for (uint32_t i = 0; i < live; i++)
        if (!all[i]->speculation.is_on && is_whole(explore, all[i])) states[(*count)++] = all[i];
    if (*count) qsort(states, *count, sizeof(struct state *), by_number);
    return states;
}

// Whether the checkpoint exceeds its time or memory. It may use half of the time reserved for the end of a run; the
// other half is for the work after it.
static bool is_late(void) {
    uint64_t memory = limits_memory();
    return limits_left() < limits_allowance() / 2 || (memory && limits_resident() > memory + memory / 16);
}

bool explore_checkpoint(struct explore *explore, struct text *to) {
    struct arena *arena = arena_new();
    struct message_writer *stream = message_writer_new(to);
    tell_everything(explore, stream);
    struct frontier_writer *writer = frontier_writer_new(explore, stream);
    uint32_t count;
    struct state **states = checkpoint_live_states(explore, arena, &count);
    bool late = false;
    for (uint32_t i = 0; i < count && !late; i++) {
        frontier_write(writer, states[i], UINT32_MAX);
        late = i % STATES_BETWEEN == 0 && is_late();
    }
    frontier_writer_free(writer);
    message_writer_end(stream);
    arena_free(arena);
    return !late;
}

// ---- reading

struct found {
    const struct ir_program *program;
    struct checkpoint checkpoint;
    vec(const void *) lists[MESSAGE_KINDS];
};

static bool is_set_below(const uint32_t *items, uint32_t count, uint64_t limit) {
    return !count || items[count - 1] < limit; // the list ascends
}

static const char *coverage_problem(const struct ir_program *program, const struct coverage_delta *delta) {
    uint64_t edges = program->edge_count, functions = program->function_count,
             positions = (uint64_t)program->position_count + 1;
    bool good = is_set_below(delta->edges, delta->edge_count, edges) &&
                is_set_below(delta->symbolic, delta->symbolic_count, edges) &&
                is_set_below(delta->functions, delta->function_count, functions) &&
                is_set_below(delta->positions, delta->position_count, positions) &&
                is_set_below(delta->tested, delta->tested_count, edges + functions + positions) &&
                is_set_below(delta->deferred, delta->deferred_count, program->block_count) &&
                delta->deferred_count == delta->waiting_count;
    return good ? NULL : "it covers something that the program does not have";
}

static const char *site_problem(const struct ir_program *program, const uint32_t *site, uint32_t count) {
    bool good = count % 2 == 0;
    for (uint32_t i = 0; i + 1 < count && good; i += 2)
        good = site[i] < program->function_count && site[i + 1] < program->functions[site[i]].code_count;
    return good ? NULL : "a call stack is not one of the program's";
}

static const char *test_problem(const struct ir_program *program, const struct test_case *test) {
    for (uint32_t i = 0; i < test->fresh_count; i++)
        if (test->fresh[i] >= cover_item_count(program))
            return "a test covers something that the program does not have";
    for (uint32_t i = 0; i < test->input_count; i++)
        if (!test->inputs[i].name) return "an input of a test has no name";
    if (test->outcome == TEST_BUG && (!test->bug || !test->finding)) return "a test shows no bug";
    return test->number ? NULL : "a test has no number";
}

static bool is_named(const struct finding_frame *frame) { return frame->file && frame->function; }

static bool stack_is_named(const struct finding_stack *stack) {
    for (uint32_t i = 0; i < stack->count; i++)
        if (!is_named(&stack->frames[i])) return false;
    return true;
}

static const char *finding_problem(const struct finding *finding) {
    if (!finding->kind || !finding->message || !finding->details || !finding->fault ||
        !is_named(&finding->place) || !stack_is_named(&finding->stack) ||
        !stack_is_named(&finding->allocated) || !stack_is_named(&finding->freed))
        return "a finding lacks a text";
    for (uint32_t i = 0; i < finding->byte_count; i++)
        if (!finding->bytes[i].input) return "a finding has an input without a name";
    return NULL;
}

static const char *problem_of(const struct ir_program *program, const struct message *message) {
    switch (message->kind) {
    case MESSAGE_TEST: return test_problem(program, message->test_case);
    case MESSAGE_FINDING: return finding_problem(message->finding);
    case MESSAGE_ORDER: return "it is an order to a worker";
    case MESSAGE_RUN: return "it is the beginning of a run";
    case MESSAGE_POSITION:
        return message->shared_position->id && message->shared_position->position ? NULL
                                                                                  : "a position has no text";
    case MESSAGE_COVERAGE: return coverage_problem(program, message->coverage_delta);
    case MESSAGE_ENGINE_BUG:
        if (!message->engine_bug->kind || bug_kind_by_name(message->engine_bug->kind) == BUG_COUNT)
            return "a kind of bug is not known";
        if (!message->engine_bug->fault || bug_fault_by_name(message->engine_bug->fault) == FAULT_COUNT)
            return "a way to fail is not known";
        if (!message->engine_bug->site_count) return "a bug has no call stack";
        return site_problem(program, message->engine_bug->site, message->engine_bug->site_count);
    case MESSAGE_INCOMPLETE:
        if (!message->incompleteness->what) return "an incompleteness has no reason";
        return site_problem(program, message->incompleteness->site, message->incompleteness->site_count);
    case MESSAGE_FRONTIER: return frontier_problem(program, message->frontier_entry);
    default: return NULL;
    }
}

static bool read_messages(struct found *found, struct message_reader *reader, struct text *problem) {
    struct message message;
    enum message_status status;
    while ((status = message_read(reader, &message)) == MESSAGE_READ) {
        const char *wrong = problem_of(found->program, &message);
        if (wrong) {
            text_add(problem, "%s", wrong);
            return false;
        }
        vec_push(&found->lists[message.kind], message.body);
    }
    if (status == MESSAGE_REFUSED) text_add(problem, "%s", message_problem(reader));
    return status == MESSAGE_END;
}

static const void *the_only(struct found *found, enum message_kind kind) {
    return found->lists[kind].count == 1 ? found->lists[kind].at[0] : NULL;
}

static const void *list_of(struct found *found, struct arena *arena, enum message_kind kind,
                           uint32_t *count) {
    *count = found->lists[kind].count;
    return arena_memdup(arena, found->lists[kind].at, *count * sizeof *found->lists[kind].at);
}

static const struct checkpoint *read_stream(struct arena *arena, const char *bytes, size_t size,
                                            const struct ir_program *program, struct text *problem) {
    struct found found = {.program = program};
    struct message_reader *reader = message_reader_new(arena, bytes, size);
    struct checkpoint *checkpoint = NULL;
    if (read_messages(&found, reader, problem)) {
        checkpoint = ARENA_NEW(arena, struct checkpoint);
        checkpoint->report = the_only(&found, MESSAGE_REPORT);
        checkpoint->tests =
            (const struct test_case **)list_of(&found, arena, MESSAGE_TEST, &checkpoint->test_count);
        checkpoint->position = the_only(&found, MESSAGE_POSITION);
        checkpoint->status = the_only(&found, MESSAGE_STATUS);
        checkpoint->coverage = the_only(&found, MESSAGE_COVERAGE);
        checkpoint->findings =
            (const struct finding **)list_of(&found, arena, MESSAGE_FINDING, &checkpoint->finding_count);
        checkpoint->bugs =
            (const struct engine_bug **)list_of(&found, arena, MESSAGE_ENGINE_BUG, &checkpoint->bug_count);
        checkpoint->incomplete = (const struct incompleteness **)list_of(&found, arena, MESSAGE_INCOMPLETE,
                                                                         &checkpoint->incomplete_count);
        checkpoint->targets =
            (const struct target_status **)list_of(&found, arena, MESSAGE_TARGET, &checkpoint->target_count);
        checkpoint->entry_count = found.lists[MESSAGE_FRONTIER].count;
        checkpoint->entries = ARENA_ARRAY(arena, struct frontier_entry, checkpoint->entry_count);
        for (uint32_t i = 0; i < checkpoint->entry_count; i++)
            checkpoint->entries[i] = *(const struct frontier_entry *)found.lists[MESSAGE_FRONTIER].at[i];
    }
    if (checkpoint && (!checkpoint->status || !checkpoint->coverage)) {
        text_add(problem, "it lacks its status or its coverage");
        checkpoint = NULL;
    }
    message_reader_free(reader);
    for (unsigned i = 0; i < MESSAGE_KINDS; i++) vec_free(&found.lists[i]);
    return checkpoint;
}

const struct checkpoint *checkpoint_read(struct arena *arena, const char *bytes, size_t size,
                                         const struct ir_program *program, struct text *problem) {
    const struct checkpoint *read = read_stream(arena, bytes, size, program, problem);
    if (!read) return NULL;
    if (read->report || read->test_count) {
        text_add(problem, "it is not a checkpoint");
        return NULL;
    }
    frontier_sort(read->entries, read->entry_count);
    return read;
}

const struct checkpoint *checkpoint_read_report(struct arena *arena, const char *bytes, size_t size,
                                                const struct ir_program *program, struct text *problem) {
    const struct checkpoint *read = read_stream(arena, bytes, size, program, problem);
    if (!read) return NULL;
    if (!read->report || (uint64_t)read->report->given + read->report->kept != read->entry_count) {
        text_add(problem, "it is not a report, or lacks entries of its frontier");
        return NULL;
    }
    return read;
}
