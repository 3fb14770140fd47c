// Orders tests by their paths. Workers find tests in an order that varies from run to run. So the tests are renumbered
// by their decisions at the end of a run: their names then do not depend on the number of workers.
#ifndef TAMAR_RUN_TEST_NAMES_H
#define TAMAR_RUN_TEST_NAMES_H

#include "message/test_case.h"

struct test_names;

struct test_names *test_names_new(void);
void test_names_free(struct test_names *names);
// Adds a test. Call it when the test is written.
void test_names_add(struct test_names *names, const struct test_case *test);
// Returns the new number of each test i, from 1: its rank by command line, decisions and outcome; tests that reach a
// target come last. Returns NULL if there were too many tests, or they are not numbered from 1 to *count. Valid until
// the next call.
const uint32_t *test_names_order(struct test_names *names, uint32_t *count);

#endif
