// Patterns of GNU's regular expressions, whose syntax is a set of bits (re_set_syntax), as trees.
#include "gnu_regex.h"

#include <stdlib.h>
#include <string.h>

enum token {
    T_END,
    T_CHAR,
    T_OPEN,
    T_CLOSE,
    T_ALT,
    T_STAR,
    T_PLUS,
    T_MAYBE,
    T_BRACE,
    T_END_BRACE,
    T_BRACKET,
    T_DOT,
    T_ANCHOR,
    T_CLASS, // \w \W \s \S
    T_REFERENCE,
    T_BACKSLASH, // the last character of the pattern
};

struct parser {
    const unsigned char *text;
    size_t length, at;
    reg_syntax_t syntax;
    struct re_dfa_t *pattern;
    const unsigned char *translate;
    unsigned groups, closed; // groups so far; bit N of `closed`: group N has ended
    int error;
    enum token token;
    unsigned char c; // character, digit, or letter of the token
    size_t size;     // characters of the token
};

static bool has(const struct parser *parser, reg_syntax_t bit) { return parser->syntax & bit; }

static struct regex_node *make(struct parser *parser, enum regex_kind kind, struct regex_node *left,
                               struct regex_node *right) {
    struct regex_node *node = calloc(1, sizeof *node);
    if (!node) {
        parser->error = REG_ESPACE;
        return NULL;
    }
    node->kind = kind;
    node->left = left;
    node->right = right;
    node->made_before = parser->pattern->last_made;
    parser->pattern->last_made = node;
    return node;
}

static struct regex_node *fail(struct parser *parser, int error) {
    if (!parser->error) parser->error = error;
    return NULL;
}

// ---- tokens

static enum token escaped(const struct parser *parser, unsigned char c) {
    bool limited = has(parser, RE_LIMITED_OPS);
    switch (c) {
    case '|': return !limited && !has(parser, RE_NO_BK_VBAR) ? T_ALT : T_CHAR;
    case '(': return !has(parser, RE_NO_BK_PARENS) ? T_OPEN : T_CHAR;
    case ')': return !has(parser, RE_NO_BK_PARENS) ? T_CLOSE : T_CHAR;
    case '+': return !limited && has(parser, RE_BK_PLUS_QM) ? T_PLUS : T_CHAR;
    case '?': return !limited && has(parser, RE_BK_PLUS_QM) ? T_MAYBE : T_CHAR;
    case '{': return has(parser, RE_INTERVALS) && !has(parser, RE_NO_BK_BRACES) ? T_BRACE : T_CHAR;
    case '}': return has(parser, RE_INTERVALS) && !has(parser, RE_NO_BK_BRACES) ? T_END_BRACE : T_CHAR;
    default: break;
    }
    if (c >= '1' && c <= '9') return has(parser, RE_NO_BK_REFS) ? T_CHAR : T_REFERENCE;
    if (!c || has(parser, RE_NO_GNU_OPS)) return T_CHAR;
    return strchr("<>bB`'", c) ? T_ANCHOR : strchr("wWsS", c) ? T_CLASS : T_CHAR;
}

static enum token plain(const struct parser *parser, unsigned char c) {
    bool limited = has(parser, RE_LIMITED_OPS);
    switch (c) {
    case '\n': return has(parser, RE_NEWLINE_ALT) ? T_ALT : T_CHAR;
    case '|': return !limited && has(parser, RE_NO_BK_VBAR) ? T_ALT : T_CHAR;
    case '*': return T_STAR;
    case '+': return !limited && !has(parser, RE_BK_PLUS_QM) ? T_PLUS : T_CHAR;
    case '?': return !limited && !has(parser, RE_BK_PLUS_QM) ? T_MAYBE : T_CHAR;
    case '{': return has(parser, RE_INTERVALS) && has(parser, RE_NO_BK_BRACES) ? T_BRACE : T_CHAR;
    case '}': return has(parser, RE_INTERVALS) && has(parser, RE_NO_BK_BRACES) ? T_END_BRACE : T_CHAR;
    case '(': return has(parser, RE_NO_BK_PARENS) ? T_OPEN : T_CHAR;
    case ')': return has(parser, RE_NO_BK_PARENS) ? T_CLOSE : T_CHAR;
    case '[': return T_BRACKET;
    case '.': return T_DOT;
    default: return T_CHAR;
    }
}

