// GNU's own regular expressions, beside the POSIX functions of musl. In glibc regex_t is the same type as struct
// re_pattern_buffer; here it is another one, and regfree takes both.
#ifdef _GNU_SOURCE
#define re_pattern_buffer __tamar_posix_pattern // musl's regex_t has this tag
#endif
#include_next <regex.h>
#undef re_pattern_buffer

#ifndef TAMAR_GNU_REGEX_H
#define TAMAR_GNU_REGEX_H
#ifdef _GNU_SOURCE
#include <stddef.h>

#define REG_EEND    14
#define REG_ESIZE   15
#define REG_ERPAREN 16

typedef unsigned long reg_syntax_t;
#define RE_BACKSLASH_ESCAPE_IN_LISTS 0x1ul
#define RE_BK_PLUS_QM                0x2ul
#define RE_CHAR_CLASSES              0x4ul
#define RE_CONTEXT_INDEP_ANCHORS     0x8ul
#define RE_CONTEXT_INDEP_OPS         0x10ul
#define RE_CONTEXT_INVALID_OPS       0x20ul
#define RE_DOT_NEWLINE               0x40ul
#define RE_DOT_NOT_NULL              0x80ul
#define RE_HAT_LISTS_NOT_NEWLINE     0x100ul
#define RE_INTERVALS                 0x200ul
#define RE_LIMITED_OPS               0x400ul
#define RE_NEWLINE_ALT               0x800ul
#define RE_NO_BK_BRACES              0x1000ul
#define RE_NO_BK_PARENS              0x2000ul
#define RE_NO_BK_REFS                0x4000ul
#define RE_NO_BK_VBAR                0x8000ul
#define RE_NO_EMPTY_RANGES           0x10000ul
#define RE_UNMATCHED_RIGHT_PAREN_ORD 0x20000ul
#define RE_NO_POSIX_BACKTRACKING     0x40000ul
#define RE_NO_GNU_OPS                0x80000ul
#define RE_DEBUG                     0x100000ul
#define RE_INVALID_INTERVAL_ORD      0x200000ul
#define RE_ICASE                     0x400000ul
#define RE_CARET_ANCHORS_HERE        0x800000ul
#define RE_CONTEXT_INVALID_DUP       0x1000000ul
#define RE_NO_SUB                    0x2000000ul

#define RE_SYNTAX_EMACS 0ul
#define _RE_SYNTAX_POSIX_COMMON                                                                              \
    (RE_CHAR_CLASSES | RE_DOT_NEWLINE | RE_DOT_NOT_NULL | RE_INTERVALS | RE_NO_EMPTY_RANGES)
#define RE_SYNTAX_POSIX_BASIC (_RE_SYNTAX_POSIX_COMMON | RE_BK_PLUS_QM | RE_CONTEXT_INVALID_DUP)
#define RE_SYNTAX_POSIX_EXTENDED                                                                             \
    (_RE_SYNTAX_POSIX_COMMON | RE_CONTEXT_INDEP_ANCHORS | RE_CONTEXT_INDEP_OPS | RE_NO_BK_BRACES |           \
     RE_NO_BK_PARENS | RE_NO_BK_VBAR | RE_CONTEXT_INVALID_OPS | RE_UNMATCHED_RIGHT_PAREN_ORD)
#define RE_SYNTAX_POSIX_MINIMAL_BASIC (_RE_SYNTAX_POSIX_COMMON | RE_LIMITED_OPS)
#define RE_SYNTAX_ED                  RE_SYNTAX_POSIX_BASIC
#define RE_SYNTAX_SED                 RE_SYNTAX_POSIX_BASIC
#define RE_SYNTAX_GREP                                                                                       \
    ((RE_SYNTAX_POSIX_BASIC | RE_NEWLINE_ALT) & ~(RE_CONTEXT_INVALID_DUP | RE_DOT_NOT_NULL))
#define RE_SYNTAX_EGREP                                                                                      \
    ((RE_SYNTAX_POSIX_EXTENDED | RE_INVALID_INTERVAL_ORD | RE_NEWLINE_ALT) &                                 \
     ~(RE_CONTEXT_INVALID_OPS | RE_DOT_NOT_NULL))
