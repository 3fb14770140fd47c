// A fuzzer as a process of its own, in the sandbox: AFL++ or libFuzzer, beside whatever else goes on.
//
//   fuzzer_new -> { fuzzer_add_input } -> { fuzzer_tend, fuzzer_take, fuzzer_give } -> fuzzer_free
//
// All of it lives in one folder, which the fuzzed program may write to. Files of that folder are therefore opened by name below
// descriptors that were opened before the fuzzer started, never through links:
//
//   queue/    libFuzzer's corpus; AFL++'s is afl/default/queue
//   crashes/  libFuzzer's; AFL++'s is afl/default/crashes
//   given/    inputs from outside, numbered: AFL++ takes them through given.so (native/fuzzer_given.h)
//   in/       what AFL++ starts from
//   log.txt   what the fuzzer prints
#ifndef TAMAR_NATIVE_FUZZER_H
#define TAMAR_NATIVE_FUZZER_H

#include "base/text.h"

// FUZZER(NAME, its name as --fuzz has it, a file that must be there, package)
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
    const char *file;             // AFL++: the file that is the input; NULL: standard input
    const char *directory;        // where the program starts
    uint32_t least, most;         // bytes of an input
    uint64_t memory;              // bytes for all its processes; 0: no limit
    uint64_t random_seed;
};

struct fuzzer;

// Makes the folders below `folder`, which is there. NULL: an error has been reported.
struct fuzzer *fuzzer_new(const struct fuzzer_options *options);
// Ends all its processes; the folder stays.
void fuzzer_free(struct fuzzer *fuzzer);
// An input to start from, before the first fuzzer_tend.
void fuzzer_add_input(struct fuzzer *fuzzer, const void *bytes, size_t size);
// Starts it, and starts it again when it has ended: libFuzzer ends with every crash. False: it cannot be run; an error has been
// reported.
bool fuzzer_tend(struct fuzzer *fuzzer);
// The next input that it has kept and that was not taken yet. False: there is none now.
bool fuzzer_take(struct fuzzer *fuzzer, struct text *content, bool *crash);
// An input for its queue, while it runs. Returns whether it could be written.
bool fuzzer_give(struct fuzzer *fuzzer, const void *bytes, size_t size);
// Percent of the time in which it may run.
void fuzzer_set_share(struct fuzzer *fuzzer, int percent);
// How often it was started.
uint32_t fuzzer_starts(const struct fuzzer *fuzzer);

#endif
