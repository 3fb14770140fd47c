// The functions of the runtime that the VM implements and that have no body. Their table is runtime/boundary.h.
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

// How control continues after a call of an intrinsic.
enum ir_flow { IR_FLOW_RETURNS, IR_FLOW_ENDS, IR_FLOW_SETJMP, IR_FLOW_LONGJMP, IR_FLOW_CALLS };

struct ir_intrinsic_facts {
    const char *name; // without INTRINSIC_PREFIX
    uint32_t argument_count;
    bool takes_terms;
    enum ir_flow flow;
};
extern const struct ir_intrinsic_facts ir_intrinsic_facts[IR_INTRINSIC_COUNT];

#define IR_INTRINSIC_MOST_ARGUMENTS 5

// The intrinsic of a function. IR_INTRINSIC_COUNT: it has a body, or is not an intrinsic.
enum ir_intrinsic ir_intrinsic_of(const struct ir_function *function);

#endif
