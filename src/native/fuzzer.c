#include "native/fuzzer.h"

#include "base/clock.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/vec.h"
#include "native/sandbox.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define LARGEST_INPUT (1u << 20)
#define RUN_SECONDS   10 // time limit of one run of the program
#define MOST_LOG      (1 << 20)
#define MOST_ENTRIES  200000 // limit of the files read in a folder: the program may write there, too
#define SHORTEST_LIFE 1.0    // seconds; see MOST_SHORT
#define MOST_SHORT    5      // a fuzzer that ended sooner this many times in a row is restarted after a delay
#define LONGEST_WAIT  30.0

const struct fuzzer_facts fuzzer_facts[FUZZER_TOOL_COUNT] = {
#define FUZZER(name, text, file, package) {text, file, package},
    FUZZER_TOOLS(FUZZER)
#undef FUZZER
};

// A folder in which the fuzzer writes inputs.
struct inbox {
    const char *name; // below the fuzzer's folder
    bool crashes;
    int folder; // -1: does not exist yet
    vec(char *) names;
    uint32_t next;
    double read_at;
};

struct fuzzer_words {
    const char **at;
    uint32_t count, capacity;
};

struct fuzzer {
    struct fuzzer_options options;
    int folder, given, start, log;
    struct inbox inboxes[2];
    struct map seen; // names of files taken, and hashes of inputs given or taken
    uint32_t given_count, input_count, starts, short_lives;
    atomic_int *share;
    struct fuzzer_words words, variables; // NULL-terminated
    vec(char *) owned;
    struct sandbox sandbox;
    struct sandbox_process process;
    bool runs;
    double started, wait_until;
};

// ---- files, opened relative to descriptors

