#include "base/counters.h"

#define LAYER_NEEDS_ANY    false
#define LAYER_NEEDS_FLOATS true

const struct layer_facts layer_facts[LAYER_COUNT] = {
#define LAYER(number, text, in_group, terms, what)                                                           \
    [LAYER_##number] = {.name = #text, .group = LAYER_GROUP_##in_group, .floats_only = LAYER_NEEDS_##terms},
    LAYER_TABLE(LAYER)
#undef LAYER
};

const struct layer_group_facts layer_group_facts[LAYER_GROUP_COUNT] = {
#define GROUP(number, text, shown) [LAYER_GROUP_##number] = {.name = #text, .in_summary = (shown)},
    LAYER_GROUP_TABLE(GROUP)
#undef GROUP
};

uint64_t counters_answered(const struct solver_counters *counters, enum layer_group group) {
    assert(group < LAYER_GROUP_COUNT);
    uint64_t answered = 0;
    for (unsigned i = 0; i < LAYER_COUNT; i++)
        if (layer_facts[i].group == group) answered += counters->layers[i].answered;
    return answered;
}
