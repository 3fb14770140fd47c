// The asm statement around the template: constraints, values of operands, results. See assembly.h.
#include "front/assembly.h"

#include <ctype.h>
#include <stdlib.h>

LLVMTypeRef asm_int(struct asm_state *s, unsigned width) { return LLVMIntTypeInContext(s->context, width); }

LLVMValueRef asm_number(struct asm_state *s, unsigned width, uint64_t value) {
    return LLVMConstInt(asm_int(s, width), value, false);
}

static LLVMValueRef fail(struct asm_state *s, unsigned width) {
    s->failed = true;
    return LLVMGetUndef(asm_int(s, width));
}

static LLVMValueRef narrow(struct asm_state *s, LLVMValueRef value, unsigned width) {
    return LLVMBuildTrunc(s->builder, value, asm_int(s, width), "");
}

// The value of a register after a write to its low part: writing 32 bits clears the rest, writing fewer bits keeps it.
static LLVMValueRef merge(struct asm_state *s, LLVMValueRef old, LLVMValueRef value, unsigned width,
                          bool high) {
    LLVMBuilderRef b = s->builder;
    if (width == 64) return value;
    LLVMValueRef wide = LLVMBuildZExt(b, value, asm_int(s, 64), "");
    if (width == 32) return wide;
    if (old && LLVMIsPoison(old)) s->failed = true;
    if (!old) old = asm_number(s, 64, 0);
    uint64_t mask = mask_bits(width);
    if (high) {
        wide = LLVMBuildShl(b, wide, asm_number(s, 64, 8), "");
        mask <<= 8;
    }
    return LLVMBuildOr(b, LLVMBuildAnd(b, old, asm_number(s, 64, ~mask), ""), wide, "");
}

static LLVMValueRef part(struct asm_state *s, LLVMValueRef value, unsigned width, bool high) {
    if (!value || LLVMIsPoison(value)) return fail(s, width);
    if (high) value = LLVMBuildLShr(s->builder, value, asm_number(s, 64, 8), "");
    return narrow(s, value, width);
}

LLVMValueRef asm_read_register(struct asm_state *s, unsigned number, unsigned width) {
    return part(s, s->registers[number], width, false);
}

void asm_write_register(struct asm_state *s, unsigned number, unsigned width, LLVMValueRef value) {
    s->registers[number] = merge(s, s->registers[number], value, width, false);
}

// The operand that holds the value of operand `number`: for a tied input, its output.
static struct asm_constraint *operand_at(struct asm_state *s, unsigned number) {
    if (number >= s->count || s->operands[number].clobber || s->operands[number].flag_output) {
        s->failed = true;
        return &s->operands[0];
    }
    struct asm_constraint *c = &s->operands[number];
    return c->tied >= 0 ? &s->operands[c->tied] : c;
}

bool asm_is_memory(struct asm_state *s, const struct asm_place *place) {
    return place->kind == ASM_MEMORY ||
           (place->kind == ASM_OPERAND && operand_at(s, place->number)->indirect);
}

LLVMValueRef asm_address(struct asm_state *s, const struct asm_place *place) {
    LLVMBuilderRef b = s->builder;
    if (place->kind == ASM_OPERAND)
        return LLVMBuildPtrToInt(b, operand_at(s, place->number)->argument, asm_int(s, 64), "");
    struct asm_place base = {.kind = place->base_is_operand ? ASM_OPERAND : ASM_REGISTER,
                             .number = place->number};
    if (base.kind == ASM_REGISTER && base.number == ASM_RSP && !place->no_base) s->failed = true;
    LLVMValueRef sum = asm_number(s, 64, (uint64_t)place->value);
    if (!place->no_base) sum = LLVMBuildAdd(b, asm_read(s, &base, 64), sum, "");
    if (!place->scale) return sum;
    struct asm_place index = {.kind = place->index_is_operand ? ASM_OPERAND : ASM_REGISTER,
                              .number = place->index};
    LLVMValueRef steps = LLVMBuildMul(b, asm_read(s, &index, 64), asm_number(s, 64, place->scale), "");
    return LLVMBuildAdd(b, sum, steps, "");
}

