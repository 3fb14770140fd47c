#include "run/fuzz.h"

#include "base/arena.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/file.h"
#include "base/log.h"
#include "explore/scout.h"
#include "ir/dictionary.h"
#include "native/fuzz_build.h"
#include "run/fuzz_input.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define TICK_SECONDS  0.05 // limit for concrete runs in each tick
#define SHARE_SECONDS 2.0  // between two decisions on shares
#define SHARE_STEP    20   // percent
#define LEAST_SHARE   10
#define ITEMS_KEPT    8 // kept items per candidate: enough to see whether other inputs have covered them

// An input of the fuzzer that waits for its turn to be followed.
struct candidate {
    uint8_t *bytes;
    uint32_t size, item_count, items[ITEMS_KEPT];
    uint64_t cost; // instructions of the concrete run
    bool bug;
};

enum fuzz_phase { BUILDING, RUNNING, OVER };

struct fuzz {
    struct fuzz_setup setup;
    enum fuzzer_tool tool;
    enum fuzz_phase phase;
    char *folder, *run, *kept;
    struct fuzz_input input;
    struct fuzz_build build;
    pid_t builder;
    struct fuzzer *fuzzer;
    char *program, *compare, *mutator, *dictionary;
    struct fuzz_words arguments;
    struct scout *scout;
    struct explore *explore;
    vec(struct candidate) candidates;
    vec(uint32_t) items;    // items that the scout was the first to cover
    vec(uint8_t *) waiting; // tests for the fuzzer while it is being built: size, then bytes
    vec(struct summary_fuzz_bug) bugs;
    struct arena *arena; // owns the texts of `bugs`
    struct summary_fuzz counts;
    double handed_at, next_at; // time of the current seed's start (0: none); earliest time of the next one
    int share;
    double shared_at;
    uint64_t earned_fuzzer, earned_engine; // items that each side covered first since shared_at
    bool one_processor;
};

static char *join(const char *folder, const char *file) {
    struct text path = {0};
    text_add(&path, "%s/%s", folder, file);
    char *copy = mem_strdup(path.at);
    text_free(&path);
    return copy;
}

// ---- which fuzzer fits

static bool choose_tool(const struct fuzz_setup *setup, enum fuzzer_tool *tool) {
    bool harness = ir_is_harness(setup->program);
    *tool =
        setup->choice == FUZZ_AFL || (setup->choice == FUZZ_AUTO && !harness) ? FUZZER_AFL : FUZZER_LIBFUZZER;
    if (*tool == FUZZER_AFL || harness) return true;
    user_error_at("--fuzz", "Use --fuzz afl++, or write a harness (docs/howto/harness.md).",
                  "libFuzzer needs LLVMFuzzerTestOneInput, and no main");
    return false;
}

bool fuzz_check(const struct fuzz_setup *setup) {
    enum fuzzer_tool tool;
    struct fuzz_input input;
    if (!choose_tool(setup, &tool)) return false;
    const struct fuzzer_facts *facts = &fuzzer_facts[tool];
    if (access(facts->file, R_OK) != 0) {
        struct text remedy = {0};
        text_add(&remedy, "apt-get install %s", facts->package);
        user_error_at("--fuzz", remedy.at, "%s is not installed: there is no %s", facts->name, facts->file);
        text_free(&remedy);
        return false;
    }
    if (!setup->bitcode->count) {
        user_error_at("--fuzz", "Rename one of the two definitions.",
                      "the program cannot be built natively: its parts do not fit into one module");
        return false;
    }
    bool found = fuzz_input_find(&input, setup->program_inputs, setup->program);
    fuzz_input_free(&input);
    if (!found) {
        user_error_at("--fuzz",
                      "Make arguments, standard input or a file symbolic: --sym-args, --sym-stdin N, "
                      "--sym-file NAME=N.",
                      "no symbolic input can come from a fuzzer");
    }
    return found;
}

