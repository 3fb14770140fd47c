// A compiled pattern of GNU's regular expressions: a tree. gnu_regex_parse.c makes it, gnu_regex.c matches it by
// backtracking, which is exponential for some patterns, such as (a*)*b.
#ifndef TAMAR_RUNTIME_GNU_REGEX_H
#define TAMAR_RUNTIME_GNU_REGEX_H

#include "include/gnu/regex.h"

#include <ctype.h>
#include <stdbool.h>

enum regex_kind {
    REGEX_EMPTY,
    REGEX_SET,    // one byte of `set`
    REGEX_ANCHOR, // no byte: `anchor` holds
    REGEX_CAT,
    REGEX_ALT,
    REGEX_GROUP,     // `number`, from 1
    REGEX_REFERENCE, // the text of group `number`
    REGEX_REPEAT,    // `left`, `least` to `most` times
};

struct regex_node {
    enum regex_kind kind;
    char anchor; // ^ $ < > b B ` '
    unsigned number;
    int least, most; // most < 0: no limit
    unsigned char set[32];
    struct regex_node *left, *right;
    struct regex_node *made_before; // all nodes of a pattern, for __re_free_pattern
};

struct re_dfa_t {
    struct regex_node *root, *last_made;
    bool ignores_case;
};

#define REGEX_DUPLICATES 0x7fff // limit of least and most

static inline bool regex_in_set(const struct regex_node *node, unsigned char c) {
    return node->set[c / 8] >> c % 8 & 1;
}

// The byte that stands for c in sets and comparisons.
static inline unsigned char regex_translate(const struct re_dfa_t *pattern, const unsigned char *translate,
                                            unsigned char c) {
    if (translate) c = translate[c];
    return pattern->ignores_case ? (unsigned char)tolower(c) : c;
}

// Parses a pattern with buffer->syntax and buffer->translate, and sets re_nsub and ignores_case. Returns an error code,
// 0: none. The nodes belong to `pattern`, also after an error.
int __tamar_re_parse(struct re_dfa_t *pattern, const char *text, size_t length,
                     struct re_pattern_buffer *buffer);

#endif
