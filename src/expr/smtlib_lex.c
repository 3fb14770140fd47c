// Reads characters to s-expressions, with line and column, without recursion.
#include "expr/smtlib_int.h"

#include <limits.h>
#include <stdarg.h>

#define MAX_TEXT ((size_t)1 << 30) // largest text of one command, in bytes

void lexer_init_file(struct lexer *lexer, FILE *in) {
    *lexer = (struct lexer){.in = in, .ahead = INT_MIN, .line = 1, .column = 1};
}

void lexer_init_text(struct lexer *lexer, const char *text, size_t size) {
    *lexer = (struct lexer){.at = text, .end = text + size, .ahead = INT_MIN, .line = 1, .column = 1};
}

static int peek(struct lexer *lexer) {
    if (lexer->ahead == INT_MIN) {
        if (lexer->in)
            lexer->ahead = getc(lexer->in);
        else
            lexer->ahead = lexer->at < lexer->end ? (unsigned char)*lexer->at++ : EOF;
    }
    return lexer->ahead;
}

static int take(struct lexer *lexer) {
    int c = peek(lexer);
    if (c == EOF) return c;
    lexer->ahead = INT_MIN;
    if (c == '\n') {
        lexer->line++;
        lexer->column = 1;
    } else {
        lexer->column++;
    }
    return c;
}

static bool is_symbol_char(int c) {
    if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9')) return true;
    return c > 0 && strchr("~!@$%^&*_-+=<>.?/", c);
}

static void add_char(struct script *script, int c) {
    char byte = (char)c;
    text_add_bytes(&script->texts, &byte, 1);
}

void script_error(struct script *script, uint32_t cell, const char *format, ...) {
    if (script->failed) return;
    script->failed = true;
    uint32_t line = script->lexer.line, column = script->lexer.column;
    if (cell) {
        line = cell_at(script, cell)->line;
        column = cell_at(script, cell)->column;
    }
    char message[400];
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    text_clear(&script->message);
    text_add(&script->message, "%u:%u: %s", line, column, message);
}

