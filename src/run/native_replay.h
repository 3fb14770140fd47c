// Replay: a run's tests on native builds of the program.
//
// A replay is a folder of results, the work folder with the builds, and for each test one native run on each
// build. Builds are of two families. The exact one is the very bitcode that was explored, with the same C
// library as native code (runtime/native); it records its choices, which must be those of the engine on the
// test's path. The others are made from the source by the host's compiler for the host's C library: with
// sanitizers, plain, under valgrind, or for gcov; they must show the predicted outcome, and for a bug the
// same kind at the same place.
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

// BUILD(name, what it is called in messages).
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

struct native_replay {
    const char *folder;    // of the results, absolute
    const char *directory; // where the run was started
    const char *work;      // builds and the folders of the native runs
    const char *counts;    // in it: what gcov builds count
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
    struct text own_choices;     // of the exact build: which choices lowering did not make (front.h)
    bool counts_exactly;         // the gcov build is made of the bitcode, too
    bool fuzzer;                 // the program is a libFuzzer harness
    double seconds;
    uint64_t memory;
    bool wants_output;
};

// replay_open.c: sets up the run of a folder again, without anything native. False: an error has been reported; to be closed
// either way.
bool replay_open(struct native_replay *replay, const char *folder);
// For recorded tests, and tests made from them: sets the program inputs to those of this test.
void replay_set_inputs(struct native_replay *replay, struct test_case *test);
bool replay_make_work(struct native_replay *replay); // the folder for builds
// Paths that the program does not see, NULL-terminated: those that the engine hides, but for the work folder.
const char *const *replay_hidden(struct native_replay *replay);
void replay_close(struct native_replay *replay);

// replay_build.c: false when it cannot be built (an error has been reported).
bool replay_build(struct native_replay *replay, enum replay_build build);
// For gcov without source: the exact build, with counters. `bitcode` is a file.
bool replay_build_counting(struct native_replay *replay, const char *bitcode, const char *binary);
bool replay_has_source(const struct native_replay *replay);
// After all runs of the gcov build: OUT/gcov/FILE.gcov. The number of lines that were executed.
bool replay_collect_gcov(struct native_replay *replay);

// replay_run.c: what a native run of a test gave.
struct native_run {
    struct sandbox_end end;
    struct text errors; // what it said on standard error
    struct text output; // and on standard output, where that is wanted
    uint64_t *choices;  // pairs of number and value; only of the exact build
    uint64_t choice_count;
    bool choices_lost;
};
bool replay_run(struct native_replay *replay, enum replay_build build, const struct test_case *test,
                struct native_run *run);
void native_run_free(struct native_run *run);

// replay_judge.c
enum verdict { VERDICT_SAME, VERDICT_CONFIRMED, VERDICT_DIFFERS, VERDICT_NOT_SEEN };
// Compares the build's run with the prediction; `why` gets the difference in words.
enum verdict replay_judge(const struct native_replay *replay, enum replay_build build,
                          const struct test_case *test, const struct finding *finding,
                          const struct native_run *run, struct text *why);

// replay_test.c: one test on all builds.
struct replayed_test {
    uint32_t number;
    uint32_t ran, confirmed; // sets of builds: bit 1 << enum replay_build
    bool bug, as_predicted;
    bool independent; // confirmed by a build that shares nothing with the engine
    bool failed;      // it cannot be run, and the error has been reported
};
void replay_test(struct native_replay *replay, bool valgrind, uint32_t number, struct replayed_test *result,
                 struct text *message);

// replay_jobs.c: all tests, `jobs` at a time in processes of their own; `told` gets the results in the order of the numbers. False: an
// error has been reported.
static const int replay_signals[] = {SIGINT, SIGTERM, SIGHUP}; // that end a replay
struct replay_numbers {
    uint32_t *at;
    uint32_t count, capacity;
};
bool replay_jobs(struct native_replay *replay, bool valgrind, const struct replay_numbers *numbers,
                 uint32_t jobs,
                 void (*told)(void *context, const struct replayed_test *result, const char *message),
                 void *context);

// replay_path.c: true when the native choices are those of the engine on this path; `why` says the first
// difference. `count` gets the number of choices.
bool replay_same_path(const struct native_replay *replay, const struct test_case *test,
                      const struct native_run *run, struct text *why, uint64_t *count);

#endif