// Without a displacement it is the original pointer, which keeps its provenance.
LLVMValueRef asm_pointer(struct asm_state *s, const struct asm_place *place) {
    if (place->kind == ASM_OPERAND) return operand_at(s, place->number)->argument;
    return LLVMBuildIntToPtr(s->builder, asm_address(s, place), LLVMPointerTypeInContext(s->context, 0), "");
}

LLVMValueRef asm_read(struct asm_state *s, const struct asm_place *place, unsigned width) {
    if (place->kind == ASM_IMMEDIATE) return asm_number(s, width, (uint64_t)place->value);
    if (place->kind == ASM_REGISTER) return part(s, s->registers[place->number], width, place->high);
    if (asm_is_memory(s, place)) {
        LLVMValueRef value = LLVMBuildLoad2(s->builder, asm_int(s, width), asm_pointer(s, place), "");
        LLVMSetAlignment(value, 1);
        return value;
    }
    struct asm_constraint *c = operand_at(s, place->number);
    if (s->failed || c->x87) return fail(s, width);
    LLVMValueRef value = c->reg >= 0 ? s->registers[c->reg] : c->value;
    if (!value || LLVMTypeOf(value) != asm_int(s, 64)) return fail(s, width);
    return part(s, value, width, place->high);
}

void asm_write(struct asm_state *s, const struct asm_place *place, unsigned width, LLVMValueRef value) {
    if (place->kind == ASM_REGISTER) {
        LLVMValueRef *reg = &s->registers[place->number];
        *reg = merge(s, *reg, value, width, place->high);
    } else if (place->kind == ASM_IMMEDIATE || place->kind == ASM_NONE) {
        s->failed = true;
    } else if (asm_is_memory(s, place)) {
        LLVMSetAlignment(LLVMBuildStore(s->builder, value, asm_pointer(s, place)), 1);
    } else {
        struct asm_constraint *c = operand_at(s, place->number);
        LLVMValueRef *old = c->reg >= 0 ? &s->registers[c->reg] : &c->value;
        if (c->x87 || (*old && LLVMTypeOf(*old) != asm_int(s, 64)))
            s->failed = true;
        else
            *old = merge(s, *old, value, width, place->high);
    }
}

LLVMValueRef *asm_slot(struct asm_state *s, const struct asm_place *place) {
    if (place->kind == ASM_REGISTER) return place->high ? NULL : &s->registers[place->number];
    if (place->kind != ASM_OPERAND || asm_is_memory(s, place)) return NULL;
    struct asm_constraint *c = operand_at(s, place->number);
    LLVMValueRef *slot = c->reg >= 0 ? &s->registers[c->reg] : &c->value;
    return c->x87 || (*slot && LLVMTypeOf(*slot) != asm_int(s, 64)) ? NULL : slot;
}

// The width of an instruction: given by its name, else by a register, else by an operand of the statement.
unsigned asm_width(struct asm_state *s, const struct asm_instruction *insn, unsigned width) {
    for (unsigned i = insn->count; i-- > 0 && !width;) width = insn->at[i].width;
    for (unsigned i = insn->count; i-- > 0 && !width;) {
        if (insn->at[i].kind != ASM_OPERAND) continue;
        struct asm_constraint *c = operand_at(s, insn->at[i].number);
        if (!c->type || strspn(c->text, "inIJKLMNeZ") == strlen(c->text)) continue;
        uint64_t bytes = types_size_of(s->front, c->type);
        if (bytes <= 8) width = (unsigned)bytes * 8;
    }
    if (width != 8 && width != 16 && width != 32 && width != 64) s->failed = true;
    return s->failed ? 64 : width;
}

