#include "cluster/foreign.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "base/hash.h"
#include "base/run_limits.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

// A question is a letter and a path; a question for content has the number of the part in between. An answer is the
// same letter and the data, or "e" and an error number, or "n" if the file is not shared.
#define PART      ((uint64_t)1 << 20) // bytes of content in one answer
#define MOST_KEPT ((uint64_t)1 << 28) // bytes of answers that a worker keeps

struct foreign_answer {
    char *question;
    struct text text;
};

struct foreign {
    struct board *board;
    struct vm_foreign host;
    void (*lost)(void);
    vec(struct foreign_answer) answers;
    struct map indices; // hash of a question -> index in `answers`
    uint64_t kept;
};

// ---- a worker

static void wait_for(struct foreign *foreign, const char *question, struct text *answer) {
    bool asked = false;
    while (!board_get_file(foreign->board, question, answer)) {
        if (limits_over()) foreign->lost();
        if (!asked) asked = board_want_file(foreign->board, question);
        clock_pause(20);
    }
}

static void forget(struct foreign *foreign) {
    vec_each (struct foreign_answer, answer, &foreign->answers) {
        mem_free_string(answer->question);
        text_free(&answer->text);
    }
    vec_free(&foreign->answers);
    map_free(&foreign->indices);
    foreign->kept = 0;
}

static const struct text *ask(struct foreign *foreign, const char *question) {
    uint64_t hash = hash_bytes(question, strlen(question), 0) >> 1, *found = map_get(&foreign->indices, hash);
    if (found && !strcmp(foreign->answers.at[*found].question, question))
        return &foreign->answers.at[*found].text;
    struct foreign_answer answer = {0};
    wait_for(foreign, question, &answer.text);
    if (foreign->kept > MOST_KEPT) forget(foreign);
    answer.question = mem_strdup(question);
    foreign->kept += answer.text.count;
    *map_put(&foreign->indices, hash) = foreign->answers.count;
    vec_push(&foreign->answers, answer);
    return &vec_last(&foreign->answers)->text;
}

// Returns the text after the letter, or NULL with the result in *error.
static const char *answer_to(struct foreign *foreign, char letter, const char *path, uint64_t part,
                             size_t *size, int64_t *error) {
    struct text question = {0};
    if (letter == 'r')
        text_add(&question, "r%llu %s", (unsigned long long)part, path);
    else
        text_add(&question, "%c%s", letter, path);
    const struct text *answer = ask(foreign, question.at);
    text_free(&question);
    *size = answer->count ? answer->count - 1 : 0;
    *error = VM_NOT_SHARED;
    if (answer->count && answer->at[0] == letter) return answer->at + 1;
    long number = answer->count && answer->at[0] == 'e' ? strtol(answer->at + 1, NULL, 10) : 0;
    if (number > 0 && number < 4096) *error = -number;
    return NULL;
}

static int64_t stat_file(void *context, const char *path, bool follow, struct stat *to) {
    size_t size;
    int64_t error;
    const char *answer = answer_to(context, follow ? 's' : 'l', path, 0, &size, &error);
    if (!answer) return error;
    unsigned long long n[16] = {0};
    int found =
        sscanf(answer, "%llu %llu %llu %llu %llu %llu %llu %llu %llu %llu %llu %llu %llu %llu %llu %llu",
               &n[0], &n[1], &n[2], &n[3], &n[4], &n[5], &n[6], &n[7], &n[8], &n[9], &n[10], &n[11], &n[12],
               &n[13], &n[14], &n[15]);
    if (found != 16) return VM_NOT_SHARED;
    *to = (struct stat){.st_dev = n[0],
                        .st_ino = n[1],
                        .st_nlink = n[2],
                        .st_mode = (mode_t)n[3],
                        .st_uid = (uid_t)n[4],
                        .st_gid = (gid_t)n[5],
                        .st_rdev = n[6],
                        .st_size = (off_t)n[7],
                        .st_blksize = (blksize_t)n[8],
                        .st_blocks = (blkcnt_t)n[9],
                        .st_atim = {(time_t)n[10], (long)n[11]},
                        .st_mtim = {(time_t)n[12], (long)n[13]},
                        .st_ctim = {(time_t)n[14], (long)n[15]}};
    return 0;
}

// Reads up to the end of a part; the program asks for the rest.
static int64_t read_file(void *context, const char *path, void *buffer, uint64_t size, uint64_t offset) {
    size_t there;
    int64_t error;
    const char *part = answer_to(context, 'r', path, offset / PART, &there, &error);
    if (!part) return error;
    uint64_t at = offset % PART, got = at < there ? MIN(size, there - at) : 0;
    memcpy(buffer, part + (got ? at : 0), got);
    if (got == size || there < PART) return (int64_t)got;
    int64_t more = read_file(context, path, (char *)buffer + got, size - got, offset + got);
    return more < 0 ? more : (int64_t)got + more;
}

static int64_t read_link(void *context, const char *path, char *buffer, uint64_t size) {
    size_t there;
    int64_t error;
    const char *target = answer_to(context, 'k', path, 0, &there, &error);
    if (!target) return error;
    memcpy(buffer, target, MIN(size, there));
    return (int64_t)MIN(size, there);
}

// Passes each name to `add`. In the answer each name ends with a NUL.
static int64_t list_folder(void *context, const char *path, void (*add)(void *to, const char *name),
                           void *to) {
    size_t size;
    int64_t error;
    const char *names = answer_to(context, 'd', path, 0, &size, &error);
    if (!names) return error;
    for (const char *name = names; name < names + size; name += strlen(name) + 1)
        if (*name && !strchr(name, '/')) add(to, name);
    return 0;
}

