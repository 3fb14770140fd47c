// Executables are linked statically with musl. So the linker takes exactly the needed members of archives, and
// concatenates their bitcode sections. If a shared library is among the inputs, the executable is dynamic. The
// library's bitcode is then added, with a marker, because its code is part of the program at run time.
#include "driver/cc_link.h"

#include "base/error.h"
#include "base/file.h"
#include "base/process.h"
#include "base/resources.h"
#include "base/text.h"
#include "driver/cc_compile.h"
#include "driver/cc_explain.h"
#include "driver/cc_line.h"
#include "front/elf_bitcode_write.h"

#include <elf.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct cc_link {
    const struct cc_line *line;
    bool dynamic;
    vec(char *) libraries; // shared libraries among the inputs
    vec(char *) objects;   // objects of the sources, in order
};

static bool is_shared_library(const char *path) {
    Elf64_Ehdr header;
    FILE *file = fopen(path, "rb");
    bool found = file && fread(&header, sizeof header, 1, file) == 1 &&
                 memcmp(header.e_ident, ELFMAG, SELFMAG) == 0 && header.e_type == ET_DYN;
    if (file) fclose(file);
    return found;
}

// Finds the file of -lNAME in the folders of -L. With `dynamic`, a shared library is preferred, as by the linker.
static char *find_library(const struct cc_line *line, const char *name, bool dynamic) {
    bool next_is_folder = false;
    vec_each (struct cc_word, word, &line->words) {
        const char *folder = NULL;
        if (next_is_folder)
            folder = word->text;
        else if (word->use == CC_FOR_LINKER && strncmp(word->text, "-L", 2) == 0 && word->text[2])
            folder = word->text + 2;
        next_is_folder = word->use == CC_FOR_LINKER && strcmp(word->text, "-L") == 0;
        for (int i = 0; folder && i < 2; i++) {
            struct text path = {0};
            text_add(&path, "%s/lib%s%s", folder, name, (i == 0) == dynamic ? ".so" : ".a");
            char *copy = access(path.at, R_OK) == 0 ? mem_strdup(path.at) : NULL;
            text_free(&path);
            if (copy) return copy;
        }
    }
    return NULL;
}

// Returns the name in -lNAME or `-l NAME`; NULL for other words.
static const char *library_name(const struct cc_word *word, const struct cc_word *before) {
    if (word->use != CC_FOR_LINKER) return NULL;
    if (before && before->use == CC_FOR_LINKER && strcmp(before->text, "-l") == 0) return word->text;
    return strncmp(word->text, "-l", 2) == 0 && word->text[2] ? word->text + 2 : NULL;
}

static void collect_libraries(struct cc_link *link) {
    const struct cc_word *before = NULL;
    vec_each (struct cc_word, word, &link->line->words) {
        const char *name = library_name(word, before);
        char *path = NULL;
        if ((word->use & CC_INPUT) && !word->is_source)
            path = mem_strdup(word->text);
        else if (name)
            path = find_library(link->line, name, link->dynamic);
        if (path && is_shared_library(path))
            vec_push(&link->libraries, path);
        else
            mem_free_string(path);
        before = word;
    }
}

static void forget_libraries(struct cc_link *link) {
    vec_each (char *, path, &link->libraries) mem_free_string(*path);
    vec_clear(&link->libraries);
}

// Decides how to link: statically, unless a library exists only as a shared one; then shared libraries are preferred
// everywhere.
static void decide(struct cc_link *link) {
    const struct cc_line *line = link->line;
    if (line->wants_static || line->relocatable) return;
    link->dynamic = line->shared;
    collect_libraries(link);
    if (link->dynamic || link->libraries.count == 0) return;
    forget_libraries(link);
    link->dynamic = true;
    collect_libraries(link);
}

static int compile_sources(struct cc_link *link) {
    int status = 0;
    vec_each (struct cc_word, word, &link->line->words) {
        if (!word->is_source || status) continue;
        struct text object = {0};
        text_add(&object, "%s/%u.o", process_temporary_folder(), link->objects.count);
        vec_push(&link->objects, mem_strdup(object.at));
        text_free(&object);
        status = cc_compile_for_link(link->line, word, *vec_last(&link->objects));
    }
    return status;
}

