#include "native/tool.h"

#include "base/error.h"
#include "base/resources.h"
#include "base/run_limits.h"
#include "native/sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define MOST_MESSAGES (1u << 20)
#define BUILD_SECONDS 600
#define BUILD_MEMORY  ((uint64_t)16 << 30)

void tool_add_host_libraries(struct process_command *command) {
    static const char *const names[] = {"lib/libtamar.a", "lib/libtamar-host.a"};
    for (size_t i = 0; i < COUNT(names); i++) {
        char *library = resources_path(names[i]);
        process_add(command, library);
        mem_free_string(library);
    }
    process_add(command, "-lm");
}

// A compiler's messages quote untrusted text, so they are escaped.
static void show_errors(int fd) {
    struct text raw = {0}, shown = {0};
    char piece[4096];
    ssize_t got;
    for (off_t at = 0; raw.count < MOST_MESSAGES && (got = pread(fd, piece, sizeof piece, at)) > 0; at += got)
        text_add_bytes(&raw, piece, (size_t)got);
    text_add_shown(&shown, raw.at, raw.count);
    if (shown.count) fprintf(stderr, "%s", shown.at);
    text_free(&raw);
    text_free(&shown);
}

// Runs a tool of /usr/bin, and reports the limit that ended it.
static struct sandbox_end run(struct sandbox sandbox, const char *folder) {
    char program[PATH_MAX];
    const char *const writable[] = {folder, NULL};
    snprintf(program, sizeof program, "/usr/bin/%s", sandbox.words[0]);
    sandbox.view = SANDBOX_COPIES;
    sandbox.program = program;
    sandbox.input = sandbox.output = sandbox.extra = -1;
    sandbox.writable = writable;
    sandbox.seconds = BUILD_SECONDS;
    struct sandbox_end end;
    sandbox_run(&sandbox, &end);
    if (end.started && end.limit != SANDBOX_LIMIT_NONE)
        user_error_at(sandbox.words[0], NULL, "%s", sandbox_limit_texts[end.limit]);
    return end;
}

bool tool_run(struct process_command *command, const char *work, const char *directory, const char *folder) {
    static const char *const variables[] = {"PATH=/usr/local/bin:/usr/bin:/bin", "LC_ALL=C.UTF-8", NULL};
    int errors = open(work, O_RDWR | O_TMPFILE | O_CLOEXEC, 0600);
    if (errors < 0) errors = memfd_create("errors", MFD_CLOEXEC); // not every file system supports O_TMPFILE
    vec_push(&command->words, NULL);
    struct sandbox sandbox = {.words = (const char *const *)command->words.at,
                              .variables = variables,
                              .directory = directory,
                              .errors = errors,
                              .memory = BUILD_MEMORY};
    struct sandbox_end end = run(sandbox, folder);
    if (end.started && errors >= 0) show_errors(errors);
    if (errors >= 0) close(errors);
    process_free(command);
    return end.started && end.limit == SANDBOX_LIMIT_NONE && end.status == 0;
}

int tool_compile(char *const *words, const char *messages, const char *folder) {
    char directory[PATH_MAX];
    int errors = open(messages, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (errors < 0 || !getcwd(directory, sizeof directory)) {
        user_error_at(messages, NULL, "cannot be written: %s", strerror(errno));
        if (errors >= 0) close(errors);
        return -1;
    }
    uint64_t memory = limits_memory();
    struct sandbox sandbox = {.words = (const char *const *)words,
                              .variables = (const char *const *)environ,
                              .directory = directory,
                              .errors = errors,
                              .memory = memory ? memory : BUILD_MEMORY};
    struct sandbox_end end = run(sandbox, folder);
    close(errors);
    if (!end.started || end.limit != SANDBOX_LIMIT_NONE) return -1;
    return WIFEXITED(end.status) ? WEXITSTATUS(end.status) : -2;
}
