// Reads the file that names the options of a program and the tests to run with them. Each line is one of:
//
//     variable NAME bool|int|LOW..HIGH|A|B|C [= DEFAULT] [in FUNCTION]
//     flag WORD                               given on the command line or not
//     choice NAME WORD|WORD|...               one of these words; an empty alternative: none
//     key FILE NAME VALUE|VALUE|... [= DEFAULT]
//     test [NAME:] WORDS... [< FILE] [<> FILE]    standard input; the script of its socket peers
//
// A variable becomes symbolic when FUNCTION (default: main) is first entered. A `#` begins a comment. Words with spaces
// are written in double quotes.
#ifndef TAMAR_CONFIG_SPEC_H
#define TAMAR_CONFIG_SPEC_H

#include "base/vec.h"

struct arena;

enum spec_kind { SPEC_VARIABLE, SPEC_FLAG, SPEC_CHOICE, SPEC_KEY };

struct spec_setting {
    const char *text; // as written in a configuration; flag or choice: the word, "" for none
    int64_t value;    // variables only
};

struct spec_option {
    enum spec_kind kind;
    const char *name;
    const char *function; // variables only
    const char *file;     // keys only
    vec(struct spec_setting) settings;
    bool open;   // an integer without given values: path conditions determine the relevant ones
    bool ranged; // LOW..HIGH: as open, within these bounds
    int64_t low, high;
    uint32_t preset; // index of the default setting; open variables use `preset_value`
    int64_t preset_value;
    bool has_preset;
    unsigned line;
};

struct spec_test {
    const char *name;
    vec(const char *) words;
    const char *input; // file of standard input, NULL: empty
    const char *peers; // script of the peers, NULL: none
    unsigned line;
};

struct spec {
    const char *path;
    vec(struct spec_option) options;
    vec(struct spec_test) tests;
};

// Reads the file. Returns false if it is invalid; the error has been reported with its line. Texts live in the arena.
// The caller must free the lists with spec_free in both cases.
bool spec_read(struct arena *arena, struct spec *spec, const char *path);
bool spec_parse(struct arena *arena, struct spec *spec, const char *path, const char *text);
void spec_free(struct spec *spec);

#endif
