// A command's options are one table, written once as an X-macro. From it come the struct that holds the
// values, the parser, the help text, the manual page and the shell completion.
//
//     #define DEMO_OPTIONS(X, T)                                                                  \
//         X(T, FLAG, quiet, 'q', "say only what matters")                                         \
//         X(T, NUMBER, max_depth, "N", 100, 1, 1000, "give up a path after N branches")
//     OPTIONS_STRUCT(demo_options, DEMO_OPTIONS)   struct demo_options { bool quiet; uint64_t max_depth; };
//     OPTIONS_TABLE(demo_options, DEMO_OPTIONS)    static const struct option_table demo_options_table = ...
//
// The option's name is the field's, with '-' for '_'. Tables nest: a table may list another one's rows by
// naming it, `SHARED_OPTIONS(X, T)`. What stands after the field, by kind:
//     FLAG     letter or 0, help                      bool: off unless given
//     SWITCH   true or false, help                    bool: --name, --no-name
//     NUMBER   metavar, default, low, high, help      uint64_t
//     SECONDS  metavar, default, help                 double: 90, 1.5, 200ms, 5m, 2h
//     TEXT     metavar, default or NULL, help         const char *, not owned; "[N]": a number that may be left out, "" then
//     CHOICE   "one|two|three", "default", help       unsigned: which of them
//     SET      "one|two|~three", "default", help      uint64_t: bit i for the i-th; given as one,three, all or none;
//                                                     a choice marked with '~' is not part of all
//     LIST     metavars ("MIN MAX N": three), help    struct option_list: may repeat
#ifndef TAMAR_OPTIONS_H
#define TAMAR_OPTIONS_H

#include "base/text.h"
#include "base/vec.h"

enum option_kind {
    OPTION_FLAG,
    OPTION_SWITCH,
    OPTION_NUMBER,
    OPTION_SECONDS,
    OPTION_TEXT,
    OPTION_CHOICE,
    OPTION_SET,
    OPTION_LIST
};

struct option {
    const char *name; // as the field: '_' where the user writes '-'
    enum option_kind kind;
    char letter; // 'q' for -q, or 0
    size_t offset;
    const char *metavar;
    const char *initial; // as the user would write it; NULL: nothing
    const char *choices;
    uint64_t low, high;
    const char *help;
};

struct option_table {
    const struct option *at;
    unsigned count;
    size_t size; // of the struct of values
};

// A heading among the options of a help text. A list of them ends with {NULL, NULL}.
struct option_group {
    const char *first; // the field of the option that it stands in front of
    const char *title;
};

#define OPTION_ARITY 3 // values that one occurrence may take, at most

// One occurrence of a LIST option. The order counts through all options of the command line, so that
// occurrences of different options (--sym-arg, --sym-args) can be put back into the order in which they were
// given.
struct option_use {
    unsigned order;
    const char *values[OPTION_ARITY];
};
struct option_list {
    struct option_use *at;
    uint32_t count, capacity;
};

// What is no option: the words before "--", and what follows it.
struct operands {
    vec(const char *) words;
    char **arguments; // NULL-terminated, part of the argv that was parsed
    unsigned argument_count;
    bool separator; // there was a "--"
    bool help;      // there was --help or -h
};

enum operand_style {
    OPERANDS_PLAIN,    // a word that begins with '-' must be an option of ours
    OPERANDS_COMPILER, // words with one '-' are the C compiler's: kept among the operands, with the value
                       // they take
};

// `argv` is NULL-terminated and holds only the words to parse, not the command's name. A mistake is reported
// as the user's, with `command` as its place, and false is returned. Values and operands are to be freed
// either way.
bool options_parse(const struct option_table *table, const char *command, enum operand_style style,
                   char **argv, void *values, struct operands *operands);
void options_free(const struct option_table *table, void *values);
void operands_free(struct operands *operands);

// For text: "--max-depth N", and what `--help`, the manual page and completion say about a table.
void option_add_usage(struct text *text, const struct option *option);
// `groups`: headings, each in front of the option that begins it; NULL: none.
void options_add_help(struct text *text, const struct option_table *table, const struct option_group *groups);
void options_add_man(struct text *text, const struct option_table *table);
// The words to complete, each followed by a blank.
void options_add_words(struct text *text, const struct option_table *table);

// Plain text broken between words, so that no line goes beyond 100 columns, every line but the first
// indented; blank lines stay.
void text_add_wrapped(struct text *text, const char *words, unsigned indent);

// The number of values that an occurrence takes from the words that follow it.
unsigned option_arity(const struct option *option);
// The k-th of "one|two|three": its length, 0 when there is none.
size_t option_choice(const char *choices, unsigned k, const char **start);
void option_add_choices(struct text *text, const char *choices); // "one, two, three"

#define OPTIONS_STRUCT(T, TABLE)                                                                             \
    struct T {                                                                                               \
        TABLE(OPTION_FIELD, T)                                                                               \
    };
#define OPTIONS_TABLE(T, TABLE)                                                                              \
    static const struct option T##_rows[] = {TABLE(OPTION_ROW, T)};                                          \
    static const struct option_table T##_table = {T##_rows, COUNT(T##_rows), sizeof(struct T)};

#define OPTION_FIELD(T, kind, field, ...) OPTION_TYPE_##kind field;
#define OPTION_TYPE_FLAG                  bool
#define OPTION_TYPE_SWITCH                bool
#define OPTION_TYPE_NUMBER                uint64_t
#define OPTION_TYPE_SECONDS               double
#define OPTION_TYPE_TEXT                  const char *
#define OPTION_TYPE_CHOICE                unsigned
#define OPTION_TYPE_SET                   uint64_t
#define OPTION_TYPE_LIST                  struct option_list

#define OPTION_ROW(T, K, field, ...)                                                                         \
    {.name = #field, .kind = OPTION_##K, .offset = offsetof(struct T, field), OPTION_ROW_##K(__VA_ARGS__)},
#define OPTION_ROW_FLAG(l, h)            .letter = (l), .help = (h)
#define OPTION_ROW_SWITCH(d, h)          .initial = (d) ? "on" : "off", .help = (h)
#define OPTION_ROW_NUMBER(m, d, l, g, h) .metavar = (m), .initial = #d, .low = (l), .high = (g), .help = (h)
#define OPTION_ROW_SECONDS(m, d, h)      .metavar = (m), .initial = #d, .help = (h)
#define OPTION_ROW_TEXT(m, d, h)         .metavar = (m), .initial = (d), .help = (h)
#define OPTION_ROW_CHOICE(c, d, h)       .metavar = (c), .choices = (c), .initial = (d), .help = (h)
#define OPTION_ROW_SET(c, d, h)          .metavar = "LIST", .choices = (c), .initial = (d), .help = (h)
#define OPTION_ROW_LIST(m, h)            .metavar = (m), .help = (h)

#endif
