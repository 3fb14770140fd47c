#include "ir/ir.h"

#define TWO_WORDS(format)                                                                                    \
    ((format) == IR_FORMAT_INT || (format) == IR_FORMAT_FLOAT || (format) == IR_FORMAT_SELECT ||             \
     (format) == IR_FORMAT_PARTS || (format) == IR_FORMAT_HOLDS ||                                           \
     ((format) >= IR_FORMAT_BR && (format) <= IR_FORMAT_BRJ))
#define TERMINATOR(format) ((format) >= IR_FORMAT_JMP && (format) <= IR_FORMAT_END)

const struct ir_op_info ir_op_info[IR_OP_COUNT] = {
#define OP(name, format, fn, width)                                                                          \
    [IR_##name] = {#name,                                                                                    \
                   IR_FORMAT_##format,                                                                       \
                   IR_FN_##fn,                                                                               \
                   width,                                                                                    \
                   TWO_WORDS(IR_FORMAT_##format) ? 2 : 1,                                                    \
                   TERMINATOR(IR_FORMAT_##format)},
    IR_OP_TABLE(OP)
#undef OP
};

const struct ir_fn_info ir_fn_info[IR_FN_COUNT] = {[IR_FN_NONE] = {"NONE", 0, 0},
#define INT(name, arity, result) [IR_FN_##name] = {#name, arity, #result[0]},
                                                   IR_INT_TABLE(INT)
#undef INT
#define FLOAT(name, arity) [IR_FN_##name] = {#name, arity, 'F'},
                                                       IR_FLOAT_TABLE(FLOAT)
#undef FLOAT
};
