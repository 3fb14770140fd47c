#include "state/site.h"

#include "base/hash.h"
#include "base/vec.h"

#define RECENT 1024 // a power of two

struct sites {
    vec(struct site) all; // [0] is unused
    struct map by_hash;   // hash of a site, perturbed on collision -> its number
    // The last site of each bucket: programs allocate repeatedly at a few sites.
    uint32_t recent[RECENT];
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

static bool same(struct site a, struct site b) {
    return a.caller == b.caller && a.function == b.function && a.instruction == b.instruction;
}

static uint32_t look_up(struct sites *sites, struct site site) {
    uint64_t hash = hash_combine(hash_combine(site.caller, site.function), site.instruction);
    for (;; hash++) {
        if (hash == UINT64_MAX) continue;
        uint64_t *number = map_put(&sites->by_hash, hash);
        if (!*number) {
            *number = sites->all.count;
            vec_push(&sites->all, site);
            return (uint32_t)*number;
        }
        if (same(sites->all.at[*number], site)) return (uint32_t)*number;
    }
}

uint32_t site_intern(struct sites *sites, struct site site) {
    assert(site.caller < sites->all.count); // a caller is interned before its callees
    uint32_t *recent =
        &sites->recent[(site.caller * 0x9e3779b1u + site.function * 31 + site.instruction) % RECENT];
    if (!*recent || !same(sites->all.at[*recent], site)) *recent = look_up(sites, site);
    return *recent;
}

struct site site_get(const struct sites *sites, uint32_t number) {
    assert(number < sites->all.count);
    return sites->all.at[number];
}

uint64_t site_hash(const struct sites *sites, uint32_t number) {
    uint64_t hash = 1;
    while (number) {
        struct site site = site_get(sites, number);
        hash = hash_combine(hash, (uint64_t)site.function << 32 | site.instruction);
        number = site.caller;
    }
    return hash;
}