LLVMValueRef asm_intrinsic(struct asm_state *s, const char *name, LLVMTypeRef type, LLVMValueRef *arguments,
                           unsigned count) {
    unsigned id = LLVMLookupIntrinsicID(name, strlen(name));
    LLVMValueRef function = LLVMGetIntrinsicDeclaration(s->module, id, &type, 1);
    return LLVMBuildCall2(s->builder, LLVMIntrinsicGetType(s->context, id, &type, 1), function, arguments,
                          count, "");
}

LLVMValueRef asm_call(struct asm_state *s, LLVMTypeRef result, const char *name, LLVMValueRef *arguments,
                      unsigned count) {
    LLVMTypeRef types[8];
    assert(count <= COUNT(types));
    for (unsigned i = 0; i < count; i++) types[i] = asm_int(s, 64);
    LLVMTypeRef type = LLVMFunctionType(result, types, count, false);
    return LLVMBuildCall2(s->builder, type, symbols_declare(s->module, name, type), arguments, count, "");
}

// ---- constraints

static int fixed_register(const char *text) {
    static const char *const names[] = {"{ax}", "{cx}", "{dx}", "{bx}", "{sp}", "{bp}", "{si}", "{di}"};
    static const char *const wide[] = {"{rax}", "{rcx}", "{rdx}", "{rbx}",
                                       "{rsp}", "{rbp}", "{rsi}", "{rdi}"};
    for (int i = 0; i < (int)COUNT(names); i++)
        if (!strcmp(text, names[i]) || !strcmp(text, wide[i]) ||
            (text[1] == 'e' && !strcmp(text + 2, names[i] + 1)))
            return i;
    unsigned number = 0;
    if (sscanf(text, "{r%2u}", &number) == 1 && number >= 8 && number < ASM_REGISTERS) return (int)number;
    return -1;
}

static bool parse_constraint(const char *text, size_t length, struct asm_constraint *c) {
    *c = (struct asm_constraint){.tied = -1, .reg = -1};
    size_t i = 0, count = 0;
    for (; i < length && strchr("=~*&%+", text[i]); i++) {
        c->output |= text[i] == '=';
        c->clobber |= text[i] == '~';
        c->indirect |= text[i] == '*';
    }
    if (length - i >= sizeof c->text) return c->clobber;
    for (; i < length; i++) c->text[count++] = text[i];
    c->flag_output = !strncmp(c->text, "{@cc", 4);
    if (isdigit((unsigned char)c->text[0])) c->tied = atoi(c->text);
    c->reg = fixed_register(c->text);
    c->x87 = !strcmp(c->text, "{st}") || !strcmp(c->text, "{st(0)}") ? 1
             : !strcmp(c->text, "{st(1)}")                           ? 2
                                                                     : 0;
    bool other = c->text[0] == '{' && c->reg < 0 && !c->flag_output && !c->x87 && !c->clobber;
    return !other && !strchr(c->text, '|');
}

static LLVMTypeRef result_type(LLVMValueRef call, unsigned index, unsigned outputs) {
    LLVMTypeRef type = LLVMTypeOf(call);
    return outputs == 1 ? type : LLVMStructGetTypeAtIndex(type, index);
}