// Returns -1 if it does not exist or is not a folder.
static int open_below(int folder, const char *path) {
    char part[PATH_MAX];
    int at = fcntl(folder, F_DUPFD_CLOEXEC, 0);
    while (at >= 0 && *path) {
        size_t length = strcspn(path, "/");
        snprintf(part, sizeof part, "%.*s", (int)length, path);
        int below = openat(at, part, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        close(at);
        at = below;
        path += length + (path[length] == '/');
    }
    return at;
}

static int make_below(int folder, const char *name) {
    if (mkdirat(folder, name, 0755) != 0 && errno != EEXIST) return -1;
    return open_below(folder, name);
}

// Writes a new file atomically.
static bool write_below(int folder, const char *name, const void *bytes, size_t size) {
    unlinkat(folder, ".new", 0);
    int fd = openat(folder, ".new", O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0644);
    bool good = fd >= 0;
    for (size_t done = 0; good && done < size;) {
        ssize_t n = write(fd, (const char *)bytes + done, size - done);
        good = n > 0;
        if (good) done += (size_t)n;
    }
    if (fd >= 0) close(fd);
    return good && renameat(folder, ".new", folder, name) == 0;
}

static bool read_below(int folder, const char *name, struct text *content) {
    struct stat st;
    char piece[65536];
    ssize_t got;
    int fd = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    bool good = fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_size <= LARGEST_INPUT;
    text_clear(content);
    while (good && content->count <= LARGEST_INPUT && (got = read(fd, piece, sizeof piece)) > 0)
        text_add_bytes(content, piece, (size_t)got);
    if (fd >= 0) close(fd);
    return good && content->count;
}

// ---- the folder

static bool refuse(const char *path) {
    user_error_at(path, "Is the disk full?", "the fuzzer's folder cannot be created: %s", strerror(errno));
    return false;
}

static bool open_folders(struct fuzzer *fuzzer) {
    const struct fuzzer_options *options = &fuzzer->options;
    fuzzer->folder = open(options->folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fuzzer->folder < 0) return refuse(options->folder);
    bool afl = options->tool == FUZZER_AFL;
    fuzzer->start = make_below(fuzzer->folder, afl ? "in" : "queue");
    fuzzer->given = afl ? make_below(fuzzer->folder, "given") : fuzzer->start;
    int crashes = make_below(fuzzer->folder, afl ? "afl" : "crashes");
    if (crashes >= 0) close(crashes);
    fuzzer->log = openat(fuzzer->folder, "log.txt",
                         O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_NOFOLLOW | O_CLOEXEC, 0644);
    if (fuzzer->start < 0 || fuzzer->given < 0 || crashes < 0 || fuzzer->log < 0)
        return refuse(options->folder);
    fuzzer->inboxes[0] = (struct inbox){afl ? "afl/default/queue" : "queue", false, -1, {0}, 0, 0};
    fuzzer->inboxes[1] = (struct inbox){afl ? "afl/default/crashes" : "crashes", true, -1, {0}, 0, 0};
    return true;
}

// ---- the fuzzer's command line

static void add_word(struct fuzzer_words *words, const char *word) { vec_push(words, word); }

PRINTF(3, 4)
static void add_format(struct fuzzer *fuzzer, struct fuzzer_words *words, const char *format, ...) {
    char text[PATH_MAX + 128];
    va_list values;
    va_start(values, format);
    vsnprintf(text, sizeof text, format, values);
    va_end(values);
    char *word = mem_strdup(text);
    vec_push(&fuzzer->owned, word);
    vec_push(words, word);
}

static void make_afl_words(struct fuzzer *fuzzer) {
    const struct fuzzer_options *options = &fuzzer->options;
    struct fuzzer_words *words = &fuzzer->words;
    add_word(words, "afl-fuzz");
    add_word(words, "-i");
    add_format(fuzzer, words, "%s/in", options->folder);
    add_word(words, "-o");
    add_format(fuzzer, words, "%s/afl", options->folder);
    add_format(fuzzer, words, "-s%llu", (unsigned long long)options->random_seed % 1000000 + 1);
    add_format(fuzzer, words, "-g%u", MAX(options->least, 1u));
    add_format(fuzzer, words, "-G%u", options->most);
    add_format(fuzzer, words, "-t%u+", RUN_SECONDS * 1000);
    if (options->memory)
        add_format(fuzzer, words, "-m%llu", (unsigned long long)(options->memory >> 20) / 2 + 1);
    else
        add_word(words, "-mnone");
    if (options->compare) add_format(fuzzer, words, "-c%s", options->compare);
    if (options->dictionary) add_format(fuzzer, words, "-x%s", options->dictionary);
    if (options->file) add_format(fuzzer, words, "-f%s", options->file);
    add_word(words, "--");
    add_word(words, options->program);
    for (const char *const *word = options->arguments; *word; word++) add_word(words, *word);
    add_word(words, NULL);
}

static void make_libfuzzer_words(struct fuzzer *fuzzer) {
    const struct fuzzer_options *options = &fuzzer->options;
    struct fuzzer_words *words = &fuzzer->words;
    add_word(words, options->program);
    add_format(fuzzer, words, "%s/queue", options->folder);
    add_format(fuzzer, words, "-artifact_prefix=%s/crashes/", options->folder);
    add_format(fuzzer, words, "-max_len=%u", options->most);
    add_format(fuzzer, words, "-seed=%llu", (unsigned long long)options->random_seed % 1000000 + 1);
    add_format(fuzzer, words, "-timeout=%u", RUN_SECONDS);
    if (options->memory)
        add_format(fuzzer, words, "-rss_limit_mb=%llu",
                   (unsigned long long)(options->memory >> 20) * 3 / 4 + 1);
    if (options->dictionary) add_format(fuzzer, words, "-dict=%s", options->dictionary);
    add_word(words, "-reload=1");
    add_word(words, "-close_fd_mask=3");
    add_word(words, NULL);
}

// Sets the fuzzer's environment variables. It inherits none of the user's.
static void make_variables(struct fuzzer *fuzzer) {
    static const char *const common[] = {"PATH=/usr/bin:/bin",
                                         "LC_ALL=C",
                                         "UBSAN_OPTIONS=halt_on_error=1:abort_on_error=1:symbolize=0",
                                         "AFL_NO_UI=1",
                                         "AFL_QUIET=1",
                                         "AFL_NO_AFFINITY=1",
                                         "AFL_SKIP_CPUFREQ=1",
                                         "AFL_AUTORESUME=1",
                                         "AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES=1",
                                         "AFL_SKIP_CRASHES=1",
                                         "AFL_SKIP_BIN_CHECK=1",
                                         "AFL_NO_COLOR=1",
                                         "AFL_FAST_CAL=1"};
    for (uint32_t i = 0; i < COUNT(common); i++) add_word(&fuzzer->variables, common[i]);
    if (fuzzer->options.tool == FUZZER_AFL && fuzzer->options.mutator) {
        add_format(fuzzer, &fuzzer->variables, "AFL_CUSTOM_MUTATOR_LIBRARY=%s", fuzzer->options.mutator);
        add_format(fuzzer, &fuzzer->variables, "TAMAR_GIVEN=%s/given", fuzzer->options.folder);
    }
    add_word(&fuzzer->variables, NULL);
}

// ---- starting and stopping the fuzzer

struct fuzzer *fuzzer_new(const struct fuzzer_options *options) {
    struct fuzzer *fuzzer = NEW(struct fuzzer);
    *fuzzer = (struct fuzzer){.options = *options, .folder = -1, .given = -1, .start = -1, .log = -1};
    assert(options->folder[0] == '/' && options->least <= options->most && options->most);
    void *page = mmap(NULL, sizeof *fuzzer->share, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    fuzzer->share = page == MAP_FAILED ? NULL : page;
    if (fuzzer->share) atomic_init(fuzzer->share, 100);
    if (!open_folders(fuzzer)) {
        fuzzer_free(fuzzer);
        return NULL;
    }
    if (options->tool == FUZZER_AFL)
        make_afl_words(fuzzer);
    else
        make_libfuzzer_words(fuzzer);
    make_variables(fuzzer);
    return fuzzer;
}

static void close_inbox(struct inbox *inbox) {
    vec_each (char *, name, &inbox->names) mem_free_string(*name);
    vec_free(&inbox->names);
    if (inbox->folder >= 0) close(inbox->folder);
}

void fuzzer_free(struct fuzzer *fuzzer) {
    if (!fuzzer) return;
    if (fuzzer->runs) sandbox_finish(&fuzzer->process);
    for (unsigned i = 0; i < COUNT(fuzzer->inboxes); i++)
        if (fuzzer->inboxes[i].name) close_inbox(&fuzzer->inboxes[i]);
    if (fuzzer->given >= 0 && fuzzer->given != fuzzer->start) close(fuzzer->given);
    if (fuzzer->start >= 0) close(fuzzer->start);
    if (fuzzer->folder >= 0) close(fuzzer->folder);
    if (fuzzer->log >= 0) close(fuzzer->log);
    if (fuzzer->share) munmap(fuzzer->share, sizeof *fuzzer->share);
    vec_each (char *, word, &fuzzer->owned) mem_free_string(*word);
    vec_free(&fuzzer->owned);
    vec_free(&fuzzer->words);
    vec_free(&fuzzer->variables);
    map_free(&fuzzer->seen);
    DELETE(fuzzer);
}

// Returns whether an input is known, by its hash: each is taken once, and given inputs are not taken.
static bool is_known(struct fuzzer *fuzzer, const void *bytes, size_t size) {
    uint64_t *known = map_put(&fuzzer->seen, hash_bytes(bytes, size, 17) >> 1);
    bool was = *known;
    *known = 1;
    return was;
}

void fuzzer_add_input(struct fuzzer *fuzzer, const void *bytes, size_t size) {
    char name[64];
    if (!size || size > LARGEST_INPUT || is_known(fuzzer, bytes, size)) return;
    snprintf(name, sizeof name, "seed-%u", fuzzer->input_count);
    fuzzer->input_count += write_below(fuzzer->start, name, bytes, size);
}

static bool start(struct fuzzer *fuzzer) {
    static const char *writable[2];
    const struct fuzzer_options *options = &fuzzer->options;
    if (!fuzzer->starts && !fuzzer->input_count) { // AFL++ needs at least one
        char zeros[64];
        memset(zeros, '0', sizeof zeros);
        fuzzer_add_input(fuzzer, zeros, MIN(MAX(options->least, 1u), sizeof zeros));
    }
    int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
    writable[0] = options->folder;
    fuzzer->sandbox =
        (struct sandbox){.view = SANDBOX_COPIES,
                         .calls = SANDBOX_PROGRAM,
                         .program = options->tool == FUZZER_AFL ? "/usr/bin/afl-fuzz" : options->program,
                         .words = fuzzer->words.at,
                         .variables = fuzzer->variables.at,
                         .directory = options->directory,
                         .input = nothing,
                         .output = fuzzer->log,
                         .errors = fuzzer->log,
                         .extra = -1,
                         .writable = writable,
                         .memory = options->memory,
                         .share = fuzzer->share};
    fuzzer->runs = nothing >= 0 && sandbox_begin(&fuzzer->sandbox, &fuzzer->process);
    if (fuzzer->runs) sandbox_go(&fuzzer->process);
    if (nothing >= 0) close(nothing);
    fuzzer->starts++;
    fuzzer->started = clock_seconds();
    return fuzzer->runs;
}

bool fuzzer_tend(struct fuzzer *fuzzer) {
    struct sandbox_end end;
    struct stat st;
    if (!fuzzer->runs) return fuzzer->wait_until > clock_seconds() || start(fuzzer);
    // The log has a line for each input that the fuzzer keeps.
    if (fstat(fuzzer->log, &st) == 0 && st.st_size > MOST_LOG) {
        int ignored = ftruncate(fuzzer->log, 0);
        (void)ignored;
    }
    if (!sandbox_has_ended(&fuzzer->sandbox, &fuzzer->process, &end)) return true;
    sandbox_finish(&fuzzer->process);
    fuzzer->runs = false;
    if (!end.started) return false;
    fuzzer->short_lives = clock_seconds() - fuzzer->started < SHORTEST_LIFE ? fuzzer->short_lives + 1 : 0;
    uint32_t beyond = fuzzer->short_lives > MOST_SHORT ? fuzzer->short_lives - MOST_SHORT : 0;
    fuzzer->wait_until = clock_seconds() + MIN(0.5 * beyond, LONGEST_WAIT);
    return true;
}

// ---- inputs from the fuzzer

// Lists the files that are new since the last call.
static void look(struct fuzzer *fuzzer, struct inbox *inbox) {
    if (inbox->folder < 0) inbox->folder = open_below(fuzzer->folder, inbox->name);
    int copy = inbox->folder < 0 ? -1 : openat(inbox->folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *folder = copy < 0 ? NULL : fdopendir(copy);
    uint32_t count = 0;
    for (struct dirent *entry; folder && count < MOST_ENTRIES && (entry = readdir(folder)); count++) {
        const char *name = entry->d_name;
        if (name[0] == '.' || !strcmp(name, "README.txt")) continue;
        uint64_t hash = hash_bytes(name, strlen(name), inbox->crashes ? 5 : 7);
        uint64_t *known = map_put(&fuzzer->seen, hash >> 1);
        if (!*known) vec_push(&inbox->names, mem_strdup(name));
        *known = 1;
    }
    if (folder) closedir(folder);
    inbox->read_at = clock_seconds();
}

#define LOOK_SECONDS 0.5

bool fuzzer_take(struct fuzzer *fuzzer, struct text *content, bool *crash) {
    for (unsigned i = COUNT(fuzzer->inboxes); i--;) { // last to first: crashes before the queue
        struct inbox *inbox = &fuzzer->inboxes[i];
        if (inbox->next == inbox->names.count && clock_seconds() - inbox->read_at >= LOOK_SECONDS)
            look(fuzzer, inbox);
        while (inbox->next < inbox->names.count) {
            const char *name = inbox->names.at[inbox->next++];
            bool known = !read_below(inbox->folder, name, content) ||
                         (is_known(fuzzer, content->at, content->count) && !inbox->crashes);
            if (known) continue;
            *crash = inbox->crashes && strncmp(name, "oom-", 4) != 0 && strncmp(name, "timeout-", 8) != 0 &&
                     strncmp(name, "slow-unit-", 10) != 0;
            return true;
        }
    }
    return false;
}

// ---- inputs to the fuzzer

bool fuzzer_give(struct fuzzer *fuzzer, const void *bytes, size_t size) {
    char name[64];
    if (!size || size > LARGEST_INPUT || is_known(fuzzer, bytes, size)) return false;
    // AFL++'s mutator asks for ascending numbers; libFuzzer reads new files in its queue.
    snprintf(name, sizeof name, fuzzer->options.tool == FUZZER_AFL ? "%u" : "tamar-%u",
             fuzzer->given_count + 1);
    bool good = write_below(fuzzer->given, name, bytes, size);
    fuzzer->given_count += good;
    return good;
}

void fuzzer_set_share(struct fuzzer *fuzzer, int percent) {
    assert(percent >= 0 && percent <= 100);
    if (fuzzer->share) atomic_store_explicit(fuzzer->share, percent, memory_order_relaxed);
}

uint32_t fuzzer_starts(const struct fuzzer *fuzzer) { return fuzzer->starts; }
