#include "base/process.h"

#include "base/error.h"

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

void process_add(struct process_command *command, const char *word) {
    char *copy = mem_strdup(word);
    vec_push(&command->owned, copy);
    vec_push(&command->words, copy);
}

void process_add_format(struct process_command *command, const char *format, ...) {
    char word[3 * PATH_MAX];
    va_list args;
    va_start(args, format);
    int length = vsnprintf(word, sizeof word, format, args);
    va_end(args);
    if (length < 0 || (size_t)length >= sizeof word) user_fail_at("cc", NULL, "a path is too long");
    process_add(command, word);
}

void process_free(struct process_command *command) {
    vec_each (char *, word, &command->owned) mem_free_string(*word);
    vec_free(&command->owned);
    vec_free(&command->words);
}

pid_t process_start(struct process_command *command, bool silent) {
    pid_t pid;
    vec_push(&command->words, NULL);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    if (silent) posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    int error = posix_spawnp(&pid, command->words.at[0], &actions, NULL, command->words.at, environ);
    posix_spawn_file_actions_destroy(&actions);
    if (error)
        user_error_at("cc", "Is it installed? `apt-get install clang-19` installs it.",
                      "%s cannot be started: %s", command->words.at[0], strerror(error));
    process_free(command);
    return error ? -1 : pid;
}

int process_wait(pid_t pid) {
    int status;
    if (pid < 0) return EXIT_USAGE;
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {}
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

int process_run(struct process_command *command) { return process_wait(process_start(command, false)); }

static char temporary[PATH_MAX];

const char *process_temporary_folder(void) {
    if (temporary[0]) return temporary;
    const char *base = getenv("TMPDIR");
    if (!base || !*base) base = "/tmp";
    int length = snprintf(temporary, sizeof temporary, "%s/tamar-cc-XXXXXX", base);
    if (length < 0 || (size_t)length >= sizeof temporary || !mkdtemp(temporary)) {
        temporary[0] = 0;
        user_fail_at("cc", "Name a folder that can be written with TMPDIR.",
                     "cannot create a temporary folder in %s: %s", base, strerror(errno));
    }
    return temporary;
}

void process_remove_temporaries(void) {
    if (!temporary[0]) return;
    DIR *folder = opendir(temporary);
    int descriptor = folder ? dirfd(folder) : -1;
    for (struct dirent *entry; descriptor >= 0 && (entry = readdir(folder));)
        unlinkat(descriptor, entry->d_name, 0); // fails for "." and ".."
    if (folder) closedir(folder);
    rmdir(temporary);
    temporary[0] = 0;
}
