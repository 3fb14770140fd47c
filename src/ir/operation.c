#include "ir/operation.h"

static bool same_position(const struct ir_location *a, const struct ir_location *b) {
    return a->line == b->line && a->column == b->column && a->file == b->file && a->function == b->function &&
           a->inlined_at == b->inlined_at;
}

struct ir_operation ir_operation_at(const struct ir_program *program, const struct ir_function *function,
                                    uint32_t instruction) {
    assert(!function->code || instruction < function->code_count);
    const struct ir_location *at = &program->locations[function->code ? function->locations[instruction] : 0];
    if (!at->line) return (struct ir_operation){.function = function->index, .column = instruction};
    uint32_t ordinal = 0;
    for (uint32_t i = 0; i < instruction; i++)
        ordinal += function->code[i].op == function->code[instruction].op &&
                   same_position(&program->locations[function->locations[i]], at);
    return (struct ir_operation){at->file, at->line, at->column, at->function, ordinal};
}

bool ir_operation_equal(const struct ir_operation *a, const struct ir_operation *b) {
    return a->line == b->line && a->column == b->column && a->file == b->file && a->function == b->function &&
           a->ordinal == b->ordinal;
}
