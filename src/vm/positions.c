// Positions: the instructions at which the frames of a path stood when it ended. The path reached them in blocks that
// it never left. Together with the executed edges and returns they determine the executed instructions (cover/cover.h).
#include "cover/cover.h"
#include "vm/vm_int.h"

void vm_note_new_position(struct vm *vm, struct state *state, uint32_t position) {
    if (state->speculation.is_on) return;
    vm->coverage.positions[position] = 1;
    shared_list_add(&state->coverage.fresh, cover_position_item(vm->program, position));
}

// Whether some path has executed the block at least up to this instruction.
static bool is_passed(const struct vm *vm, const struct ir_function *function, uint32_t instruction) {
    uint32_t block = ir_block_at(function, instruction);
    if (vm->coverage.blocks_left[function->first_block + block]) return true;
    const uint8_t *seen = vm->coverage.positions + ir_position(function, instruction);
    return memchr(seen, 1, function->blocks[block].end - instruction) != NULL;
}

void vm_note_frames(struct vm *vm, struct state *state, const struct frames *frames) {
    const struct frame_chunk *chunk = frames->chunk;
    for (const struct frame *frame = chunk ? frames_top(frames) : NULL; frame;
         frame = frames_below(&chunk, frame))
        if (!frame->function->runtime && !is_passed(vm, frame->function, frame->instruction))
            vm_note_new_position(vm, state, ir_position(frame->function, frame->instruction));
}

void vm_note_positions(struct vm *vm, struct state *state) {
    vm_note_frames(vm, state, &state->frames);
    for (uint32_t i = 0; state->threads.waiting && i < tasks_count(state->threads.waiting); i++)
        vm_note_frames(vm, state, &tasks_at(state->threads.waiting, i)->frames);
}

// Marks the positions of a live state's frames. Its next instruction has not been executed, but the calls on its stack
// have. Chunks below the top one are the same for every state that shares them: each is visited once.
static void mark_frames(const struct frames *frames, struct map *visited, uint8_t *positions) {
    const struct frame_chunk *chunk = frames->chunk, *before = chunk;
    const struct frame *top = chunk ? frames_top(frames) : NULL;
    for (const struct frame *frame = top; frame; frame = frames_below(&chunk, frame)) {
        if (chunk != before && (*map_put(visited, (uintptr_t)chunk))++) return;
        before = chunk;
        uint32_t at = frame->instruction;
        if (frame == top && at == frame->function->blocks[ir_block_at(frame->function, at)].start) continue;
        positions[ir_position(frame->function, frame == top ? at - 1 : at)] = 1;
    }
}

// Marks the positions of waiting tasks. States share lists and tasks, which do not change: each is visited once.
static void mark_tasks(const struct tasks *tasks, struct map *visited, uint8_t *positions) {
    if (!tasks || (*map_put(visited, (uintptr_t)tasks))++) return;
    for (uint32_t i = 0; i < tasks_count(tasks); i++) {
        const struct task *task = tasks_at(tasks, i);
        if (!(*map_put(visited, (uintptr_t)task))++) mark_frames(&task->frames, visited, positions);
    }
}

void vm_live_positions(const struct vm *vm, uint8_t *positions) {
    struct map visited = {0};
    memcpy(positions, vm->coverage.positions, vm->program->position_count + 1);
    for (uint32_t i = 0; i < vm->states.live.count; i++) {
        const struct state *state = vm->states.live.at[i];
        if (state->speculation.is_on) continue;
        mark_frames(&state->frames, &visited, positions);
        mark_tasks(state->threads.waiting, &visited, positions);
    }
    map_free(&visited);
}

const uint8_t *vm_positions_seen(const struct vm *vm) { return vm->coverage.positions; }
