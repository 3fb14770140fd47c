#include "search/search_int.h"

#include <string.h>

const struct strategy_class *const strategy_classes[] = {&dfs_class, &bfs_class, &rp_class, NULL};

struct strategy *strategy_parse(const char *text, uint64_t seed, const char **error, unsigned *place) {
    for (const struct strategy_class *const *class = strategy_classes; *class; class ++)
        if (!strcmp((*class)->name, text)) return (*class)->new(seed);
    *error = *text ? "there is no strategy of this name" : "a strategy is missing";
    *place = 0;
    return NULL;
}
