// GNU's regular expressions: matching, and the functions of include/gnu/regex.h. The longest of the leftmost matches is
// found by trying all.
#include "gnu_regex.h"

#include <stdlib.h>
#include <string.h>

reg_syntax_t re_syntax_options;

enum { GROUPS = 64 }; // groups whose places are known; more are matched, too

// The expressions that must match after the current one.
struct rest {
    enum { REST_NODE, REST_REPEAT, REST_CLOSE } kind;
    const struct regex_node *node;
    int count;      // REST_REPEAT: repetitions so far
    regoff_t start; // REST_REPEAT, REST_CLOSE: where the repetition or group began
    const struct rest *up;
};

struct matching {
    const struct re_pattern_buffer *buffer;
    const unsigned char *text;
    regoff_t length, stop, best; // best: end of the longest match so far, -1: none
    regoff_t starts[GROUPS], ends[GROUPS], best_starts[GROUPS], best_ends[GROUPS];
};

static bool match(struct matching *m, const struct regex_node *node, regoff_t at, const struct rest *rest);

static unsigned char byte_at(const struct matching *m, regoff_t at) {
    return regex_translate(m->buffer->buffer, m->buffer->translate, m->text[at]);
}

static bool is_word(const struct matching *m, regoff_t at) {
    return at >= 0 && at < m->length && (isalnum(m->text[at]) || m->text[at] == '_');
}

static bool holds(const struct matching *m, char anchor, regoff_t at) {
    bool before = is_word(m, at - 1), after = is_word(m, at);
    bool lines = m->buffer->newline_anchor;
    switch (anchor) {
    case '^': return at ? lines && m->text[at - 1] == '\n' : !m->buffer->not_bol;
    case '$': return at < m->length ? lines && m->text[at] == '\n' : !m->buffer->not_eol;
    case '<': return !before && after;
    case '>': return before && !after;
    case 'b': return before != after;
    case 'B': return before == after;
    case '`': return at == 0;
    default: return at == m->length;
    }
}

// `count` repetitions have matched, up to `at`.
static bool repeat(struct matching *m, const struct regex_node *node, int count, regoff_t at,
                   const struct rest *rest) {
    if (node->most < 0 || count < node->most) {
        struct rest again = {REST_REPEAT, node, count + 1, at, rest};
        if (match(m, node->left, at, &again)) return true;
    }
    return count >= node->least && match(m, NULL, at, rest);
}

static bool close_group(struct matching *m, const struct rest *rest, regoff_t at) {
    unsigned number = rest->node->number;
    if (number >= GROUPS) return match(m, NULL, at, rest->up);
    regoff_t start = m->starts[number], end = m->ends[number];
    m->starts[number] = rest->start;
    m->ends[number] = at;
    if (match(m, NULL, at, rest->up)) return true;
    m->starts[number] = start;
    m->ends[number] = end;
    return false;
}

static bool resume(struct matching *m, regoff_t at, const struct rest *rest) {
    if (!rest) {
        if (at > m->best) {
            m->best = at;
            memcpy(m->best_starts, m->starts, sizeof m->starts);
            memcpy(m->best_ends, m->ends, sizeof m->ends);
        }
        return at == m->stop; // else a longer match may exist
    }
    switch (rest->kind) {
    case REST_NODE: return match(m, rest->node, at, rest->up);
    case REST_CLOSE: return close_group(m, rest, at);
    default:
        if (at == rest->start && rest->count > rest->node->least) return false; // another empty repetition
        return repeat(m, rest->node, rest->count, at, rest->up);
    }
}

static bool match_reference(struct matching *m, unsigned number, regoff_t at, const struct rest *rest) {
    regoff_t size = m->ends[number] - m->starts[number];
    if (m->ends[number] < 0 || size > m->stop - at) return false;
    for (regoff_t i = 0; i < size; i++)
        if (byte_at(m, m->starts[number] + i) != byte_at(m, at + i)) return false;
    return resume(m, at + size, rest);
}

