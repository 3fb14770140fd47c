#include "front/front_int.h"

void assign_registers(struct lowering *l) { l->result->register_count = l->unit.count; }