// The token at `at`, anchors excepted.
static enum token token_at(const struct parser *parser, size_t at, unsigned char *c, size_t *size) {
    *c = 0;
    *size = 0;
    if (at >= parser->length) return T_END;
    *c = parser->text[at];
    *size = 1;
    if (*c != '\\') return plain(parser, *c);
    if (at + 1 >= parser->length) return T_BACKSLASH;
    *c = parser->text[at + 1];
    *size = 2;
    return escaped(parser, *c);
}

// Reads the next token. `here`: it is the first of an alternative.
static void next(struct parser *parser, bool here) {
    size_t at = parser->at += parser->size;
    parser->token = token_at(parser, at, &parser->c, &parser->size);
    if (parser->token != T_CHAR || parser->size != 1) return;
    bool anywhere = has(parser, RE_CONTEXT_INDEP_ANCHORS);
    if (parser->c == '^') {
        bool after_newline = at && has(parser, RE_NEWLINE_ALT) && parser->text[at - 1] == '\n';
        if (anywhere || here || !at || after_newline) parser->token = T_ANCHOR;
    } else if (parser->c == '$') {
        unsigned char c;
        size_t size;
        enum token after = token_at(parser, at + 1, &c, &size);
        if (anywhere || after == T_END || after == T_ALT || after == T_CLOSE) parser->token = T_ANCHOR;
    }
}

// ---- sets

static unsigned char translated(const struct parser *parser, unsigned char c) {
    return regex_translate(parser->pattern, parser->translate, c);
}

static void add(struct regex_node *set, unsigned char c) { set->set[c / 8] |= (unsigned char)(1 << c % 8); }

static void invert(struct regex_node *set) {
    for (size_t i = 0; i < sizeof set->set; i++) set->set[i] = (unsigned char)~set->set[i];
}

static void add_class(struct regex_node *set, int (*is)(int)) {
    for (int c = 0; c < 256; c++)
        if (is(c)) add(set, (unsigned char)c);
}

static struct regex_node *one(struct parser *parser, unsigned char c) {
    struct regex_node *set = make(parser, REGEX_SET, NULL, NULL);
    if (set) add(set, translated(parser, c));
    return set;
}

static struct regex_node *any(struct parser *parser) {
    struct regex_node *set = make(parser, REGEX_SET, NULL, NULL);
    if (!set) return NULL;
    if (!has(parser, RE_DOT_NEWLINE)) add(set, '\n');
    if (has(parser, RE_DOT_NOT_NULL)) add(set, 0);
    invert(set);
    return set;
}

static struct regex_node *letter_class(struct parser *parser, unsigned char letter) {
    struct regex_node *set = make(parser, REGEX_SET, NULL, NULL);
    if (!set) return NULL;
    add_class(set, tolower(letter) == 'w' ? isalnum : isspace);
    if (tolower(letter) == 'w') add(set, '_');
    if (isupper(letter)) invert(set);
    return set;
}

static bool named_class(struct regex_node *set, const unsigned char *name, size_t size, bool ignore_case) {
    static const struct {
        const char *name;
        int (*is)(int);
    } classes[] = {{"alpha", isalpha}, {"digit", isdigit}, {"alnum", isalnum}, {"upper", isupper},
                   {"lower", islower}, {"space", isspace}, {"blank", isblank}, {"punct", ispunct},
                   {"print", isprint}, {"graph", isgraph}, {"cntrl", iscntrl}, {"xdigit", isxdigit}};
    for (size_t i = 0; i < sizeof classes / sizeof *classes; i++) {
        if (strlen(classes[i].name) != size || memcmp(classes[i].name, name, size) != 0) continue;
        bool letters = ignore_case && (classes[i].is == isupper || classes[i].is == islower);
        add_class(set, letters ? isalpha : classes[i].is);
        return true;
    }
    return false;
}

// Parses `[:name:]`, `[=c=]` or `[.c.]` at the position. Returns -1 if there is none, -2 after an error, 256 for a
// class that was added to the set, or the character.
static int bracketed(struct parser *parser, struct regex_node *set) {
    const unsigned char *text = parser->text + parser->at;
    size_t left = parser->length - parser->at;
    if (left < 2 || text[0] != '[' || !text[1] || !strchr(":=.", text[1])) return -1;
    if (text[1] == ':' && !has(parser, RE_CHAR_CLASSES)) return -1;
    size_t end = 2;
    while (end + 1 < left && (text[end] != text[1] || text[end + 1] != ']')) end++;
    if (end + 1 >= left) {
        fail(parser, REG_EBRACK);
        return -2;
    }
    parser->at += end + 2;
    if (text[1] == ':') {
        if (named_class(set, text + 2, end - 2, has(parser, RE_ICASE))) return 256;
        fail(parser, REG_ECTYPE);
        return -2;
    }
    if (end == 3) return text[2];
    fail(parser, REG_ECOLLATE);
    return -2;
}