// Matches the node (NULL: nothing) at the position, then the rest. Returns true if no longer match can exist.
static bool match(struct matching *m, const struct regex_node *node, regoff_t at, const struct rest *rest) {
    if (!node) return resume(m, at, rest);
    switch (node->kind) {
    case REGEX_SET: return at < m->stop && regex_in_set(node, byte_at(m, at)) && resume(m, at + 1, rest);
    case REGEX_ANCHOR: return holds(m, node->anchor, at) && resume(m, at, rest);
    case REGEX_CAT: return match(m, node->left, at, &(struct rest){REST_NODE, node->right, 0, 0, rest});
    case REGEX_ALT: return match(m, node->left, at, rest) || match(m, node->right, at, rest);
    case REGEX_GROUP: return match(m, node->left, at, &(struct rest){REST_CLOSE, node, 0, at, rest});
    case REGEX_REFERENCE: return match_reference(m, node->number, at, rest);
    case REGEX_REPEAT: return repeat(m, node, 0, at, rest);
    default: return resume(m, at, rest);
    }
}

static bool match_at(struct matching *m, regoff_t at) {
    m->best = -1;
    memset(m->starts, 0xff, sizeof m->starts);
    memset(m->ends, 0xff, sizeof m->ends);
    match(m, m->buffer->buffer->root, at, NULL);
    return m->best >= 0;
}

// ---- registers

// Makes room for `count` registers. Returns false if there is no memory.
static bool allocate(struct re_pattern_buffer *buffer, struct re_registers *registers, unsigned count) {
    if (buffer->regs_allocated == REGS_FIXED) return true;
    bool fresh = buffer->regs_allocated == REGS_UNALLOCATED;
    if (!fresh && count <= registers->num_regs) return true;
    regoff_t *starts = realloc(fresh ? NULL : registers->start, count * sizeof *starts);
    if (!starts) return false;
    registers->start = starts;
    regoff_t *ends = realloc(fresh ? NULL : registers->end, count * sizeof *ends);
    if (!ends) {
        if (fresh) free(starts);
        return false;
    }
    registers->end = ends;
    registers->num_regs = count;
    buffer->regs_allocated = REGS_REALLOCATE;
    return true;
}

static bool store(struct re_pattern_buffer *buffer, struct re_registers *registers, const struct matching *m,
                  regoff_t start) {
    if (!registers || buffer->no_sub) return true;
    if (!allocate(buffer, registers, (unsigned)buffer->re_nsub + 2)) return false;
    for (unsigned i = 0; i < registers->num_regs; i++) {
        bool known = i <= buffer->re_nsub && i < GROUPS;
        registers->start[i] = i ? known ? m->best_starts[i] : -1 : start;
        registers->end[i] = i ? known ? m->best_ends[i] : -1 : m->best;
    }
    return true;
}

void re_set_registers(struct re_pattern_buffer *buffer, struct re_registers *registers, unsigned count,
                      regoff_t *starts, regoff_t *ends) {
    buffer->regs_allocated = count ? REGS_REALLOCATE : REGS_UNALLOCATED;
    registers->num_regs = count;
    registers->start = count ? starts : NULL;
    registers->end = count ? ends : NULL;
}

// ---- search

// Returns the start of the match (-1: none), or its length if `whole`. -2: no memory.
static regoff_t search(struct re_pattern_buffer *buffer, const char *text, regoff_t length, regoff_t start,
                       regoff_t range, regoff_t stop, struct re_registers *registers, bool whole) {
    if (start < 0 || start > length || !buffer->buffer) return -1;
    regoff_t last = range > length - start ? length : range < -start ? 0 : start + range;
    regoff_t step = last < start ? -1 : 1;
    struct matching *m = malloc(sizeof *m);
    if (!m) return -2;
    *m = (struct matching){.buffer = buffer,
                           .text = (const unsigned char *)text,
                           .length = length,
                           .stop = stop < length ? stop : length};
    regoff_t at = start, result = -1;
    while (!match_at(m, at) && at != last) at += step;
    if (m->best >= 0) result = whole ? m->best - at : at;
    if (m->best >= 0 && !store(buffer, registers, m, at)) result = -2;
    free(m);
    return result;
}

regoff_t re_search(struct re_pattern_buffer *buffer, const char *text, regoff_t length, regoff_t start,
                   regoff_t range, struct re_registers *registers) {
    return search(buffer, text, length, start, range, length, registers, false);
}
regoff_t re_match(struct re_pattern_buffer *buffer, const char *text, regoff_t length, regoff_t start,
                  struct re_registers *registers) {
    return search(buffer, text, length, start, 0, length, registers, true);
}

