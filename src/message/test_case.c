#include "message/test_case.h"

#include "base/hash.h"

#include <string.h>

uint64_t test_case_path(const struct test_case *test) {
    uint64_t hash = hash_combine(hash_combine(1, test->environment), test->outcome);
    if (test->bug) hash = hash_bytes(test->bug, strlen(test->bug), hash);
    return hash_bytes(test->decisions, test->decision_count * sizeof *test->decisions, hash) & INT64_MAX;
}
