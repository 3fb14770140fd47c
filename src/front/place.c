// Gives the variables, functions and locals of native code their addresses in the IR, as far as possible. Locals are on
// a second stack, beside the processor's (runtime/native/control.c).
#include "../runtime/addresses.h"
#include "front/front_int.h"

#include <stdio.h>
#include <string.h>

#define MOST_PLACED ((uint64_t)256 << 20)             // limit of the bytes of variables
#define MOST_JUMPS  ((0x200000u - IR_CODE_BASE) / 16) // limit of functions: the linker's sections follow
#define STACK_NAME  "__tamar_stack"                   // variable with the top of the stack of locals

struct placing {
    struct front *front;
    LLVMModuleRef module;
    LLVMBuilderRef builder;
    LLVMTypeRef word, pointer;
    LLVMValueRef stack;
    unsigned returns_twice; // LLVM's number of this attribute
    struct text entries;    // assembly text: one jump for each function
};

// ---- variables: each in a section named after its address, so that the linker can place it (front_link_script)

static void place_variables(const struct placing *p) {
    for (LLVMValueRef one = LLVMGetFirstGlobal(p->module); one; one = LLVMGetNextGlobal(one)) {
        uint64_t *address = map_get(&p->front->address, (uintptr_t)one);
        const char *section = LLVMGetSection(one);
        if (!address || LLVMIsDeclaration(one) || LLVMIsThreadLocal(one) || (section && *section)) continue;
        if (LLVMGetLinkage(one) == LLVMAvailableExternallyLinkage) continue;
        if (LLVMGetLinkage(one) == LLVMCommonLinkage) LLVMSetLinkage(one, LLVMExternalLinkage);
        char name[40];
        snprintf(name, sizeof name, ".tamar.%llx", (unsigned long long)*address);
        LLVMSetSection(one, name);
        LLVMSetAlignment(one, 1u << MIN(__builtin_ctzll(*address), 12)); // the address's own: no padding
    }
}

// ---- locals

static LLVMValueRef number(const struct placing *p, uint64_t value) {
    return LLVMConstInt(p->word, value, false);
}

static LLVMValueRef load_stack(const struct placing *p) {
    return LLVMBuildLoad2(p->builder, p->word, p->stack, "");
}

static LLVMValueRef below(const struct placing *p, LLVMValueRef top, LLVMValueRef size, uint64_t align) {
    LLVMValueRef at = LLVMBuildSub(p->builder, top, size, "");
    return LLVMBuildAnd(p->builder, at, number(p, ~(align - 1)), "");
}

static void replace(LLVMValueRef instruction, LLVMValueRef by) {
    LLVMReplaceAllUsesWith(instruction, by);
    LLVMInstructionEraseFromParent(instruction);
}

static void place_dynamic(const struct placing *p, LLVMValueRef alloca) {
    if (!LLVMGetFirstUse(alloca)) return; // lowering does not allocate it either
    LLVMPositionBuilderBefore(p->builder, alloca);
    uint64_t align = MAX(LLVMGetAlignment(alloca), 16),
             each = types_size_of(p->front, LLVMGetAllocatedType(alloca));
    LLVMValueRef count = LLVMBuildZExtOrBitCast(p->builder, LLVMGetOperand(alloca, 0), p->word, "");
    LLVMValueRef size = LLVMBuildMul(p->builder, count, number(p, each), "");
    LLVMValueRef top = LLVMBuildSub(p->builder, load_stack(p), number(p, ALLOCA_GAP), "");
    LLVMValueRef at = below(p, top, size, align);
    LLVMBuildStore(p->builder, LLVMBuildSub(p->builder, at, number(p, ALLOCA_GAP), ""), p->stack);
    replace(alloca, LLVMBuildIntToPtr(p->builder, at, p->pointer, ""));
}