// Both fuzzers exit at once if a line of their dictionary is malformed.
static bool is_dictionary_line(const char *line, size_t length) {
    while (length && isspace((unsigned char)line[length - 1])) length--;
    while (length && isspace((unsigned char)*line)) line++, length--;
    if (!length || *line == '#') return true;
    const char *quote = memchr(line, '"', length);
    if (!quote || line[length - 1] != '"' || quote + 1 >= line + length - 1) return false;
    for (const char *at = quote + 1; at < line + length - 1; at++) {
        bool hex =
            *at == '\\' && at[1] == 'x' && isxdigit((unsigned char)at[2]) && isxdigit((unsigned char)at[3]);
        bool quoted = *at == '\\' && (at[1] == '\\' || at[1] == '"') && at + 1 < line + length - 1;
        if (*at == '"' || !isprint((unsigned char)*at) || (*at == '\\' && !hex && !quoted)) return false;
        at += quoted;
    }
    return true;
}

bool fuzz_check_dictionary(const char *path) {
    struct text content = {0};
    bool good = file_read(path, &content);
    if (!good) user_error_at("--dict", "Name a file that can be read.", "%s: %s", path, strerror(errno));
    unsigned number = 1;
    for (size_t at = 0; good && at < content.count; number++) {
        const char *end = memchr(content.at + at, '\n', content.count - at);
        size_t length = end ? (size_t)(end - content.at) - at : content.count - at;
        good = is_dictionary_line(content.at + at, length);
        if (!good)
            user_error_at("--dict", "A line is \"word\" or name=\"word\"; \\xNN stands for any byte.",
                          "%s:%u: this is not a word of a dictionary", path, number);
        at += length + 1;
    }
    text_free(&content);
    return good;
}

static bool has_one_processor(void) {
    cpu_set_t set;
    return sched_getaffinity(0, sizeof set, &set) == 0 && CPU_COUNT(&set) == 1;
}

// ---- opening

static bool make_folders(struct fuzz *fuzz, const char *results) {
    char absolute[PATH_MAX];
    if (realpath(results, absolute)) {
        fuzz->folder = join(absolute, "fuzz");
        fuzz->run = join(fuzz->folder, "run");
        fuzz->kept = join(fuzz->folder, "kept");
        if (file_make_folder(fuzz->folder) && file_make_folder(fuzz->run) && file_make_folder(fuzz->kept))
            return true;
    }
    user_error_at(results, "Is the disk full?", "the fuzzer's folder cannot be created: %s", strerror(errno));
    return false;
}

static void write_dictionary(struct fuzz *fuzz) {
    struct text words = {0};
    ir_add_dictionary(&words, fuzz->setup.program);
    if (fuzz->setup.dictionary) {
        struct text more = {0};
        if (file_read(fuzz->setup.dictionary, &more)) text_add_bytes(&words, more.at, more.count);
        text_free(&more);
    }
    fuzz->dictionary = join(fuzz->folder, "dictionary");
    if (!words.count || !file_replace(fuzz->dictionary, words.at, words.count)) {
        mem_free_string(fuzz->dictionary);
        fuzz->dictionary = NULL;
    }
    text_free(&words);
}

static void begin_build(struct fuzz *fuzz) {
    const struct fuzz_input *input = &fuzz->input;
    char *folder = join(fuzz->folder, "build");
    fuzz->build = (struct fuzz_build){.tool = fuzz->tool,
                                      .harness = input->kind == FUZZ_HARNESS,
                                      .word_sizes = input->word_sizes,
                                      .least_words = input->least_words,
                                      .most_words = input->most_words,
                                      .folder = folder};
    fuzz->builder = fuzz_build_start(&fuzz->build, fuzz->setup.bitcode);
    fuzz->program = join(folder, FUZZ_PROGRAM);
    fuzz->compare = join(folder, FUZZ_COMPARE);
    fuzz->mutator = join(folder, FUZZ_MUTATOR);
    if (fuzz->builder < 0) fuzz->phase = OVER;
}

