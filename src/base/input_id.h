// Inputs: everything that a program can be given from outside. The table has one row for each kind; names in test files,
// in .ktest files, among the terms and in reports come from it, and are read back by it.
//
// An input is identified by its kind, a name, and an index: `x#1` is the second object that the program calls `x`,
// argument 2 is argv[2]. The length of a file, where it is symbolic, is an input of its own, with the file's identity.
#ifndef TAMAR_INPUT_ID_H
#define TAMAR_INPUT_ID_H

#include "base/base.h"

struct text;

// Which parts of the identity a kind uses.
enum input_key {
    KEY_NONE,       // there is one only
    KEY_INDEX,      // a number
    KEY_NAME,       // a name
    KEY_NAME_INDEX, // a name, and a number among the inputs of that name
};

// To add a kind: one row. Test files have kinds that have a word there; the others exist only inside the engine.
//
// kind, key, has a length that may be symbolic,
//     word in test files; place in a test's folder, from which a native run gets it (DIR/: a file in it),
//     prefix and end of the name in a .ktest file,
//     prefix among the terms, as query logs show it; prefix and end in conditions, as C would write it,
//     prefix in the log of a run; prefix in reports
// clang-format off
#define INPUT_KINDS(X)                                                                                       \
    X(OBJECT, KEY_NAME_INDEX, true,                                                                         \
      "object", "objects/", "", "", "", "", "", "", "")                                                      \
    X(ARGUMENT, KEY_INDEX, false,                                                                            \
      "argument", "argv", "arg", "", "arg:", "argv[", "]", "arg ", "argument ")                              \
    X(STDIN, KEY_NONE, true,                                                                                 \
      "stdin", "stdin", "stdin", "", "stdin:", "stdin", "", "stdin ", "standard input")                      \
    X(FILE, KEY_NAME, true,                                                                                  \
      "file", "files/", "", "-data", "file:", "", "", "file ", "file ")                                      \
    X(ENVIRONMENT, KEY_NAME, false,                                                                          \
      "environment", "env", "env-", "", "env:", "$", "", "env ", "variable ")                                \
    /* a byte of memory that was never written, and a second value of the same byte */                       \
    X(UNINITIALISED, KEY_INDEX, false,                                                                       \
      NULL, NULL, NULL, NULL, "uninitialised:", "uninitialised:", "", NULL, NULL)                            \
    X(OTHERWISE, KEY_INDEX, false,                                                                           \
      NULL, NULL, NULL, NULL, "otherwise:", "otherwise:", "", NULL, NULL)
// clang-format on

enum input_kind {
#define X(kind, ...) INPUT_##kind,
    INPUT_KINDS(X)
#undef X
        INPUT_KIND_COUNT
};

struct input_kind_info {
    enum input_key key;
    bool has_length;
    const char *word;  // NULL: never in a test
    const char *place; // "objects/", "argv", ...
    const char *ktest, *ktest_end;
    const char *term;
    const char *c, *c_end;
    const char *log, *report;
};
extern const struct input_kind_info input_kinds[INPUT_KIND_COUNT];

struct input_id {
    enum input_kind kind;
    bool is_length; // the length of the file, not its bytes
    uint32_t index; // 0 where the key has no index
    const char *name;
    uint32_t name_length; // the name need not end there; 0 where the key has no name
};

// An object of the program's own of which `index` of that name came before; index 0 of `x#1` is index 1 of `x`.
struct input_id input_object(const char *name, uint32_t index);
struct input_id input_file(const char *path); // NULL: standard input
struct input_id input_variable(const char *name);
struct input_id input_numbered(enum input_kind kind, uint32_t index);
struct input_id input_length(struct input_id file);

// Whether one of the functions above could have made it: identities that were read may be damaged.
bool input_is_valid(struct input_id id);
bool input_same(struct input_id a, struct input_id b);
uint64_t input_hash(struct input_id id);

// The name in test files, without the kind: "x#1", "2" of an argument, "" of standard input.
void input_add_name(struct text *to, struct input_id id);
// The identity from the name in test files: the inverse of input_add_name.
struct input_id input_parse(enum input_kind kind, const char *name);
// The kind of that word; false: there is none.
bool input_find_kind(const char *word, enum input_kind *kind);

// Among the terms: "arg:1", "length:stdin:".
void input_add_term_name(struct text *to, struct input_id id);
// As C would write it: "argv[1]", "sizeof stdin".
void input_add_c_name(struct text *to, struct input_id id);

// KLEE numbers the symbolic arguments only: `argument` is that number.
void input_add_ktest_name(struct text *to, struct input_id id, uint32_t argument);
// The input of that name in a .ktest file; an argument gets the number that KLEE gave it. The name lives as long as `name`.
struct input_id input_from_ktest(const char *name);

// Objects that the runtime makes, not the program: their names have a meaning. Role, name, whether the name goes on after
// that, the variable in which a native run gets the object's size (NULL: none).
// clang-format off
#define INPUT_ROLES(X)                                                                                       \
    /* what a libFuzzer harness gets */                                                                      \
    X(HARNESS, "input", false, "TAMAR_INPUT_SIZE")                                                           \
    /* what the kernel's model chose: failing calls, short reads */                                          \
    X(CHOICES, "choices", false, NULL)                                                                       \
    /* socket1, socket2, ...: what arrives over a connection */                                              \
    X(SOCKET, "socket", true, NULL)                                                                          \
    /* from getrandom */                                                                                     \
    X(RANDOM, "random", true, NULL)                                                                          \
    /* memory that the program reads before it writes it (--uninitialised symbolic) */                       \
    X(UNSET, "uninitialised ", true, NULL)
// clang-format on
enum input_role {
    ROLE_NONE,
#define X(role, ...) ROLE_##role,
    INPUT_ROLES(X)
#undef X
};
struct input_role_info {
    const char *name;
    bool is_prefix;
    const char *size_variable;
};
extern const struct input_role_info input_roles[];
// By the name in test files.
enum input_role input_role(enum input_kind kind, const char *name);

#endif
