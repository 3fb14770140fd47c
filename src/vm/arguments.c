// The arguments of the calls on a state's stack, as text. A caller does not change its registers during the call: the
// values that it passed are still there.
#include "vm/object_array.h"

#include <stdio.h>

#define LONGEST_STRING 40

struct argument {
    uint64_t value;
    bool symbolic; // depends on inputs; the value is the one in the model
};

static struct argument passed(struct vm *vm, const struct state *state, const struct frame *caller,
                              uint32_t entry) {
    if (entry & IR_CONSTANT)
        return (struct argument){caller->function->constants[entry & ~IR_CONSTANT], false};
    Term term = caller->has_terms ? vm_slot_term(vm, frame_terms((struct frame *)caller)[entry]) : 0;
    if (!term || !vm->solver || !state->path) return (struct argument){caller->registers[entry], term != 0};
    return (struct argument){solver_evaluate(vm->solver, state->path, term), true};
}

// Adds the string at an address, escaped. Returns false if it is not accessible.
static bool add_string(struct text *to, struct vm *vm, const struct state *state, uint64_t address) {
    uint8_t bytes[LONGEST_STRING];
    uint32_t count = 0;
    for (; count < LONGEST_STRING; count++) {
        if (address + count >= (uint64_t)1 << ADDRESS_BITS) return false;
        uint8_t shadow = memory_shadow(state->memory, address + count);
        if (shadow & SHADOW_NO_ACCESS) return false;
        memory_peek(state->memory, address + count, &bytes[count], 1);
        uint32_t term = shadow & SHADOW_SYMBOLIC ? byte_of_slot(vm, state, address + count,
                                                                memory_term(state->memory, address + count))
                                                 : 0;
        if (term && vm->solver && state->path)
            bytes[count] = (uint8_t)solver_evaluate(vm->solver, state->path, term);
        if (!bytes[count]) break;
    }
    text_add(to, "\"");
    text_add_escaped(to, bytes, count);
    text_add(to, count == LONGEST_STRING ? "\"..." : "\"");
    return true;
}

static void add_float(struct text *to, uint64_t value, unsigned width) {
    union {
        uint64_t bits;
        double number;
    } wide = {value};
    union {
        uint32_t bits;
        float number;
    } narrow = {(uint32_t)value};
    text_add(to, "%g", width == 32 ? (double)narrow.number : wide.number);
}

static void add_value(struct text *to, struct vm *vm, const struct state *state,
                      const struct ir_parameter *parameter, struct argument argument) {
    unsigned width = parameter->width && parameter->width <= 64 ? parameter->width : 64;
    uint64_t value = argument.value & mask_bits(width);
    long long number = sign_extend(value, width);
    switch (parameter->kind) {
    case IR_PARAMETER_UNSIGNED: text_add(to, "%llu", (unsigned long long)value); break;
    case IR_PARAMETER_SIGNED: text_add(to, "%lld", number); break;
    case IR_PARAMETER_CHAR:
        text_add(to, "%lld", number);
        if (value >= 32 && value < 127) text_add(to, " '%c'", (char)value);
        break;
    case IR_PARAMETER_FLOAT: add_float(to, value, width); break;
    default:
        if (!value)
            text_add(to, "NULL");
        else if (parameter->kind != IR_PARAMETER_STRING || !add_string(to, vm, state, value))
            text_add(to, "0x%llx", (unsigned long long)value);
        break;
    }
}

bool vm_add_arguments(struct text *to, struct vm *vm, const struct state *state, uint32_t depth) {
    const struct frame_chunk *chunk = state->frames.chunk;
    if (!chunk) return false;
    const struct frame *frame = frames_top(&state->frames);
    while (frame && depth--) frame = frames_below(&chunk, frame);
    if (!frame || !frame->function->parameters) return false;
    const struct ir_function *function = frame->function;
    const struct frame *caller = frames_below(&chunk, frame);
    if (!caller) return false;
    const struct ir_insn *call = &caller->function->code[caller->instruction];
    if (call->op != IR_CALL && call->op != IR_CALL_R) return false;
    const uint32_t *list = caller->function->arguments + call->b;
    uint32_t slots = *list++ & ~IR_CALL_VARIADIC, slot = 0;
    for (uint32_t i = 0; i < function->parameter_count; i++) {
        const struct ir_parameter *parameter = &function->parameters[i];
        if (slot + parameter->slots > slots) break;
        text_add(to, "%s%s%s", i ? ", " : "", parameter->name, *parameter->name ? "=" : "");
        if (parameter->kind == IR_PARAMETER_OTHER || parameter->slots != 1)
            text_add(to, "...");
        else
            add_value(to, vm, state, parameter, passed(vm, state, caller, list[slot]));
        slot += parameter->slots;
    }
    return true;
}
