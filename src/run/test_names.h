// The order of tests by their paths. Workers find tests in an order that is another one each time; at the end of a run they are
// numbered by their decisions, so that the number of workers changes no name.
#ifndef TAMAR_RUN_TEST_NAMES_H
#define TAMAR_RUN_TEST_NAMES_H

#include "message/test_case.h"

struct test_names;

struct test_names *test_names_new(void);
void test_names_free(struct test_names *names);
// A test, when it is made.
void test_names_add(struct test_names *names, const struct test_case *test);
// numbers[i] for test i, from 1: its place among all by command line, decisions and outcome. NULL: they were too many to keep, or
// are not numbered from 1 to *count. Valid until the next call.
const uint32_t *test_names_order(struct test_names *names, uint32_t *count);

#endif