struct fuzz *fuzz_open(const struct fuzz_setup *setup, const char *results) {
    struct fuzz *fuzz = NEW(struct fuzz);
    fuzz->setup = *setup;
    fuzz->arena = arena_new();
    fuzz->builder = -1;
    fuzz->share = 50;
    fuzz->one_processor = has_one_processor();
    choose_tool(setup, &fuzz->tool);
    bool found = fuzz_input_find(&fuzz->input, setup->program_inputs, setup->program);
    assert(found);
    fuzz->counts.tool = fuzzer_facts[fuzz->tool].name;
    if (!make_folders(fuzz, results)) {
        fuzz->phase = OVER;
        fuzz_free(fuzz);
        return NULL;
    }
    fuzz_input_add_arguments(&fuzz->input, setup->program_inputs, &fuzz->arguments);
    write_dictionary(fuzz);
    begin_build(fuzz);
    return fuzz;
}

void fuzz_start(struct fuzz *fuzz, struct explore *explore, const struct explore_options *options) {
    fuzz->explore = explore;
    fuzz->scout = scout_new(fuzz->setup.program, options);
    fuzz->shared_at = clock_seconds();
}

// ---- the fuzzer's process

// libFuzzer ends at a crash: with a crashing input in its queue it would end at every start.
static bool may_start_from(struct fuzz *fuzz, const struct text *content) {
    struct scouted scouted;
    struct fuzz_test test;
    if (fuzz->tool != FUZZER_LIBFUZZER) return true;
    fuzz_input_unpack(&fuzz->input, fuzz->setup.program_inputs, content, &test);
    scout_run(fuzz->scout, &test.test, NULL, NULL, &scouted);
    fuzz_test_free(&test);
    return scouted.end != SCOUT_BUG;
}

static void start_fuzzer(struct fuzz *fuzz) {
    struct fuzzer_options options = {.tool = fuzz->tool,
                                     .folder = fuzz->run,
                                     .program = fuzz->program,
                                     .compare = fuzz->compare,
                                     .mutator = fuzz->mutator,
                                     .dictionary = fuzz->dictionary,
                                     .arguments = fuzz->arguments.at,
                                     .file = fuzz->input.file,
                                     .directory = fuzz->setup.directory,
                                     .least = fuzz->input.least,
                                     .most = fuzz->input.most,
                                     .memory = fuzz->setup.memory,
                                     .random_seed = fuzz->setup.random_seed};
    struct text raw = {0};
    fuzz->fuzzer = fuzzer_new(&options);
    fuzz->phase = fuzz->fuzzer ? RUNNING : OVER;
    if (!fuzz->fuzzer) return;
    vec_each (struct test_case, seed, &fuzz->setup.seeds->at)
        if (fuzz_input_pack(&fuzz->input, seed, &raw) && may_start_from(fuzz, &raw))
            fuzzer_add_input(fuzz->fuzzer, raw.at, raw.count);
    vec_each (uint8_t *, test, &fuzz->waiting) {
        uint32_t size;
        memcpy(&size, *test, sizeof size);
        fuzzer_add_input(fuzz->fuzzer, *test + sizeof size, size);
    }
    if (fuzz->one_processor) fuzzer_set_share(fuzz->fuzzer, fuzz->share);
    text_free(&raw);
}

static void tend_build(struct fuzz *fuzz) {
    int status;
    pid_t ended = waitpid(fuzz->builder, &status, WNOHANG);
    if (ended == 0) return;
    fuzz->builder = -1;
    if (ended > 0 && status == 0) {
        log_detail("--fuzz: %s runs", fuzz->counts.tool);
        start_fuzzer(fuzz);
    } else {
        user_warning("--fuzz: the program cannot be built for %s: the run continues without it",
                     fuzz->counts.tool);
        fuzz->phase = OVER;
    }
}

// ---- from the fuzzer

