#include "native/tool.h"

#include "base/error.h"
#include "native/sandbox.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#define MOST_MESSAGES (1u << 20)
#define BUILD_SECONDS 600
#define BUILD_MEMORY  ((uint64_t)16 << 30)

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

bool tool_run(struct process_command *command, const char *work, const char *directory, const char *folder) {
    char program[PATH_MAX];
    static const char *const variables[] = {"PATH=/usr/local/bin:/usr/bin:/bin", "LC_ALL=C.UTF-8", NULL};
    const char *const writable[] = {folder, NULL};
    int errors = open(work, O_RDWR | O_TMPFILE | O_CLOEXEC, 0600);
    if (errors < 0) errors = memfd_create("errors", MFD_CLOEXEC); // not every file system supports O_TMPFILE
    vec_push(&command->words, NULL);
    snprintf(program, sizeof program, "/usr/bin/%s", command->words.at[0]);
    struct sandbox sandbox = {.view = SANDBOX_COPIES,
                              .program = program,
                              .words = (const char *const *)command->words.at,
                              .variables = variables,
                              .directory = directory,
                              .input = -1,
                              .output = -1,
                              .errors = errors,
                              .extra = -1,
                              .writable = writable,
                              .seconds = BUILD_SECONDS,
                              .memory = BUILD_MEMORY};
    struct sandbox_end end;
    sandbox_run(&sandbox, &end);
    if (end.started && errors >= 0) show_errors(errors);
    if (end.started && end.limit != SANDBOX_LIMIT_NONE)
        user_error_at(command->words.at[0], NULL, "%s", sandbox_limit_texts[end.limit]);
    if (errors >= 0) close(errors);
    process_free(command);
    return end.started && end.limit == SANDBOX_LIMIT_NONE && end.status == 0;
}
