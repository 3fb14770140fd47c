// Parses the command line of a compiler: words for the compiler, words for the linker, input files.
#ifndef TAMAR_DRIVER_CC_LINE_H
#define TAMAR_DRIVER_CC_LINE_H

#include "base/vec.h"

enum cc_mode {
    CC_LINK,       // everything, up to an executable or a shared library
    CC_OBJECT,     // -c
    CC_ASSEMBLY,   // -S
    CC_PREPROCESS, // -E, -M, -fsyntax-only and similar ones: no code is made
    CC_QUERY,      // --version, -print-*, -dumpmachine without inputs
};

enum cc_use { // the tools that get a word, as bits
    CC_FOR_COMPILER = 1,
    CC_FOR_LINKER = 2,
    CC_INPUT = 4,
};

struct cc_word {
    char *text;
    int use;
    const char *language; // value of -x for an input; NULL: the file name determines it
    bool is_source;       // an input that the compiler turns into an object
};

struct cc_line {
    vec(struct cc_word) words; // in the order of the command line, which matters to the linker
    enum cc_mode mode;
    const char *output; // -o, or NULL
    unsigned sources, inputs;
    bool shared, relocatable, wants_static, no_start_files, no_default_libraries;
    bool has_debug, is_pic, emits_llvm;
    bool makes_dependencies, names_dependency_file, names_dependency_target;
    bool is_fuzzer; // -fsanitize=fuzzer: Tamar adds main
    vec(char *) owned;
};

// Parses `argv`, which is NULL-terminated. Response files (@FILE) are read. Returns false if an error has been
// reported.
bool cc_line_parse(struct cc_line *line, char **argv);
void cc_line_free(struct cc_line *line);

#endif
