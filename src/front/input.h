// Reads the user's files into LLVM modules; private to the front end.
#ifndef TAMAR_FRONT_INPUT_H
#define TAMAR_FRONT_INPUT_H

#include "front/front_int.h"

struct compile_folder {
    char path[4096]; // of temporary files; empty until the compiler is started
};

// Compiles a C file, and appends its bitcode. Returns false after an error, which has been reported. `flags`: the
// user's compiler flags; `runtime` NULL: use musl's installed headers.
bool compile_c(struct front *front, const char *source, const char *const *flags, unsigned flag_count,
               const char *runtime, struct compile_folder *folder, struct text *bitcode);
void compile_folder_remove(struct compile_folder *folder);

// Compiles the C files among the words, and reads all files. Each module becomes a part (struct input_part), which is
// parsed later. Returns false after an error, which has been reported. LLVM's context is not needed yet.
bool input_read(struct front *front, const struct front_input *input, const char *runtime,
                struct front_times *times);
// Parses the parts and adds their modules as units. Returns false after an error, which has been reported.
bool input_add_modules(struct front *front, struct front_times *times);
void input_free(struct front *front); // the parts and the bytes of the files
// Adds one library module of the runtime, whose function bodies are read when they are reached. Returns false if the
// file does not exist.
bool input_read_library(struct front *front, const char *directory, const char *name);

// While the guard is on, a crash inside LLVM, or time or memory out of proportion to the file's size, is reported as a
// damaged input file, with exit status 2.
void guard_on(const char *file, size_t size);
void guard_off(void);

#endif
