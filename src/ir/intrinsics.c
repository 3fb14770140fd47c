#include "ir/intrinsics.h"

#include <string.h>

#define TAKES_TERMS  true
#define TAKES_VALUES false

const struct ir_intrinsic_facts ir_intrinsic_facts[IR_INTRINSIC_COUNT] = {
#define INTRINSIC(text, count, symbolic, way)                                                                \
    [IR_INTRINSIC_##text] = {                                                                                \
        .name = #text, .argument_count = (count), .takes_terms = TAKES_##symbolic, .flow = IR_FLOW_##way},
    INTRINSIC_TABLE(INTRINSIC)
#undef INTRINSIC
};

#define INTRINSIC(name, count, symbolic, flow)                                                               \
    static_assert((count) <= IR_INTRINSIC_MOST_ARGUMENTS, "the VM passes no more");
INTRINSIC_TABLE(INTRINSIC)
#undef INTRINSIC

enum ir_intrinsic ir_intrinsic_of(const struct ir_function *function) {
    size_t prefix = strlen(INTRINSIC_PREFIX);
    if (function->code || strncmp(function->name, INTRINSIC_PREFIX, prefix) != 0) return IR_INTRINSIC_COUNT;
    for (unsigned i = 0; i < IR_INTRINSIC_COUNT; i++)
        if (!strcmp(function->name + prefix, ir_intrinsic_facts[i].name)) return i;
    return IR_INTRINSIC_COUNT;
}
