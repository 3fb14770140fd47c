// The functions of the runtime that have no body: the machine implements them. runtime/boundary.h is their table.
#ifndef TAMAR_IR_INTRINSICS_H
#define TAMAR_IR_INTRINSICS_H

#include "../runtime/boundary.h"
#include "ir/ir.h"

enum ir_intrinsic {
#define INTRINSIC(name, count, symbolic, flow) IR_INTRINSIC_##name,
    INTRINSIC_TABLE(INTRINSIC)
#undef INTRINSIC
        IR_INTRINSIC_COUNT
};

// Where control goes from a call of it.
enum ir_flow { IR_FLOW_RETURNS, IR_FLOW_ENDS, IR_FLOW_SETJMP, IR_FLOW_LONGJMP, IR_FLOW_CALLS };

struct ir_intrinsic_facts {
    const char *name; // without INTRINSIC_PREFIX
    uint32_t argument_count;
    bool takes_terms;
    enum ir_flow flow;
};
extern const struct ir_intrinsic_facts ir_intrinsic_facts[IR_INTRINSIC_COUNT];

#define IR_INTRINSIC_MOST_ARGUMENTS 5

// IR_INTRINSIC_COUNT: the function has a body, or the machine knows nothing of it.
enum ir_intrinsic ir_intrinsic_of(const struct ir_function *function);

#endif
