#include "front/host_headers.h"

#include "base/base.h"
#include "base/error.h"
#include "base/resources.h"
#include "base/text.h"

#include <ctype.h>
#include <stdio.h>
#include <unistd.h>

static bool exists(const char *folder, const char *header) {
    struct text path = {0};
    text_add(&path, "%s/%s", folder, header);
    bool found = access(path.at, R_OK) == 0;
    text_free(&path);
    return found;
}

static bool is_only_on_host(const char *header) {
    static const char *const host[] = {"/usr/include", "/usr/include/x86_64-linux-gnu"};
    static const char *const own[] = {"include", "include/gnu", "sysroot/usr/include", "sysroot/clang"};
    bool found = false;
    for (size_t i = 0; i < COUNT(host); i++) found |= exists(host[i], header);
    struct text folder = {0};
    for (size_t i = 0; i < COUNT(own) && found; i++) {
        text_clear(&folder);
        text_add(&folder, "%s/%s", resources_folder(), own[i]);
        found = !exists(folder.at, header);
    }
    text_clear(&folder);
    text_add(&folder, "%s/include", resources_prefix());
    found = found && !exists(folder.at, header);
    text_free(&folder);
    return found;
}

void host_headers_explain(const char *source) {
    FILE *file = fopen(source, "r");
    char line[1000], header[200];
    while (file && fgets(line, sizeof line, file)) {
        const char *at = line;
        while (isspace((unsigned char)*at)) at++;
        if (*at++ != '#') continue;
        if (sscanf(at, " include <%199[^>]>", header) != 1 || !is_only_on_host(header)) continue;
        user_warning(
            "<%s> is only among the host's headers, which are for another C library. `tamar deps %s` "
            "builds its library for Tamar.",
            header, header);
    }
    if (file) fclose(file);
}
