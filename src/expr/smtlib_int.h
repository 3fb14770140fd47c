// Internals of the SMT-LIB reader.
//
// A command is read as a whole into an array of s-expression cells (smtlib_lex.c), without recursion. The cells of
// one command are dropped before the next. Terms are converted by a stack machine with frames and values
// (smtlib_term.c): an application waits for its operands, a let for its bindings. So nesting is bounded by memory
// only.
//
// `symbols` interns every name that a script uses. A symbol's current meaning is the newest of its bindings. Bindings
// form one stack, unwound at the end of a let and by pop. Bool and (_ BitVec 1) are terms of the same width but
// different sorts, so values carry their sort.
//
// A function with parameters is kept as a term over placeholder variables, and applied by substitution.
#ifndef TAMAR_EXPR_SMTLIB_INT_H
#define TAMAR_EXPR_SMTLIB_INT_H

#include "base/text.h"
#include "expr/expr_int.h"
#include "expr/smtlib.h"

enum token {
    TOKEN_END,
    TOKEN_OPEN,
    TOKEN_CLOSE,
    TOKEN_SYMBOL,
    TOKEN_KEYWORD,
    TOKEN_NUMERAL,
    TOKEN_DECIMAL,
    TOKEN_HEX,
    TOKEN_BINARY,
    TOKEN_STRING,
    TOKEN_BAD
};

// An s-expression: an atom (token and text) or a list (TOKEN_OPEN).
struct cell {
    uint8_t token;
    uint32_t line, column;
    uint32_t text;  // atoms: offset in `texts`; symbols: without bars
    uint32_t child; // lists: the first element, 0 when empty
    uint32_t next;  // the following element of the list, 0 at its end
    uint32_t count; // lists: number of elements
};

struct lexer {
    FILE *in;
    const char *at, *end; // input in memory, instead of `in`
    int ahead;            // the next character, or EOF; INT_MIN: not read yet
    uint32_t line, column;
};

enum sort_kind { SORT_BOOL, SORT_BITS, SORT_ARRAY, SORT_FLOAT, SORT_ROUNDING, SORT_REAL };

struct sort {
    uint8_t kind;
    uint16_t width;       // arrays: width of an element
    uint16_t index_width; // arrays: width of the index; floats: the format
};

struct value {
    Term term;
    struct sort sort;
};

enum meaning { MEANS_VALUE, MEANS_FUNCTION, MEANS_SORT };

struct binding {
    uint32_t symbol, previous; // previous: the binding that this one hides
    uint8_t meaning;
    bool declared;                             // by declare-const or declare-fun: part of models
    struct value value;                        // for a function: its body
    struct value array;                        // for an uninterpreted function: the array that it reads
    uint32_t first_parameter, parameter_count; // range in `parameters`
};

struct symbol {
    char *name;
    uint32_t binding;  // index + 1, 0: none
    uint32_t declared; // number of declarations: each is a distinct input of that name
    uint32_t builtin;  // enum builtin + 1, or 0
    uint32_t next;     // next symbol of the hash chain
};

// A named assertion or subterm.
struct named {
    uint32_t symbol;
    struct value value;
    bool assertion;
};

struct level {
    uint32_t bindings, assertions, named, refused;
};

struct script_frame {
    uint8_t form;
    uint32_t cell, cursor, base, bindings;
};

struct script {
    struct terms *terms;
    const struct smtlib_solver *solver;
    const struct smtlib_options *options;
    FILE *out;
    struct lexer lexer;
    struct text texts; // texts of the current command's atoms, NUL-terminated
    vec(struct cell) cells;
    vec(struct symbol) symbols; // [0] unused
    struct map symbol_map;
    vec(struct binding) bindings;
    vec(struct value) parameters;
    vec(Term) assertions;
    uint32_t refused; // assertions that could not be read: sat becomes unknown
    vec(struct named) named;
    vec(struct level) levels;
    vec(struct script_frame) frames;
    vec(struct value) values;
    vec(Term) assumptions;          // terms of the last check-sat-assuming
    vec(uint32_t) assumption_texts; // offsets into assumption_text
    struct text assumption_text;
    bool failed; // an error was reported for this command
    struct text message;
    bool print_success, global_declarations, exiting, logic_set, has_model, reading_only, produce_core;
    enum smtlib_answer answer;
    char reason[128];
    struct assignment model;
    struct smtlib_result result;
    struct text info; // scratch
};

