// A fuzzer (AFL++ or libFuzzer) as a separate process in the sandbox, running concurrently with the exploration.
//
//   fuzzer_new -> { fuzzer_add_input } -> { fuzzer_tend, fuzzer_take, fuzzer_give } -> fuzzer_free
//
// All its files are in one folder, which the fuzzed program may write to. Files of that folder are therefore opened
// by name relative to descriptors that were opened before the fuzzer started, and links are never followed:
//
//   queue/    corpus of libFuzzer (of AFL++: afl/default/queue)
//   crashes/  crashes of libFuzzer (of AFL++: afl/default/crashes)
//   given/    inputs from outside, numbered: AFL++ takes them through given.so (native/fuzzer_given.h)
//   in/       AFL++'s initial inputs
//   log.txt   output of the fuzzer
#ifndef TAMAR_NATIVE_FUZZER_H
#define TAMAR_NATIVE_FUZZER_H

#include "base/text.h"

// FUZZER(NAME, name for --fuzz, file that must exist, package)
#define FUZZER_TOOLS(FUZZER)                                                                                 \
    FUZZER(AFL, "afl++", "/usr/lib/afl/afl-compiler-rt.o", "afl++")                                          \
    FUZZER(LIBFUZZER, "libfuzzer", "/usr/lib/llvm-19/lib/clang/19/lib/linux/libclang_rt.fuzzer-x86_64.a",    \
           "libclang-rt-19-dev")
enum fuzzer_tool {
#define FUZZER(name, text, file, package) FUZZER_##name,
    FUZZER_TOOLS(FUZZER)
#undef FUZZER
        FUZZER_TOOL_COUNT
};
struct fuzzer_facts {
    const char *name, *file, *package;
};
extern const struct fuzzer_facts fuzzer_facts[FUZZER_TOOL_COUNT];

// Strings must outlive the fuzzer.
struct fuzzer_options {
    enum fuzzer_tool tool;
    const char *folder;           // absolute
    const char *program;          // built for the tool; absolute
    const char *compare;          // AFL++: the build that logs comparisons; NULL: none
    const char *mutator;          // AFL++: given.so
    const char *dictionary;       // NULL: none
    const char *const *arguments; // after argv[0], NULL-terminated
    const char *file;             // AFL++: the input file; NULL: standard input
    const char *directory;        // where the program is started
    uint32_t least, most;         // size of an input, in bytes
    uint64_t memory;              // bytes for all processes of the fuzzer; 0: no limit
    uint64_t random_seed;
};

struct fuzzer;

// Creates the subfolders of `folder`, which must exist. Returns NULL if an error has been reported.
struct fuzzer *fuzzer_new(const struct fuzzer_options *options);
// Ends all processes of the fuzzer; the folder stays.
void fuzzer_free(struct fuzzer *fuzzer);
// Adds an initial input; call it before the first fuzzer_tend.
void fuzzer_add_input(struct fuzzer *fuzzer, const void *bytes, size_t size);
// Starts the fuzzer, and restarts it when it has ended: libFuzzer ends at every crash. Returns false if it cannot be
// run; an error has been reported.
bool fuzzer_tend(struct fuzzer *fuzzer);
// Takes the next input that the fuzzer has kept. Returns false if there is none now.
bool fuzzer_take(struct fuzzer *fuzzer, struct text *content, bool *crash);
// Adds an input to the queue of the running fuzzer. Returns false if it could not be written.
bool fuzzer_give(struct fuzzer *fuzzer, const void *bytes, size_t size);
// Sets the percentage of the time in which the fuzzer may run.
void fuzzer_set_share(struct fuzzer *fuzzer, int percent);
// Returns how often the fuzzer was started.
uint32_t fuzzer_starts(const struct fuzzer *fuzzer);

#endif
