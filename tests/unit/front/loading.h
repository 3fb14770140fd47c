// Small programs for the tests of the front end, written to a folder that vanishes afterwards.
#ifndef TAMAR_TEST_LOADING_H
#define TAMAR_TEST_LOADING_H

#include "front/front.h"

void loading_start(void); // makes the folder
void loading_end(void);   // and removes it with its content

// The path of a file of this name in the folder, with this content. Valid during the next seven calls.
const char *file_with(const char *name, const void *content, size_t size);
const char *text_file(const char *name, const char *text);

// Loads words (NULL-terminated) without the C library.
struct ir_program *load(const struct front_options *options, const char *const *words);
// Loads one C or .ll file with one flag. Fails the test if it cannot be loaded or verified.
struct ir_program *load_text(const char *name, const char *text, const char *flag);
// The listing of a function, to be freed.
char *listing(const struct ir_program *program, const char *function);
// Loads, must fail; the messages, to be freed.
char *failure(const struct front_options *options, const char *const *words);

#endif
