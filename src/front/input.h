// From the user's words to modules; private to the front end.
#ifndef TAMAR_FRONT_INPUT_H
#define TAMAR_FRONT_INPUT_H

#include "front/front_int.h"

// False: the user was told. `flags` are the compiler's own; NULL as `runtime` takes musl's installed headers.
bool compile_c(struct front *front, const char *source, const char *const *flags, unsigned flag_count,
               const char *runtime, const char *output);

// Adds the modules that the words name. False: the user was told.
bool input_read(struct front *front, const struct front_input *input, const char *runtime,
                struct front_times *times);
// The same for one file under the program, of which only what is reached is read. False when it is not there.
bool input_read_library(struct front *front, const char *directory, const char *name);

// While it is on, a crash inside LLVM, or time and memory out of proportion to the file's size, is a damaged
// input file, said as such, exit status 2.
void guard_on(const char *file, size_t size);
void guard_off(void);

#endif
