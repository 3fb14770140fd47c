// Clang's instrumentation; private to the front end. Clang emits for one check of a sanitizer:
//
//       %ok = ...                                          instructions marked !nosanitize
//       br i1 %ok, label %cont, label %handler
//     handler:
//       call void @__ubsan_handle_X(ptr @data, values...)  @data: source location and types
//       br label %cont
//     cont:
//
// instrumented_strip removes this for checks that are not wanted, so that the code is as without instrumentation. It
// runs before the bitcode is saved, so that the saved program has the checks of its run. instrumented_rewrite replaces
// each other check by one call, which is lowered to HOLDS, or for a subscript to BELOW. This adds no branch, block or
// edge to the program. Both functions are declared in front_int.h.
#ifndef TAMAR_FRONT_INSTRUMENTED_H
#define TAMAR_FRONT_INSTRUMENTED_H

#include "base/sanitizers.h"
#include "front/front_int.h"

// The meaning of one call of a handler (sanitizer_data.c).
struct handler {
    LLVMValueRef call;
    // The conjuncts of the condition, each with its sanitizer.
    struct handler_part {
        enum sanitizer sanitizer;
        LLVMValueRef condition;
    } parts[4];
    unsigned part_count;
    bool never_returns;
};

// The name of a handler after "__ubsan_handle_". NULL: the function is not a handler.
const char *sanitizer_handler_name(LLVMValueRef function);
// Reads a call of a handler. Returns false for a check that Tamar does not support.
bool sanitizer_handler_read(struct handler *handler, LLVMValueRef call, LLVMValueRef condition);
// Adds the check of the IR and returns its index in front->checks. values[i]: a value of up to 64 bits that the report
// shows, or NULL.
uint32_t sanitizer_handler_check(struct front *front, const struct handler *handler, LLVMValueRef values[2]);

// The test of a subscript: index < bound, for the index in its own width (subscript.c).
struct subscript {
    LLVMValueRef index;
    uint64_t bound; // at most INT32_MAX
};
// Reads the condition. Returns false if it has another form.
bool subscript_read(struct subscript *subscript, LLVMValueRef condition);
// Whether the subscript is used for an access. Clang tests index <= n where the address just past the end is allowed
// (&a[n], a + n), and also for a[i]++. `next`: the block in which the address is computed.
bool subscript_is_access(LLVMValueRef condition, LLVMBasicBlockRef next);
// The variable that the subscripted array is, and the type of its elements. NULL: the array is only a part of a
// variable, or unknown.
LLVMValueRef subscript_object(LLVMValueRef index, LLVMBasicBlockRef next, LLVMTypeRef *element);

bool sweep_is_instrumentation(LLVMValueRef instruction); // whether it is marked !nosanitize
// Marks a value that replaces the instrumentation `like`.
void sweep_mark_instrumentation(LLVMValueRef value, LLVMValueRef like);
// Removes instructions of instrumentation that have become unused from a function (sweep.c).
void sweep_function(LLVMValueRef function, LLVMBuilderRef builder);
// Whether the program uses the value, not only its instrumentation.
bool sweep_is_used_by_program(LLVMValueRef value);
void sweep_replace_terminator(LLVMBuilderRef builder, LLVMValueRef terminator, LLVMBasicBlockRef target);
bool sweep_has_phis(LLVMBasicBlockRef block);

#endif
