#include "front/dependencies.h"

#include "base/arena.h"
#include "base/sha256.h"

#include <ctype.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    MOST_ABSENT = 20000, // files that must not exist, of one compilation
    CLOCK_STEP = 20,     // milliseconds: file times may be this much older than the clock
};

// ---- what a file contains

static bool is_word_part(char c) { return isalnum((unsigned char)c) || c == '_'; }

// Whether the identifier that starts here is one that the compiler answers by more than the files it reads.
static bool is_volatile_word(const char *at, size_t length) {
    static const char *const words[] = {"__DATE__",           "__TIME__",    "__TIMESTAMP__", "__has_include",
                                        "__has_include_next", "__has_embed", "embed"};
    for (size_t i = 0; i < COUNT(words); i++)
        if (strlen(words[i]) == length && !memcmp(at, words[i], length)) return true;
    return false;
}

// Appends the text without backslashes at the ends of lines, which may divide a word.
static void add_joined(struct text *to, const char *text, size_t size) {
    for (const char *end = text + size; text < end;) {
        const char *stop = memchr(text, '\\', (size_t)(end - text));
        text_add_bytes(to, text, (size_t)((stop ? stop : end) - text));
        if (!stop) break;
        size_t skip = stop + 1 < end && stop[1] == '\n'                      ? 2
                      : stop + 2 < end && stop[1] == '\r' && stop[2] == '\n' ? 3
                                                                             : 0;
        if (!skip) text_add_bytes(to, stop, 1);
        text = stop + (skip ? skip : 1);
    }
}

bool dependencies_is_volatile(const char *text, size_t size) {
    struct text joined = {0};
    add_joined(&joined, text, size);
    bool found = false;
    for (size_t at = 0; at < joined.count && !found;) {
        size_t start = at;
        while (at < joined.count && is_word_part(joined.at[at])) at++;
        found = at > start && is_volatile_word(joined.at + start, at - start);
        at += at == start;
    }
    text_free(&joined);
    return found;
}

// Reads a regular file, and returns when it was last changed.
static bool read_regular(const char *path, struct text *content, struct timespec *changed) {
    struct stat st;
    int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    bool good = fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode);
    if (good) {
        size_t size = (size_t)st.st_size;
        char *to = text_room(content, size + 1);
        ssize_t n = read(fd, to, size + 1); // one more: a file that grew is not taken
        good = n == (ssize_t)size;
        if (good) to[size] = 0, content->count += size;
        *changed = st.st_ctim;
    }
    if (fd >= 0) close(fd);
    return good;
}

static bool is_before(const struct timespec *changed, const struct timespec *started) {
    int64_t early = ((int64_t)started->tv_sec - changed->tv_sec) * 1000;
    return early + (started->tv_nsec - changed->tv_nsec) / 1000000 > CLOCK_STEP;
}

static bool is_below(const char *path, const char *folder) {
    size_t length = strlen(folder);
    return !strncmp(path, folder, length) && path[length] == '/';
}

bool dependencies_add_hash(const char *path, struct text *to) {
    struct text content = {0};
    struct timespec changed;
    char digits[65];
    bool good = read_regular(path, &content, &changed);
    if (good) sha256_hex(content.at, content.count, digits);
    if (good) text_add(to, "%s", digits);
    text_free(&content);
    return good;
}

static bool add_read(const struct dependencies *all, const char *path, struct text *list) {
    struct text content = {0};
    struct timespec changed;
    char digits[65];
    bool good = read_regular(path, &content, &changed) && is_before(&changed, &all->started) &&
                (is_below(path, all->trusted) || !dependencies_is_volatile(content.at, content.count));
    if (good) sha256_hex(content.at, content.count, digits);
    if (good) text_add(list, "%s %s\n", digits, path);
    text_free(&content);
    return good;
}

// ---- files that would be read instead

// The name without leading "./", which the compiler leaves out.
static const char *plain_name(const char *path) {
    while (path[0] == '.' && (path[1] == '/' || !path[1])) path += path[1] ? 2 : 1;
    return path;
}

