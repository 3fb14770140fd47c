#include "transform/slice.h"

#include "base/alloc.h"
#include "base/hash.h"
#include "base/vec.h"
#include "front/strip.h"
#include "transform/module.h"
#include "transform/slice_graph.h"

#include <llvm-c/DebugInfo.h>

#include <fnmatch.h>
#include <string.h>

// The blocks of a function, numbered in their order: the entry is the first.
struct body {
    LLVMBasicBlockRef *blocks;
    uint32_t count;
    struct map number; // block -> its number
    vec(uint32_t) first, to;
    vec(bool) cut, fixed;
};

static void read_body(struct body *body, LLVMValueRef function) {
    body->count = LLVMCountBasicBlocks(function);
    body->blocks = NEW_ARRAY(LLVMBasicBlockRef, body->count);
    LLVMGetBasicBlocks(function, body->blocks);
    for (uint32_t i = 0; i < body->count; i++) *map_put(&body->number, (uintptr_t)body->blocks[i]) = i;
    for (uint32_t i = 0; i < body->count; i++) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(body->blocks[i]);
        LLVMOpcode opcode = LLVMGetInstructionOpcode(end);
        vec_push(&body->first, body->to.count);
        for (unsigned k = 0; k < LLVMGetNumSuccessors(end); k++) {
            vec_push(&body->to, (uint32_t)*map_get(&body->number, (uintptr_t)LLVMGetSuccessor(end, k)));
            vec_push(&body->cut, false);
            // The target of an indirect branch is given by its address, so it cannot be replaced.
            vec_push(&body->fixed, opcode != LLVMBr && opcode != LLVMSwitch);
        }
    }
    vec_push(&body->first, body->to.count);
}

static void free_body(struct body *body) {
    DELETE_ARRAY(body->blocks, body->count);
    map_free(&body->number);
    vec_free(&body->first);
    vec_free(&body->to);
    vec_free(&body->cut);
    vec_free(&body->fixed);
}

// Makes a block that returns void or zero.
static LLVMBasicBlockRef return_block(LLVMContextRef context, LLVMBuilderRef builder, LLVMValueRef function) {
    LLVMTypeRef type = LLVMGetReturnType(LLVMGlobalGetValueType(function));
    LLVMBasicBlockRef block = LLVMAppendBasicBlockInContext(context, function, "sliced");
    LLVMPositionBuilderAtEnd(builder, block);
    if (LLVMGetTypeKind(type) == LLVMVoidTypeKind)
        LLVMBuildRetVoid(builder);
    else
        LLVMBuildRet(builder, LLVMConstNull(type));
    return block;
}

// Removes one incoming edge from `from` in the phis of a block. llvm-c cannot remove it, so each phi is rebuilt.
static void drop_incoming(LLVMBuilderRef builder, LLVMBasicBlockRef block, LLVMBasicBlockRef from) {
    LLVMValueRef next;
    for (LLVMValueRef phi = LLVMGetFirstInstruction(block); phi && LLVMIsAPHINode(phi); phi = next) {
        next = LLVMGetNextInstruction(phi);
        bool dropped = false;
        LLVMPositionBuilderBefore(builder, phi);
        LLVMSetCurrentDebugLocation2(builder, LLVMInstructionGetDebugLoc(phi));
        LLVMValueRef made = LLVMBuildPhi(builder, LLVMTypeOf(phi), "");
        for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
            LLVMBasicBlockRef way = LLVMGetIncomingBlock(phi, i);
            LLVMValueRef value = LLVMGetIncomingValue(phi, i);
            if (!dropped && way == from)
                dropped = true;
            else
                LLVMAddIncoming(made, &value, &way, 1);
        }
        LLVMReplaceAllUsesWith(phi, made);
        LLVMInstructionEraseFromParent(phi);
    }
    LLVMSetCurrentDebugLocation2(builder, NULL);
}

static void apply(LLVMContextRef context, LLVMBuilderRef builder, LLVMValueRef function,
                  const struct body *body) {
    LLVMBasicBlockRef end = return_block(context, builder, function);
    for (uint32_t i = 0; i < body->count; i++) {
        LLVMValueRef last = LLVMGetBasicBlockTerminator(body->blocks[i]);
        for (uint32_t e = body->first.at[i]; e < body->first.at[i + 1]; e++) {
            if (!body->cut.at[e]) continue;
            LLVMSetSuccessor(last, e - body->first.at[i], end);
            drop_incoming(builder, body->blocks[body->to.at[e]], body->blocks[i]);
        }
    }
}

// Whether the pattern matches the path of the function's source file, or a suffix of it after a slash.
static bool is_wanted(LLVMValueRef function, const char *only) {
    LLVMMetadataRef scope = only ? LLVMGetSubprogram(function) : NULL,
                    file = scope ? LLVMDIScopeGetFile(scope) : NULL;
    if (!only) return true;
    if (!file) return false;
    unsigned length, folder_length;
    const char *name = LLVMDIFileGetFilename(file, &length),
               *folder = LLVMDIFileGetDirectory(file, &folder_length);
    struct text path = {0};
    if (length && *name != '/') text_add(&path, "%.*s/", (int)folder_length, folder);
    text_add(&path, "%.*s", (int)length, name);
    bool wanted = fnmatch(only, path.at, 0) == 0;
    for (const char *at = path.at; !wanted && (at = strchr(at, '/'));) wanted = fnmatch(only, ++at, 0) == 0;
    text_free(&path);
    return wanted;
}

void transform_slice(const struct text *bitcode, const struct slice_how *how, struct text *sliced,
                     struct slice_counts *counts) {
    LLVMContextRef context = LLVMContextCreate();
    LLVMModuleRef module = module_open(context, bitcode);
    front_strip_module(module);
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(context);
    *counts = (struct slice_counts){0};
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
        if (LLVMIsDeclaration(f) || !is_wanted(f, how->only)) continue;
        struct body body = {0};
        read_body(&body, f);
        struct slice_graph graph = {body.count, body.first.at, body.to.at, body.cut.at, body.fixed.at};
        struct slice_result result = slice_graph(&graph, how->mode, how->steps);
        if (result.cuts) apply(context, builder, f, &body);
        counts->functions++;
        counts->changed += result.cuts > 0;
        counts->edges += body.to.count;
        counts->cut += result.cuts;
        counts->out_of_steps += result.out_of_steps;
        free_body(&body);
    }
    module_write(module, sliced);
    LLVMDisposeBuilder(builder);
    LLVMDisposeModule(module);
    LLVMContextDispose(context);
}
