// The layers of the solver, in the order in which they are queried: LAYER(NAME, name, GROUP, terms, meaning).
//
//   name     name in --layers, in statistics and in run.db
//   GROUP    group under which summary.json counts its answers
//   terms    FLOATS: queried only if float terms exist, so that other programs do not pay for it;
//            ANY: also in programs without floats
#ifndef TAMAR_BASE_LAYERS_H
#define TAMAR_BASE_LAYERS_H

#include "base/base.h"

// clang-format off
#define LAYER_TABLE(LAYER)                                                                                             \
    LAYER(MODEL,     model,     MODEL,  ANY,    "the path condition's model, evaluated")                               \
    LAYER(DOMAIN,    domain,    DOMAIN, ANY,    "exact sets of values of single bytes")                                \
    LAYER(RANGE,     range,     DOMAIN, ANY,    "known bits and ranges under these sets")                              \
    LAYER(ORDER,     order,     DOMAIN, ANY,    "cycles of comparisons")                                               \
    LAYER(INTERVAL,  interval,  DOMAIN, FLOATS, "floats: interval propagation, then values in the intervals")          \
    LAYER(MOVE,      move,      MODEL,  ANY,    "the model with one byte changed")                                     \
    LAYER(ENUMERATE, enumerate, DOMAIN, ANY,    "all values of a few bytes")                                           \
    LAYER(CACHE,     cache,     CACHE,  ANY,    "earlier answers to the same or a similar query")                      \
    LAYER(DISK,      disk,      CACHE,  ANY,    "answers of earlier runs and of other workers")                        \
    LAYER(EQUATE,    equate,    DOMAIN, ANY,    "inputs that must be equal, substituted for each other")               \
    LAYER(PARITY,    parity,    DOMAIN, ANY,    "linear equations over GF(2), as CRCs yield them")                     \
    LAYER(SCAN,      scan,      DOMAIN, ANY,    "bytes in input order, one search for each prefix state")              \
    LAYER(CLASSES,   classes,   DOMAIN, ANY,    "all combinations of classes of equivalent values of a few bytes")     \
    LAYER(SEARCH,    search,    SEARCH, FLOATS, "floats: local search")                                                \
    LAYER(ABSTRACT,  abstract,  SAT,    ANY,    "SAT, with products and quotients as variables")                       \
    LAYER(SAT,       sat,       SAT,    ANY,    "SAT: gates and clauses")                                              \
    LAYER(SEARCH2,   search2,   SEARCH, FLOATS, "floats: the local search again, with a larger budget")                \
    LAYER(SAT2,      sat2,      SAT,    FLOATS, "floats: SAT again, with the full conflict limit")                     \
    LAYER(Z3,        z3,        Z3,     ANY,    "Z3")

// GROUP(NAME, name, in "queries" of summary.json?)
#define LAYER_GROUP_TABLE(GROUP) \
    GROUP(MODEL,  model,  true)  \
    GROUP(DOMAIN, domain, true)  \
    GROUP(CACHE,  cache,  true)  \
    GROUP(SAT,    sat,    true)  \
    GROUP(Z3,     z3,     true)  \
    GROUP(SEARCH, search, false)
// clang-format on

enum layer {
#define LAYER(name, ...) LAYER_##name,
    LAYER_TABLE(LAYER)
#undef LAYER
        LAYER_COUNT
};

enum layer_group {
#define GROUP(name, text, shown) LAYER_GROUP_##name,
    LAYER_GROUP_TABLE(GROUP)
#undef GROUP
        LAYER_GROUP_COUNT
};

struct layer_facts {
    const char *name;
    enum layer_group group;
    bool floats_only;
};
extern const struct layer_facts layer_facts[LAYER_COUNT];

struct layer_group_facts {
    const char *name;
    bool in_summary;
};
extern const struct layer_group_facts layer_group_facts[LAYER_GROUP_COUNT];

// For option tables: all layers as "model|domain|..." and as "model,domain,...". The leading separator is skipped.
#define LAYER_BAR(name, text, ...)   "|" #text
#define LAYER_COMMA(name, text, ...) "," #text
#define LAYER_CHOICES                (LAYER_TABLE(LAYER_BAR)) + 1
#define LAYER_DEFAULTS               (LAYER_TABLE(LAYER_COMMA)) + 1

#endif