static bool is_covered(struct fuzz *fuzz, uint32_t item) {
    struct vm *vm = explore_vm(fuzz->explore);
    uint32_t edges = fuzz->setup.program->edge_count;
    return item < edges ? vm_edges_seen(vm)[item] : vm_functions_seen(vm)[item - edges];
}

static char *keep(struct fuzz *fuzz, const char *prefix, uint64_t number, const struct text *content) {
    char name[64];
    snprintf(name, sizeof name, "%s%06llu", prefix, (unsigned long long)number);
    char *path = join(fuzz->kept, name);
    if (!file_replace(path, content->at, content->count)) user_warning("%s: %s", path, strerror(errno));
    mem_free_string(path);
    return arena_strdup(fuzz->arena, name);
}

static void add_candidate(struct fuzz *fuzz, const struct text *content, const struct scouted *scouted) {
    uint32_t count;
    const uint32_t *items = scout_fresh(fuzz->scout, &count);
    struct candidate candidate = {.bytes = mem_alloc(content->count),
                                  .size = (uint32_t)content->count,
                                  .item_count = MIN(count, ITEMS_KEPT),
                                  .cost = scouted->instructions,
                                  .bug = scouted->is_new_bug};
    memcpy(candidate.bytes, content->at, content->count);
    for (uint32_t i = 0; i < candidate.item_count; i++) candidate.items[i] = items[i];
    for (uint32_t i = 0; i < count; i++) vec_push(&fuzz->items, items[i]);
    vec_push(&fuzz->candidates, candidate);
}

static void note_bug(struct fuzz *fuzz, const struct scouted *scouted, const char *input) {
    vec_push(&fuzz->bugs, ((struct summary_fuzz_bug){.kind = bug_facts[scouted->kind].name,
                                                     .file = arena_strdup(fuzz->arena, scouted->file),
                                                     .function = arena_strdup(fuzz->arena, scouted->function),
                                                     .line = scouted->line,
                                                     .input = input}));
}

// Runs the input concretely. It becomes a candidate if it covers new code or shows a new bug.
static void try_input(struct fuzz *fuzz, const struct text *content, bool crash) {
    struct scouted scouted;
    struct fuzz_test test;
    struct vm *vm = explore_vm(fuzz->explore);
    fuzz_input_unpack(&fuzz->input, fuzz->setup.program_inputs, content, &test);
    scout_run(fuzz->scout, &test.test, vm_edges_seen(vm), vm_functions_seen(vm), &scouted);
    fuzz_test_free(&test);
    fuzz->counts.inputs++;
    fuzz->counts.crashes += crash;
    if (crash && scouted.end != SCOUT_BUG) {
        fuzz->counts.unexplained++;
        keep(fuzz, "unexplained-", fuzz->counts.unexplained, content);
    }
    if (!scouted.fresh && !scouted.is_new_bug) return;
    fuzz->counts.fresh++;
    fuzz->earned_fuzzer += scouted.fresh;
    const char *input = keep(fuzz, "", fuzz->counts.fresh, content);
    if (scouted.is_new_bug) note_bug(fuzz, &scouted, input);
    if (scouted.end != SCOUT_CUT)
        add_candidate(fuzz, content, &scouted); // following costs more than the scout's run
}

static void take(struct fuzz *fuzz) {
    struct text content = {0};
    bool crash;
    double until = clock_seconds() + TICK_SECONDS;
    while (clock_seconds() < until && fuzzer_take(fuzz->fuzzer, &content, &crash))
        if (content.count >= fuzz->input.least && content.count <= fuzz->input.most)
            try_input(fuzz, &content, crash);
    text_free(&content);
}

// ---- to the exploration

static bool is_stale(struct fuzz *fuzz, const struct candidate *candidate) {
    if (candidate->bug) return false;
    for (uint32_t i = 0; i < candidate->item_count; i++)
        if (!is_covered(fuzz, candidate->items[i])) return false;
    return true;
}

static void drop(struct fuzz *fuzz, uint32_t index) {
    mem_free(fuzz->candidates.at[index].bytes, fuzz->candidates.at[index].size);
    fuzz->candidates.at[index] = *vec_last(&fuzz->candidates);
    fuzz->candidates.count--;
}