// Parses one end of a range, or a class. As bracketed().
static int element(struct parser *parser, struct regex_node *set) {
    int found = bracketed(parser, set);
    if (found != -1) return found;
    if (parser->at >= parser->length) {
        fail(parser, REG_EBRACK);
        return -2;
    }
    if (parser->text[parser->at] == '\\' && has(parser, RE_BACKSLASH_ESCAPE_IN_LISTS) &&
        parser->at + 1 < parser->length)
        parser->at++;
    return parser->text[parser->at++];
}

static void add_range(struct parser *parser, struct regex_node *set, int first, int last) {
    if (first == 256 || last == 256) {
        fail(parser, REG_ERANGE);
    } else if (first > last) {
        if (has(parser, RE_NO_EMPTY_RANGES)) fail(parser, REG_ERANGE);
    } else {
        for (int c = first; c <= last; c++) add(set, translated(parser, (unsigned char)c));
    }
}

// Parses a list after its `[`, and reads the token after it.
static struct regex_node *list(struct parser *parser) {
    struct regex_node *set = make(parser, REGEX_SET, NULL, NULL);
    const unsigned char *text = parser->text;
    if (!set) return NULL;
    parser->at += parser->size;
    bool inverted = parser->at < parser->length && text[parser->at] == '^';
    parser->at += inverted;
    if (inverted && has(parser, RE_HAT_LISTS_NOT_NEWLINE)) add(set, '\n');
    for (bool first = true; !parser->error; first = false) {
        if (parser->at >= parser->length) return fail(parser, REG_EBRACK);
        if (text[parser->at] == ']' && !first) break;
        int from = element(parser, set), to = from;
        if (from < 0) return NULL;
        bool range =
            parser->at + 1 < parser->length && text[parser->at] == '-' && text[parser->at + 1] != ']';
        if (range) {
            parser->at++;
            to = element(parser, set);
            if (to < 0) return NULL;
        }
        if (range || from < 256) add_range(parser, set, from, to);
    }
    if (parser->error) return NULL;
    if (inverted) invert(set);
    parser->size = 1; // the bracket at the end
    next(parser, false);
    return set;
}

// ---- expressions

static struct regex_node *alternatives(struct parser *parser, unsigned depth);

static struct regex_node *group(struct parser *parser, unsigned depth) {
    unsigned number = ++parser->groups;
    next(parser, true);
    struct regex_node *inside = alternatives(parser, depth + 1);
    if (parser->error) return NULL;
    if (parser->token != T_CLOSE) return fail(parser, REG_EPAREN);
    if (number < 10) parser->closed |= 1u << number;
    struct regex_node *node = make(parser, REGEX_GROUP, inside, NULL);
    if (node) node->number = number;
    next(parser, false);
    return node;
}

// A number of the pattern at *at, or -1: none there.
static int number_at(const struct parser *parser, size_t *at) {
    int number = -1;
    for (; *at < parser->length && isdigit(parser->text[*at]); ++*at)
        number = (number < 0                  ? 0
                  : number > REGEX_DUPLICATES ? number
                                              : number * 10) +
                 parser->text[*at] - '0';
    return number;
}

// Parses `{N,M}` from its brace on. Returns false if it is not an interval: the brace is an ordinary character then, or
// an error was noted.
static bool interval(struct parser *parser, int *least, int *most) {
    size_t at = parser->at + parser->size, size;
    unsigned char c;
    *least = *most = number_at(parser, &at);
    if (at < parser->length && parser->text[at] == ',') {
        at++;
        if (*least < 0) *least = 0;
        *most = number_at(parser, &at);
    }
    enum token end = token_at(parser, at, &c, &size);
    bool ordered = *most < 0 || *least <= *most;
    if (*least >= 0 && end == T_END_BRACE && ordered) {
        if (*least > REGEX_DUPLICATES || *most > REGEX_DUPLICATES) fail(parser, REG_ESIZE);
        parser->at = at;
        parser->size = size;
        return true;
    }
    if (*least >= 0 && end == T_END_BRACE)
        fail(parser, REG_BADBR);
    else if (!has(parser, RE_INVALID_INTERVAL_ORD))
        fail(parser, end == T_END ? REG_EBRACE : REG_BADBR);
    return false;
}