#define RE_SYNTAX_POSIX_EGREP RE_SYNTAX_EGREP
#define RE_SYNTAX_POSIX_MINIMAL_EXTENDED                                                                     \
    (_RE_SYNTAX_POSIX_COMMON | RE_CONTEXT_INDEP_ANCHORS | RE_CONTEXT_INVALID_OPS | RE_NO_BK_BRACES |         \
     RE_NO_BK_PARENS | RE_NO_BK_REFS | RE_NO_BK_VBAR | RE_UNMATCHED_RIGHT_PAREN_ORD)
#define RE_SYNTAX_AWK                                                                                        \
    (RE_BACKSLASH_ESCAPE_IN_LISTS | RE_DOT_NOT_NULL | RE_NO_BK_PARENS | RE_NO_BK_REFS | RE_NO_BK_VBAR |      \
     RE_NO_EMPTY_RANGES | RE_DOT_NEWLINE | RE_CONTEXT_INDEP_ANCHORS | RE_CHAR_CLASSES |                      \
     RE_UNMATCHED_RIGHT_PAREN_ORD | RE_NO_GNU_OPS)
#define RE_SYNTAX_GNU_AWK                                                                                    \
    ((RE_SYNTAX_POSIX_EXTENDED | RE_BACKSLASH_ESCAPE_IN_LISTS | RE_INVALID_INTERVAL_ORD) &                   \
     ~(RE_DOT_NOT_NULL | RE_CONTEXT_INDEP_OPS | RE_CONTEXT_INVALID_OPS))
#define RE_SYNTAX_POSIX_AWK                                                                                  \
    (RE_SYNTAX_POSIX_EXTENDED | RE_BACKSLASH_ESCAPE_IN_LISTS | RE_INTERVALS | RE_NO_GNU_OPS |                \
     RE_INVALID_INTERVAL_ORD)

#define REGS_UNALLOCATED 0
#define REGS_REALLOCATE  1
#define REGS_FIXED       2

struct re_dfa_t;
struct re_pattern_buffer {
    struct re_dfa_t *buffer; // the compiled pattern
    unsigned long allocated, used;
    reg_syntax_t syntax;
    char *fastmap; // not used
    unsigned char *translate;
    size_t re_nsub;
    unsigned can_be_null : 2, regs_allocated : 2, fastmap_accurate : 1, no_sub : 1, not_bol : 1, not_eol : 1,
        newline_anchor : 1;
};
struct re_registers {
    unsigned num_regs;
    regoff_t *start, *end;
};

#ifdef __cplusplus
extern "C" {
#endif
extern reg_syntax_t re_syntax_options;
reg_syntax_t re_set_syntax(reg_syntax_t syntax);
const char *re_compile_pattern(const char *pattern, size_t length, struct re_pattern_buffer *buffer);
int re_compile_fastmap(struct re_pattern_buffer *buffer);
regoff_t re_search(struct re_pattern_buffer *buffer, const char *text, regoff_t length, regoff_t start,
                   regoff_t range, struct re_registers *registers);
regoff_t re_search_2(struct re_pattern_buffer *buffer, const char *first, regoff_t first_length,
                     const char *second, regoff_t second_length, regoff_t start, regoff_t range,
                     struct re_registers *registers, regoff_t stop);
regoff_t re_match(struct re_pattern_buffer *buffer, const char *text, regoff_t length, regoff_t start,
                  struct re_registers *registers);
regoff_t re_match_2(struct re_pattern_buffer *buffer, const char *first, regoff_t first_length,
                    const char *second, regoff_t second_length, regoff_t start,
                    struct re_registers *registers, regoff_t stop);
void re_set_registers(struct re_pattern_buffer *buffer, struct re_registers *registers, unsigned count,
                      regoff_t *starts, regoff_t *ends);
void __re_free_pattern(struct re_pattern_buffer *buffer);
char *re_comp(const char *pattern);
int re_exec(const char *text);
#ifdef __cplusplus
}
#else
#define regfree(pattern)                                                                                     \
    _Generic((pattern), struct re_pattern_buffer *: __re_free_pattern, default: regfree)(pattern)
#endif
#endif
#endif
