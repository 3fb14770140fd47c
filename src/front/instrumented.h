// Inside the front end: clang's instrumentation. What clang emits for one check of a sanitizer is
//
//       %ok = ...                                          instructions marked !nosanitize
//       br i1 %ok, label %cont, label %handler
//     handler:
//       call void @__ubsan_handle_X(ptr @data, values...)  @data: place and types
//       br label %cont
//     cont:
//
// checks_strip removes those of checks that are not wanted, so that the code is what it would be without them. It runs before
// the program is kept, so that a kept program has those of its run. checks_rewrite makes one call of the others, which is
// lowered to HOLDS: no branch, no block, no edge of the program's is added.
#ifndef TAMAR_FRONT_INSTRUMENTED_H
#define TAMAR_FRONT_INSTRUMENTED_H

#include "base/sanitizers.h"
#include "front/front_int.h"

// The meaning of one call of a handler (sanitizer_data.c).
struct handler {
    LLVMValueRef call;
    // The condition is a conjunction: its parts and the sanitizers that they belong to.
    struct handler_part {
        enum sanitizer sanitizer;
        LLVMValueRef condition;
    } parts[4];
    unsigned part_count;
    bool never_returns;
};

// The name of a handler after "__ubsan_handle_", or NULL when the function is none.
const char *handler_name(LLVMValueRef function);
// False: a check that Tamar does not have.
bool handler_read(struct handler *handler, LLVMValueRef call, LLVMValueRef condition);
// The check of the program form that reports it: its index in front->checks. values[i]: NULL, or a value of up to 64 bits that
// the report shows.
uint32_t handler_check(struct front *front, const struct handler *handler, LLVMValueRef values[2]);

// A subscript's test: index < bound, for the index in its own width (subscript.c). False: of another form.
struct subscript {
    LLVMValueRef index;
    uint64_t bound; // of 31 bits
};
bool subscript_read(struct subscript *subscript, LLVMValueRef condition);
// Is something accessed there? Clang lets the address just past the end be computed (&a[n], a + n), and so tests these
// otherwise, as well as a[i]++. `next`: the block in which the address is computed.
bool subscript_is_access(LLVMValueRef condition, LLVMBasicBlockRef next);
// The variable that the array is all of, and the type of its elements; NULL: a part of one, or not known.
LLVMValueRef subscript_object(LLVMValueRef index, LLVMBasicBlockRef next, LLVMTypeRef *element);

bool is_instrumentation(LLVMValueRef instruction); // marked !nosanitize
// Marks a value that takes the place of instrumentation.
void mark_instrumentation(LLVMValueRef value, LLVMValueRef like);
// Sweeps what instrumentation has computed and nothing uses any more out of a function (sweep.c).
void sweep_function(LLVMValueRef function, LLVMBuilderRef builder);
// Does the program use the value, or only its instrumentation?
bool is_used_by_program(LLVMValueRef value);
void replace_terminator(LLVMBuilderRef builder, LLVMValueRef terminator, LLVMBasicBlockRef target);
bool has_phis(LLVMBasicBlockRef block);

#endif
