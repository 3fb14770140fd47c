#include "expr/kinds.h"

#include <stddef.h>

const struct kind_info kind_infos[KIND_COUNT] = {
#define X(name, text, arity, smtlib, spelling, properties)                                                   \
    [KIND_##name] = {#name, text, smtlib, spelling, arity, properties},
    CORE_KINDS(X) VIEW_KINDS(X) DERIVED_KINDS(X)
#undef X
};