// Adds a folder without its last slash, unless it is there; "" is the current directory. The path goes on after it.
static void add_folder(struct dependencies *all, const char *path, size_t length) {
    while (length > 1 && path[length - 1] == '/') length--;
    vec_each (const char *, folder, &all->folders)
        if (strlen(*folder) == length && !memcmp(*folder, path, length)) return;
    char *copy = arena_memdup(all->arena, path, length + 1);
    copy[length] = 0;
    vec_push(&all->folders, copy);
}

// The name under which the path is found in the folder, or NULL.
static const char *name_in(const char *path, const char *folder) {
    if (!*folder) return *path == '/' ? NULL : path;
    return is_below(path, folder) ? path + strlen(folder) + 1 : NULL;
}

// Adds the file of this name in each folder, if it does not exist. Returns false if it was made during the compilation.
static bool add_absent(const struct dependencies *all, const char *name, unsigned *count, struct text *list) {
    struct text path = {0};
    bool good = true;
    vec_each (const char *, folder, &all->folders) {
        struct stat st;
        text_clear(&path);
        text_add(&path, "%s%s%s", *folder, **folder ? "/" : "", name);
        if (lstat(path.at, &st) == 0) {
            good = good && is_before(&st.st_ctim, &all->started);
        } else {
            text_add(list, "- %s\n", path.at);
            ++*count;
        }
    }
    text_free(&path);
    return good && *count <= MOST_ABSENT;
}

void dependencies_search(struct dependencies *all, const char *folder) {
    const char *path = plain_name(folder);
    add_folder(all, path, strlen(path));
}

// ---- the list

// Splits the rules "x: FILE FILE \" into files. Returns false if a name needs quoting.
static bool split_rules(struct text *rules, struct dependencies *all, const char **files, unsigned *count) {
    if (!rules->count || strncmp(rules->at, "x:", 2) != 0) return false;
    for (char *at = rules->at + 2; *at;) {
        if (isspace((unsigned char)*at) || (at[0] == '\\' && at[1] == '\n')) {
            at++;
            continue;
        }
        char *start = at;
        while (*at && !isspace((unsigned char)*at)) {
            if (strchr("\\$#:", *at)) return false;
            at++;
        }
        if (*at) *at++ = 0;
        const char *path = plain_name(start), *slash = strrchr(path, '/');
        files[(*count)++] = path;
        add_folder(all, path, slash ? (size_t)(slash - path) + (slash == path) : 0);
    }
    return *count > 0;
}

bool dependencies_list(struct dependencies *all, struct text *rules, struct text *list) {
    const char **files = NEW_ARRAY(const char *, rules->count + 1);
    unsigned count = 0, absent = 0;
    bool good = split_rules(rules, all, files, &count);
    for (unsigned i = 0; i < count && good; i++) {
        good = add_read(all, files[i], list);
        for (uint32_t k = 0; k < all->folders.count && good; k++) {
            const char *name = i ? name_in(files[i], all->folders.at[k]) : NULL; // the first is the source
            if (name) good = add_absent(all, name, &absent, list);
        }
    }
    DELETE_ARRAY(files, rules->count + 1);
    return good;
}

static bool holds(const char *line, size_t length) {
    enum { DIGITS = 64 };
    struct text path = {0}, now = {0};
    struct stat st;
    bool absent = length > 2 && !memcmp(line, "- ", 2);
    size_t skip = absent ? 2 : DIGITS + 1;
    if (length <= skip) return false;
    text_add_bytes(&path, line + skip, length - skip);
    bool good = absent ? lstat(path.at, &st) != 0
                       : dependencies_add_hash(path.at, &now) && !memcmp(now.at, line, DIGITS);
    text_free(&path);
    text_free(&now);
    return good;
}

bool dependencies_hold(const char *list, size_t size) {
    for (const char *end = list + size; list < end;) {
        const char *stop = memchr(list, '\n', (size_t)(end - list));
        if (!stop || !holds(list, (size_t)(stop - list))) return false;
        list = stop + 1;
    }
    return true;
}