static bool is_named(LLVMValueRef function, const char *prefix) {
    size_t length;
    const char *name = function ? LLVMGetValueName2(function, &length) : "";
    return !strncmp(name, prefix, strlen(prefix));
}

static bool returns_twice(const struct placing *p, LLVMValueRef call) {
    LLVMValueRef callee = LLVMGetCalledValue(call);
    unsigned kind = p->returns_twice;
    return LLVMGetCallSiteEnumAttribute(call, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, kind) ||
           (LLVMIsAFunction(callee) &&
            LLVMGetEnumAttributeAtIndex(callee, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, kind));
}

static void place_call(const struct placing *p, LLVMValueRef call, LLVMValueRef slot) {
    LLVMValueRef callee = LLVMGetCalledValue(call);
    LLVMPositionBuilderBefore(p->builder, call);
    if (is_named(callee, "llvm.stacksave")) {
        replace(call, LLVMBuildIntToPtr(p->builder, load_stack(p), p->pointer, ""));
    } else if (is_named(callee, "llvm.stackrestore")) {
        LLVMBuildStore(p->builder, LLVMBuildPtrToInt(p->builder, LLVMGetOperand(call, 0), p->word, ""),
                       p->stack);
        LLVMInstructionEraseFromParent(call);
    } else if (returns_twice(p, call)) { // longjmp returns here from a deeper stack
        LLVMBuildStore(p->builder, load_stack(p), slot);
        LLVMPositionBuilderBefore(p->builder, LLVMGetNextInstruction(call));
        LLVMBuildStore(p->builder, LLVMBuildLoad2(p->builder, p->word, slot, ""), p->stack);
    }
}

static void place_locals(const struct placing *p, LLVMValueRef function, const struct ir_function *own) {
    LLVMPositionBuilderBefore(p->builder, LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(function)));
    LLVMSetCurrentDebugLocation2(p->builder, NULL);
    LLVMValueRef slot = LLVMBuildAlloca(p->builder, p->word, ""), entry = load_stack(p);
    LLVMValueRef memory =
        own->frame_size ? below(p, entry, number(p, CALL_COST + own->frame_size), MAX(own->frame_align, 16))
                        : LLVMBuildSub(p->builder, entry, number(p, CALL_COST), "");
    LLVMValueRef first = LLVMBuildStore(p->builder, memory, p->stack);
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
         block = LLVMGetNextBasicBlock(block))
        for (LLVMValueRef i = LLVMGetFirstInstruction(block), next; i; i = next) {
            next = LLVMGetNextInstruction(i);
            uint64_t *offset;
            switch (LLVMGetInstructionOpcode(i)) {
            case LLVMAlloca:
                if (i == slot) break;
                offset = map_get(&p->front->local_offsets, (uintptr_t)i);
                if (!offset) {
                    place_dynamic(p, i);
                    break;
                }
                LLVMPositionBuilderBefore(p->builder, LLVMGetNextInstruction(first));
                replace(i, LLVMBuildIntToPtr(p->builder,
                                             LLVMBuildAdd(p->builder, memory, number(p, *offset - 1), ""),
                                             p->pointer, ""));
                break;
            case LLVMCall: place_call(p, i, slot); break;
            case LLVMRet:
                LLVMPositionBuilderBefore(p->builder, i);
                LLVMBuildStore(p->builder, entry, p->stack);
                break;
            default: break;
            }
        }
}

// ---- functions: for each one that is called or whose address is taken, a jump to it is placed at its IR address

// Whether a use must refer to the function itself, not to the jump: addresses of its labels, aliases.
static bool needs_itself(LLVMValueRef function) {
    for (LLVMUseRef use = LLVMGetFirstUse(function); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (LLVMIsABlockAddress(user) || LLVMIsAGlobalAlias(user) || LLVMIsAGlobalIFunc(user)) return true;
    }
    return false;
}

