// Look-ups in a finished program.
#include "base/arena.h"
#include "ir/ir.h"

#include <string.h>

const struct ir_function *ir_find_function(const struct ir_program *program, const char *name) {
    for (uint32_t i = 0; i < program->function_count; i++)
        if (!strcmp(program->functions[i].name, name)) return &program->functions[i];
    return NULL;
}

bool ir_is_harness(const struct ir_program *program) {
    const struct ir_function *harness = ir_find_function(program, "LLVMFuzzerTestOneInput");
    const struct ir_function *main = ir_find_function(program, "main");
    return harness && harness->code && !harness->runtime && !(main && main->code);
}

bool ir_is_file_driver(const struct ir_program *program) {
    const struct ir_function *harness = ir_find_function(program, "LLVMFuzzerTestOneInput");
    return harness && !harness->runtime && !ir_is_harness(program) &&
           (ir_find_function(program, "fopen") || ir_find_function(program, "open"));
}

const struct ir_global *ir_find_global(const struct ir_program *program, const char *name) {
    for (uint32_t i = 0; i < program->global_count; i++)
        if (!strcmp(program->globals[i].name, name)) return &program->globals[i];
    return NULL;
}

const struct ir_function *ir_function_at(const struct ir_program *program, uint64_t address) {
    uint64_t offset = address - IR_CODE_BASE;
    if (offset % 16 || offset / 16 >= program->function_count) return NULL;
    return &program->functions[offset / 16];
}

const struct ir_global *ir_global_near(const struct ir_program *program, uint64_t address) {
    if (address < IR_DATA_BASE || address >= program->data_end + 4096) return NULL;
    uint32_t low = 0, high = program->first_thread_local; // the last one that starts at or below the address
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (program->globals[middle].address <= address)
            low = middle + 1;
        else
            high = middle;
    }
    const struct ir_global *below = low ? &program->globals[low - 1] : NULL;
    const struct ir_global *above = low < program->first_thread_local ? &program->globals[low] : NULL;
    if (!below || (below->address + below->size <= address && above &&
                   above->address - address < address - (below->address + below->size) + 1))
        return above ? above : below;
    return below;
}

uint32_t ir_block_at(const struct ir_function *function, uint32_t instruction) {
    uint32_t low = 0, high = function->block_count;
    while (high - low > 1) {
        uint32_t middle = (low + high) / 2;
        if (function->blocks[middle].start <= instruction)
            low = middle;
        else
            high = middle;
    }
    return low;
}

void ir_program_free(struct ir_program *program) {
    if (program) arena_free(program->arena); // the program itself lives there too
}
