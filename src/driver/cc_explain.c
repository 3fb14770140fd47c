#include "driver/cc_explain.h"

#include "base/error.h"
#include "base/file.h"
#include "base/resources.h"
#include "base/text.h"
#include "front/elf_bitcode.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

// An object with bitcode has the name of the bitcode section in its string table: the whole file is searched for it.
void cc_explain_input(const char *path) {
    struct text content = {0};
    bool archive = text_ends_with(path, ".a");
    if (!archive && !text_ends_with(path, ".o")) return;
    if (file_read(path, &content) && content.count > 8 &&
        !memmem(content.at, content.count, ELF_BITCODE_SECTION, strlen(ELF_BITCODE_SECTION)) &&
        (elf_bitcode_is_elf(content.at, content.count) || memmem(content.at, content.count, "\177ELF", 4)))
        user_warning(
            "cc: %s has no bitcode: Tamar cannot execute what it defines. Build it with `tamar cc`%s.", path,
            archive ? ", or with `tamar deps` where Debian has it" : "");
    text_free(&content);
}

void cc_explain_library(const char *name) {
    user_warning(
        "cc: -l%s is in no folder that was named, nor in %s/lib. The host's libraries are for another C "
        "library. "
        "`tamar deps %s` builds Debian's for Tamar.",
        name, resources_prefix(), name);
}

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

void cc_explain_headers(const char *source) {
    FILE *file = fopen(source, "r");
    char line[1000], header[200];
    while (file && fgets(line, sizeof line, file)) {
        const char *at = line;
        while (isspace((unsigned char)*at)) at++;
        if (*at++ != '#') continue;
        if (sscanf(at, " include <%199[^>]>", header) != 1 || !is_only_on_host(header)) continue;
        user_warning(
            "cc: <%s> is only among the host's headers, which are for another C library. `tamar deps %s` "
            "builds its library for Tamar.",
            header, header);
    }
    if (file) fclose(file);
}
