#include "cli/cc_run.h"

#include "base/error.h"
#include "base/file.h"
#include "base/text.h"
#include "front/elf_bitcode_write.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

void cc_add(struct cc_command *command, const char *word) {
    char *copy = mem_strdup(word);
    vec_push(&command->owned, copy);
    vec_push(&command->words, copy);
}

void cc_add_format(struct cc_command *command, const char *format, ...) {
    char word[3 * PATH_MAX];
    va_list args;
    va_start(args, format);
    int length = vsnprintf(word, sizeof word, format, args);
    va_end(args);
    if (length < 0 || (size_t)length >= sizeof word) user_fail_at("cc", NULL, "a path is too long");
    cc_add(command, word);
}

void cc_free(struct cc_command *command) {
    vec_each (char *, word, &command->owned) mem_free_string(*word);
    vec_free(&command->owned);
    vec_free(&command->words);
}

pid_t cc_start(struct cc_command *command, bool silent) {
    pid_t pid;
    vec_push(&command->words, NULL);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    if (silent) posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    int error = posix_spawnp(&pid, command->words.at[0], &actions, NULL, command->words.at, environ);
    posix_spawn_file_actions_destroy(&actions);
    if (error)
        user_error_at("cc", "Is it installed? `apt-get install clang-19` brings it.",
                      "%s cannot be started: %s", command->words.at[0], strerror(error));
    cc_free(command);
    return error ? -1 : pid;
}

int cc_wait(pid_t pid) {
    int status;
    if (pid < 0) return EXIT_USAGE;
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {}
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

int cc_run(struct cc_command *command) { return cc_wait(cc_start(command, false)); }

static char temporary[PATH_MAX];

const char *cc_temporary_folder(void) {
    if (temporary[0]) return temporary;
    const char *base = getenv("TMPDIR");
    if (!base || !*base) base = "/tmp";
    int length = snprintf(temporary, sizeof temporary, "%s/tamar-cc-XXXXXX", base);
    if (length < 0 || (size_t)length >= sizeof temporary || !mkdtemp(temporary)) {
        temporary[0] = 0;
        user_fail_at("cc", "Name a folder that can be written with TMPDIR.", "no temporary folder in %s: %s",
                     base, strerror(errno));
    }
    return temporary;
}

void cc_remove_temporaries(void) {
    if (!temporary[0]) return;
    DIR *folder = opendir(temporary);
    int descriptor = folder ? dirfd(folder) : -1;
    for (struct dirent *entry; descriptor >= 0 && (entry = readdir(folder));)
        unlinkat(descriptor, entry->d_name, 0); // "." and ".." refuse
    if (folder) closedir(folder);
    rmdir(temporary);
    temporary[0] = 0;
}

// /dev/null, a pipe: the command is only asked whether it can.
static bool is_kept(const char *output) {
    struct stat st;
    return stat(output, &st) == 0 && S_ISREG(st.st_mode);
}

static bool read_whole(const char *path, struct text *content) {
    if (file_read(path, content)) return true;
    user_error_at(path, NULL, "cannot be read: %s", strerror(errno));
    return false;
}

static bool write_whole(const char *path, const struct text *content) {
    if (file_write(path, content->at, content->count)) return true;
    user_error_at(path, "Is the disk full?", "cannot be written: %s", strerror(errno));
    return false;
}

bool cc_adopt(const char *object, const char *bitcode) {
    if (!is_kept(object)) return true;
    struct text content = {0}, module = {0}, result = {0};
    bool good = read_whole(object, &content) && (!bitcode || read_whole(bitcode, &module));
    if (good) {
        const char *wrong = elf_bitcode_adopt(content.at, content.count, bitcode ? &module : NULL, &result);
        if (wrong) user_error_at(object, NULL, "%s", wrong);
        good = !wrong && (!result.count || write_whole(object, &result));
    }
    text_free(&content);
    text_free(&module);
    text_free(&result);
    return good;
}

bool cc_adopt_assembly(const char *assembly, const char *bitcode) {
    if (!is_kept(assembly)) return true;
    enum { PER_LINE = 32 };
    struct text content = {0}, module = {0};
    bool good = read_whole(assembly, &content) && read_whole(bitcode, &module);
    text_add(&content, "\t.section\t.llvmbc\n");
    for (size_t i = 0; i < module.count; i++)
        text_add(&content, "%s0x%02x%s", i % PER_LINE ? "," : "\t.byte\t", (uint8_t)module.at[i],
                 i % PER_LINE == PER_LINE - 1 || i + 1 == module.count ? "\n" : "");
    good = good && write_whole(assembly, &content);
    text_free(&content);
    text_free(&module);
    return good;
}
