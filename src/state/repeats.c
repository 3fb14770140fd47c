#include "state/repeats.h"

#include <string.h>

static bool same_frame(const struct frame *a, const struct frame *b) {
    if (a->function != b->function || a->instruction != b->instruction || a->memory != b->memory ||
        a->stack_pointer != b->stack_pointer || !a->has_terms != !b->has_terms)
        return false;
    size_t count = a->function->register_count;
    if (memcmp(a->registers, b->registers, count * sizeof *a->registers) != 0) return false;
    return !a->has_terms ||
           !memcmp(frame_terms((struct frame *)a), frame_terms((struct frame *)b), count * sizeof(uint32_t));
}

static bool same_frames(const struct frames *a, const struct frames *b) {
    if (a->depth != b->depth || a->dynamic != b->dynamic) return false;
    const struct frame_chunk *in_a = a->chunk, *in_b = b->chunk;
    const struct frame *x = frames_top(a), *y = frames_top(b);
    while (x && y) {
        if (x == y) return true; // shared, and so are all frames below
        if (!same_frame(x, y)) return false;
        x = frames_below(&in_a, x);
        y = frames_below(&in_b, y);
    }
    return x == y;
}

static bool same_threads(const struct state_threads *a, const struct state_threads *b) {
    return a->waiting == b->waiting && a->task == b->task && a->process == b->process;
}

bool state_repeats(const struct state *earlier, const struct state *later) {
    const struct history *a = &earlier->history, *b = &later->history;
    return a->kernel_choice_count == b->kernel_choice_count && a->repeated == b->repeated &&
           same_threads(&earlier->threads, &later->threads) &&
           same_frames(&earlier->frames, &later->frames) &&
           state_inputs_same(&earlier->inputs, &later->inputs) && memory_same(earlier->memory, later->memory);
}
