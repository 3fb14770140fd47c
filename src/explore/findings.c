// Bugs: operations of user code that fail in one way (ir/operation.h). Each call stack on which the operation fails
// is an occurrence. Occurrences are identified by hashes, so that a checkpoint can list them.
#include "explore/explore_int.h"
#include "explore/render.h"

#define MOST_TESTS 8u // tests of one bug, unless every path becomes a test

// ---- identity

// Hashes the call stack from the site in user code outward. Library frames that it called are not hashed.
static uint64_t hash_stack(struct explore *explore, uint32_t user_site, uint64_t seed, uint32_t *frames) {
    uint64_t hash = seed;
    *frames = 0;
    for (uint32_t number = user_site; number; ++*frames) {
        struct site site = site_get(vm_sites(explore->vm), number);
        hash = hash_combine(hash_combine(hash, site.function), site.instruction);
        number = site.caller;
    }
    return hash & INT64_MAX;
}

// Hashes the call that entered the failing function.
static uint64_t hash_caller(struct explore *explore, uint32_t user_site, uint64_t seed) {
    uint32_t number = user_site ? site_get(vm_sites(explore->vm), user_site).caller : 0;
    struct site caller = number ? site_get(vm_sites(explore->vm), number) : (struct site){0};
    return hash_combine(hash_combine(seed, caller.function), caller.instruction) & INT64_MAX;
}

// Returns the seed of the hashes of a bug's stacks or callers: distinct for distinct bugs, equal in all explorations of
// the program.
static uint64_t seed_of(const struct found_bug *bug, bool caller) {
    const struct ir_operation *at = &bug->operation;
    uint64_t seed = hash_combine((uint64_t)bug->kind << 32 | bug->fault, (uint64_t)at->file << 32 | at->line);
    seed = hash_combine(hash_combine(seed, at->column), (uint64_t)at->function << 32 | at->ordinal);
    return hash_combine(seed, caller);
}

static struct ir_operation operation_of(const struct explore *explore, uint32_t user_site) {
    if (!user_site) return (struct ir_operation){0}; // nothing has been executed yet
    struct site site = site_get(vm_sites(explore->vm), user_site);
    return ir_operation_at(explore->program, &explore->program->functions[site.function], site.instruction);
}

struct found_bug *findings_find(struct explore *explore, enum bug_kind kind, enum bug_fault fault,
                                uint32_t site, uint32_t user_site) {
    uint64_t key = (uint64_t)user_site << 16 | kind << 8 | fault, *known = map_get(&explore->bug_sites, key);
    if (known) return &explore->bugs.at[*known];
    struct ir_operation operation = operation_of(explore, user_site);
    vec_each (struct found_bug, one, &explore->bugs)
        if (one->kind == kind && one->fault == fault && ir_operation_equal(&one->operation, &operation)) {
            *map_put(&explore->bug_sites, key) = (uint64_t)(one - explore->bugs.at);
            return one;
        }
    *map_put(&explore->bug_sites, key) = explore->bugs.count;
    vec_push(
        &explore->bugs,
        ((struct found_bug){
            .kind = kind, .fault = fault, .operation = operation, .site = site, .user_site = user_site}));
    return vec_last(&explore->bugs);
}

const char *findings_known_entry(struct explore *explore, const struct bug *bug) {
    if (!explore->options.known) return NULL;
    uint64_t user_site = vm_user_site(explore->vm, bug->site);
    uint64_t *known = map_put(&explore->known_sites, user_site << 16 | bug->kind << 8 | bug->fault);
    if (!*known) {
        struct arena *arena = arena_new();
        const struct finding *finding = render_bug(arena, explore->vm, bug, NULL);
        vec_push(&explore->known, explore->options.known(explore->options.known_context, finding));
        *known = explore->known.count;
        arena_free(arena);
    }
    return explore->known.at[*known - 1];
}

// Adds a hash to a list of the bug. Returns false if it already exists.
static bool add_hash(struct explore *explore, bug_hashes *list, uint64_t hash) {
    hash &= INT64_MAX; // the range of hash_stack; a hash read from a file may be anything
    uint64_t *known = map_put(&explore->bug_hashes, hash);
    if (*known) return false;
    *known = 1;
    vec_push(list, hash);
    return true;
}

void findings_note_target(struct explore *explore, const struct found_bug *bug) {
    if (!explore->reach || !bug->user_site) return;
    struct site site = site_get(vm_sites(explore->vm), bug->user_site);
    reach_bug(explore->reach, bug->kind, (struct ir_point){site.function, site.instruction}, bug->test);
}

bool findings_note_occurrence(struct explore *explore, struct found_bug *bug, const struct occurrence *at,
                              bool *wanted) {
    if (!add_hash(explore, &bug->stacks, at->stack)) return false;
    bool other = add_hash(explore, &bug->callers, at->caller);
    bool shorter = !bug->test || at->frames < bug->frames;
    *wanted |= (shorter || other) && bug->tests < MOST_TESTS;
    if (!*wanted) return false;
    bug->tests++;
    if (shorter) bug->frames = at->frames;
    return shorter;
}

