#include "state/site.h"

#include "base/hash.h"
#include "base/vec.h"

struct sites {
    vec(struct site) all; // [0] is unused
    struct map by_hash;   // hash of a site, perturbed on collision, to its number
};

struct sites *sites_new(void) {
    struct sites *sites = NEW(struct sites);
    vec_push(&sites->all, (struct site){0});
    return sites;
}

void sites_free(struct sites *sites) {
    vec_free(&sites->all);
    map_free(&sites->by_hash);
    DELETE(sites);
}

uint32_t site_intern(struct sites *sites, struct site site) {
    uint64_t hash = hash_combine(hash_combine(site.caller, site.function), site.instruction);
    for (;; hash++) {
        if (hash == UINT64_MAX) continue;
        uint64_t *number = map_put(&sites->by_hash, hash);
        if (!*number) {
            *number = sites->all.count;
            vec_push(&sites->all, site);
            return (uint32_t)*number;
        }
        struct site known = sites->all.at[*number];
        if (known.caller == site.caller && known.function == site.function &&
            known.instruction == site.instruction)
            return (uint32_t)*number;
    }
}

struct site site_get(const struct sites *sites, uint32_t number) {
    assert(number < sites->all.count);
    return sites->all.at[number];
}
