#include "run/further_programs.h"

#include "base/arena.h"
#include "base/error.h"
#include "base/text.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

// The path under which a program without "PATH=" is found: the file's own, without the ending of a C or bitcode file.
static const char *own_path(const char *file, struct arena *arena) {
    static const char *const endings[] = {".c", ".i", ".bc", ".ll"};
    char *path = realpath(file, NULL);
    if (!path) {
        user_error_at(file, "Check the name and the current directory.", "%s", strerror(errno));
        return NULL;
    }
    char *copy = arena_strdup(arena, path);
    free(path);
    for (size_t i = 0; i < COUNT(endings); i++)
        if (text_ends_with(copy, endings[i])) copy[strlen(copy) - strlen(endings[i])] = 0;
    return copy;
}

static bool read_program(const char *word, struct front_program *program, struct arena *arena) {
    const char *equals = strchr(word, '=');
    program->file = equals ? equals + 1 : word;
    if (!equals) return (program->path = own_path(word, arena)) != NULL;
    char *path = arena_strdup(arena, word);
    path[equals - word] = 0;
    program->path = path;
    if (*word == '/') return true;
    user_error_at("--program", "Write, for instance, --program /bin/sh=dash.",
                  "\"%s\" is not an absolute path", program->path);
    return false;
}

static bool is_first(const struct front_program *programs, uint32_t last) {
    for (uint32_t i = 0; i < last; i++) {
        if (strcmp(programs[i].path, programs[last].path) != 0) continue;
        user_error_at("--program", "Name each path once.", "two programs for \"%s\": \"%s\" and \"%s\"",
                      programs[last].path, programs[i].file, programs[last].file);
        return false;
    }
    return true;
}

const struct front_program *further_programs(const struct option_list *list, struct arena *arena,
                                             bool *good) {
    struct front_program *programs = ARENA_ARRAY(arena, struct front_program, list->count + 1);
    for (uint32_t i = 0; i < list->count; i++) {
        if (read_program(list->at[i].values[0], &programs[i], arena) && is_first(programs, i)) continue;
        *good = false;
        return NULL;
    }
    return programs;
}
