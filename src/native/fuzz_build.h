// The native builds of a program for a fuzzer, made from its bitcode in the background.
#ifndef TAMAR_NATIVE_FUZZ_BUILD_H
#define TAMAR_NATIVE_FUZZ_BUILD_H

#include "base/vec.h"
#include "native/fuzzer.h"

#include <sys/types.h>

struct fuzz_build {
    enum fuzzer_tool tool;
    bool harness; // a libFuzzer harness; false: a program with main
    // Largest size of each word of a packed input. Such an input has words that end with a NUL, an empty word, then the
    // content of standard input. `most_words` 0: inputs are not packed.
    const uint32_t *word_sizes;
    uint32_t least_words, most_words;
    const char *folder; // absolute path, inside of the fuzzer's folder
};

// Names of the built files in the folder.
#define FUZZ_PROGRAM "program"
#define FUZZ_COMPARE "compare" // AFL++: logs comparisons
#define FUZZ_MUTATOR "given.so"

// Starts the build in a child process, which ends with status 0 when all files exist. The child prints its errors, and
// is killed when this process ends. Returns -1 if an error has been reported.
pid_t fuzz_build_start(const struct fuzz_build *build, const struct text *bitcode);

#endif