static regoff_t search_two(struct re_pattern_buffer *buffer, const char *first, regoff_t first_length,
                           const char *second, regoff_t second_length, regoff_t start, regoff_t range,
                           struct re_registers *registers, regoff_t stop, bool whole) {
    if (first_length < 0 || second_length < 0 || stop < 0) return -2;
    char *both = malloc((size_t)first_length + (size_t)second_length + 1);
    if (!both) return -2;
    if (first_length) memcpy(both, first, (size_t)first_length);
    if (second_length) memcpy(both + first_length, second, (size_t)second_length);
    regoff_t found = search(buffer, both, first_length + second_length, start, range, stop, registers, whole);
    free(both);
    return found;
}

regoff_t re_search_2(struct re_pattern_buffer *buffer, const char *first, regoff_t first_length,
                     const char *second, regoff_t second_length, regoff_t start, regoff_t range,
                     struct re_registers *registers, regoff_t stop) {
    return search_two(buffer, first, first_length, second, second_length, start, range, registers, stop,
                      false);
}
regoff_t re_match_2(struct re_pattern_buffer *buffer, const char *first, regoff_t first_length,
                    const char *second, regoff_t second_length, regoff_t start,
                    struct re_registers *registers, regoff_t stop) {
    return search_two(buffer, first, first_length, second, second_length, start, 0, registers, stop, true);
}

// ---- compilation

static const char *message(int error) {
    static const char *const messages[] = {
        [0] = NULL,
        [REG_ECOLLATE] = "Invalid collation character",
        [REG_ECTYPE] = "Invalid character class name",
        [REG_EESCAPE] = "Trailing backslash",
        [REG_ESUBREG] = "Invalid back reference",
        [REG_EBRACK] = "Unmatched [, [^, [:, [., or [=",
        [REG_EPAREN] = "Unmatched ( or \\(",
        [REG_EBRACE] = "Unmatched \\{",
        [REG_BADBR] = "Invalid content of \\{\\}",
        [REG_ERANGE] = "Invalid range end",
        [REG_ESPACE] = "Memory exhausted",
        [REG_BADRPT] = "Invalid preceding regular expression",
        [REG_ESIZE] = "Regular expression too big",
        [REG_ERPAREN] = "Unmatched ) or \\)",
    };
    return messages[error];
}

reg_syntax_t re_set_syntax(reg_syntax_t syntax) {
    reg_syntax_t before = re_syntax_options;
    re_syntax_options = syntax;
    return before;
}

int re_compile_fastmap(struct re_pattern_buffer *buffer) {
    if (buffer->fastmap) memset(buffer->fastmap, 1, 256); // every byte may begin a match
    buffer->fastmap_accurate = buffer->fastmap != NULL;
    return 0;
}

void __re_free_pattern(struct re_pattern_buffer *buffer) {
    struct re_dfa_t *pattern = buffer->buffer;
    while (pattern && pattern->last_made) {
        struct regex_node *node = pattern->last_made;
        pattern->last_made = node->made_before;
        free(node);
    }
    free(pattern);
    free(buffer->fastmap);
    free(buffer->translate);
    buffer->buffer = NULL;
    buffer->fastmap = NULL;
    buffer->translate = NULL;
    buffer->allocated = 0;
}

const char *re_compile_pattern(const char *pattern, size_t length, struct re_pattern_buffer *buffer) {
    struct re_dfa_t *made = calloc(1, sizeof *made);
    if (!made) return message(REG_ESPACE);
    buffer->syntax = re_syntax_options;
    buffer->no_sub = (re_syntax_options & RE_NO_SUB) != 0;
    buffer->newline_anchor = 1;
    buffer->not_bol = buffer->not_eol = 0;
    int error = __tamar_re_parse(made, pattern, length, buffer);
    struct re_pattern_buffer old = {.buffer = buffer->buffer};
    __re_free_pattern(&old);
    buffer->buffer = made;
    buffer->allocated = buffer->used = sizeof *made;
    if (!error) return NULL;
    struct re_pattern_buffer failed = {.buffer = made};
    __re_free_pattern(&failed);
    buffer->buffer = NULL;
    return message(error);
}

static struct re_pattern_buffer last_pattern; // of re_comp

char *re_comp(const char *pattern) {
    if (!pattern) return last_pattern.buffer ? NULL : (char *)"No previous regular expression";
    return (char *)re_compile_pattern(pattern, strlen(pattern), &last_pattern);
}

int re_exec(const char *text) {
    regoff_t length = (regoff_t)strlen(text);
    return re_search(&last_pattern, text, length, 0, length, NULL) >= 0;
}
