// Applies --layers, the set of the solver's layers that are asked (docs/solver.md).
#ifndef TAMAR_RUN_LAYER_OPTIONS_H
#define TAMAR_RUN_LAYER_OPTIONS_H

#include "solver/solver.h"

static inline void layers_apply(struct solver_options *to, uint64_t layers) {
#define LAYER(number, name, ...) to->name = layers >> LAYER_##number & 1;
    LAYER_TABLE(LAYER)
#undef LAYER
}

#endif
