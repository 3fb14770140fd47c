#include "base/resources.h"

#include "base/alloc.h"
#include "base/error.h"
#include "base/file.h"
#include "base/text.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char folder[PATH_MAX];

// Looks for share/tamar in the folders above the binary: build/src/cli/tamar uses build/share/tamar.
static bool find_above(char *path) {
    for (int level = 0; level < 4; level++) {
        char *slash = strrchr(path, '/');
        if (!slash) return false;
        *slash = 0;
        struct text candidate = {0};
        text_add(&candidate, "%s/share/tamar", path);
        struct text inside = {0};
        text_add(&inside, "%s/lib", candidate.at);
        bool found = access(inside.at, X_OK) == 0 && candidate.count < sizeof folder;
        if (found) memcpy(folder, candidate.at, candidate.count + 1);
        text_free(&inside);
        text_free(&candidate);
        if (found) return true;
    }
    return false;
}

const char *resources_binary(void) {
    static char path[PATH_MAX];
    if (!path[0] && readlink("/proc/self/exe", path, sizeof path - 1) <= 0) return NULL;
    return path;
}

const char *resources_find(void) {
    if (folder[0]) return folder;
    const char *given = getenv("TAMAR_RUNTIME");
    if (given && *given && strlen(given) < sizeof folder) {
        memcpy(folder, given, strlen(given) + 1);
        return folder;
    }
    const char *binary = resources_binary();
    if (!binary) return NULL;
    char path[PATH_MAX];
    memcpy(path, binary, strlen(binary) + 1);
    return find_above(path) ? folder : NULL;
}

const char *resources_folder(void) {
    if (!resources_find())
        user_fail_at(NULL, "Build it with `make`, or set TAMAR_RUNTIME to its folder.",
                     "the runtime (share/tamar) is not found beside the binary");
    return folder;
}

const char *resources_prefix(void) {
    static char prefix[PATH_MAX];
    if (prefix[0]) return prefix;
    const char *given = getenv("TAMAR_PREFIX"), *data = getenv("XDG_DATA_HOME"), *home = getenv("HOME");
    struct text path = {0};
    if (given && *given)
        text_add(&path, "%s", given);
    else if (data && *data == '/')
        text_add(&path, "%s/tamar/prefix", data);
    else
        text_add(&path, "%s/.local/share/tamar/prefix", home && *home == '/' ? home : "");
    snprintf(prefix, sizeof prefix, "%s", path.at);
    text_free(&path);
    return prefix;
}

char *resources_path(const char *name) {
    struct text path = {0};
    text_add(&path, "%s/%s", resources_folder(), name);
    char *copy = mem_strdup(path.at);
    text_free(&path);
    return copy;
}

bool resources_needed_libraries(const char *library, struct text *names) {
    struct text path = {0};
    text_add(&path, "%s/share/tamar/needs/%s", resources_prefix(), library);
    bool found = !strchr(library, '/') && access(path.at, R_OK) == 0 && file_read(path.at, names);
    text_free(&path);
    return found;
}
