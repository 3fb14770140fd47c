// The file that names the options of a program and the tests to try them with, line by line:
//
//     variable NAME bool|int|LOW..HIGH|A|B|C [= DEFAULT] [in FUNCTION]
//     flag WORD                               given on the command line or not
//     choice NAME WORD|WORD|...               one of these words; nothing between two bars: none
//     key FILE NAME VALUE|VALUE|... [= DEFAULT]
//     test [NAME:] WORDS... [< FILE] [<> FILE]    standard input; the script of who talks to it over sockets
//
// A variable becomes symbolic when FUNCTION (main) is entered first. A `#` begins a comment. Words with spaces
// stand in double quotes.
#ifndef TAMAR_CONFIG_SPEC_H
#define TAMAR_CONFIG_SPEC_H

#include "base/vec.h"

struct arena;

enum spec_kind { SPEC_VARIABLE, SPEC_FLAG, SPEC_CHOICE, SPEC_KEY };

struct spec_setting {
    const char *text; // as it stands in a configuration; of a flag or choice: the word, "" for none
    int64_t value;    // of a variable
};

struct spec_option {
    enum spec_kind kind;
    const char *name;
    const char *function; // of a variable
    const char *file;     // of a key
    vec(struct spec_setting) settings;
    bool open;   // an integer without given values: the paths' conditions tell which matter
    bool ranged; // LOW..HIGH: as open, within these
    int64_t low, high;
    uint32_t preset; // index of the default setting; of an open variable the value is `preset_value`
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

// False: something is wrong with the text, and the user was told where. Texts live in the arena; the lists are to
// be freed with spec_free either way.
bool spec_read(struct arena *arena, struct spec *spec, const char *path);
bool spec_parse(struct arena *arena, struct spec *spec, const char *path, const char *text);
void spec_free(struct spec *spec);

#endif
