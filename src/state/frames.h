// The stack of activation frames: registers, and the position of each caller.
//
// Frames lie packed in chunks, a linked list from the top down, shared between states by reference counts. A
// chunk is the top chunk of at most one state. Only that state may push a frame into it (`used` grows). Every other
// reference is the `below` of a chunk stacked on it, which uses its frames up to `below_top`; these never change. So a
// fork copies only the top frame, and a return to a shared frame copies that frame. No frame points into another.
#ifndef TAMAR_STATE_FRAMES_H
#define TAMAR_STATE_FRAMES_H

#include "ir/ir.h"

struct frame {
    const struct ir_function *function;
    uint32_t instruction;   // index of the current instruction; below the top frame: of its call
    uint32_t size;          // bytes of this frame, registers and terms included
    uint64_t memory;        // address of its allocas
    uint64_t stack_pointer; // lowest address in use: `memory`, less the dynamic allocas
    uint64_t stack_entry;   // the caller's stack pointer
    uint32_t previous;      // offset of the frame below in the same chunk
    uint32_t site;          // site of the call that entered it; 0: not computed yet
    uint32_t has_terms;     // 0: every register is concrete, and the terms are not initialised
    uint64_t first_object; // identity of its first fixed alloca (objects.h); the others follow in their order
    uint64_t registers[] __attribute__((aligned(16))); // then uint32_t terms[register_count]
};

struct frame_chunk {
    uint32_t references;
    uint32_t epoch;      // epoch of the last traversal of terms
    uint32_t size, used; // bytes after this header
    uint32_t top;        // offset of the top frame, for the state whose top chunk it is
    // While there are other references, chunks of other states may link to the frames before this offset: such a frame
    // is copied before it becomes the top frame.
    uint32_t shared;
    uint32_t below_top; // offset in `below` of the frame below this chunk's first one
    struct frame_chunk *below;
    uint8_t bytes[] __attribute__((aligned(16)));
};

// The record of a dynamic alloca. Records form a list from the newest, which has the lowest address, to the
// oldest; all frames of a stack share one list, and forks share its tail. `jump` skips records, so that an
// address is found in logarithmic time (Myers, An applicative random-access stack).
struct stack_object {
    uint32_t references;
    uint32_t depth; // records from here to the end of the list
    uint64_t address, size, identity;
    uint64_t slack; // sum over this and all older allocas: allocated bytes minus the least value of the size
    uint32_t allocated_at;         // call site
    struct stack_object *previous; // next older record, to which this one owns a reference; NULL: none
    struct stack_object *jump;     // an older record, kept alive by the records between; NULL: none
};

struct frames {
    struct frame_chunk *chunk; // NULL: no frame
    uint32_t depth;
    struct stack_object *dynamic; // NULL: no dynamic alloca
};

static inline uint32_t *frame_terms(struct frame *frame) {
    return (uint32_t *)(frame->registers + frame->function->register_count);
}

static inline struct frame *frames_top(const struct frames *frames) {
    return (struct frame *)(frames->chunk->bytes + frames->chunk->top);
}

static inline uint32_t frame_bytes(const struct ir_function *function) {
    return (uint32_t)align_up(sizeof(struct frame) + function->register_count * (size_t)12, 16);
}

// Puts a frame of `size` bytes into a chunk that has space for it.
static inline struct frame *frame_put(struct frame_chunk *chunk, const struct ir_function *function,
                                      uint32_t size) {
    struct frame *frame = (struct frame *)(chunk->bytes + chunk->used);
    frame->function = function;
    frame->instruction = 0;
    frame->size = size;
    frame->previous = chunk->top;
    frame->site = 0;
    frame->has_terms = 0;
    chunk->top = chunk->used;
    chunk->used += size;
    return frame;
}

// Pushes a frame; registers and terms are not cleared.
struct frame *frames_push(struct frames *frames, const struct ir_function *function);
// Drops the top frame with its dynamic allocas; the new top one (if any) is then owned by this state.
void frames_pop(struct frames *frames);
// Returns the frame below, or NULL; it must not be changed through this pointer. `chunk` is in and out: start
// with frames->chunk.
const struct frame *frames_below(const struct frame_chunk **chunk, const struct frame *frame);

// Adds the record of a dynamic alloca in the top frame, below all others of this stack.
void frames_add_dynamic(struct frames *frames, uint64_t address, uint64_t size, uint64_t identity,
                        uint32_t site);
// Drops the records of all dynamic allocas below this address.
void frames_drop_dynamic(struct frames *frames, uint64_t limit);
// Returns the dynamic alloca with the highest start at or below the address; NULL if all start above it.
const struct stack_object *frames_dynamic_at(const struct frames *frames, uint64_t address);

struct frames frames_fork(const struct frames *frames);
void frames_free(struct frames *frames);

// Visits terms, as memory_each_term does.
void frames_each_term(const struct frames *frames, uint32_t epoch,
                      void (*visit)(void *argument, uint32_t term), void *argument);

// Adds terms to a frame whose registers are all concrete.
void frame_add_terms(struct frame *frame);

#endif
