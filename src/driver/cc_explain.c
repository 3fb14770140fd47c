#include "driver/cc_explain.h"

#include "base/error.h"
#include "base/file.h"
#include "base/resources.h"
#include "base/text.h"
#include "front/elf_bitcode.h"

#include <string.h>

// An object with bitcode has the name of the bitcode section in its string table: the whole file is searched for it.
void cc_explain_input(const char *path) {
    struct text content = {0};
    bool archive = text_ends_with(path, ".a");
    if (!archive && !text_ends_with(path, ".o")) return;
    if (file_read(path, &content) && content.count > 8 &&
        !memmem(content.at, content.count, ELF_BITCODE_SECTION, strlen(ELF_BITCODE_SECTION)) &&
        (elf_bitcode_is_elf(content.at, content.count) || memmem(content.at, content.count, "\177ELF", 4)))
        user_warning("cc: %s has no bitcode: Tamar cannot execute its functions. Build it with `tamar cc`%s.",
                     path, archive ? ", or with `tamar deps` where Debian has it" : "");
    text_free(&content);
}

void cc_explain_library(const char *name) {
    user_warning("cc: -l%s was found neither in the folders of -L nor in %s/lib. The host's libraries are "
                 "for another C "
                 "library. "
                 "`tamar deps %s` builds Debian's for Tamar.",
                 name, resources_prefix(), name);
}