static bool bind_constraints(struct asm_state *s, LLVMValueRef call, const char *list, size_t length) {
    unsigned argument = 0, outputs = 0, output = 0;
    for (size_t at = 0; at < length;) {
        size_t end = at;
        while (end < length && list[end] != ',') end++;
        if (s->count >= ASM_MOST_CONSTRAINTS) return false;
        struct asm_constraint *operand = &s->operands[s->count++];
        if (!parse_constraint(list + at, end - at, operand)) return false;
        at = end + 1;
    }
    for (unsigned i = 0; i < s->count; i++) outputs += s->operands[i].output && !s->operands[i].indirect;
    for (unsigned i = 0; i < s->count; i++) {
        struct asm_constraint *c = &s->operands[i];
        if (c->clobber) continue;
        if (c->output && !c->indirect) {
            c->type = result_type(call, output++, outputs);
            continue;
        }
        if (argument >= LLVMGetNumArgOperands(call)) return false;
        unsigned kind = LLVMGetEnumAttributeKindForName("elementtype", 11);
        LLVMAttributeRef element = LLVMGetCallSiteEnumAttribute(call, argument + 1, kind);
        c->argument = LLVMGetOperand(call, argument++);
        c->type = c->indirect && element ? LLVMGetTypeAttributeValue(element) : LLVMTypeOf(c->argument);
        if (c->indirect && LLVMGetTypeKind(LLVMTypeOf(c->argument)) != LLVMPointerTypeKind) return false;
        if (c->tied >= (int)i || (c->tied >= 0 && !s->operands[c->tied].output)) return false;
    }
    return true;
}

// ---- values in and out

static LLVMValueRef value_in(struct asm_state *s, const struct asm_constraint *c, bool x87) {
    LLVMBuilderRef b = s->builder;
    LLVMTypeKind kind = LLVMGetTypeKind(c->type);
    if (x87) return LLVMBuildFPCast(b, c->argument, LLVMX86FP80TypeInContext(s->context), "");
    if (kind == LLVMPointerTypeKind) return LLVMBuildPtrToInt(b, c->argument, asm_int(s, 64), "");
    if (kind != LLVMIntegerTypeKind) return c->argument;
    if (LLVMGetIntTypeWidth(c->type) > 64) return NULL;
    return LLVMBuildZExt(b, c->argument, asm_int(s, 64), "");
}

// Stores an input in the memory of the output that it is tied to ("+g"). A wider input is truncated: the output is as
// wide as its variable.
static void store_tied(struct asm_state *s, const struct asm_constraint *input,
                       const struct asm_constraint *output) {
    LLVMValueRef value = input->argument;
    if (LLVMGetTypeKind(output->type) == LLVMIntegerTypeKind) {
        LLVMValueRef wide = value_in(s, input, false);
        bool is_integer = wide && LLVMTypeOf(wide) == asm_int(s, 64);
        if (is_integer && LLVMGetIntTypeWidth(output->type) < 64)
            value = LLVMBuildTrunc(s->builder, wide, output->type, "");
    }
    LLVMSetAlignment(LLVMBuildStore(s->builder, value, output->argument), 1);
}

// Pushes the inputs that are on the x87 stack: the lower one first.
static bool load_x87(struct asm_state *s) {
    assert(!s->x87_depth);
    for (unsigned position = 2; position; position--) {
        LLVMValueRef value = NULL;
        for (unsigned i = 0; i < s->count; i++)
            if (s->operands[i].x87 == position && s->operands[i].value) value = s->operands[i].value;
        if (value)
            s->x87[s->x87_depth++] = value;
        else if (s->x87_depth)
            return false;
    }
    return true;
}

static bool load_operands(struct asm_state *s) {
    for (unsigned i = 0; i < s->count; i++) {
        struct asm_constraint *c = &s->operands[i];
        if (c->clobber || c->indirect || !c->argument) continue;
        struct asm_constraint *holder = c->tied >= 0 ? &s->operands[c->tied] : c;
        if (holder->indirect) {
            store_tied(s, c, holder);
            continue;
        }
        bool fraction = LLVMGetTypeKind(c->type) != LLVMIntegerTypeKind &&
                        LLVMGetTypeKind(c->type) != LLVMPointerTypeKind;
        if (holder->x87 && !fraction) return false;
        LLVMValueRef value = value_in(s, c, holder->x87 != 0);
        if (!value || (fraction && holder->reg >= 0)) return false;
        *(holder->reg >= 0 ? &s->registers[holder->reg] : &holder->value) = value;
    }
    return load_x87(s);
}

