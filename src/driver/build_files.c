#include "driver/build_files.h"

#include "base/error.h"
#include "base/file.h"
#include "base/resources.h"
#include "base/text.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

static bool make_folders(char *path) {
    for (char *at = path + 1; *at; at++) {
        if (*at != '/') continue;
        *at = 0;
        bool good = mkdir(path, 0777) == 0 || errno == EEXIST;
        *at = '/';
        if (!good) return false;
    }
    return true;
}

static bool write_file(const char *name, const struct text *content, bool executable) {
    struct text path = {0}, old = {0};
    text_add(&path, "%s/%s", resources_prefix(), name);
    bool same =
        file_read(path.at, &old) && old.count == content->count && !memcmp(old.at, content->at, old.count);
    bool good = same || (make_folders(path.at) && file_replace(path.at, content->at, content->count) &&
                         (!executable || chmod(path.at, 0777) == 0));
    if (!good)
        user_error_at(path.at, "Name a folder that can be written with TAMAR_PREFIX=FOLDER.",
                      "cannot be written: %s", strerror(errno));
    text_free(&path);
    text_free(&old);
    return good;
}

static void add_pkg_config(struct text *text) {
    text_add(text, "%s/lib/pkgconfig:%s/share/pkgconfig", resources_prefix(), resources_prefix());
}

static void add_cmake(struct text *text) {
    const char *prefix = resources_prefix();
    text_add(text,
             "# Made by `tamar cc --print-cmake-toolchain`.\n"
             "set(CMAKE_C_COMPILER \"%s/bin/tamar-cc\")\n"
             "list(APPEND CMAKE_FIND_ROOT_PATH \"%s\" \"%s/sysroot\")\n"
             "list(APPEND CMAKE_PREFIX_PATH \"%s\")\n",
             prefix, prefix, resources_folder(), prefix);
    text_add(text, "# Libraries and headers of the host are for another C library; its programs are used.\n"
                   "foreach(kind LIBRARY INCLUDE PACKAGE)\n"
                   "  if(NOT DEFINED CMAKE_FIND_ROOT_PATH_MODE_${kind})\n"
                   "    set(CMAKE_FIND_ROOT_PATH_MODE_${kind} ONLY)\n"
                   "  endif()\n"
                   "endforeach()\n"
                   "set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)\n"
                   "set(ENV{PKG_CONFIG_LIBDIR} \"");
    add_pkg_config(text);
    text_add(text, "\")\nset(ENV{PKG_CONFIG_PATH} \"\")\n");
}

static void add_meson(struct text *text) {
    text_add(text,
             "# Made by `tamar cc --print-meson-file`.\n[binaries]\nc = "
             "'%s/bin/tamar-cc'\n\n[properties]\npkg_config_libdir = '",
             resources_prefix());
    add_pkg_config(text);
    text_add(text, "'\n\n[built-in options]\npkg_config_path = ''\ncmake_prefix_path = '%s'\n",
             resources_prefix());
}

bool build_files_write(void) {
    struct text wrapper = {0}, cmake = {0}, meson = {0};
    text_add(&wrapper, "#!/bin/sh\nexec '%s' cc \"$@\"\n", resources_binary());
    add_cmake(&cmake);
    add_meson(&meson);
    bool good = write_file("bin/tamar-cc", &wrapper, true) &&
                write_file("share/tamar/toolchain.cmake", &cmake, false) &&
                write_file("share/tamar/meson.ini", &meson, false);
    text_free(&wrapper);
    text_free(&cmake);
    text_free(&meson);
    return good;
}

static void print_environment(void) {
    struct text folders = {0};
    add_pkg_config(&folders);
    // A path without arguments: some configure scripts quote $CC.
    printf("export CC='%s/bin/tamar-cc'\nexport PKG_CONFIG_LIBDIR='%s'\nexport PKG_CONFIG_PATH=\n",
           resources_prefix(), folders.at);
    text_free(&folders);
}

bool build_files_answer(const char *word, int *status) {
    bool cmake = !strcmp(word, "--print-cmake-toolchain"), meson = !strcmp(word, "--print-meson-file");
    bool environment = !strcmp(word, "--print-environment"), prefix = !strcmp(word, "--print-prefix");
    if (!cmake && !meson && !environment && !prefix) return false;
    *status = build_files_write() ? 0 : EXIT_USAGE;
    if (*status != 0) return true;
    if (cmake || meson)
        printf("%s/share/tamar/%s\n", resources_prefix(), cmake ? "toolchain.cmake" : "meson.ini");
    else if (prefix)
        puts(resources_prefix());
    else
        print_environment();
    return true;
}
