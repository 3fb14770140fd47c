// A bug as text: kind, place with source lines, call stacks, the input that triggers it, how to replay it.
#ifndef TAMAR_REPORT_H
#define TAMAR_REPORT_H

#include "output/finding.h"
#include "state/test_case.h"

struct results;
struct text;

// `program` is what the user named; it stands in the command to paste.
void report_add(struct text *to, const struct finding *finding, const struct test_case *test,
                const char *folder, const char *program);
// bugs/KIND-FILE-LINE-HASH.txt
bool report_write(struct results *results, const struct finding *finding, const struct test_case *test,
                  const char *program);

// The source lines around a place, with a caret; nothing when the file cannot be read.
void report_add_source(struct text *to, const struct finding_frame *place, unsigned around);
// A command for a shell that gives the program this input.
void report_add_command(struct text *to, const struct test_case *test, const char *program);
// One word, quoted for a shell when it must be.
void report_add_word(struct text *to, const char *bytes, size_t size);
// Text of the program under test, fit for a terminal: control characters are escaped, UTF-8 stays.
void report_add_safe(struct text *to, const char *text);

#endif
