#include "driver/cc_explain.h"

#include "base/error.h"
#include "base/file.h"
#include "base/resources.h"
#include "base/text.h"
#include "front/elf_bitcode.h"

#include <string.h>

static bool has_text(const struct text *content, const char *wanted) {
    return memmem(content->at, content->count, wanted, strlen(wanted)) != NULL;
}

// An object with bitcode has the name of the bitcode section in its string table: the whole file is searched for it.
// Likewise for the names of the libraries that a shared library needs.
bool cc_explain_input(const char *path) {
    struct text content = {0};
    bool archive = text_ends_with(path, ".a");
    bool shared = text_ends_with(path, ".so") || strstr(path, ".so.");
    if (!archive && !shared && !text_ends_with(path, ".o")) return false;
    bool native = file_read(path, &content) && content.count > 8 &&
                  !has_text(&content, ELF_BITCODE_SECTION) &&
                  (elf_bitcode_is_elf(content.at, content.count) || has_text(&content, "\177ELF"));
    if (native && shared && has_text(&content, "libstdc++.so"))
        user_warning(
            "cc: %s is C++, which Tamar does not execute. Leave it out, or build that part of the project "
            "with another compiler.",
            path);
    else if (native && shared && has_text(&content, "libc.so.6"))
        user_warning(
            "cc: %s is for another C library: the program cannot be linked with it. Build it with `tamar "
            "cc`, or with `tamar deps` where Debian has it.",
            path);
    else if (native)
        user_warning("cc: %s has no bitcode: Tamar cannot execute its functions. Build it with `tamar cc`%s.",
                     path, archive ? ", or with `tamar deps` where Debian has it" : "");
    text_free(&content);
    return native;
}

void cc_explain_library(const char *name) {
    user_warning("cc: -l%s was found neither in the folders of -L nor in %s/lib. The host's libraries are "
                 "for another C "
                 "library. "
                 "`tamar deps %s` builds Debian's for Tamar.",
                 name, resources_prefix(), name);
}
