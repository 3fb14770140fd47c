// Test suites in the exchange format of Test-Comp: metadata.xml, and one XML file for each test, with the values that
// __VERIFIER_nondet_* returned, in order.
#ifndef TAMAR_TESTCOMP_H
#define TAMAR_TESTCOMP_H

#include "base/text.h"
#include "message/test_case.h"

struct testcomp_program {
    const char *producer, *file, *hash; // hash: SHA-256 of the file
    bool errors;                        // the goal is to reach an error, not to cover branches
};

void testcomp_add_metadata(struct text *to, const struct testcomp_program *program);
// Returns true if all inputs of the test are values of functions: the format has no arguments, files or streams.
bool testcomp_can_express(const struct test_case *test);
void testcomp_add_case(struct text *to, const struct test_case *test);

#endif
