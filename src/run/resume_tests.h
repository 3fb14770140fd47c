// The tests of a run that is resumed.
#ifndef TAMAR_RESUME_TESTS_H
#define TAMAR_RESUME_TESTS_H

struct resumed;

// Lists in resumed->written the tests that are newer than the checkpoint, and checks those that the checkpoint counts.
// A missing or damaged NNNNNN.json is a warning; a missing or damaged copy (NNNNNN/, NNNNNN.ktest) is written again.
void resume_tests(struct resumed *resumed);

#endif
