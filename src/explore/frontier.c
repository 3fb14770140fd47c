#include "explore/frontier.h"

#include "explore/explore_int.h"

#include <stdlib.h>
#include <string.h>

// ---- writing

// A sequence of an entry that comes from a persistent list of the state. Successive states are mostly close in the
// tree of paths: only the suffix that differs from the last state's list is copied.
struct sequence {
    struct shared_list list; // the list that these values come from
    vec(uint32_t) values;
};

struct frontier_writer {
    struct explore *explore;
    struct message_writer *stream;
    struct sequence decisions, fresh;
    vec(uint32_t) numbers; // numbers of the inputs among the terms
    vec(struct frontier_input) inputs;
    vec(uint8_t) model;
    // Identifies the bytes of the model written last: states along one path share them.
    uint64_t assignment;
    struct state_inputs held;
    bool has_model;
};

struct frontier_writer *frontier_writer_new(struct explore *explore, struct message_writer *stream) {
    struct frontier_writer *writer = NEW(struct frontier_writer);
    writer->explore = explore;
    writer->stream = stream;
    return writer;
}

static void free_sequence(struct sequence *sequence) {
    shared_list_free(sequence->list);
    vec_free(&sequence->values);
}

void frontier_writer_free(struct frontier_writer *writer) {
    free_sequence(&writer->decisions);
    free_sequence(&writer->fresh);
    vec_free(&writer->numbers);
    vec_free(&writer->inputs);
    vec_free(&writer->model);
    if (writer->has_model) state_inputs_free(&writer->held);
    DELETE(writer);
}

static void set_sequence(struct sequence *sequence, struct shared_list list) {
    uint32_t known = shared_list_common(sequence->list, list), count = shared_list_count(list);
    assert(known <= sequence->values.count && known <= count);
    sequence->values.count = known;
    vec_reserve(&sequence->values, count - known);
    if (known < count) shared_list_copy_from(list, known, sequence->values.at + known);
    sequence->values.count = count;
    struct shared_list held = shared_list_fork(list); // its state may be freed before the next one is written
    shared_list_free(sequence->list);
    sequence->list = held;
}

struct input_id frontier_input_id(const struct frontier_input *input) {
    return (struct input_id){.kind = input->kind,
                             .is_length = input->is_length,
                             .index = input->index,
                             .name = input->name,
                             .name_length = (uint32_t)strlen(input->name)};
}

static void add_input(struct frontier_writer *writer, const struct state *state, uint32_t number) {
    struct explore *explore = writer->explore;
    struct input_id id = inputs_id(vm_inputs(explore->vm), number);
    uint32_t size = state_inputs_size(&state->inputs, number);
    struct frontier_input input = {id.kind, id.is_length, id.index, id.name ? id.name : "", size};
    assert(strlen(input.name) == id.name_length);
    vec_push(&writer->inputs, input);
    vec_reserve(&writer->model, size);
    uint8_t *bytes = writer->model.at + writer->model.count;
    for (uint32_t i = 0; i < size; i++)
        bytes[i] = path_byte(state->path, terms_input_var(explore->terms, number, i));
    writer->model.count += size;
}

static void set_model(struct frontier_writer *writer, const struct state *state) {
    uint32_t count = state_inputs_count(&state->inputs);
    if (writer->has_model && writer->assignment == state->path->assignment &&
        state_inputs_same(&writer->held, &state->inputs))
        return;
    if (writer->has_model) state_inputs_free(&writer->held);
    writer->held = state_inputs_fork(&state->inputs);
    writer->assignment = state->path->assignment;
    writer->has_model = true;
    vec_clear(&writer->inputs);
    vec_clear(&writer->model);
    vec_clear(&writer->numbers);
    vec_reserve(&writer->numbers, count);
    if (count) state_inputs_copy(&state->inputs, writer->numbers.at);
    for (uint32_t i = 0; i < count; i++) add_input(writer, state, writer->numbers.at[i]);
}

static void write_state(struct frontier_writer *writer, const struct state *state) {
    assert(!state->speculation.is_on && !state->path->contradiction);
    assert(state->waiting.condition || (!state->waiting.edge && !state->waiting.block));
    set_sequence(&writer->decisions, state->history.decisions);
    set_sequence(&writer->fresh, state->coverage.fresh);
    set_model(writer, state);
    struct frontier_entry entry = {.number = state->number,
                                   .environment = state->start.environment,
                                   .depth = state->fork.depth,
                                   .progress = state->coverage.progress,
                                   .instructions = state->instructions,
                                   .reports = state_reports_count(state),
                                   .incomplete = state->incomplete,
                                   .pending = state->waiting.condition != 0,
                                   .follows = state->seed.follows,
                                   .pending_edge = state->waiting.edge,
                                   .pending_block = state->waiting.block,
                                   .decisions = writer->decisions.values.at,
                                   .decision_count = writer->decisions.values.count,
                                   .fresh = writer->fresh.values.at,
                                   .fresh_count = writer->fresh.values.count,
                                   .inputs = writer->inputs.at,
                                   .input_count = writer->inputs.count,
                                   .model = writer->model.at,
                                   .model_size = writer->model.count};
    assert(!frontier_problem(writer->explore->program, &entry)); // a reader accepts all that a writer writes
    message_write(writer->stream, MESSAGE_FRONTIER, &entry);
}

uint32_t frontier_write(struct frontier_writer *writer, const struct state *state, uint32_t most) {
    const struct frontier_entry *entries;
    uint32_t count = resume_entries(writer->explore, state, &entries);
    assert(most > 0);
    if (!count) {
        write_state(writer, state);
        return 1;
    }
    uint32_t written = MIN(count, most);
    for (uint32_t i = count - written; i < count; i++)
        message_write(writer->stream, MESSAGE_FRONTIER, &entries[i]);
    return written;
}

// ---- reading

const char *frontier_problem(const struct ir_program *program, const struct frontier_entry *entry) {
    uint64_t size = 0;
    for (uint32_t i = 0; i < entry->input_count; i++) {
        size += entry->inputs[i].size;
        if (!entry->inputs[i].name || !input_is_valid(frontier_input_id(&entry->inputs[i])))
            return "it has an input that no program can have";
    }
    if (size != entry->model_size) return "its model and its inputs differ in size";
    if (entry->pending_block > program->block_count || entry->pending_edge > program->edge_count)
        return "it waits for a branch that the program does not have";
    if (entry->pending && !entry->decision_count) return "it is pending, but has no decision";
    for (uint32_t i = 0; i < entry->fresh_count; i++)
        if (entry->fresh[i] >= cover_item_count(program))
            return "it covers an edge that the program does not have";
    return NULL;
}

#define STRIDE 64u // decisions compared at once

static int compare_entries(const void *a, const void *b) {
    const struct frontier_entry *x = a, *y = b;
    if (x->environment != y->environment) return x->environment < y->environment ? -1 : 1;
    uint32_t both = MIN(x->decision_count, y->decision_count), same = 0;
    while (both - same >= STRIDE &&
           !memcmp(x->decisions + same, y->decisions + same, STRIDE * sizeof *x->decisions))
        same += STRIDE;
    for (uint32_t i = same; i < both; i++)
        if (x->decisions[i] != y->decisions[i]) return x->decisions[i] < y->decisions[i] ? -1 : 1;
    return (x->decision_count > y->decision_count) - (x->decision_count < y->decision_count);
}

void frontier_sort(struct frontier_entry *entries, uint32_t count) {
    if (count) qsort(entries, count, sizeof *entries, compare_entries);
}
