// The description of a run for other hosts that join it: options and inputs as plain data. It contains no commands and
// no names of files to write.
#ifndef TAMAR_MESSAGE_SHARED_RUN_H
#define TAMAR_MESSAGE_SHARED_RUN_H

#include "message/layout.h"

#define SHARED_TEXT_FIELDS(X, T)                                                                             \
    X(T, TEXT, text, "an argument, NAME=value or NAME")                                                      \
    X(T, NUMBER, symbolic, "number of symbolic bytes; 0: concrete")
LAYOUT_STRUCT(shared_text, SHARED_TEXT_FIELDS)

#define SHARED_FILE_FIELDS(X, T)                                                                             \
    X(T, TEXT, path, "NULL: standard input")                                                                 \
    X(T, NUMBER, least, "least number of symbolic bytes")                                                    \
    X(T, NUMBER, most, "greatest number of symbolic bytes")                                                  \
    X(T, FLAG, is_given, "the file is concrete and has `content`")                                           \
    X(T, BYTES, content, content_size, "")                                                                   \
    X(T, FLAG, is_part, "only the bytes from `from` to `to` are symbolic")                                   \
    X(T, BYTES, around, around_size, "with is_part: all bytes of the file")                                  \
    X(T, NUMBER, from, "")                                                                                   \
    X(T, NUMBER, to, "")                                                                                     \
    X(T, FLAG, endless, "")
LAYOUT_STRUCT(shared_file, SHARED_FILE_FIELDS)

#define SHARED_RANGE_FIELDS(X, T)                                                                            \
    X(T, NUMBER, least, "")                                                                                  \
    X(T, NUMBER, most, "")
LAYOUT_STRUCT(shared_range, SHARED_RANGE_FIELDS)

#define SHARED_ENVIRONMENT_FIELDS(X, T)                                                                      \
    X(T, MANY, arguments, argument_count, shared_text, "argv[0] first")                                      \
    X(T, MANY, variables, variable_count, shared_text, "")                                                   \
    X(T, FLAG, own_files, "`files` and `sockets` replace those of the run")                                  \
    X(T, MANY, files, file_count, shared_file, "")                                                           \
    X(T, MANY, sockets, socket_count, shared_range, "")                                                      \
    X(T, FLAG, has_input, "")                                                                                \
    X(T, BYTES, input, input_size, "input of a libFuzzer harness, if it is concrete")
LAYOUT_STRUCT(shared_environment, SHARED_ENVIRONMENT_FIELDS)

#define SHARED_TARGET_FIELDS(X, T)                                                                           \
    X(T, TEXT, file, "")                                                                                     \
    X(T, NUMBER, line, "")                                                                                   \
    X(T, INTEGER, kind, "kind of the bug wanted there; -1: none")
LAYOUT_STRUCT(shared_target, SHARED_TARGET_FIELDS)

// The run. Its seeds follow as messages of kind TEST.
#define SHARED_RUN_FIELDS(X, T)                                                                              \
    X(T, LONG, form, "hash of the program's IR; a host where it differs cannot join")                        \
    X(T, TEXT, name, "name of the program, as the user gave it")                                             \
    X(T, FLAG, no_libc, "this and the next two: how the program is loaded")                                  \
    X(T, FLAG, allow_undefined, "")                                                                          \
    X(T, LONG, checks, "")                                                                                   \
    X(T, TEXT, search, "this and the fields up to seeds_by_environment: as in explore_options")              \
    X(T, LONG, random_seed, "")                                                                              \
    X(T, FLAG, pending, "")                                                                                  \
    X(T, FLAG, relax_checks, "")                                                                             \
    X(T, LONG, step, "")                                                                                     \
    X(T, NUMBER, emit, "")                                                                                   \
    X(T, LONG, max_depth, "")                                                                                \
    X(T, FLAG, goes_on_after_bugs, "")                                                                       \
    X(T, REAL, seed_time, "")                                                                                \
    X(T, FLAG, seeds_by_environment, "")                                                                     \
    X(T, LONG, layers, "layers of the solver, one bit each")                                                 \
    X(T, FLAG, independence, "")                                                                             \
    X(T, FLAG, check_solver, "")                                                                             \
    X(T, REAL, solver_timeout, "")                                                                           \
    X(T, FLAG, targets_only, "")                                                                             \
    X(T, MANY, targets, target_count, shared_target, "lines to reach, by the numbers of their marks")        \
    X(T, BYTES, changed, changed_size, "by source location: 1 if its line has changed; empty: none has")     \
    X(T, TEXT, known_name, "name of the list of known reports; NULL: none")                                  \
    X(T, TEXT, known, "content of that list, without expired entries")                                       \
    X(T, NUMBER, unmodelled,                                                                                 \
      "enum unmodelled; this and the fields down to `files` as in vm_options and vm_host")                   \
    X(T, NUMBER, unset, "enum unset")                                                                        \
    X(T, LONG, stack_size, "")                                                                               \
    X(T, LONG, start_time, "")                                                                               \
    X(T, TEXT, directory, "")                                                                                \
    X(T, FLAG, has_input_file, "")                                                                           \
    X(T, BYTES, input_file, input_file_size, "content of standard input, if it is not symbolic")             \
    X(T, ONE, input, shared_range, "")                                                                       \
    X(T, MANY, sockets, socket_count, shared_range, "")                                                      \
    X(T, NUMBER, failures, "")                                                                               \
    X(T, NUMBER, short_reads, "")                                                                            \
    X(T, NUMBER, symbolic_random, "")                                                                        \
    X(T, FLAG, has_peers, "")                                                                                \
    X(T, BYTES, peers, peers_size, "")                                                                       \
    X(T, NUMBER, user, "numeric user and group that the program sees")                                       \
    X(T, NUMBER, group, "")                                                                                  \
    X(T, MANY, files, file_count, shared_file, "")                                                           \
    X(T, MANY, environments, environment_count, shared_environment, "")
LAYOUT_STRUCT(shared_run, SHARED_RUN_FIELDS)

// The last report that the checkpoint of a shared run includes.
#define SHARED_POSITION_FIELDS(X, T)                                                                         \
    X(T, TEXT, id, "identity of the run")                                                                    \
    X(T, TEXT, position, "position of the report in the stream of reports")
LAYOUT_STRUCT(shared_position, SHARED_POSITION_FIELDS)

// An answer of the solver under its canonical name (solver/canonical.h).
#define SOLVER_ANSWER_FIELDS(X, T)                                                                           \
    X(T, LONG, name_a, "the two halves of the name")                                                         \
    X(T, LONG, name_b, "")                                                                                   \
    X(T, FLAG, refuted, "")                                                                                  \
    X(T, BYTES, model, model_size, "if not refuted: a value for each input byte, in canonical order")
LAYOUT_STRUCT(solver_answer, SOLVER_ANSWER_FIELDS)

#endif