// Adds an object with the bitcode of a shared library. A library that `tamar cc` did not build has no bitcode: nothing
// is added.
static bool add_library_bitcode(struct process_command *command, const char *library, uint32_t number) {
    struct text file = {0}, object = {0};
    struct elf_bitcode bitcode;
    bool good = true;
    if (file_read(library, &file) && !elf_bitcode_read(file.at, file.count, &bitcode)) {
        elf_bitcode_make_object(&bitcode, ELF_BITCODE_SHARED, &object);
        elf_bitcode_free(&bitcode);
        char path[4096];
        int length = snprintf(path, sizeof path, "%s/library-%u.o", process_temporary_folder(), number);
        good = length > 0 && (size_t)length < sizeof path && file_write(path, object.at, object.count);
        if (good)
            process_add(command, path);
        else
            user_error_at(library, "Is the disk full?", "its bitcode cannot be copied");
    }
    text_free(&file);
    text_free(&object);
    return good;
}

static void add_start(struct process_command *command, const struct cc_link *link) {
    const struct cc_line *line = link->line;
    const char *folder = resources_folder();
    process_add(command, "clang-19");
    process_add(command, "--target=x86_64-linux-musl");
    process_add(command, "-Qunused-arguments");
    process_add_format(command, "--sysroot=%s/sysroot", folder);
    process_add(command, "-nostdlib");
    process_add(command, "-nostartfiles");
    if (line->relocatable) {
        process_add(command, "-r");
        return;
    }
    if (line->shared) {
        process_add(command, "-shared");
    } else {
        process_add(command, "-no-pie");
        process_add(command, link->dynamic ? "-Wl,-dynamic-linker,/lib/ld-musl-x86_64.so.1" : "-static");
    }
    if (line->no_start_files) return;
    if (!line->shared) process_add_format(command, "%s/sysroot/usr/lib/crt1.o", folder);
    process_add_format(command, "%s/sysroot/usr/lib/crti.o", folder);
}

static bool add_words(struct process_command *command, const struct cc_link *link) {
    bool is_executable = !link->line->shared && !link->line->relocatable;
    uint32_t object = 0;
    vec_each (struct cc_word, word, &link->line->words) {
        if (word->is_source)
            process_add(command, link->objects.at[object++]);
        else if (word->use & (CC_FOR_LINKER | CC_INPUT))
            process_add(command, word->text);
    }
    for (uint32_t i = 0; is_executable && i < link->libraries.count; i++)
        if (!add_library_bitcode(command, link->libraries.at[i], i)) return false;
    return true;
}

// Returns the name of a library in the prefix of `tamar deps` that is given by its path, as Meson and CMake do, in
// `name`; NULL for other words.
static const char *prefix_library(const struct cc_word *word, struct text *name) {
    struct text start = {0};
    text_add(&start, "%s/lib/lib", resources_prefix());
    bool found = (word->use & CC_INPUT) && !word->is_source && !strncmp(word->text, start.at, start.count) &&
                 text_ends_with(word->text, ".a");
    if (found)
        text_add_bytes(name, word->text + start.count, strlen(word->text) - start.count - strlen(".a"));
    text_free(&start);
    return found ? name->at : NULL;
}

// Adds the libraries once more, and the libraries that they need. Shared libraries name their dependencies, and can be
// linked in any order (`cc -lbz2 main.c`, cycles). The archives that replace them must behave the same.
static void add_libraries_again(struct process_command *command, const struct cc_line *line) {
    const struct cc_word *before = NULL;
    vec_each (struct cc_word, word, &line->words) {
        struct text needs = {0}, file_name = {0};
        const char *name = library_name(word, before);
        if (!name) name = prefix_library(word, &file_name);
        if (name) process_add_format(command, "-l%s", name);
        if (name && resources_needed_libraries(name, &needs))
            for (char *state, *one = strtok_r(needs.at, "\n", &state); one;
                 one = strtok_r(NULL, "\n", &state))
                process_add_format(command, "-l%s", one);
        text_free(&needs);
        text_free(&file_name);
        before = word;
    }
}

