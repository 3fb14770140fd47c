// The option that says which layers of the solver are asked (docs/solver.md).
#ifndef TAMAR_CLI_LAYERS_H
#define TAMAR_CLI_LAYERS_H

#include "solver/solver.h"

// The names of the layers, from their table; the separator in front of the first one is skipped.
#define LAYER_BAR(name, what)   "|" #name
#define LAYER_COMMA(name, what) "," #name
#define LAYER_CHOICES           (SOLVER_LAYERS(LAYER_BAR)) + 1
#define LAYER_DEFAULTS          (SOLVER_LAYERS(LAYER_COMMA)) + 1

static inline void layers_apply(struct solver_options *to, uint64_t layers) {
    unsigned bit = 0;
#define X(name, what) to->name = layers >> bit++ & 1;
    SOLVER_LAYERS(X)
#undef X
}

#endif
