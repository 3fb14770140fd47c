// A bug as text: kind, place with source lines, call stacks, the input that triggers it, how to replay it.
#ifndef TAMAR_REPORT_H
#define TAMAR_REPORT_H

#include "message/finding.h"
#include "message/test_case.h"

struct results;
struct text;

// How the user named the program, for commands to paste.
struct report_program {
    const char *name;         // the first operand that is no flag
    const char *const *words; // all operands
    uint32_t word_count;
    const char *check; // what --check must name to see the bug, NULL: nothing
    const char *stdin; // the file for standard input, where it is no input of the test; NULL: none
};

// Is it a program that was built, neither C nor bitcode nor an object?
bool report_is_executable(const struct report_program *program);
// The check that finds bugs of this kind, NULL: one that is always on.
const char *report_check_of(const char *kind);

void report_add(struct text *to, const struct finding *finding, const struct test_case *test,
                const char *folder, const struct report_program *program);
// bugs/KIND-FILE-LINE-HASH.txt
bool report_write(struct results *results, const struct finding *finding, const struct test_case *test,
                  const struct report_program *program);

// "KIND: PLACE: MESSAGE, in FUNCTION" and the end of the line.
void report_add_headline(struct text *to, const struct finding *finding);
// For a console: headline, source line, details, stacks. `gave_up`: the engine could not go on, which is no bug.
void report_add_short(struct text *to, const struct finding *finding, bool gave_up);
// "and 27 other call paths" and the end of the line, where there are others.
void report_add_others(struct text *to, const struct finding *finding, const char *indent);
// The source lines around a place, with a caret; nothing when the file cannot be read.
void report_add_source(struct text *to, const struct finding_frame *place, unsigned around);
// A command for a shell that gives the program this input: the program itself when it is one that the shell can
// run, else `tamar exec`; `tamar replay` when an input is no argument, file or stream.
void report_add_command(struct text *to, const struct test_case *test, const char *folder,
                        const struct report_program *program);
// The name of a file as a person wants it: relative to the current directory when it lies below it.
void report_add_path(struct text *to, const char *path);
// One word, quoted for a shell when it must be.
void report_add_word(struct text *to, const char *bytes, size_t size);
// Text of the program under test on one line, fit for a terminal (text_add_line).
void report_add_safe(struct text *to, const char *text);

#endif
