#include "run/symbolic_files.h"

#include "base/arena.h"
#include "base/error.h"
#include "base/text.h"

#include <string.h>
#include <sys/stat.h>

#define OPTION "--sym-file"

// Removes the last part of "/a/b".
static void go_up(struct text *path) {
    while (path->count && path->at[path->count - 1] != '/') path->count--;
    if (path->count) path->count--;
    if (path->at) path->at[path->count] = 0;
}

static void add_parts(struct text *path, const char *name) {
    while (*name) {
        size_t length = strcspn(name, "/");
        if (length == 2 && !strncmp(name, "..", 2)) {
            go_up(path);
        } else if (length && !(length == 1 && *name == '.')) {
            text_add(path, "/");
            text_add_bytes(path, name, length);
        }
        name += length + (name[length] == '/');
    }
}

// Returns the part of the path below the folder; NULL: the path is not below it. The root is "".
static const char *rest_below(const char *path, const char *folder) {
    size_t length = strlen(folder);
    if (length && folder[length - 1] == '/') length--;
    return !strncmp(path, folder, length) && path[length] == '/' && path[length + 1] ? path + length + 1
                                                                                     : NULL;
}

const char *symbolic_file_name(struct arena *arena, const char *directory, const char *name) {
    struct text path = {0};
    size_t length = strlen(name);
    if (*name != '/') add_parts(&path, directory);
    add_parts(&path, name);
    const char *rest =
        path.count && length && name[length - 1] != '/' ? rest_below(path.at, directory) : NULL;
    bool good = path.count && length && name[length - 1] != '/' && (rest || strcmp(path.at, directory) != 0);
    if (!good)
        user_error_at(OPTION, "Name a file: `--sym-file NAME=N`.", "'%s' is the name of a folder", name);
    const char *made = good ? arena_strdup(arena, rest ? rest : path.at) : NULL;
    text_free(&path);
    return made;
}

static void set_absolute(struct text *path, const char *directory, const char *name) {
    text_clear(path);
    if (*name != '/') text_add(path, "%s%s", directory, directory[1] ? "/" : "");
    text_add(path, "%s", name);
}

static bool fits_beside(const char *path, const char *earlier, const char *name) {
    if (!strcmp(path, earlier))
        user_error_at(OPTION, "Give each file once; `MIN..MAX` makes its length symbolic.",
                      "%s is given twice", name);
    else if (rest_below(path, earlier) || rest_below(earlier, path))
        user_error_at(OPTION, "Choose other names.", "%s cannot be a file and a folder", name);
    else
        return true;
    return false;
}

static bool fits_on_host(char *path, const char *name) {
    struct stat st;
    for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = 0;
        bool blocked = stat(path, &st) == 0 && !S_ISDIR(st.st_mode);
        if (blocked) user_error_at(OPTION, "Choose another name.", "%s: %s is not a folder", name, path);
        *slash = '/';
        if (blocked) return false;
    }
    if (stat(path, &st) != 0 || !S_ISDIR(st.st_mode)) return true;
    user_error_at(OPTION, "Name a file in it.", "%s is a folder", name);
    return false;
}

bool symbolic_file_fits(const char *directory, const char *const *earlier, uint32_t count, const char *name) {
    struct text path = {0}, other = {0};
    bool good = true;
    set_absolute(&path, directory, name);
    for (uint32_t i = 0; i < count && good; i++) {
        set_absolute(&other, directory, earlier[i]);
        good = fits_beside(path.at, other.at, name);
    }
    good = good && fits_on_host(path.at, name);
    text_free(&path);
    text_free(&other);
    return good;
}