// smtlib_lex.c
void lexer_init_file(struct lexer *lexer, FILE *in);
void lexer_init_text(struct lexer *lexer, const char *text, size_t size);
// Reads the next s-expression: its cell, or 0 at the end of the input or after an error (script->failed).
uint32_t script_read_cell(struct script *script);
static inline const struct cell *cell_at(const struct script *script, uint32_t cell) {
    assert(cell && cell < script->cells.count);
    return &script->cells.at[cell];
}
static inline const char *cell_text(const struct script *script, uint32_t cell) {
    return script->texts.at + cell_at(script, cell)->text;
}
bool cell_is(const struct script *script, uint32_t cell, const char *symbol);
// Prints the s-expression.
void cell_print(const struct script *script, struct text *out, uint32_t cell);

// Reports an error at a cell (0: at the reader's position). Only the first error of a command is reported.
void script_error(struct script *script, uint32_t cell, const char *format, ...) PRINTF(3, 4);

// smtlib_term.c
uint32_t script_intern_symbol(struct script *script, const char *name);
struct binding *script_find_binding(struct script *script, uint32_t symbol);
void script_bind_symbol(struct script *script, struct binding binding);
void script_unbind_symbols(struct script *script, uint32_t count);
// Reads a sort. Returns false after an error.
bool script_read_sort(struct script *script, uint32_t cell, struct sort *sort);
bool script_read_term(struct script *script, uint32_t cell, struct value *value);
bool script_read_numeral(struct script *script, uint32_t cell, uint64_t *value);
void script_sort_text(struct sort sort, char *text, size_t size);
static inline bool same_sort(struct sort a, struct sort b) {
    return a.kind == b.kind && a.width == b.width && a.index_width == b.index_width;
}

// An operation and its operands, while it is being applied.
struct application {
    struct script *script;
    uint32_t cell;
    const char *name;
    const struct value *args;
    uint32_t count;
    struct value *result;
};

// smtlib_script.c
// Makes a new variable or array of that sort for a declared symbol; its term is 0 if the name has another sort.
struct value script_declare(struct script *script, uint32_t symbol, struct sort sort);
// Makes a placeholder and adds it to `parameters`.
struct value script_new_parameter(struct script *script, struct sort sort);

// smtlib_function.c
// Declares a function; `list` has the sorts of its arguments, at least one. False after an error.
bool script_declare_function(struct script *script, uint32_t symbol, uint32_t list, struct sort sort);
// Prints parameters, sort and definition of an uninterpreted function.
struct evaluator;
void script_print_function(struct script *script, struct text *out, const struct binding *function,
                           struct evaluator *evaluator);

// smtlib_ops.c
void script_register_builtins(struct script *script);
// Applies the operation that the head cell names; operands' sorts are checked here.
bool script_apply_builtin(struct script *script, uint32_t cell, uint32_t head, const struct value *args,
                          uint32_t count, struct value *result);

// Reports an error in the operands. Always returns false.
bool script_wrong_operands(const struct application *app, const char *what);

// smtlib_float.c. These builtins are numbered after those of smtlib_ops.c.
enum float_builtin {
    FLOAT_FIRST = 1000,
    FLOAT_FP = FLOAT_FIRST,
    FLOAT_GT,
    FLOAT_GEQ,
    FLOAT_TO_BITS,
    FLOAT_MINUS,
    FLOAT_DIVIDE,
    FLOAT_TO_FP, // indexed from here on
    FLOAT_TO_FP_UNSIGNED,
    FLOAT_TO_UBV,
    FLOAT_TO_SBV,
    FLOAT_KIND_FIRST // plus the kind
};
#define FLOAT_IS_INDEXED(op) ((op) >= FLOAT_TO_FP && (op) <= FLOAT_TO_SBV)
void script_register_float_builtins(struct script *script);
// These functions return false both on an error (script->failed is set) and if the cell has nothing to do with floats.
bool script_read_float_sort(struct script *script, uint32_t cell, struct sort *sort);
bool script_read_float_atom(struct script *script, uint32_t cell, struct value *value);
bool script_read_float_constant(struct script *script, uint32_t cell, struct value *value);
bool script_apply_float(const struct application *app, uint32_t builtin, uint32_t head);
void script_float_sort_text(struct sort sort, char *text, size_t size);
// SMT-LIB equality of floats: all NaNs are equal.
Term script_float_same(struct terms *terms, fp_format format, Term a, Term b);
void script_print_float_value(struct text *out, struct sort sort, const uint64_t *bits);

// smtlib_model.c
void script_print_value(struct script *script, struct text *out, struct value value,
                        struct evaluator *evaluator);
void script_print_model(struct script *script, struct evaluator *evaluator);
void script_print_symbol_name(struct text *out, const char *name);

#endif