// Returns the next candidate: bugs first, then the cheapest. UINT32_MAX: none is left.
static uint32_t best_candidate(struct fuzz *fuzz) {
    uint32_t best = UINT32_MAX;
    for (uint32_t i = fuzz->candidates.count; i--;)
        if (is_stale(fuzz, &fuzz->candidates.at[i])) drop(fuzz, i);
    for (uint32_t i = 0; i < fuzz->candidates.count; i++) {
        const struct candidate *one = &fuzz->candidates.at[i],
                               *other = best == UINT32_MAX ? NULL : &fuzz->candidates.at[best];
        if (!other || one->bug > other->bug || (one->bug == other->bug && one->cost < other->cost)) best = i;
    }
    return best;
}

// Gives the exploration one seed at a time. Seeds get at most half of its time; inputs with bugs are given at once.
static void hand_over(struct fuzz *fuzz) {
    double time = clock_seconds();
    if (explore_follows_seed(fuzz->explore)) return;
    if (fuzz->handed_at > 0) {
        fuzz->next_at = time + (time - fuzz->handed_at);
        fuzz->handed_at = 0;
    }
    uint32_t index = best_candidate(fuzz);
    bool idle = !explore_result(fuzz->explore)->counts.states;
    if (index == UINT32_MAX || (time < fuzz->next_at && !idle && !fuzz->candidates.at[index].bug)) return;
    struct fuzz_test test;
    const struct candidate *candidate = &fuzz->candidates.at[index];
    const struct text content = {.at = (char *)candidate->bytes, .count = candidate->size};
    fuzz_input_unpack(&fuzz->input, fuzz->setup.program_inputs, &content, &test);
    explore_add_seed(fuzz->explore, &test.test);
    fuzz_test_free(&test);
    fuzz->counts.followed++;
    fuzz->handed_at = time;
    drop(fuzz, index);
}

// ---- shares

// Shares one processor between both sides. The side that covered more per second of its own time gets a fifth more, up
// to nine tenths. If both covered the same, the shares move back to half.
static void share(struct fuzz *fuzz) {
    if (!fuzz->one_processor || clock_seconds() - fuzz->shared_at < SHARE_SECONDS) return;
    double fuzzer = (double)fuzz->earned_fuzzer / fuzz->share,
           engine = (double)fuzz->earned_engine / (100 - fuzz->share);
    int step = fuzzer > engine    ? SHARE_STEP
               : fuzzer < engine  ? -SHARE_STEP
               : fuzz->share < 50 ? SHARE_STEP
               : fuzz->share > 50 ? -SHARE_STEP
                                  : 0;
    fuzz->share = MIN(MAX(fuzz->share + step, LEAST_SHARE), 100 - LEAST_SHARE);
    fuzzer_set_share(fuzz->fuzzer, fuzz->share);
    fuzz->earned_fuzzer = fuzz->earned_engine = 0;
    fuzz->shared_at = clock_seconds();
}

void fuzz_tick(struct fuzz *fuzz) {
    if (fuzz->phase == BUILDING) tend_build(fuzz);
    if (fuzz->phase == RUNNING && !fuzzer_tend(fuzz->fuzzer)) fuzz->phase = OVER;
    if (!fuzz->fuzzer) return;
    fuzz->counts.starts = fuzzer_starts(fuzz->fuzzer);
    take(fuzz);
    hand_over(fuzz);
    if (fuzz->phase == RUNNING) share(fuzz);
}

bool fuzz_wait(struct fuzz *fuzz) {
    if (fuzz->phase == OVER) return false;
    clock_pause(20);
    return true;
}

// ---- from the exploration

