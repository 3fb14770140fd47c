// The verifier's checks of tables: globals, frames, labels, locations.
#include "ir/verify.h"

#include <inttypes.h>

static bool verify_globals(struct verifier *v) {
    const struct ir_program *program = v->program;
    if (program->readonly_end % 4096 || program->readonly_end < IR_DATA_BASE ||
        program->data_end < program->readonly_end)
        return verify_fail(v, "the constant and the writable part of the data are not in order");
    if (program->first_thread_local > program->global_count)
        return verify_fail(v, "more thread-local variables than variables");
    uint64_t free_from = IR_DATA_BASE;
    for (uint32_t i = 0; i < program->global_count; i++) {
        const struct ir_global *global = &program->globals[i];
        bool thread = i >= program->first_thread_local;
        if (i == program->first_thread_local) free_from = 0;
        if (global->thread_local_ != thread)
            return verify_fail(v, "%s is among variables of another kind", global->name);
        if (!global->align || global->align & (global->align - 1) || global->address % global->align)
            return verify_fail(v, "%s at 0x%" PRIx64 " is not aligned to %" PRIu64, global->name,
                               global->address, global->align);
        if (global->address < free_from)
            return verify_fail(v, "%s overlaps the variable before it or its red zone", global->name);
        uint64_t end = thread             ? program->tls_size
                       : global->readonly ? program->readonly_end
                                          : program->data_end;
        if (global->address + global->size > end)
            return verify_fail(v, "%s ends past its section", global->name);
        if (!thread && !global->readonly && global->address < program->readonly_end)
            return verify_fail(v, "%s is writable in the constant section", global->name);
        if (global->location >= program->location_count)
            return verify_fail(v, "%s has no location", global->name);
        free_from = global->address + global->size + 16;
    }
    return true;
}

static bool verify_locations(struct verifier *v) {
    const struct ir_program *program = v->program;
    if (!program->location_count || program->locations[0].line)
        return verify_fail(v, "location 0 is not the unknown one");
    if (!program->string_count || program->strings[0][0]) return verify_fail(v, "string 0 is not empty");
    for (uint32_t i = 0; i < program->location_count; i++) {
        const struct ir_location *at = &program->locations[i];
        if (at->file >= program->file_count || at->function >= program->string_count)
            return verify_fail(v, "location %u names a file or function that does not exist", i);
        if (at->inlined_at && at->inlined_at >= i)
            return verify_fail(v, "location %u is inlined at a later one", i);
    }
    return true;
}

static bool verify_labels(struct verifier *v) {
    const struct ir_program *program = v->program;
    for (uint32_t i = 0; i < program->label_count; i++) {
        const struct ir_label *label = &program->labels[i];
        if (label->function >= program->function_count)
            return verify_fail(v, "label %u belongs to no function", i);
        const struct ir_function *function = &program->functions[label->function];
        if (verify_block_starting_at(function, label->target) == UINT32_MAX)
            return verify_fail(v, "label %u is not the start of a block", i);
    }
    return true;
}

static bool verify_frame(struct verifier *v, const struct ir_function *function) {
    uint64_t free_from = 16, align = function->frame_align;
    if (!align || align & (align - 1))
        return verify_fail(v, "the frame of %s is aligned to %" PRIu64, function->name, align);
    for (uint32_t i = 0; i < function->alloca_count; i++) {
        const struct ir_alloca *object = &function->allocas[i];
        if (object->offset < free_from)
            return verify_fail(v, "object %u in the frame of %s has no red zone before it", i,
                               function->name);
        free_from = object->offset + object->size + 16;
        if (free_from > function->frame_size)
            return verify_fail(v, "object %u ends past the frame of %s", i, function->name);
        if (object->name >= v->program->string_count || object->location >= v->program->location_count)
            return verify_fail(v, "object %u in the frame of %s has no name or location", i, function->name);
    }
    return true;
}

static bool verify_calls_at_start(struct verifier *v, const uint32_t *functions, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        if (functions[i] >= v->program->function_count)
            return verify_fail(v, "constructor %u does not exist", i);
    return true;
}

bool verify_data(struct verifier *v) {
    const struct ir_program *program = v->program;
    if (!verify_locations(v) || !verify_globals(v) || !verify_labels(v)) return false;
    for (uint32_t i = 0; i < program->function_count; i++)
        if (program->functions[i].code && !verify_frame(v, &program->functions[i])) return false;
    for (uint32_t i = 0; i < program->edge_count; i++)
        if (program->edges[i].from >= program->block_count || program->edges[i].to >= program->block_count)
            return verify_fail(v, "edge %u has no blocks", i);
    return verify_calls_at_start(v, program->constructors, program->constructor_count) &&
           verify_calls_at_start(v, program->destructors, program->destructor_count);
}
