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
// naming it, `SHARED_OPTIONS(X, T)`. The columns after the field depend on the kind:
//     FLAG     letter or 0, help                      bool: off unless given
//     SWITCH   true or false, help                    bool: --name, --no-name; with true the help is that of --no-name
//     NUMBER   metavar, default, low, high, help      uint64_t
//     SECONDS  metavar, default, help                 double: 90, 1.5, 200ms, 5m, 2h
//     TEXT     metavar, default or NULL, help         const char *, not owned; metavar "[N]": an optional number,
//                                                     "" if it is left out
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
    const char *name; // the field's name: '_' where the user writes '-'
    enum option_kind kind;
    char letter; // 'q' for -q, or 0
    size_t offset;
    const char *metavar;
    const char *initial; // default, as the user would write it; NULL: none
    const char *choices;
    uint64_t low, high;
    const char *help;
};

struct option_table {
    const struct option *at;
    unsigned count;
    size_t size; // bytes of the struct of values
};

// A heading among the options of a help text. A list of them ends with {NULL, NULL}.
struct option_group {
    const char *first; // field of the first option below the heading
    const char *title;
};

#define OPTION_ARITY 3 // maximum number of values of one occurrence

// One occurrence of a LIST option. `order` is its position among all options of the command line: occurrences of
// different options (--sym-arg, --sym-args) can be merged in the order in which they were given.
struct option_use {
    unsigned order;
    const char *values[OPTION_ARITY];
};
struct option_list {
    struct option_use *at;
    uint32_t count, capacity;
};

// The words that are not options: operands before "--", and arguments after it.
struct operands {
    vec(const char *) words;
    char **arguments; // words after "--": NULL-terminated, part of the parsed argv
    unsigned argument_count;
    bool separator; // there was a "--"
    bool help;      // there was --help or -h
};

enum operand_style {
    // A word that begins with '-' must be an option of the table.
    OPERANDS_PLAIN,
    // A word that begins with one '-' and is not an option is a flag of the C compiler: it and its value are operands.
    OPERANDS_COMPILER,
};

// Parses `argv`, which is NULL-terminated and does not include the command's name. Returns false after a usage error,
// which has been reported with `command` as its location. The caller must free values and operands in both cases.
bool options_parse(const struct option_table *table, const char *command, enum operand_style style,
                   char **argv, void *values, struct operands *operands);
void options_free(const struct option_table *table, void *values);
void operands_free(struct operands *operands);

// Appends "--max-depth N". The functions below append the table's part of `--help`, manual page and completion.
void option_add_usage(struct text *text, const struct option *option);
// `groups`: the headings; NULL: none.
void options_add_help(struct text *text, const struct option_table *table, const struct option_group *groups);
void options_add_man(struct text *text, const struct option_table *table);
// Appends the words to complete, each followed by a blank.
void options_add_words(struct text *text, const struct option_table *table);

// Appends plain text wrapped at 100 columns. Every line but the first is indented; blank lines are kept.
void options_add_wrapped(struct text *text, const char *words, unsigned indent);

// The number of values that an occurrence takes from the following words.
unsigned option_arity(const struct option *option);
// Finds the k-th word of "one|two|three" and returns its length. 0: there is none.
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