uint32_t findings_note_bug(struct explore *explore, const struct bug *bug, uint32_t test, bool *wanted) {
    uint32_t user_site = vm_user_site(explore->vm, bug->site), before;
    struct found_bug *found = findings_find(explore, bug->kind, bug->fault, bug->site, user_site);
    struct occurrence *at = &explore->occurrence;
    assert(test);
    found->paths++;
    before = found->tests;
    at->stack = hash_stack(explore, user_site, seed_of(found, false), &at->frames);
    at->caller = hash_caller(explore, user_site, seed_of(found, true));
    if (findings_note_occurrence(explore, found, at, wanted)) {
        found->site = bug->site;
        found->user_site = user_site;
        found->test = test;
    }
    if (found->tests > before) findings_note_target(explore, found);
    return (uint32_t)(found - explore->bugs.at) + 1;
}

// ---- bugs of an earlier run

static void restore_hashes(struct explore *explore, bug_hashes *list, const uint32_t *words, uint32_t count) {
    for (uint32_t i = 0; i + 1 < count; i += 2)
        add_hash(explore, list, words[i] | (uint64_t)words[i + 1] << 32);
}

void findings_add_hashes(struct explore *explore, struct found_bug *bug, const struct engine_bug *found) {
    restore_hashes(explore, &bug->stacks, found->stacks, found->stack_words);
    restore_hashes(explore, &bug->callers, found->callers, found->caller_words);
}

void findings_restore_bug(struct explore *explore, const struct engine_bug *found, uint32_t site) {
    uint32_t user_site = vm_user_site(explore->vm, site);
    vec_push(&explore->bugs, ((struct found_bug){.kind = bug_kind_by_name(found->kind),
                                                 .fault = bug_fault_by_name(found->fault),
                                                 .operation = operation_of(explore, user_site),
                                                 .site = site,
                                                 .user_site = user_site,
                                                 .test = found->test,
                                                 .tests = found->tests,
                                                 .paths = found->paths}));
    struct found_bug *bug = vec_last(&explore->bugs);
    hash_stack(explore, user_site, 0, &bug->frames);
    findings_add_hashes(explore, bug, found);
}

void findings_free(struct explore *explore) {
    vec_each (struct found_bug, bug, &explore->bugs) {
        vec_free(&bug->stacks);
        vec_free(&bug->callers);
    }
    vec_free(&explore->bugs);
    map_free(&explore->bug_sites);
    map_free(&explore->bug_hashes);
    map_free(&explore->known_sites);
    vec_free(&explore->known);
}

// ---- findings

// Changes the fingerprint if another finding has the same one: fingerprints name reports. Bugs in files of the same
// name in different folders can have equal fingerprints.
static void make_unique(const struct explore *explore, struct finding *finding) {
    for (uint32_t i = 0; i < explore->findings.count;) {
        const struct finding *other = &explore->findings.at[i];
        bool same = other->number != finding->number && other->hash == finding->hash;
        if (same) finding->hash = hash_combine(finding->hash, 1);
        i = same ? 0 : i + 1;
    }
}

static struct finding *keep_finding(struct explore *explore, const struct finding *finding) {
    struct finding copy = {0};
    layout_copy(&layout_finding, explore->texts, finding, &copy);
    if (copy.number > explore->findings.count) {
        assert(copy.number == explore->findings.count + 1);
        vec_push(&explore->findings, copy);
    } else {
        explore->findings.at[copy.number - 1] = copy;
    }
    return &explore->findings.at[copy.number - 1];
}

void findings_put(struct explore *explore, struct finding *finding) {
    make_unique(explore, finding);
    tell(explore, MESSAGE_FINDING, keep_finding(explore, finding));
}

void findings_report(struct explore *explore, uint32_t number, const struct state *state,
                     const struct bug *bug, const struct test_case *test) {
    const struct found_bug *found = &explore->bugs.at[number - 1];
    if (!explore->options.findings || found->test != test->number) return;
    struct arena *arena = arena_new();
    struct finding *finding = render_bug(arena, explore->vm, bug, state);
    finding->number = number;
    finding->test = test->number;
    finding->paths = found->paths;
    finding->occurrences = found->stacks.count;
    finding->ignored = findings_known_entry(explore, bug);
    finding->events = test->events;
    finding->event_count = test->event_count;
    if (state->path)
        render_inputs(arena, explore->solver, explore->terms, vm_inputs(explore->vm), state->path, test,
                      finding);
    findings_put(explore, finding);
    arena_free(arena);
}

void findings_restore(struct explore *explore, const struct finding *finding) {
    if (finding->number) keep_finding(explore, finding);
}
