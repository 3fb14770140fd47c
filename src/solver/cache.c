// Earlier answers, in memory: the same query with renamed inputs, a query that contains a known core, and recent
// models that happen to satisfy the query.
#include "solver/cache_int.h"

#include "solver/shared.h"

// Limits: named queries; cores, conditions of a core; buckets of recent models, models per bucket.
// A full table of queries or cores is cleared.
#define MOST_NAMES   NORMAL_OR_HOSTILE(1u << 20, 16u)
#define MOST_CORES   NORMAL_OR_HOSTILE(1u << 16, 8u)
#define LARGEST_CORE 64u
#define BUCKETS      64u
#define RECENT       4u

// An answer: NO, or YES with a value for each var in canonical order.
struct cache_entry {
    struct digest name;
    uint32_t next; // number of the next entry with the same key in `names`, plus 1
    enum answer answer;
    uint32_t first, count; // range in `bytes`
};

struct core {
    uint32_t next;         // number of the next core watched by the same condition, plus 1
    uint32_t first, count; // range in `core_terms`
};

struct query_cache {
    struct solver *solver;
    struct canonical *canonical;
    struct map names; // digest.a >> 1 -> number of the newest in `entry`, plus 1
    vec(struct cache_entry) entry;
    vec(uint8_t) bytes;
    struct map watched; // Term -> number of the newest in `core`, plus 1
    vec(struct core) core;
    vec(Term) core_terms;
    struct map in_query; // the conditions of the current query
    struct model *recent[BUCKETS][RECENT];
    unsigned next_recent[BUCKETS];
    struct digest name; // name of the current query
    var_list order;
    bool has_name;
    bool has_content; // something was learned since the start
};

static void forget_names(struct query_cache *cache) {
    map_clear(&cache->names);
    vec_clear(&cache->entry);
    vec_clear(&cache->bytes);
}

static void forget_cores(struct terms *terms, void *context) {
    struct query_cache *cache = context;
    map_clear(&cache->watched);
    vec_clear(&cache->core);
    vec_clear(&cache->core_terms);
}

struct query_cache *cache_new(struct solver *solver) {
    struct query_cache *cache = NEW(struct query_cache);
    cache->solver = solver;
    cache->canonical = canonical_new(solver->terms);
    terms_on_collect(solver->terms, forget_cores, cache);
    return cache;
}

void cache_free(struct query_cache *cache) {
    if (!cache) return;
    terms_off_collect(cache->solver->terms, forget_cores, cache);
    canonical_free(cache->canonical);
    map_free(&cache->names);
    vec_free(&cache->entry);
    vec_free(&cache->bytes);
    map_free(&cache->watched);
    vec_free(&cache->core);
    vec_free(&cache->core_terms);
    map_free(&cache->in_query);
    vec_free(&cache->order);
    for (unsigned i = 0; i < BUCKETS; i++)
        for (unsigned k = 0; k < RECENT; k++) model_release(cache->recent[i][k]);
    DELETE(cache);
}

// Looking up

static const struct cache_entry *find(const struct query_cache *cache, const struct digest *name) {
    uint64_t *head = map_get(&cache->names, name->a >> 1);
    for (uint32_t e = head ? (uint32_t)*head : 0; e; e = cache->entry.at[e - 1].next) {
        const struct cache_entry *entry = &cache->entry.at[e - 1];
        if (entry->name.a == name->a && entry->name.b == name->b) return entry;
    }
    return NULL;
}

bool cache_take(struct query *query, const uint8_t *bytes, uint32_t count) {
    struct query_cache *cache = query->solver->cache;
    assert(cache->has_name);
    if (count != cache->order.count) return false;
    memcpy(query->found.at, query->start.at, query->start.count);
    for (uint32_t i = 0; i < count; i++)
        query->found.at[query_position(query, cache->order.at[i])] = bytes[i];
    return query_holds(query);
}

static bool has_refuted_part(struct query_cache *cache, struct query *query) {
    if (!cache->core.count) return false;
    map_clear(&cache->in_query);
    vec_each (Term, condition, &query->conditions) *map_put(&cache->in_query, *condition) = 1;
    vec_each (Term, condition, &query->conditions) {
        uint64_t *head = map_get(&cache->watched, *condition);
        for (uint32_t c = head ? (uint32_t)*head : 0; c; c = cache->core.at[c - 1].next) {
            const struct core *core = &cache->core.at[c - 1];
            uint32_t have = 0;
            assert(core->count > 0 && core->first + core->count <= cache->core_terms.count);
            while (have < core->count && map_get(&cache->in_query, cache->core_terms.at[core->first + have]))
                have++;
            if (have == core->count) return true;
        }
    }
    return false;
}

static unsigned place_of(struct query_cache *cache, Term condition) {
    VarSet support = term_support(cache->solver->terms, condition);
    assert(support);
    return (unsigned)(hash_u64(varset_next(cache->solver->terms, support, 0)) % BUCKETS);
}

static bool recent_model_holds(struct query_cache *cache, struct query *query) {
    unsigned place = place_of(cache, query->conditions.at[0]);
    for (unsigned i = 0; i < RECENT && !query->has_arrays; i++) {
        const struct model *model = cache->recent[place][i];
        if (!model) continue;
        query_take_model(query, model);
        if (query_holds(query)) return true;
    }
    return false;
}

