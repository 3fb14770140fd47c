// Coverage of user code, by line, block, edge and condition.
//
//   cover_new -> { cover_update -> cover_totals, cover_files ... } -> cover_free
//
// A block is covered when one of its incoming edges was taken, or when it is the entry of a function that was
// called. Its instructions were executed up to the furthest position noted in it, and all of them when an
// edge out of it was taken. A line is covered when an instruction of it was executed. A condition is one side
// of a branch: a two-way branch has two, a switch one for each of its targets. Coverage only grows.
#ifndef TAMAR_COVER_H
#define TAMAR_COVER_H

#include "ir/ir.h"

struct cover;

// Kinds of coverage: KIND(name), as the results name them.
#define COVER_KINDS(KIND) KIND(line) KIND(block) KIND(edge) KIND(condition)

struct cover_count {
    uint32_t covered, total;
};

struct cover_totals {
#define KIND(name) struct cover_count name;
    COVER_KINDS(KIND)
#undef KIND
};

struct cover_line {
    uint32_t line;
    bool covered;
    bool entered; // a path entered a block of it, but may have ended before this line
};

// One side of a branch or switch.
struct cover_side {
    uint32_t line, column;
    uint32_t block;     // block that ends with the branch: equal for all its sides
    uint32_t side;      // 0: the condition holds, or the first case; the default comes last
    uint32_t to;        // the line that this side leads to; 0: unknown
    bool reached;       // some path has left the block of the branch
    bool covered;       // this side was taken
    bool symbolic;      // the branch depended on an input at least once
    bool asserts;       // this side leads to the failure of an assertion
    bool needs_failure; // the call whose result the branch tests must fail for this side to be taken (--fail)
    bool needs_success; // the call must not fail for this side to be taken
};

struct cover_function {
    const char *name;
    uint32_t line;
    bool covered;
};

// Lines ascend, sides are in code order, functions are sorted by line.
struct cover_file {
    const char *name;
    const struct cover_line *lines;
    const struct cover_side *sides;
    const struct cover_function *functions;
    uint32_t line_count, side_count, function_count;
};

// The program must outlive it.
struct cover *cover_new(const struct ir_program *program);
void cover_free(struct cover *cover);

// One byte per edge, function and position (from 1): not 0 once it was taken, entered or reached.
struct cover_seen {
    const uint8_t *edges, *functions, *positions;
};

// Returns whether anything in user code is newly covered.
bool cover_update(struct cover *cover, const struct cover_seen *seen);

// Items: edges, functions and positions are numbered together, in this order.
static inline uint32_t cover_function_item(const struct ir_program *program, uint32_t function) {
    return program->edge_count + function;
}
static inline uint32_t cover_position_item(const struct ir_program *program, uint32_t position) {
    return program->edge_count + program->function_count + position;
}
static inline uint32_t cover_item_count(const struct ir_program *program) {
    return cover_position_item(program, program->position_count + 1);
}

// Sets cover_side.symbolic. `edges`: one byte per edge, not 0 once it was taken at a branch that depended on an
// input.
void cover_mark_symbolic(struct cover *cover, const uint8_t *edges);

// Clears all coverage.
void cover_forget(struct cover *cover);

// Visits all items of a kind, covered or not, in an order that depends on the program alone. Their number is the
// kind's total.
enum cover_kind {
#define KIND(name) COVER_##name,
    COVER_KINDS(KIND)
#undef KIND
        COVER_KIND_COUNT
};
void cover_each(const struct cover *cover, enum cover_kind kind, void (*visit)(void *context, bool covered),
                void *context);

struct cover_totals cover_totals(const struct cover *cover);
const struct cover_file *cover_files(const struct cover *cover, uint32_t *count);

#endif