struct foreign *foreign_new(struct board *board, uint32_t user, uint32_t group, void (*lost)(void)) {
    struct foreign *foreign = NEW(struct foreign);
    foreign->board = board;
    foreign->lost = lost;
    foreign->host = (struct vm_foreign){.context = foreign,
                                        .user = user,
                                        .group = group,
                                        .stat = stat_file,
                                        .read = read_file,
                                        .read_link = read_link,
                                        .list = list_folder};
    return foreign;
}

void foreign_free(struct foreign *foreign) {
    if (!foreign) return;
    forget(foreign);
    DELETE(foreign);
}

const struct vm_foreign *foreign_host(const struct foreign *foreign) { return &foreign->host; }

// ---- the starter

static bool lies_below(const char *path, const char *folder) {
    size_t length = strlen(folder);
    return !strcmp(folder, "/") || (!strncmp(path, folder, length) && (path[length] == '/' || !path[length]));
}

// Returns true if every user may search all folders that lead to this path.
static bool is_public(const char *path) {
    char part[PATH_MAX];
    struct stat st;
    for (const char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        snprintf(part, sizeof part, "%.*s", (int)(slash - path), path);
        if (stat(part, &st) != 0 || !(st.st_mode & S_IXOTH)) return false;
    }
    return true;
}

static bool is_shared(const char *path, const char *directory, bool content) {
    char whole[PATH_MAX];
    struct stat st;
    if (!realpath(path, whole)) return true; // it does not exist
    if (lies_below(whole, directory) && strcmp(directory, "/") != 0) return true;
    return is_public(whole) && (!content || (stat(whole, &st) == 0 && st.st_mode & S_IROTH));
}

static void add_stat(struct text *to, const char *path, bool follow) {
    struct stat st;
    if (follow ? stat(path, &st) : lstat(path, &st)) {
        text_add(to, "e%d", errno);
        return;
    }
    unsigned long long n[] = {st.st_dev,
                              st.st_ino,
                              st.st_nlink,
                              st.st_mode,
                              st.st_uid,
                              st.st_gid,
                              st.st_rdev,
                              (unsigned long long)st.st_size,
                              (unsigned long long)st.st_blksize,
                              (unsigned long long)st.st_blocks,
                              (unsigned long long)st.st_atim.tv_sec,
                              (unsigned long long)st.st_atim.tv_nsec,
                              (unsigned long long)st.st_mtim.tv_sec,
                              (unsigned long long)st.st_mtim.tv_nsec,
                              (unsigned long long)st.st_ctim.tv_sec,
                              (unsigned long long)st.st_ctim.tv_nsec};
    text_add(to, follow ? "s" : "l");
    for (unsigned i = 0; i < COUNT(n); i++) text_add(to, "%s%llu", i ? " " : "", n[i]);
}

static void add_content(struct text *to, const char *path, uint64_t part) {
    int fd = part < INT64_MAX / PART ? open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK) : -1;
    if (fd < 0) {
        text_add(to, "e%d", part < INT64_MAX / PART ? errno : EINVAL);
        return;
    }
    text_add(to, "r");
    ssize_t got = pread(fd, text_room(to, PART), PART, (off_t)(part * PART));
    if (got >= 0) to->count += (size_t)got;
    if (got < 0) {
        text_clear(to);
        text_add(to, "e%d", errno);
    }
    close(fd);
}

static void add_link(struct text *to, const char *path) {
    char target[PATH_MAX];
    ssize_t size = readlink(path, target, sizeof target);
    if (size < 0) {
        text_add(to, "e%d", errno);
        return;
    }
    text_add(to, "k");
    text_add_bytes(to, target, (size_t)size);
}

static bool is_hidden(const char *path, const char *const *hidden, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        if (lies_below(path, hidden[i])) return true;
    return false;
}

static void add_names(struct text *to, const char *path, const char *const *hidden, uint32_t hidden_count) {
    DIR *folder = opendir(path);
    if (!folder) {
        text_add(to, "e%d", errno);
        return;
    }
    text_add(to, "d");
    for (struct dirent *entry; (entry = readdir(folder));) {
        struct text whole = {0};
        text_add(&whole, "%s/%s", path[1] ? path : "", entry->d_name);
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0 &&
            !is_hidden(whole.at, hidden, hidden_count))
            text_add_bytes(to, entry->d_name, strlen(entry->d_name) + 1);
        text_free(&whole);
    }
    closedir(folder);
}

void foreign_answer(const char *question, const char *directory, const char *const *hidden,
                    uint32_t hidden_count, struct text *answer) {
    char letter = question[0], *rest = NULL;
    uint64_t part = letter == 'r' ? strtoull(question + 1, &rest, 10) : 0;
    const char *path = letter == 'r' ? rest + (*rest == ' ') : letter ? question + 1 : "";
    bool content = letter == 'r' || letter == 'd';
    if (!letter || !strchr("slrkd", letter) || path[0] != '/' || !is_shared(path, directory, content))
        text_add(answer, "n");
    else if (is_hidden(path, hidden, hidden_count))
        text_add(answer, "e%d", ENOENT);
    else if (letter == 'r')
        add_content(answer, path, part);
    else if (letter == 'k')
        add_link(answer, path);
    else if (letter == 'd')
        add_names(answer, path, hidden, hidden_count);
    else
        add_stat(answer, path, letter == 's');
}
