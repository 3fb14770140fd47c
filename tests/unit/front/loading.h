// Small programs for the tests of the front end, written to a temporary folder.
#ifndef TAMAR_TEST_LOADING_H
#define TAMAR_TEST_LOADING_H

#include "front/front.h"

void loading_start(void); // creates the folder
void loading_end(void);   // removes the folder with its content

// Writes a file of this name to the folder and returns its path. Valid during the next seven calls.
const char *file_with(const char *name, const void *content, size_t size);
const char *text_file(const char *name, const char *text);

// Loads words (NULL-terminated) without the C library.
struct ir_program *load(const struct front_options *options, const char *const *words);
// Loads one C or .ll file with one flag. Fails the test if it cannot be loaded or verified.
struct ir_program *load_text(const char *name, const char *text, const char *flag);
// Returns the listing of a function; the caller frees it.
char *listing(const struct ir_program *program, const char *function);
// Loads words, which must fail, and returns the messages; the caller frees them.
char *failure(const struct front_options *options, const char *const *words);

#endif
