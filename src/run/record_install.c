// Replaces a program by a script that records each run and otherwise behaves like the program.
#include "run/record_install.h"
#include "base/error.h"
#include "base/file.h"
#include "base/log.h"
#include "base/resources.h"
#include "base/vec.h"
#include "front/front.h"
#include "native/sandbox.h"
#include "run/out_folder.h"
#include "run/record_store.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MARK   "# tamar record: seeds in "
#define NATIVE ".native" // suffix of the renamed program

static void add_quoted(struct text *to, const char *word) {
    text_add(to, "'");
    for (; *word; word++)
        if (*word == '\'')
            text_add(to, "'\\''");
        else
            text_add_bytes(to, word, 1);
    text_add(to, "'");
}

// Returns the folder that the script names, in the arena; NULL: the file is not such a script.
static const char *installed_folder(struct arena *arena, const char *program) {
    struct text content = {0};
    const char *folder = NULL;
    if (file_read(program, &content) && content.count &&
        !strncmp(content.at, "#!/bin/sh\n" MARK, strlen("#!/bin/sh\n" MARK))) {
        char *start = content.at + strlen("#!/bin/sh\n" MARK), *end = strchr(start, '\n');
        if (end) *end = 0;
        folder = arena_strdup(arena, start);
    }
    text_free(&content);
    return folder;
}

static bool write_script(const char *program, const char *native, const char *folder) {
    const char *self = resources_binary();
    if (!self) return false;
    struct text script = {0};
    text_add(&script, "#!/bin/sh\n" MARK "%s\nexec ", folder);
    add_quoted(&script, self);
    text_add(&script, " record --later%s --into ", sandbox_is_off() ? " --no-sandbox" : "");
    add_quoted(&script, folder);
    text_add(&script, " --as \"$0\" -- ");
    add_quoted(&script, native);
    text_add(&script, " \"$@\"\n");
    bool good = file_write(program, script.at, script.count) && chmod(program, 0755) == 0;
    text_free(&script);
    return good;
}

int record_install(const char *program, const char *folder, const char *version) {
    struct arena *arena = arena_new();
    struct record_store store;
    char absolute[PATH_MAX];
    struct text native = {0}, bitcode = {0};
    int status = EXIT_USAGE;
    if (!realpath(program, absolute)) {
        user_error_at("--install", "Name a program that `tamar cc` built.", "%s: %s", program,
                      strerror(errno));
    } else if (installed_folder(arena, absolute)) {
        user_error_at("--install", "`tamar record --uninstall PROGRAM` ends this.",
                      "%s: its runs are already recorded", program);
    } else if (strchr(absolute, '\n')) {
        user_error_at("--install", "Rename it.", "the name contains a line break");
    } else {
        const char *word = absolute;
        struct front_options front = {.allow_undefined = true, .bitcode = &bitcode, .keep_checks = true};
        struct ir_program *loaded = front_load(&(struct front_input){&word, 1}, &front, NULL);
        bool good = loaded != NULL;
        ir_program_free(loaded);
        text_add(&native, "%s" NATIVE, absolute);
        good = good && record_open(&store, arena, folder);
        word = native.at;
        good = good && record_describe(&store, program, &word, 1, &bitcode, version);
        if (good && (rename(absolute, native.at) != 0 || !write_script(absolute, native.at, store.folder))) {
            user_error_at(absolute, "Is the folder writable?", "%s", strerror(errno));
            good = false;
        }
        if (good)
            log_line("each run of %s is recorded in %s; `tamar record --uninstall %s` ends that", program,
                     folder, program);
        status = good ? EXIT_OK : EXIT_USAGE;
    }
    text_free(&native);
    text_free(&bitcode);
    arena_free(arena);
    return status;
}

int record_uninstall(const char *program) {
    struct arena *arena = arena_new();
    struct text native = {0};
    struct record_store store;
    int status = EXIT_USAGE;
    const char *folder = installed_folder(arena, program);
    text_add(&native, "%s" NATIVE, program);
    if (!folder) {
        user_error_at("--uninstall", "Name the program that was given to --install.",
                      "%s: its runs are not recorded", program);
    } else if (rename(native.at, program) != 0) {
        user_error_at(native.at, "The program must be there: it was moved when it was installed.", "%s",
                      strerror(errno));
    } else if (record_open(&store, arena, folder)) {
        struct record_list numbers = {0};
        record_numbers(&store, &numbers);
        bool good = record_follow(&store, numbers.at, numbers.count, false);
        if (good) log_line("%u seeds in %s", numbers.count, folder);
        vec_free(&numbers);
        status = good ? EXIT_OK : EXIT_USAGE;
    }
    text_free(&native);
    arena_free(arena);
    return status;
}
