#include "front/undeclared.h"

#include "base/base.h"

#include <string.h>

#define MESSAGE "call to undeclared function '"

// The functions of runtime/api/cprover.c.
static const char *const known[] = {
    "__CPROVER_assume", "__CPROVER_assert",       "__CPROVER_precondition", "__CPROVER_postcondition",
    "__CPROVER_cover",  "__CPROVER_atomic_begin", "__CPROVER_atomic_end",   "__CPROVER_input",
    "__CPROVER_output", "__CPROVER_havoc_object", "__CPROVER_havoc_slice",  "__ESBMC_assume",
    "__ESBMC_assert",
};

static bool is_known(const char *name, size_t length) {
    for (size_t i = 0; i < COUNT(known); i++)
        if (strlen(known[i]) == length && !memcmp(known[i], name, length)) return true;
    return false;
}

bool undeclared_find(const char *messages, struct text *declarations) {
    static const char nondet[] = "nondet_";
    size_t before = declarations->count;
    for (const char *at = messages; (at = strstr(at, MESSAGE)); at++) {
        const char *name = at + strlen(MESSAGE);
        size_t length = strcspn(name, "'\n");
        bool is_nondet = !strncmp(name, nondet, strlen(nondet));
        if (name[length] != '\'' || (!is_nondet && !is_known(name, length))) continue;
        text_add(declarations, "%s %.*s();", is_nondet ? "int" : "void", (int)length, name);
    }
    return declarations->count > before;
}