static void place_function(struct placing *p, LLVMValueRef function, uint32_t index) {
    LLVMLinkage linkage = LLVMGetLinkage(function);
    if (linkage == LLVMAvailableExternallyLinkage || index >= MOST_JUMPS || needs_itself(function)) return;
    char name[40];
    if (linkage == LLVMInternalLinkage || linkage == LLVMPrivateLinkage) {
        snprintf(name, sizeof name, "__tamar_body.%u", index);
        LLVMSetValueName2(function, name, strlen(name));
        LLVMSetLinkage(function, LLVMExternalLinkage);
    }
    size_t length;
    const char *body = LLVMGetValueName2(function, &length);
    if (strpbrk(body, "\"\\\n")) return;
    snprintf(name, sizeof name, "__tamar_entry.%u", index);
    LLVMValueRef entry = LLVMAddFunction(p->module, name, LLVMGlobalGetValueType(function));
    LLVMSetFunctionCallConv(entry, LLVMGetFunctionCallConv(function));
    LLVMReplaceAllUsesWith(function, entry);
    text_add(&p->entries, ".org %u\n.globl %s\n%s: jmp \"%s\"\n", 16 * index, name, name, body);
}

static void place_functions(struct placing *p) {
    const struct ir_program *program = p->front->program;
    LLVMValueRef *by_index = NEW_ARRAY(LLVMValueRef, program->function_count + 1);
    for (LLVMValueRef one = LLVMGetFirstFunction(p->module); one; one = LLVMGetNextFunction(one)) {
        uint64_t *index = map_get(&p->front->functions, (uintptr_t)one);
        if (index && !LLVMIsDeclaration(one)) by_index[*index - 1] = one;
    }
    text_add(&p->entries, ".section .tamar.code,\"ax\",@progbits\n");
    for (uint32_t i = 0; i < program->function_count; i++) {
        if (!by_index[i]) continue;
        place_locals(p, by_index[i], &program->functions[i]);
        place_function(p, by_index[i], i);
    }
    text_add(&p->entries, ".text\n");
    LLVMAppendModuleInlineAsm(p->module, p->entries.at, p->entries.count);
    DELETE_ARRAY(by_index, program->function_count + 1);
}

void place_program(struct front *front, LLVMModuleRef module) {
    struct placing p = {
        .front = front, .module = module, .builder = LLVMCreateBuilderInContext(front->context)};
    p.returns_twice = LLVMGetEnumAttributeKindForName("returns_twice", strlen("returns_twice"));
    p.word = LLVMInt64TypeInContext(front->context);
    p.pointer = LLVMPointerTypeInContext(front->context, 0);
    p.stack = LLVMAddGlobal(module, p.word, STACK_NAME);
    LLVMSetInitializer(p.stack, number(&p, 0));
    place_variables(&p);
    place_functions(&p);
    text_free(&p.entries);
    LLVMDisposeBuilder(p.builder);
}

void front_link_script(const struct ir_program *program, struct text *to) {
    uint64_t ends[2] = {program->readonly_end, program->data_end}, at = IR_DATA_BASE;
    uint32_t next = 0;
    text_add(to, "SECTIONS {\n.tamar.code 0x%x : { KEEP(*(.tamar.code)) }\n", IR_CODE_BASE);
    for (int part = 0; part < 2 && program->data_end - IR_DATA_BASE <= MOST_PLACED; at = ends[part++]) {
        text_add(to, ".tamar.%s 0x%llx : {\n", part ? "data" : "constant", (unsigned long long)at);
        for (; next < program->first_thread_local && program->globals[next].address < ends[part]; next++) {
            const struct ir_global *global = &program->globals[next];
            if (global->runtime) continue;
            text_add(to, ". = 0x%llx; KEEP(*(.tamar.%llx))\n", (unsigned long long)global->address,
                     (unsigned long long)global->address);
        }
        text_add(to, "}\n");
    }
    text_add(to, "}\nINSERT AFTER .bss;\n");
}
