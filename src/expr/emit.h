// Printing without recursion: the parts still to be written are on a stack, the next one on top.
#ifndef TAMAR_EXPR_EMIT_H
#define TAMAR_EXPR_EMIT_H

#include "base/text.h"
#include "expr/expr_int.h"

struct emit_item {
    const char *text; // static, or NULL
    Term term;        // or 0
    uint32_t number;  // for the printer's own use
};

struct input_names;

struct emitter {
    struct terms *terms;
    struct text *out;
    vec(struct emit_item) stack;
    struct map names; // shared terms -> their numbers
    uint32_t named;
    vec(Term) order;                       // all nodes below the roots, operands first
    struct map uses;                       // term -> how often it is an operand
    const struct input_names *input_names; // NULL: the inputs' own names
};

// Counts the uses of all nodes below the roots, and orders them. Ended by emit_end.
void emit_begin(struct emitter *emitter, struct terms *terms, struct text *out, const Term *roots,
                size_t count);
void emit_end(struct emitter *emitter);
uint32_t emit_uses(const struct emitter *emitter, Term t);

// Parts are pushed in reading order between mark and flip:
//     m = emit_mark(e); emit_text(e, "("); emit_term(e, t, 0); emit_flip(e, m);
uint32_t emit_mark(const struct emitter *emitter);
void emit_text(struct emitter *emitter, const char *text);
void emit_term(struct emitter *emitter, Term t, uint32_t number);
void emit_flip(struct emitter *emitter, uint32_t mark);
// Runs until the stack is empty; `expand` writes a term or pushes its parts.
void emit_run(struct emitter *emitter, void (*expand)(struct emitter *, Term t, uint32_t number));

#endif
