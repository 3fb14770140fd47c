// Response files: `@FILE` on a command line stands for the words in FILE, quoted as GCC reads them.
#ifndef TAMAR_DRIVER_CC_RESPONSE_H
#define TAMAR_DRIVER_CC_RESPONSE_H

#include "base/vec.h"

struct cc_response {
    vec(char *) words; // NULL-terminated
    vec(char *) owned; // the words that were read from files
};

// Replaces @FILE by the words of the file. If it cannot be read, the word @FILE stays, as with GCC. Returns false if
// files include each other recursively.
bool cc_response_expand(struct cc_response *response, char **argv);
void cc_response_free(struct cc_response *response);

#endif