static void skip_blanks(struct lexer *lexer) {
    for (;;) {
        int c = peek(lexer);
        if (c == ';')
            while (c != '\n' && c != EOF) {
                take(lexer);
                c = peek(lexer);
            }
        else if (c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\f')
            take(lexer);
        else
            return;
    }
}

// Strings: "say ""yes""", where a doubled quote stands for one.
static enum token lex_string(struct script *script) {
    struct lexer *lexer = &script->lexer;
    take(lexer);
    for (;;) {
        int c = take(lexer);
        if (c == EOF) {
            script_error(script, 0, "the string is not closed");
            return TOKEN_BAD;
        }
        if (c == '"') {
            if (peek(lexer) != '"') return TOKEN_STRING;
            take(lexer);
        }
        add_char(script, c);
    }
}

static enum token lex_quoted(struct script *script) {
    struct lexer *lexer = &script->lexer;
    take(lexer);
    for (;;) {
        int c = take(lexer);
        if (c == '|') return TOKEN_SYMBOL;
        if (c == EOF || c == '\\' || c == 0) {
            script_error(script, 0,
                         c == EOF ? "the quoted symbol is not closed"
                                  : "a quoted symbol cannot contain this");
            return TOKEN_BAD;
        }
        add_char(script, c);
    }
}

static enum token lex_hash(struct script *script) {
    struct lexer *lexer = &script->lexer;
    take(lexer);
    int form = take(lexer);
    unsigned digits = 0;
    for (;; digits++) {
        int c = peek(lexer);
        bool binary = c == '0' || c == '1';
        bool hex = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
        if (!(form == 'b' ? binary : form == 'x' && hex)) break;
        add_char(script, take(lexer));
    }
    if (digits) return form == 'b' ? TOKEN_BINARY : TOKEN_HEX;
    script_error(script, 0, "expected #b or #x and digits");
    return TOKEN_BAD;
}

static enum token lex_number(struct script *script) {
    struct lexer *lexer = &script->lexer;
    enum token token = TOKEN_NUMERAL;
    while (peek(lexer) >= '0' && peek(lexer) <= '9') add_char(script, take(lexer));
    if (peek(lexer) == '.') {
        token = TOKEN_DECIMAL;
        add_char(script, take(lexer));
        while (peek(lexer) >= '0' && peek(lexer) <= '9') add_char(script, take(lexer));
    }
    if (!is_symbol_char(peek(lexer))) return token;
    script_error(script, 0, "a number ends in '%c'", peek(lexer));
    return TOKEN_BAD;
}

// Reads a token; an atom's text goes to script->texts.
static enum token lex(struct script *script) {
    struct lexer *lexer = &script->lexer;
    int c = peek(lexer);
    switch (c) {
    case EOF: return TOKEN_END;
    case '(': take(lexer); return TOKEN_OPEN;
    case ')': take(lexer); return TOKEN_CLOSE;
    case '"': return lex_string(script);
    case '|': return lex_quoted(script);
    case '#': return lex_hash(script);
    default: break;
    }
    if (c >= '0' && c <= '9') return lex_number(script);
    enum token token = c == ':' ? TOKEN_KEYWORD : TOKEN_SYMBOL;
    if (c == ':') add_char(script, take(lexer));
    if (!is_symbol_char(peek(lexer))) {
        c = take(lexer);
        script_error(script, 0, c >= 32 && c < 127 ? "unexpected '%c'" : "unexpected byte %#x", c);
        return TOKEN_BAD;
    }
    while (is_symbol_char(peek(lexer))) add_char(script, take(lexer));
    return token;
}

// Skips the rest of a command after an error: to the end of its outermost list, or of the line.
static void skip_command(struct script *script, uint32_t depth) {
    struct lexer *lexer = &script->lexer;
    while (depth > 0 && peek(lexer) != EOF) {
        int c = take(lexer);
        if (c == '(') depth++;
        if (c == ')') depth--;
        if (c == ';')
            while (peek(lexer) != '\n' && peek(lexer) != EOF) take(lexer);
        if (c == '"' || c == '|')
            while (peek(lexer) != EOF && take(lexer) != c) continue;
    }
}

uint32_t script_read_cell(struct script *script) {
    vec_clear(&script->cells);
    text_clear(&script->texts);
    text_add_bytes(&script->texts, "", 1);
    vec_push(&script->cells, (struct cell){0});
    vec(uint32_t) open = {0}; // the open lists
    vec(uint32_t) last = {0}; // the last element of each open list, 0: none yet
    uint32_t result = 0;
    for (bool done = false; !done;) {
        skip_blanks(&script->lexer);
        struct cell cell = {.line = script->lexer.line, .column = script->lexer.column};
        cell.text = (uint32_t)script->texts.count;
        cell.token = (uint8_t)lex(script);
        if (script->texts.count > MAX_TEXT) script_error(script, 0, "the command is too long");
        if (cell.token == TOKEN_END && open.count)
            script_error(script, open.at[open.count - 1], "this list is not closed");
        if (cell.token == TOKEN_CLOSE && !open.count) script_error(script, 0, "unexpected ')'");
        if (script->failed || cell.token == TOKEN_END) {
            skip_command(script, open.count);
            break;
        }
        if (cell.token == TOKEN_CLOSE) {
            (void)vec_pop(&last);
            (void)vec_pop(&open);
            done = open.count == 0;
            continue;
        }
        text_add_bytes(&script->texts, "", 1);
        uint32_t index = script->cells.count;
        vec_push(&script->cells, cell);
        if (open.count) {
            uint32_t *before = vec_last(&last), list = *vec_last(&open);
            if (*before)
                script->cells.at[*before].next = index;
            else
                script->cells.at[list].child = index;
            script->cells.at[list].count++;
            *before = index;
        } else {
            result = index;
        }
        if (cell.token == TOKEN_OPEN) {
            vec_push(&open, index);
            vec_push(&last, 0);
        } else if (!open.count) {
            done = true;
        }
    }
    vec_free(&open);
    vec_free(&last);
    return script->failed ? 0 : result;
}

bool cell_is(const struct script *script, uint32_t cell, const char *symbol) {
    return cell && cell_at(script, cell)->token == TOKEN_SYMBOL &&
           strcmp(cell_text(script, cell), symbol) == 0;
}

static void print_atom(const struct script *script, struct text *out, uint32_t cell) {
    const char *text = cell_text(script, cell);
    switch (cell_at(script, cell)->token) {
    case TOKEN_HEX: text_add(out, "#x%s", text); break;
    case TOKEN_BINARY: text_add(out, "#b%s", text); break;
    case TOKEN_SYMBOL: script_print_symbol_name(out, text); break;
    case TOKEN_STRING: text_add(out, "\"%s\"", text); break;
    default: text_add(out, "%s", text); break;
    }
}

void cell_print(const struct script *script, struct text *out, uint32_t cell) {
    vec(uint32_t) stack = {0}; // elements still to print; 0: a closing parenthesis
    bool space = false;
    vec_push(&stack, cell);
    for (bool top = true; stack.count; top = false) {
        uint32_t at = vec_pop(&stack);
        if (!at) {
            text_add(out, ")");
            space = true;
            continue;
        }
        if (space) text_add(out, " ");
        const struct cell *c = cell_at(script, at);
        if (!top && c->next) vec_push(&stack, c->next);
        space = c->token != TOKEN_OPEN;
        if (c->token != TOKEN_OPEN) {
            print_atom(script, out, at);
            continue;
        }
        text_add(out, "(");
        vec_push(&stack, 0);
        if (c->child) vec_push(&stack, c->child);
    }
    vec_free(&stack);
}
