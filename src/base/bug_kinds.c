#include "base/bug_kinds.h"

#include <signal.h>
#include <string.h>

// Removes the parentheses of a column and adds a comma: the elements of an array.
#define ELEMENTS(...) __VA_ARGS__ __VA_OPT__(, )

const struct bug_facts bug_facts[BUG_COUNT] = {
#define BUG(kind, text, number, reported_by, headline, help, properties, ends, says)                         \
    [BUG_##kind] = {.name = (text),                                                                          \
                    .cwe = (number),                                                                         \
                    .checks = (reported_by),                                                                 \
                    .title = (headline),                                                                     \
                    .advice = (help),                                                                        \
                    .traits = (properties),                                                                  \
                    .signals = (const int[]){ELEMENTS ends 0},                                               \
                    .messages = (const char *const[]){ELEMENTS says NULL}},
    BUG_TABLE(BUG)
#undef BUG
};

static const char *const check_names[] = {
#define CHECK(name, text, initial, meaning) [CHECK_##name] = text,
    CHECK_TABLE(CHECK)
#undef CHECK
};

const char *const bug_fault_names[FAULT_COUNT] = {
#define FAULT(name, text) text,
    BUG_FAULT_TABLE(FAULT)
#undef FAULT
};

enum bug_fault bug_fault_by_name(const char *name) {
    unsigned fault = 0;
    while (fault < FAULT_COUNT && strcmp(bug_fault_names[fault], name) != 0) fault++;
    return (enum bug_fault)fault;
}

enum bug_kind bug_kind_by_name(const char *name) {
    for (unsigned i = 0; i < BUG_COUNT; i++)
        if (!strcmp(bug_facts[i].name, name)) return i;
    return BUG_COUNT;
}

static bool has_word(const char *text, const char *const *words) {
    for (; *words; words++)
        if (strcasestr(text, *words)) return true;
    return false;
}

static const struct {
    enum bug_kind kind;
    const char *const *words;
} rule_words[] = {
#define WORDS(kind, ...) {BUG_##kind, (const char *const[]){__VA_ARGS__, NULL}},
    BUG_RULE_WORDS(WORDS)
#undef WORDS
};

enum bug_kind bug_kind_by_rule(const char *rule, const char *message) {
    for (unsigned i = 0; i < COUNT(rule_words); i++)
        if (has_word(rule, rule_words[i].words)) return rule_words[i].kind;
    for (unsigned i = 0; i < COUNT(rule_words); i++)
        if (has_word(message, rule_words[i].words)) return rule_words[i].kind;
    return BUG_COUNT;
}

uint64_t bug_kinds_of_check(const char *name, size_t length) {
    uint64_t kinds = 0;
    for (unsigned check = 0; check < CHECK_COUNT; check++) {
        if (strlen(check_names[check]) != length || strncmp(check_names[check], name, length) != 0) continue;
        for (unsigned kind = 0; kind < BUG_COUNT; kind++)
            if (bug_facts[kind].checks >> check & 1) kinds |= UINT64_C(1) << kind;
    }
    return kinds;
}

const char *bug_check_name(enum bug_kind kind) {
    assert(kind < BUG_COUNT);
    uint64_t checks = bug_facts[kind].checks;
    if (!checks || (checks & CHECKS_ALWAYS)) return NULL;
    return check_names[__builtin_ctzll(checks)];
}

bool bug_confirmed_by_signal(enum bug_kind kind, int signal) {
    assert(kind < BUG_COUNT);
    for (const int *at = bug_facts[kind].signals; *at; at++)
        if (*at == signal) return true;
    return false;
}

bool bug_confirmed_by_text(enum bug_kind kind, const char *errors) {
    assert(kind < BUG_COUNT);
    for (const char *const *at = bug_facts[kind].messages; *at; at++)
        if (strstr(errors, *at)) return true;
    return false;
}
