#include "driver/cc_adopt.h"

#include "base/error.h"
#include "base/file.h"
#include "base/text.h"
#include "front/elf_bitcode_write.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

// Whether the output is kept. Configure scripts compile to /dev/null and pipes only to test the compiler.
static bool is_kept(const char *output) {
    struct stat st;
    return stat(output, &st) == 0 && S_ISREG(st.st_mode);
}

static bool read_whole(const char *path, struct text *content) {
    if (file_read(path, content)) return true;
    user_error_at(path, NULL, "cannot be read: %s", strerror(errno));
    return false;
}

static bool write_whole(const char *path, const struct text *content) {
    if (file_write(path, content->at, content->count)) return true;
    user_error_at(path, "Is the disk full?", "cannot be written: %s", strerror(errno));
    return false;
}

bool cc_adopt(const char *object, const char *bitcode) {
    if (!is_kept(object)) return true;
    struct text content = {0}, module = {0}, result = {0};
    bool good = read_whole(object, &content) && (!bitcode || read_whole(bitcode, &module));
    if (good) {
        const char *wrong = elf_bitcode_adopt(content.at, content.count, bitcode ? &module : NULL, &result);
        if (wrong) user_error_at(object, NULL, "%s", wrong);
        good = !wrong && (!result.count || write_whole(object, &result));
    }
    text_free(&content);
    text_free(&module);
    text_free(&result);
    return good;
}

bool cc_adopt_assembly(const char *assembly, const char *bitcode) {
    if (!is_kept(assembly)) return true;
    enum { PER_LINE = 32 };
    struct text content = {0}, module = {0};
    bool good = read_whole(assembly, &content) && read_whole(bitcode, &module);
    text_add(&content, "\t.section\t.llvmbc\n");
    for (size_t i = 0; i < module.count; i++)
        text_add(&content, "%s0x%02x%s", i % PER_LINE ? "," : "\t.byte\t", (uint8_t)module.at[i],
                 i % PER_LINE == PER_LINE - 1 || i + 1 == module.count ? "\n" : "");
    good = good && write_whole(assembly, &content);
    text_free(&content);
    text_free(&module);
    return good;
}