static void add_end(struct process_command *command, const struct cc_link *link) {
    const struct cc_line *line = link->line;
    const char *folder = resources_folder();
    if (line->relocatable) return;
    struct text prefix = {0};
    text_add(&prefix, "%s/lib", resources_prefix());
    if (access(prefix.at, X_OK) == 0) process_add_format(command, "-L%s", prefix.at);
    text_free(&prefix);
    process_add_format(command, "-L%s/sysroot/usr/lib", folder);
    if (line->is_fuzzer && !line->shared && !line->no_default_libraries)
        process_add_format(command, "%s/lib/libtamar-fuzzer.a", folder);
    process_add(command, "-Wl,--start-group");
    add_libraries_again(command, line);
    if (!line->no_default_libraries) {
        if (!line->shared) {
            process_add_format(command, "%s/lib/libtamar.a", folder);
            process_add_format(command, "%s/lib/libtamar-musl.a", folder);
        }
        process_add(command, "-lc");
        process_add(command, "-lgcc");
        process_add(command, "-lgcc_eh");
    }
    process_add(command, "-Wl,--end-group");
    if (!line->no_start_files) process_add_format(command, "%s/sysroot/usr/lib/crtn.o", folder);
}

// Explains -l words for which no library was found.
static void explain_libraries(const struct cc_line *line) {
    const struct cc_word *before = NULL;
    vec_each (struct cc_word, word, &line->words) {
        const char *name = library_name(word, before);
        before = word;
        if (!name || *name == ':') continue;
        char *path = find_library(line, name, true);
        struct text places[2] = {{0}, {0}};
        text_add(&places[0], "%s/lib/lib%s.a", resources_prefix(), name);
        text_add(&places[1], "%s/sysroot/usr/lib/lib%s.a", resources_folder(), name);
        if (!path && access(places[0].at, R_OK) != 0 && access(places[1].at, R_OK) != 0)
            cc_explain_library(name);
        for (int i = 0; i < 2; i++) text_free(&places[i]);
        mem_free_string(path);
    }
}

static void explain_input(const char *path, struct text *natives) {
    char whole[PATH_MAX];
    if (!cc_explain_input(path) || !realpath(path, whole) || strpbrk(whole, "\"\\\n")) return;
    text_add(natives, "%s\n", whole);
}

// Warns about inputs without bitcode, which Tamar cannot execute, and collects their paths.
static void explain_inputs(const struct cc_line *line, struct text *natives) {
    const struct cc_word *before = NULL;
    vec_each (struct cc_word, word, &line->words) {
        const char *name = library_name(word, before);
        before = word;
        if ((word->use & CC_INPUT) && !word->is_source) explain_input(word->text, natives);
        char *path = name ? find_library(line, name, false) : NULL;
        if (path) explain_input(path, natives);
        mem_free_string(path);
    }
}

// Adds a section that names the inputs without bitcode: `tamar run` says where a function comes from.
static void add_natives(struct process_command *command, const struct text *natives) {
    struct text source = {0}, path = {0};
    if (!natives->count) return;
    text_add(&path, "%s/natives.s", process_temporary_folder());
    text_add(&source, ".section " ELF_NATIVES_SECTION ",\"\",@progbits\n");
    for (const char *at = natives->at; *at; at += strcspn(at, "\n") + 1)
        text_add(&source, ".ascii \"%.*s\\n\"\n", (int)strcspn(at, "\n"), at);
    text_add(&source, ".byte 0\n.section .note.GNU-stack,\"\",@progbits\n");
    if (file_write(path.at, source.at, source.count)) process_add(command, path.at);
    text_free(&source);
    text_free(&path);
}

static int link_objects(const struct cc_link *link, const struct text *natives) {
    struct process_command command = {0};
    add_start(&command, link);
    process_add(&command, "-o");
    process_add(&command, link->line->output ? link->line->output : "a.out");
    if (!add_words(&command, link)) return 1;
    add_natives(&command, natives);
    add_end(&command, link);
    int status = process_run(&command);
    if (status != 0) explain_libraries(link->line);
    return status;
}

int cc_link_all(const struct cc_line *line) {
    struct cc_link link = {.line = line};
    decide(&link);
    struct text natives = {0};
    if (!line->relocatable) explain_inputs(line, &natives);
    int status = compile_sources(&link);
    if (status == 0) status = link_objects(&link, &natives);
    text_free(&natives);
    forget_libraries(&link);
    vec_free(&link.libraries);
    vec_each (char *, object, &link.objects) mem_free_string(*object);
    vec_free(&link.objects);
    return status;
}
