// Identities of program inputs. The table has one row for each kind. Names in test files, in .ktest files, in terms and
// in reports are printed and parsed by it.
//
// An input is identified by its kind, a name, and an index: `x#1` is the second object that the program calls `x`,
// argument 2 is argv[2]. A symbolic length of a file is a separate input, with the file's identity and `is_length`.
#ifndef TAMAR_INPUT_ID_H
#define TAMAR_INPUT_ID_H

#include "base/base.h"

struct text;

// The parts of the identity that a kind uses.
enum input_key {
    KEY_NONE,       // nothing: there is only one input of the kind
    KEY_INDEX,      // a number
    KEY_NAME,       // a name
    KEY_NAME_INDEX, // a name, and a number among the inputs of that name
};

// To add a kind: one row. Kinds without a word for test files exist only inside the engine.
//
// kind, key, has a length that may be symbolic,
//     word in test files; path in a test's folder from which a native run reads it (DIR/: a file in it),
//     prefix and end of the name in a .ktest file,
//     prefix in terms, as query logs show it; prefix and end in conditions, in C syntax,
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
    /* a byte of memory that was never written, and its twin: an independent value of the same byte, */      \
    /* to decide whether behaviour depends on it (vm/uninit.c) */                                            \
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
    const char *word;  // in test files; NULL: never in a test
    const char *place; // path in a test's folder: "objects/", "argv", ...
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
    uint32_t name_length; // `name` need not be NUL-terminated; 0 where the key has no name
};

// The object that the program calls `name`; `index`: the number of earlier objects of that name. A name `x#1` with
// index 0 means `x` with index 1.
struct input_id input_object(const char *name, uint32_t index);
struct input_id input_file(const char *path); // NULL: standard input
struct input_id input_variable(const char *name);
struct input_id input_numbered(enum input_kind kind, uint32_t index);
struct input_id input_length(struct input_id file);

// Whether the identity is well-formed, that is, one of the functions above can return it. For identities read from
// files.
bool input_is_valid(struct input_id id);
bool input_same(struct input_id a, struct input_id b);
uint64_t input_hash(struct input_id id);

// Appends the name in test files, without the kind: "x#1", "2" for an argument, "" for standard input.
void input_add_name(struct text *to, struct input_id id);
// The identity from the name in test files: the inverse of input_add_name.
struct input_id input_parse(enum input_kind kind, const char *name);
// Finds the kind of a word of test files. Returns false if there is none.
bool input_find_kind(const char *word, enum input_kind *kind);

// Appends the name in terms: "arg:1", "length:stdin:".
void input_add_term_name(struct text *to, struct input_id id);
// Appends the name in C syntax: "argv[1]", "sizeof stdin".
void input_add_c_name(struct text *to, struct input_id id);

// Appends the name in .ktest files. KLEE numbers only the symbolic arguments: `argument` is that number.
void input_add_ktest_name(struct text *to, struct input_id id, uint32_t argument);
// The input of this name in a .ktest file; an argument keeps the number that KLEE gave it. The result points into
// `name`.
struct input_id input_from_ktest(const char *name);

// Objects that the runtime makes, not the program; the name determines the role. Columns: role, name, whether the name
// is only a prefix, the environment variable that gives a native run the object's size (NULL: none).
// clang-format off
#define INPUT_ROLES(X)                                                                                       \
    /* the input of a libFuzzer harness */                                                                   \
    X(HARNESS, "input", false, "TAMAR_INPUT_SIZE")                                                           \
    /* nondeterministic choices of the system model: failing calls, short reads */                           \
    X(CHOICES, "choices", false, NULL)                                                                       \
    /* socket1, socket2, ...: the bytes received over a connection */                                        \
    X(SOCKET, "socket", true, NULL)                                                                          \
    /* the bytes that getrandom returns */                                                                   \
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
// The role of the object of this name in test files.
enum input_role input_role(enum input_kind kind, const char *name);

#endif