void fuzz_give(struct fuzz *fuzz, const struct test_case *test) {
    struct text raw = {0};
    if (!test->late) fuzz->earned_engine += test->fresh_count;
    bool ends = test->outcome == TEST_BUG && fuzz->tool == FUZZER_LIBFUZZER; // see may_start_from
    bool wanted =
        (test->fresh_count || test->outcome == TEST_BUG) && !ends && !test->late && fuzz->phase != OVER;
    if (wanted && fuzz_input_pack(&fuzz->input, test, &raw)) {
        if (fuzz->fuzzer) {
            fuzz->counts.given += fuzzer_give(fuzz->fuzzer, raw.at, raw.count);
        } else {
            uint32_t size = (uint32_t)raw.count;
            uint8_t *copy = mem_alloc(sizeof size + size);
            memcpy(copy, &size, sizeof size);
            memcpy(copy + sizeof size, raw.at, size);
            vec_push(&fuzz->waiting, copy);
            fuzz->counts.given++;
        }
    }
    text_free(&raw);
}

// ---- the end

void fuzz_stop(struct fuzz *fuzz) {
    if (fuzz->builder > 0) {
        kill(fuzz->builder, SIGKILL);
        while (waitpid(fuzz->builder, NULL, 0) < 0 && errno == EINTR) {}
        fuzz->builder = -1;
    }
    fuzzer_free(fuzz->fuzzer);
    fuzz->fuzzer = NULL;
    fuzz->phase = OVER;
}

// Whether the exploration has found a bug of the same kind at the same line.
static bool is_explained(struct fuzz *fuzz, const struct summary_fuzz_bug *bug) {
    const struct explore_result *result = explore_result(fuzz->explore);
    const struct ir_program *program = fuzz->setup.program;
    struct vm *vm = explore_vm(fuzz->explore);
    for (uint32_t i = 0; i < result->bug_count; i++) {
        const struct found_bug *found = &result->bugs[i];
        if (strcmp(bug_facts[found->kind].name, bug->kind) != 0) continue;
        struct site at = site_get(vm_sites(vm), found->user_site);
        const struct ir_function *function = &program->functions[at.function];
        const struct ir_location *location = &program->locations[function->locations[at.instruction]];
        if (location->line == bug->line && !strcmp(program->files[location->file], bug->file)) return true;
    }
    return false;
}

void fuzz_summary(struct fuzz *fuzz, struct summary_fuzz *summary) {
    *summary = fuzz->counts;
    vec_each (struct summary_fuzz_bug, bug, &fuzz->bugs) bug->followed = is_explained(fuzz, bug);
    summary->bugs = fuzz->bugs.at;
    summary->bug_count = fuzz->bugs.count;
    vec_each (uint32_t, item, &fuzz->items) summary->only_fuzzed += !is_covered(fuzz, *item);
}

uint32_t fuzz_unfollowed_bugs(struct fuzz *fuzz) {
    uint32_t count = 0;
    vec_each (struct summary_fuzz_bug, bug, &fuzz->bugs) count += !is_explained(fuzz, bug);
    return count;
}

void fuzz_free(struct fuzz *fuzz) {
    if (!fuzz) return;
    fuzz_stop(fuzz);
    scout_free(fuzz->scout);
    vec_each (struct candidate, one, &fuzz->candidates) mem_free(one->bytes, one->size);
    vec_each (uint8_t *, test, &fuzz->waiting) {
        uint32_t size;
        memcpy(&size, *test, sizeof size);
        mem_free(*test, sizeof size + size);
    }
    char *texts[] = {fuzz->folder,  fuzz->run,     fuzz->kept,       fuzz->program,
                     fuzz->compare, fuzz->mutator, fuzz->dictionary, (char *)fuzz->build.folder};
    for (unsigned i = 0; i < COUNT(texts); i++)
        if (texts[i]) mem_free_string(texts[i]);
    vec_free(&fuzz->candidates);
    vec_free(&fuzz->waiting);
    vec_free(&fuzz->items);
    vec_free(&fuzz->bugs);
    vec_free(&fuzz->arguments);
    fuzz_input_free(&fuzz->input);
    arena_free(fuzz->arena);
    DELETE(fuzz);
}
