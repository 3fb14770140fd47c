// Assigns addresses and initial values to the reached variables. Read-only ones come first, so that one comparison
// identifies them. Every object is followed by a red zone.
#include "front/front_int.h"

#include <stdlib.h>

uint32_t layout_function_index(struct front *front, LLVMValueRef definition) {
    uint64_t *index = map_get(&front->functions, (uintptr_t)definition);
    if (!index) return reachable_function(front, definition, NULL);
    return (uint32_t)*index - 1;
}

static uint64_t red_zone(uint64_t size) { return size < 4096 ? LOWER_FAR + LOWER_NEARNESS : 256; }

static uint64_t alignment_of(struct front *front, LLVMValueRef variable, LLVMTypeRef type) {
    uint64_t align = LLVMGetAlignment(variable);
    if (!align) align = LLVMTypeIsSized(type) ? LLVMPreferredAlignmentOfGlobal(front->layout, variable) : 1;
    return MAX(align, 1);
}

enum section { SECTION_CONSTANT, SECTION_DATA, SECTION_THREAD, SECTION_COUNT };

static enum section section_of(LLVMValueRef variable) {
    if (LLVMIsThreadLocal(variable)) return SECTION_THREAD;
    return LLVMIsGlobalConstant(variable) ? SECTION_CONSTANT : SECTION_DATA;
}

static void describe(struct front *front, LLVMValueRef variable, struct ir_global *global) {
    LLVMTypeRef type = LLVMGlobalGetValueType(variable);
    size_t length;
    const char *name = LLVMGetValueName2(variable, &length);
    global->name = arena_memdup(front->arena, name, length + 1);
    global->size = types_size_of(front, type);
    global->align = alignment_of(front, variable, type);
    global->readonly = section_of(variable) == SECTION_CONSTANT;
    global->thread_local_ = section_of(variable) == SECTION_THREAD;
    LLVMLinkage linkage = LLVMGetLinkage(variable);
    global->local = linkage == LLVMInternalLinkage || linkage == LLVMPrivateLinkage;
    global->location = debug_location_of_global(front, variable);
    global->runtime = front->units.at[symbols_unit_of(front, variable)].rank == RANK_LIBRARY;
    if (front->options->types && !global->runtime) global->type = debug_type_of_global(front, variable);
}

static void place_section(struct front *front, enum section section, uint64_t *at, LLVMValueRef *sorted,
                          uint32_t *count) {
    vec_each (LLVMValueRef, variable, &front->variables) {
        if (section_of(*variable) != section) continue;
        struct ir_global *global = &front->program->globals[*count];
        describe(front, *variable, global);
        *at = align_up(*at, MAX(global->align, 16));
        global->address = *at;
        *at += global->size + red_zone(global->size);
        *map_put(&front->address, (uintptr_t)*variable) = global->address;
        sorted[(*count)++] = *variable;
    }
}

static void initialise(struct front *front, LLVMValueRef variable, struct ir_global *global) {
    LLVMValueRef initial = LLVMIsDeclaration(variable) ? NULL : LLVMGetInitializer(variable);
    if (!initial || !global->size || LLVMIsNull(initial) || LLVMIsUndef(initial)) return;
    uint8_t *bytes = arena_alloc(front->arena, global->size);
    front->initialised = global;
    front->initial = bytes;
    constant_bytes(front, initial, bytes);
    front->initialised = NULL;
    global->bytes = bytes;
}

void layout_globals(struct front *front) {
    struct ir_program *program = front->program;
    uint32_t count = 0, all = front->variables.count;
    program->globals = ARENA_ARRAY(front->arena, struct ir_global, all + 1);
    LLVMValueRef *sorted = NEW_ARRAY(LLVMValueRef, all + 1);
    uint64_t at = IR_DATA_BASE + 64;
    place_section(front, SECTION_CONSTANT, &at, sorted, &count);
    at = program->readonly_end = align_up(at, 4096);
    at += 64;
    place_section(front, SECTION_DATA, &at, sorted, &count);
    program->data_end = align_up(at, 4096);
    program->first_thread_local = count;
    at = 64;
    place_section(front, SECTION_THREAD, &at, sorted, &count);
    program->tls_align = 64;
    for (uint32_t i = program->first_thread_local; i < count; i++)
        program->tls_align = MAX(program->tls_align, program->globals[i].align);
    program->tls_size = count > program->first_thread_local ? at : 0;
    program->global_count = count;
    assert(count == all);
    for (uint32_t i = 0; i < count; i++) initialise(front, sorted[i], &program->globals[i]);
    DELETE_ARRAY(sorted, all + 1);
}