static LLVMValueRef value_out(struct asm_state *s, struct asm_constraint *c) {
    LLVMBuilderRef b = s->builder;
    LLVMTypeKind kind = LLVMGetTypeKind(c->type);
    if (c->flag_output) {
        char name[8] = {0};
        memcpy(name, c->text + 4, strcspn(c->text + 4, "}") < sizeof name ? strcspn(c->text + 4, "}") : 0);
        LLVMValueRef bit = asm_condition(s, name);
        return bit ? LLVMBuildZExt(b, bit, c->type, "") : NULL;
    }
    if (c->x87)
        return c->x87 > s->x87_depth ? NULL : LLVMBuildFPCast(b, s->x87[s->x87_depth - c->x87], c->type, "");
    LLVMValueRef value = c->reg >= 0 ? s->registers[c->reg] : c->value;
    if (!value) return LLVMConstNull(c->type); // never written: an arbitrary value natively
    if (LLVMIsPoison(value)) return NULL;
    if (LLVMTypeOf(value) != asm_int(s, 64)) return LLVMTypeOf(value) == c->type ? value : NULL;
    if (kind == LLVMPointerTypeKind) return LLVMBuildIntToPtr(b, value, c->type, "");
    if (kind == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(c->type) <= 64)
        return LLVMBuildTrunc(b, value, c->type, "");
    return NULL;
}

static LLVMValueRef results(struct asm_state *s, LLVMValueRef call) {
    unsigned outputs = 0, at = 0;
    for (unsigned i = 0; i < s->count; i++) outputs += s->operands[i].output && !s->operands[i].indirect;
    LLVMValueRef whole = outputs > 1 ? LLVMGetUndef(LLVMTypeOf(call)) : NULL;
    for (unsigned i = 0; i < s->count && !s->failed; i++) {
        struct asm_constraint *c = &s->operands[i];
        if (!c->output || c->indirect) continue;
        LLVMValueRef value = value_out(s, c);
        if (!value)
            s->failed = true;
        else
            whole = outputs > 1 ? LLVMBuildInsertValue(s->builder, whole, value, at++, "") : value;
    }
    return whole;
}

// Gives the stack pointer a value if it is read: the address of a local variable, as __builtin_frame_address does.
static void load_stack_pointer(struct asm_state *s, const struct asm_text *text) {
    bool is_read = false;
    for (unsigned i = 0; i < text->count; i++)
        for (unsigned k = 0; k < text->at[i].count; k++)
            is_read |= text->at[i].at[k].kind == ASM_REGISTER && text->at[i].at[k].number == ASM_RSP;
    if (!is_read || s->registers[ASM_RSP]) return;
    LLVMValueRef local = asm_local(s->builder, LLVMArrayType2(asm_int(s, 64), 2));
    LLVMSetAlignment(local, 16);
    s->registers[ASM_RSP] = LLVMBuildPtrToInt(s->builder, local, asm_int(s, 64), "");
}

static void translate(struct asm_state *s, const struct asm_text *text) {
    load_stack_pointer(s, text);
    LLVMValueRef stack_pointer = s->registers[ASM_RSP];
    for (unsigned i = 0; i < text->count && !s->failed; i++) {
        const struct asm_instruction *insn = &text->at[i];
        unsigned width = 0;
        asm_handler handler = assembly_handler(insn->name, &width);
        if (!handler)
            s->failed = true;
        else
            handler(s, insn, width);
    }
    s->failed |= s->depth > 0 || s->registers[ASM_RSP] != stack_pointer;
}

// Erases the instructions that were built before an unsupported part was found.
static void erase_since(LLVMValueRef before, LLVMValueRef call, LLVMBasicBlockRef block) {
    for (;;) {
        LLVMValueRef last = LLVMGetPreviousInstruction(call);
        if (last == before || !last) return;
        assert(LLVMGetInstructionParent(last) == block);
        LLVMInstructionEraseFromParent(last);
    }
}

