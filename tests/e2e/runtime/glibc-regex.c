// GNU's regular expressions as in glibc: syntaxes, errors, searches in both directions, registers, re_comp. Random
// patterns compare the place of the match only: registers of repeated groups differ where POSIX leaves it open.
// RUN: same-as-native %tamar %s </dev/null
// REQUIRES: exec
#define _GNU_SOURCE
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char *re_comp(const char *pattern);
int re_exec(const char *text);

static const struct {
    const char *name;
    reg_syntax_t bits;
} syntaxes[] = {{"emacs", RE_SYNTAX_EMACS},
                {"basic", RE_SYNTAX_POSIX_BASIC},
                {"minimal", RE_SYNTAX_POSIX_MINIMAL_BASIC},
                {"extended", RE_SYNTAX_POSIX_EXTENDED},
                {"minimal extended", RE_SYNTAX_POSIX_MINIMAL_EXTENDED},
                {"grep", RE_SYNTAX_GREP},
                {"egrep", RE_SYNTAX_EGREP},
                {"awk", RE_SYNTAX_AWK},
                {"gnu awk", RE_SYNTAX_GNU_AWK},
                {"posix awk", RE_SYNTAX_POSIX_AWK},
                {"icase", RE_SYNTAX_POSIX_EXTENDED | RE_ICASE}};
enum { SYNTAXES = sizeof syntaxes / sizeof *syntaxes };

static void show(reg_syntax_t bits, const char *pattern, const char *text, size_t length, int all) {
    struct re_pattern_buffer buffer = {0};
    struct re_registers registers = {0};
    re_set_syntax(bits);
    const char *error = re_compile_pattern(pattern, strlen(pattern), &buffer);
    printf("%s: ", pattern);
    if (error) {
        printf("%s\n", error);
        regfree(&buffer);
        return;
    }
    int size = (int)length, at = (int)re_search(&buffer, text, size, 0, size, &registers);
    printf("%d", at);
    for (unsigned i = 0; at >= 0 && i < (all ? registers.num_regs : 1); i++)
        printf(" %d-%d", (int)registers.start[i], (int)registers.end[i]);
    printf("; %d, %d\n", (int)re_search(&buffer, text, size, size, -size, NULL),
           (int)re_match(&buffer, text, size, size > 1, NULL));
    free(registers.start);
    free(registers.end);
    regfree(&buffer);
}

static unsigned long long random_state = 7;
static unsigned below(unsigned limit) {
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(random_state >> 33) % limit;
}

static void random_patterns(void) {
    static const char *const parts[] = {
        "a", "b", "ab",  ".",   "*",     "+",       "?",   "|",   "(",   ")",   "\\(", "\\)", "[ab]", "[^a]",
        "^", "$", "\\|", "\\+", "{1,2}", "\\{2\\}", "\\<", "\\>", "\\b", "\\w", "\\W", "c",   "\n",   "\\1"};
    for (int i = 0; i < 700; i++) {
        char pattern[64] = "", text[9] = "";
        unsigned count = 1 + below(5), size = below(8);
        for (unsigned k = 0; k < count; k++) strcat(pattern, parts[below(sizeof parts / sizeof *parts)]);
        for (unsigned k = 0; k < size; k++) text[k] = "aabbc \n"[below(7)];
        unsigned s = below(SYNTAXES);
        printf("%s, %s, ", syntaxes[s].name, text);
        show(syntaxes[s].bits, pattern, text, size, 0);
    }
}

static void two_parts(void) {
    struct re_pattern_buffer buffer = {0};
    regoff_t starts[3], ends[3];
    struct re_registers registers;
    re_set_syntax(RE_SYNTAX_POSIX_EXTENDED);
    re_compile_pattern("b(c+)d?", 7, &buffer);
    re_set_registers(&buffer, &registers, 0, NULL, NULL);
    printf("%d", (int)re_search_2(&buffer, "aab", 3, "ccd", 3, 0, 6, &registers, 6));
    printf(" %d", (int)re_search_2(&buffer, "aab", 3, "ccd", 3, 0, 6, &registers, 4));
    printf(" %d-%d", (int)registers.start[1], (int)registers.end[1]);
    printf(" %d\n", (int)re_match_2(&buffer, "aab", 3, "ccd", 3, 2, NULL, 6));
    free(registers.start);
    free(registers.end);
    registers = (struct re_registers){3, starts, ends};
    buffer.regs_allocated = REGS_FIXED;
    printf("%d", (int)re_search(&buffer, "x\0bc", 4, 0, 4, &registers));
    printf(" %d %d %d\n", (int)starts[1], (int)ends[1], (int)starts[2]);
    buffer.not_bol = 1; // the compilation resets it
    re_compile_pattern("^b", 2, &buffer);
    printf("%d ", (int)re_search(&buffer, "bb", 2, 0, 2, NULL));
    buffer.not_bol = 1;
    printf("%d %d\n", (int)re_search(&buffer, "bb", 2, 0, 2, NULL),
           (int)re_search(&buffer, "b", 1, 5, 1, NULL));
    buffer.regs_allocated = REGS_UNALLOCATED;
    regfree(&buffer);
}

int main(void) {
    static const char *const patterns[] = {
        "",           "abc",        "a*",           "(a|ab)(c|bcd)",
        "\\(a\\)\\1", "a\\{2,3\\}", "a{2,3}",       "a{,2}",
        "a{2,",       "a{x}",       "[[:alpha:]]+", "[[:nope:]]",
        "[a",         "[]a]",       "[^]a]+",       "[b-a]",
        "[a-c-]",     "[\\]]",      "*a",           "+a",
        "^*a",        "a**",        "(*a)",         "a|*b",
        "a|",         "|a",         "()",           "(",
        ")",          "\\(",        "\\)",          "a)",
        "\\",         "\\2",        "a^b",          "a$b",
        "^a|b$",      "x\\|y",      "\\<a\\>",      "\\bab\\b",
        "\\Ba",       "\\`a",       "c\\'",         "\\w+",
        "\\W",        "\\s\\S",     "a\nb",         ".b",
        "A[B-C]",     "[[=a=]]b",   "[[.a.]]",      "(a*)*c",
        "(a|b)*c",    "((a)(b))+",  "[0-9]+",       "b{1}{2}",
        "a{3,2}",     "a{40000}",   "[[.ab.]]",     "(^a)b",
    };
    static const char text[] = "xab abc aab\nbcc 12 aAbBcC ab";
    for (int s = 0; s < SYNTAXES; s++) {
        printf("== %s %lx\n", syntaxes[s].name, (unsigned long)syntaxes[s].bits);
        for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++)
            show(syntaxes[s].bits, patterns[i], text, sizeof text - 1, strcmp(patterns[i], "(a*)*c") != 0);
    }
    random_patterns();
    two_parts();
    re_set_syntax(RE_SYNTAX_POSIX_BASIC);
    printf("%s\n", re_comp(NULL) ? "none" : "some");
    printf("%s", re_comp("a\\(b\\)") ? "bad" : "good");
    printf(" %d %d %s\n", re_exec("xxab"), re_exec("ba"), re_comp(NULL) ? "none" : "some");
    return 0;
}