enum answer solver_layer_cache(struct query *query) {
    struct query_cache *cache = query->solver->cache;
    if (has_refuted_part(cache, query)) return ANSWER_NO;
    if (recent_model_holds(cache, query)) return ANSWER_YES;
    const struct cache_entry *entry = cache_name(query) ? find(cache, &cache->name) : NULL;
    if (!entry) return ANSWER_UNKNOWN;
    assert(entry->answer != ANSWER_UNKNOWN && entry->first + entry->count <= cache->bytes.count);
    if (entry->answer == ANSWER_NO) return ANSWER_NO;
    return cache_take(query, &cache->bytes.at[entry->first], entry->count) ? ANSWER_YES : ANSWER_UNKNOWN;
}

bool cache_is_empty(const struct query_cache *cache) { return !cache->has_content; }

const struct digest *cache_name(struct query *query) {
    struct query_cache *cache = query->solver->cache;
    uint64_t before = canonical_visits(cache->canonical);
    bool is_dear = query->solver->effort < EFFORT_FULL && query->conditions.count > MOST_NAMED;
    cache->has_name = !query->has_arrays && !is_dear &&
                      canonical_name(cache->canonical, query->conditions.at, query->conditions.count,
                                     &cache->name, &cache->order);
    query->solver->work += WORK_NAME * (canonical_visits(cache->canonical) - before);
    assert(!cache->has_name || cache->order.count <= query->vars.count);
    return cache->has_name ? &cache->name : NULL;
}

const struct digest *cache_last_name(const struct query *query) {
    const struct query_cache *cache = query->solver->cache;
    assert(query->solver->options.cache);
    return cache->has_name ? &cache->name : NULL;
}

// Learning

static void remember(struct query_cache *cache, struct query *query, enum answer answer) {
    assert(cache->has_name);
    if (cache->entry.count >= MOST_NAMES) forget_names(cache);
    cache->has_content = true;
    struct cache_entry entry = {.name = cache->name, .answer = answer, .first = cache->bytes.count};
    if (answer == ANSWER_YES) {
        entry.count = cache->order.count;
        vec_each (uint32_t, var, &cache->order)
            vec_push(&cache->bytes, query->found.at[query_position(query, *var)]);
    }
    uint64_t *head = map_put(&cache->names, cache->name.a >> 1);
    entry.next = (uint32_t)*head;
    vec_push(&cache->entry, entry);
    *head = cache->entry.count;
}

static void remember_core(struct query_cache *cache, struct query *query, const Term *terms, uint32_t count) {
    if (!count || count > LARGEST_CORE) return;
    cache->has_content = true;
    if (cache->core.count >= MOST_CORES) forget_cores(NULL, cache);
    // Watches the new condition, the rarest one, if the core has it; else the last one.
    Term watch = terms[count - 1];
    for (uint32_t i = 0; i < count; i++)
        if (terms[i] == query->condition) watch = terms[i];
    uint64_t *head = map_put(&cache->watched, watch);
    struct core core = {.next = (uint32_t)*head, .first = cache->core_terms.count, .count = count};
    for (uint32_t i = 0; i < count; i++) vec_push(&cache->core_terms, terms[i]);
    vec_push(&cache->core, core);
    *head = cache->core.count;
}

static void remember_model(struct query_cache *cache, struct query *query) {
    unsigned place = place_of(cache, query->conditions.at[0]);
    struct model **slot = &cache->recent[place][cache->next_recent[place]++ % RECENT];
    model_release(*slot);
    *slot = query_model(query);
    cache->has_content = true;
}

void cache_keep_model(struct query *query) {
    if (!query->has_arrays) remember_model(query->solver->cache, query);
}

struct shared_answers *cache_shared(const struct solver *solver) {
    return solver->options.disk ? solver->options.shared : NULL;
}

static void share(const struct query_cache *cache, struct query *query, enum answer answer) {
    assert(cache->has_name);
    struct shared_answer shared = {.name = cache->name, .refuted = answer == ANSWER_NO};
    if (answer == ANSWER_YES) {
        if (cache->order.count > SHARED_MODEL) return;
        vec_each (uint32_t, var, &cache->order)
            shared.model[shared.size++] = query->found.at[query_position(query, *var)];
    }
    shared_add(query->solver->options.shared, &shared);
}

void cache_learn(struct query *query, enum answer answer, const Term *core, uint32_t count) {
    struct solver *solver = query->solver;
    struct query_cache *cache = solver->cache;
    assert(solver->busy && answer != ANSWER_UNKNOWN && count <= query->conditions.count);
    solver->statistics.cores += answer == ANSWER_NO && core && count < query->conditions.count;
    if (!solver->options.cache && !solver->disk && !cache_shared(solver)) return;
    if (solver->options.cache && answer == ANSWER_NO) remember_core(cache, query, core, count);
    if (solver->options.cache && answer == ANSWER_YES && !query->has_arrays) remember_model(cache, query);
    if (!cache_name(query)) return;
    if (solver->options.cache) remember(cache, query, answer);
    if (solver->disk) disk_learn(query, answer);
    if (cache_shared(solver)) share(cache, query, answer);
}

const var_list *cache_order(const struct query *query) { return &query->solver->cache->order; }
