// A bug as text and source locations, without data of the engine. A bug is a source operation that fails in one way;
// each call stack on which it fails is an occurrence.
#ifndef TAMAR_MESSAGE_FINDING_H
#define TAMAR_MESSAGE_FINDING_H

#include "message/layout.h"

#define FINDING_FRAME_FIELDS(X, T)                                                                           \
    X(T, TEXT, function, "name of the function")                                                             \
    X(T, TEXT, file, "source file; \"\": the position has no line")                                          \
    X(T, NUMBER, line, "0: none")                                                                            \
    X(T, NUMBER, column, "0: none")                                                                          \
    X(T, TEXT, arguments, "n=3, name=\"abc\"; NULL: not known")                                              \
    X(T, FLAG, own, "in user code, not in the C library or the runtime")                                     \
    X(T, NUMBER, cycle, "a repeated cycle of this many frames ends here; 0: none")                           \
    X(T, NUMBER, repeats, "number of further repetitions of the cycle, which are not listed")

LAYOUT_STRUCT(finding_frame, FINDING_FRAME_FIELDS)

#define FINDING_STACK_FIELDS(X, T) X(T, MANY, frames, count, finding_frame, "innermost first")

LAYOUT_STRUCT(finding_stack, FINDING_STACK_FIELDS)

// The values that the path condition allows for one input byte, if it does not allow all.
#define FINDING_BYTE_FIELDS(X, T)                                                                            \
    X(T, TEXT, input, "name of the input, as in the test")                                                   \
    X(T, NUMBER, offset, "offset of the byte in the input")                                                  \
    X(T, NUMBER, value, "value of the byte in the test")                                                     \
    X(T, NUMBER, low, "least possible value")                                                                \
    X(T, NUMBER, high, "greatest possible value")

LAYOUT_STRUCT(finding_byte, FINDING_BYTE_FIELDS)

#define FINDING_FIELDS(X, T)                                                                                 \
    X(T, TEXT, kind, "name of the bug's kind in results")                                                    \
    X(T, TEXT, message, "the error in one line")                                                             \
    X(T, TEXT, details, "further lines, or \"\"")                                                            \
    X(T, TEXT, fault, "the way in which the operation fails (base/bug_kinds.h)")                             \
    X(T, NUMBER, ordinal, "number of the operation among those at its source position")                      \
    X(T, NUMBER, function_line, "first line of the function of `place`; 0: not known")                       \
    X(T, ONE, place, finding_frame, "innermost frame in user code")                                          \
    X(T, ONE, stack, finding_stack, "call stack of the bug")                                                 \
    X(T, ONE, allocated, finding_stack, "call stack of the object's allocation; empty: does not apply")      \
    X(T, ONE, freed, finding_stack, "call stack of the object's free; empty: does not apply")                \
    X(T, MANY, bytes, byte_count, finding_byte, "input bytes that the path depends on")                      \
    X(T, TEXTS, conditions, condition_count, "conditions of the path, as C-like text")                       \
    X(T, TEXTS, events, event_count, "as in the test")                                                       \
    X(T, TEXT, ignored, "entry of the list of known reports that names the bug; NULL: none")                 \
    X(T, LONG, hash, "fingerprint: the same in every run, also after other lines were edited")               \
    X(T, NUMBER, number, "number among the findings of the run, from 1; 0: not known")                       \
    X(T, NUMBER, test, "number of the test that shows the bug with this stack")                              \
    X(T, NUMBER, occurrences, "number of different call stacks, so far")                                     \
    X(T, LONG, paths, "number of paths that end with the bug, so far")                                       \
    X(T, INTEGER, replayed, "1: confirmed by a native run, 0: not confirmed, -1: not tried")                 \
    X(T, TEXT, command, "shell command that runs the program on the input; NULL: not known")

LAYOUT_STRUCT(finding, FINDING_FIELDS)

// Returns KIND-FILE-LINE-HASH, in characters that every file system accepts; static storage, overwritten by the next
// call.
const char *finding_name(const struct finding *finding);
// Returns the fingerprint as 16 hexadecimal digits; static storage, overwritten by the next call.
const char *finding_hex(const struct finding *finding);
// Returns a hash of kind, fault, file name, function, text of the source line, and the operation's number in it. It
// does not depend on line numbers, blanks, comments and folders: edits of other lines do not change it. If the source
// cannot be read, the line number replaces the text.
uint64_t finding_fingerprint(const struct finding *finding);

#endif