static bool has_indirect_output(const struct asm_state *s) {
    for (unsigned i = 0; i < s->count; i++)
        if (s->operands[i].output && s->operands[i].indirect) return true;
    return false;
}

static void rewrite_statement(struct front *front, LLVMModuleRef module, LLVMValueRef call,
                              bool only_machine) {
    LLVMValueRef assembly = LLVMGetCalledValue(call);
    size_t length, list_length;
    struct asm_text text;
    const char *string = LLVMGetInlineAsmAsmString(assembly, &length);
    if (LLVMGetInlineAsmDialect(assembly) != LLVMInlineAsmDialectATT ||
        !assembly_parse(string, length, &text))
        return;
    if (only_machine && !assembly_asks_machine(&text)) return;
    struct asm_state s = {.front = front, .module = module, .context = front->context};
    const char *list = LLVMGetInlineAsmConstraintString(assembly, &list_length);
    if (!bind_constraints(&s, call, list, list_length)) return;
    if (!text.count && !has_indirect_output(&s))
        return; // handled by lower_builtin.c; the calls made by instrumented.c also have this form
    LLVMValueRef before = LLVMGetPreviousInstruction(call);
    s.builder = LLVMCreateBuilderInContext(front->context);
    LLVMPositionBuilderBefore(s.builder, call);
    LLVMSetCurrentDebugLocation2(s.builder, LLVMInstructionGetDebugLoc(call));
    s.failed = !load_operands(&s);
    translate(&s, &text);
    LLVMValueRef result = s.failed ? NULL : results(&s, call);
    LLVMDisposeBuilder(s.builder);
    if (s.failed) {
        erase_since(before, call, LLVMGetInstructionParent(call));
        return;
    }
    if (result) LLVMReplaceAllUsesWith(call, result);
    LLVMInstructionEraseFromParent(call);
}

// Replaces the intrinsics of __rdtsc() and __rdtscp() by the model's clock.
static void rewrite_clocks(struct front *front, LLVMModuleRef module) {
    static const char *const names[] = {"llvm.x86.rdtsc", "llvm.x86.rdtscp"};
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(front->context);
    for (unsigned i = 0; i < COUNT(names); i++) {
        LLVMValueRef intrinsic = LLVMGetNamedFunction(module, names[i]);
        for (LLVMUseRef use = intrinsic ? LLVMGetFirstUse(intrinsic) : NULL, next; use; use = next) {
            LLVMValueRef call = LLVMGetUser(use);
            next = LLVMGetNextUse(use);
            LLVMPositionBuilderBefore(builder, call);
            LLVMSetCurrentDebugLocation2(builder, LLVMInstructionGetDebugLoc(call));
            LLVMValueRef result = assembly_clock(builder, module);
            if (i) // rdtscp also returns the processor's number: 0
                result = LLVMBuildInsertValue(builder, LLVMConstNull(LLVMTypeOf(call)), result, 0, "");
            LLVMReplaceAllUsesWith(call, result);
            LLVMInstructionEraseFromParent(call);
        }
    }
    LLVMDisposeBuilder(builder);
}

void rewrite_assembly(struct front *front, bool only_machine) {
    vec_each (struct unit, unit, &front->units) {
        if (unit->reader) continue;
        if (only_machine) rewrite_clocks(front, unit->module);
        for (LLVMValueRef f = LLVMGetFirstFunction(unit->module); f; f = LLVMGetNextFunction(f))
            for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
                for (LLVMValueRef i = LLVMGetFirstInstruction(b), next; i; i = next) {
                    next = LLVMGetNextInstruction(i);
                    if (LLVMIsACallInst(i) &&
                        LLVMGetValueKind(LLVMGetCalledValue(i)) == LLVMInlineAsmValueKind)
                        rewrite_statement(front, unit->module, i, only_machine);
                }
    }
}