static bool is_repetition(enum token token) {
    return token == T_STAR || token == T_PLUS || token == T_MAYBE || token == T_BRACE;
}

static struct regex_node *repeated(struct parser *parser, struct regex_node *node) {
    while (node && is_repetition(parser->token)) {
        int least = parser->token == T_PLUS, most = parser->token == T_MAYBE ? 1 : -1;
        bool was_brace = parser->token == T_BRACE;
        if (was_brace && !interval(parser, &least, &most)) {
            if (!parser->error) parser->token = T_CHAR; // and parsed as one, next
            return parser->error ? NULL : node;
        }
        struct regex_node *repeat = make(parser, REGEX_REPEAT, node, NULL);
        if (!repeat) return NULL;
        repeat->least = least;
        repeat->most = most;
        node = repeat;
        next(parser, false);
        if (has(parser, RE_CONTEXT_INVALID_DUP) && (parser->token == T_STAR || parser->token == T_BRACE))
            return fail(parser, REG_BADRPT);
    }
    return node;
}

// An operator where an expression should begin: an error, ignored, or an ordinary character.
static struct regex_node *misplaced(struct parser *parser, unsigned depth);

static struct regex_node *expression(struct parser *parser, unsigned depth) {
    struct regex_node *node = NULL;
    unsigned char c = parser->c;
    switch (parser->token) {
    case T_OPEN: node = group(parser, depth); return repeated(parser, node);
    case T_BRACKET: node = list(parser); return repeated(parser, node);
    case T_CHAR: node = one(parser, c); break;
    case T_DOT: node = any(parser); break;
    case T_CLASS: node = letter_class(parser, c); break;
    case T_REFERENCE:
        if (!(parser->closed >> (c - '0') & 1)) return fail(parser, REG_ESUBREG);
        node = make(parser, REGEX_REFERENCE, NULL, NULL);
        if (node) node->number = (unsigned)(c - '0');
        break;
    case T_ANCHOR:
        node = make(parser, REGEX_ANCHOR, NULL, NULL);
        if (node) node->anchor = (char)c;
        next(parser, c == '^');
        return node; // is not repeated
    case T_BACKSLASH: return fail(parser, REG_EESCAPE);
    default: return misplaced(parser, depth);
    }
    next(parser, false);
    return repeated(parser, node);
}

static struct regex_node *misplaced(struct parser *parser, unsigned depth) {
    enum token token = parser->token;
    if (token == T_BRACE && has(parser, RE_CONTEXT_INVALID_DUP)) return fail(parser, REG_BADRPT);
    if (is_repetition(token) && has(parser, RE_CONTEXT_INVALID_OPS)) return fail(parser, REG_BADRPT);
    if (is_repetition(token) && has(parser, RE_CONTEXT_INDEP_OPS)) {
        next(parser, false);
        if (parser->token == T_END || parser->token == T_ALT) return make(parser, REGEX_EMPTY, NULL, NULL);
        return expression(parser, depth);
    }
    if (token == T_CLOSE && !has(parser, RE_UNMATCHED_RIGHT_PAREN_ORD)) return fail(parser, REG_ERPAREN);
    parser->token = T_CHAR;
    return expression(parser, depth);
}

static struct regex_node *branch(struct parser *parser, unsigned depth) {
    struct regex_node *all = NULL;
    while (!parser->error && parser->token != T_END && parser->token != T_ALT &&
           !(parser->token == T_CLOSE && depth)) {
        struct regex_node *node = expression(parser, depth);
        if (!node) return NULL;
        all = all ? make(parser, REGEX_CAT, all, node) : node;
    }
    return all ? all : make(parser, REGEX_EMPTY, NULL, NULL);
}

static struct regex_node *alternatives(struct parser *parser, unsigned depth) {
    struct regex_node *all = branch(parser, depth);
    while (!parser->error && parser->token == T_ALT) {
        next(parser, true);
        all = make(parser, REGEX_ALT, all, branch(parser, depth));
    }
    return parser->error ? NULL : all;
}

int __tamar_re_parse(struct re_dfa_t *pattern, const char *text, size_t length,
                     struct re_pattern_buffer *buffer) {
    struct parser parser = {.text = (const unsigned char *)text,
                            .length = length,
                            .syntax = buffer->syntax,
                            .pattern = pattern,
                            .translate = buffer->translate};
    pattern->ignores_case = (buffer->syntax & RE_ICASE) != 0;
    next(&parser, true);
    pattern->root = alternatives(&parser, 0);
    buffer->re_nsub = parser.groups;
    return parser.error;
}
