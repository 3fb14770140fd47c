// Replays one path of a finished run and prints it choice by choice.
#ifndef TAMAR_RUN_FOLLOW_TEST_H
#define TAMAR_RUN_FOLLOW_TEST_H

// Replays and prints the path of a test. `word`: OUT/tests/NNNNNN.json, or the number of a test of tamar-last. Returns
// the exit status.
int follow_test(const char *word);

#endif
