// A bug as text: kind, location with source lines, call stacks, the input that triggers it, commands to replay it.
#ifndef TAMAR_REPORT_H
#define TAMAR_REPORT_H

#include "message/finding.h"
#include "message/test_case.h"

struct results;
struct text;

// The program as the user named it, for commands that can be pasted.
struct report_program {
    const char *name;         // the first operand that is not a flag
    const char *const *words; // all operands
    uint32_t word_count;
    const char *check; // the value of --check that finds the bug; NULL: none is needed
    const char *stdin; // the file for standard input, if standard input is not part of the test; NULL: none
};

// Returns true if the program is an executable: neither C nor bitcode nor an object file.
bool report_is_executable(const struct report_program *program);
// Returns the check that finds bugs of this kind; NULL: a check that is always on.
const char *report_check_of(const char *kind);

void report_add(struct text *to, const struct finding *finding, const struct test_case *test,
                const char *folder, const struct report_program *program);
// Writes bugs/KIND-FILE-LINE-HASH.txt.
bool report_write(struct results *results, const struct finding *finding, const struct test_case *test,
                  const struct report_program *program);

// Appends "KIND: PLACE: MESSAGE, in FUNCTION" and a newline.
void report_add_headline(struct text *to, const struct finding *finding);
// Appends a report for a console: headline, source line, details, stacks. `gave_up`: it is an incompleteness, not a
// bug.
void report_add_short(struct text *to, const struct finding *finding, bool gave_up);
// Appends the test's output, one line for standard output and one for standard error.
void report_add_output(struct text *to, const struct test_case *test);
// Appends "and 27 other call paths" and a newline, if the bug has other call paths.
void report_add_others(struct text *to, const struct finding *finding, const char *indent);
// Appends the source lines around a location, with a caret; nothing if the file cannot be read.
void report_add_source(struct text *to, const struct finding_frame *place, unsigned around);
// Appends a shell command that runs the program on the test's input: the program itself if the shell can run it, else
// `tamar exec`. If an input is an object of the program, the command is `tamar replay`.
void report_add_command(struct text *to, const struct test_case *test, const char *folder,
                        const struct report_program *program);
// Appends a file name, relative to the current directory if it lies below it.
void report_add_path(struct text *to, const char *path);
// Appends one word, quoted for a shell if necessary.
void report_add_word(struct text *to, const char *bytes, size_t size);
// Appends text of the program under test on one line, escaped for a terminal (text_add_line).
void report_add_safe(struct text *to, const char *text);

#endif
