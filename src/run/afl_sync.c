#include "run/afl_sync.h"

#include "base/error.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/log.h"
#include "run/seed_files.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define OWN_NAME        "tamar"
#define SECONDS_BETWEEN 1.0
#define MOST_AT_ONCE    50

struct afl_sync {
    char *folder;
    struct test_input raw; // the input that a file of the queue stands for
    struct map taken;      // inputs taken, by the hash of instance and name
    uint32_t given, got;
    double last;
};

static struct text path_of(const struct afl_sync *sync, const char *instance, const char *name) {
    struct text path = {0};
    text_add(&path, "%s/%s/queue%s%s", sync->folder, instance, *name ? "/" : "", name);
    return path;
}

static bool make_folders(const char *folder) {
    static const char *const parts[] = {"", "/" OWN_NAME, "/" OWN_NAME "/queue"};
    for (size_t i = 0; i < COUNT(parts); i++) {
        struct text path = {0};
        text_add(&path, "%s%s", folder, parts[i]);
        bool good = mkdir(path.at, 0777) == 0 || errno == EEXIST;
        if (!good)
            user_error_at("--afl-sync", "Name the folder of `afl-fuzz -o`.", "%s: %s", path.at,
                          strerror(errno));
        text_free(&path);
        if (!good) return false;
    }
    return true;
}

struct afl_sync *afl_sync_open(const char *folder, const struct program_inputs *program_inputs,
                               const struct ir_program *program) {
    struct test_input raw;
    if (!seed_files_raw_input(program_inputs, program, &raw)) {
        user_error_at("--afl-sync",
                      "Make standard input or a file symbolic: --sym-stdin N, --sym-file NAME=N.",
                      "no symbolic input can come from a fuzzer");
        return NULL;
    }
    if (!make_folders(folder)) return NULL;
    struct afl_sync *sync = NEW(struct afl_sync);
    sync->folder = mem_strdup(folder);
    sync->raw = raw;
    sync->last = -SECONDS_BETWEEN;
    // An earlier run may have left a queue: numbers continue.
    struct text own = path_of(sync, OWN_NAME, "");
    DIR *queue = opendir(own.at);
    for (struct dirent *entry; queue && (entry = readdir(queue));)
        sync->given += !strncmp(entry->d_name, "id:", 3);
    if (queue) closedir(queue);
    text_free(&own);
    return sync;
}

void afl_sync_free(struct afl_sync *sync) {
    if (!sync) return;
    log_line("afl-sync: %u inputs taken, %u in %s/" OWN_NAME "/queue", sync->got, sync->given, sync->folder);
    mem_free(sync->folder, strlen(sync->folder) + 1);
    map_free(&sync->taken);
    DELETE(sync);
}

// ---- inputs from AFL++

static void take_file(struct afl_sync *sync, struct explore *explore, const char *instance,
                      const char *name) {
    struct text path = path_of(sync, instance, name), content = {0};
    if (file_read(path.at, &content) && content.count) {
        struct test_input input = sync->raw;
        input.bytes = (const uint8_t *)content.at;
        input.size = (uint32_t)content.count;
        struct test_case seed = {.inputs = &input, .input_count = 1};
        explore_add_seed(explore, &seed);
        sync->got++;
    }
    text_free(&path);
    text_free(&content);
}

static uint32_t take_queue(struct afl_sync *sync, struct explore *explore, const char *instance,
                           uint32_t most) {
    struct text folder = path_of(sync, instance, "");
    uint32_t count = 0;
    DIR *queue = opendir(folder.at);
    for (struct dirent *entry; queue && count < most && (entry = readdir(queue));) {
        if (strncmp(entry->d_name, "id:", 3) != 0) continue;
        uint64_t hash =
            hash_bytes(entry->d_name, strlen(entry->d_name), hash_bytes(instance, strlen(instance), 3));
        uint64_t *known = map_put(&sync->taken, hash >> 1);
        if (*known) continue;
        *known = 1;
        take_file(sync, explore, instance, entry->d_name);
        count++;
    }
    if (queue) closedir(queue);
    text_free(&folder);
    return count;
}

void afl_sync_take(struct afl_sync *sync, struct explore *explore) {
    double now = explore_result(explore)->seconds;
    if (now - sync->last < SECONDS_BETWEEN) return;
    sync->last = now;
    uint32_t count = 0;
    DIR *folder = opendir(sync->folder);
    for (struct dirent *entry; folder && count < MOST_AT_ONCE && (entry = readdir(folder));)
        if (entry->d_name[0] != '.' && strcmp(entry->d_name, OWN_NAME) != 0)
            count += take_queue(sync, explore, entry->d_name, MOST_AT_ONCE - count);
    if (folder) closedir(folder);
    if (count) log_detail("afl-sync: %u inputs taken", count);
}

// ---- inputs to AFL++

void afl_sync_give(struct afl_sync *sync, const struct test_case *test) {
    if (!test->fresh_count && test->outcome != TEST_BUG) return;
    if (test->late && test->outcome != TEST_BUG) return; // the fuzzer has this input already
    for (uint32_t i = 0; i < test->input_count; i++) {
        const struct test_input *input = &test->inputs[i];
        if (input->kind != sync->raw.kind || strcmp(input->name, sync->raw.name) != 0 || !input->size)
            continue;
        char name[64];
        snprintf(name, sizeof name, "id:%06u,src:tamar,test:%u", sync->given, test->number);
        struct text other = path_of(sync, OWN_NAME, ".new"), path = path_of(sync, OWN_NAME, name);
        if (file_write(other.at, input->bytes, input->size) && rename(other.at, path.at) == 0)
            sync->given++;
        else
            user_warning("--afl-sync: %s: %s", path.at, strerror(errno));
        text_free(&other);
        text_free(&path);
        return;
    }
}
