// Replays a run's tests on native builds of the program.
//
// A replay is a folder of results, the work folder with the builds, and for each test one native run on each
// build. There are two families of builds. The exact build is the bitcode that was explored, with the same C
// library as native code (runtime/native). It records its choices, which must be those of the engine on the
// test's path. The others are made from the source, or without it from the bitcode, for the host's C library: with
// sanitizers, plain, under valgrind, or for gcov (without source: the exact build with counters). They must show the
// predicted outcome, and for a bug the same kind at the same location.
#ifndef TAMAR_RUN_NATIVE_REPLAY_H
#define TAMAR_RUN_NATIVE_REPLAY_H

#include "base/vec.h"
#include "message/finding.h"
#include "native/sandbox.h"
#include "run/run_options.h"

#include <signal.h>

#define VALGRIND      "/usr/bin/valgrind"
#define REPLAY_COUNTS "program" // .gcno and .gcda of the exact build for gcov, in the work folder

struct json_value;

// BUILD(name, name in messages).
#define REPLAY_BUILDS(BUILD)                                                                                 \
    BUILD(EXACT, "exact")                                                                                    \
    BUILD(SANITIZER, "sanitizers")                                                                           \
    BUILD(PLAIN, "plain")                                                                                    \
    BUILD(VALGRIND, "valgrind")                                                                              \
    BUILD(GCOV, "gcov")

enum replay_build {
#define BUILD(name, text) BUILD_##name,
    REPLAY_BUILDS(BUILD)
#undef BUILD
        BUILD_COUNT
};
extern const char *const replay_build_names[BUILD_COUNT];
// Functions that libtamar.a wraps (-Wl,--wrap=NAME), so that bytes from sockets come from the test; NULL ends the list.
extern const char *const replay_socket_calls[];

struct native_replay {
    const char *folder;    // results folder, absolute
    const char *directory; // where the run was started
    const char *work;      // builds and the folders of the native runs
    const char *counts;    // folder in `work` for the counters of the gcov build
    uint32_t job;          // number of the process that runs tests
    struct arena *arena;
    const struct json_value *description; // program.json
    // The run, set up again.
    struct run_options options;
    struct operands operands;
    struct ir_program *program;
    struct program_inputs program_inputs;
    struct explore_options explore;
    char *binaries[BUILD_COUNT]; // NULL: not built
    struct text own_choices;     // for the exact build: one byte per branch (front.h, own_choices)
    bool counts_exactly;         // the gcov build is the exact build with counters
    bool fuzzer;                 // the program is a libFuzzer harness
    double seconds;
    uint64_t memory;
    bool wants_output;
};

// replay_open.c: sets up the run of a folder again, without native code. Returns false if an error has been reported.
// Close it in either case.
bool replay_open(struct native_replay *replay, const char *folder);
// Sets the program inputs to the inputs of this test. Needed for recorded tests, and tests made from them.
void replay_set_inputs(struct native_replay *replay, struct test_case *test);
bool replay_make_work(struct native_replay *replay); // makes the folder for builds
// Returns the paths hidden from the program, NULL-terminated: the paths that the engine hides, except the work folder.
const char *const *replay_hidden(struct native_replay *replay);
void replay_close(struct native_replay *replay);

// replay_build.c: makes a build. Returns false if an error has been reported.
bool replay_build(struct native_replay *replay, enum replay_build build);
// Makes the exact build with counters, for gcov without source. `bitcode` is a file.
bool replay_build_counting(struct native_replay *replay, const char *bitcode, const char *binary);
bool replay_has_source(const struct native_replay *replay);
// Writes OUT/gcov/FILE.gcov, after all runs of the gcov build. Returns false if that is impossible.
bool replay_collect_gcov(struct native_replay *replay);

// replay_run.c: the result of a native run of a test.
struct native_run {
    struct sandbox_end end;
    struct text errors; // its standard error
    struct text output; // its standard output, if `wants_output`
    uint64_t *choices;  // pairs of number and value; only of the exact build
    uint64_t choice_count;
    bool choices_lost;
};
bool replay_run(struct native_replay *replay, enum replay_build build, const struct test_case *test,
                struct native_run *run);
void native_run_free(struct native_run *run);

// replay_judge.c
enum verdict {
    VERDICT_SAME,      // no bug was predicted, and the outcome is the predicted one
    VERDICT_CONFIRMED, // the predicted bug was seen
    VERDICT_DIFFERS,   // no bug was predicted, and the outcome is another one
    VERDICT_NOT_SEEN, // the build cannot tell: it does not detect the bug, or may differ after a survived bug
};
// Compares the build's run with the prediction; `why` gets the difference in words.
enum verdict replay_judge(const struct native_replay *replay, enum replay_build build,
                          const struct test_case *test, const struct finding *finding,
                          const struct native_run *run, struct text *why);

// replay_test.c: runs one test on all builds.
struct replayed_test {
    uint32_t number;
    uint32_t ran, confirmed; // sets of builds: bit 1 << enum replay_build
    bool bug, as_predicted;
    bool independent; // confirmed by a build that does not share the engine's C library and kernel model
    bool damaged;     // its file cannot be read: an error has been reported, and the others are run
    bool failed;      // no test can be run; an error has been reported
};
void replay_test(struct native_replay *replay, bool valgrind, uint32_t number, struct replayed_test *result,
                 struct text *message);

static const int replay_signals[] = {SIGINT, SIGTERM, SIGHUP}; // signals that end a replay

// replay_jobs.c: runs all tests in `jobs` processes; calls `report` with the results in the order of the test
// numbers. Returns false if an error has been reported.
struct replay_numbers {
    uint32_t *at;
    uint32_t count, capacity;
};
bool replay_jobs(struct native_replay *replay, bool valgrind, const struct replay_numbers *numbers,
                 uint32_t jobs,
                 void (*report)(void *context, const struct replayed_test *result, const char *message),
                 void *context);

// replay_path.c: returns true if the native choices are those of the engine on this path; `why` gets the first
// difference. `count` gets the number of choices.
bool replay_same_path(const struct native_replay *replay, const struct test_case *test,
                      const struct native_run *run, struct text *why, uint64_t *count);

#endif
