#include "cli/cc_run.h"

#include "base/error.h"
#include "base/file.h"
#include "base/text.h"
#include "front/elf_bitcode_write.h"

#include <dirent.h>
#include <errno.h>
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

int cc_run(struct cc_command *command) {
    pid_t pid;
    int status;
    vec_push(&command->words, NULL);
    int error = posix_spawnp(&pid, command->words.at[0], NULL, NULL, command->words.at, environ);
    if (error) {
        user_error_at("cc", "Is it installed? `apt-get install clang-19` brings it.",
                      "%s cannot be started: %s", command->words.at[0], strerror(error));
        cc_free(command);
        return EXIT_USAGE;
    }
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {}
    cc_free(command);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

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

bool cc_adopt(const char *object) {
    struct stat st;
    if (stat(object, &st) != 0 || !S_ISREG(st.st_mode)) return true; // /dev/null, a pipe: somebody only asks
    struct text content = {0}, result = {0};
    if (!file_read(object, &content)) {
        user_error_at(object, NULL, "cannot be read: %s", strerror(errno));
        return false;
    }
    const char *wrong = elf_bitcode_adopt(content.at, content.count, &result);
    bool good = !wrong;
    if (wrong)
        user_error_at(object, NULL, "%s", wrong);
    else if (result.count && !file_write(object, result.at, result.count)) {
        user_error_at(object, "Is the disk full?", "cannot be written: %s", strerror(errno));
        good = false;
    }
    text_free(&content);
    text_free(&result);
    return good;
}
