#include "ir/ir.h"
const char *ir_verify(const struct ir_program *program) { return program->functions ? NULL : "no functions"; }
