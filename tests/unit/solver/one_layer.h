// A solver with a single layer, and 16 input bytes.
#ifndef TAMAR_TEST_ONE_LAYER_H
#define TAMAR_TEST_ONE_LAYER_H

#include "base/layers.h"
#include "solver/solver.h"

struct fixture {
    struct terms *terms;
    struct solver *solver;
    uint32_t input;
};

static inline struct solver_options no_layers(void) {
    struct solver_options options = solver_defaults;
#define LAYER(number, name, ...) options.name = false;
    LAYER_TABLE(LAYER)
#undef LAYER
    return options;
}

static inline void open_with(struct fixture *f, struct solver_options options) {
    f->terms = terms_new();
    f->solver = solver_new(f->terms, &options);
    f->input = terms_input(f->terms, "input", 16);
}

static inline void close_it(struct fixture *f) {
    solver_free(f->solver);
    terms_free(f->terms);
}

#endif
