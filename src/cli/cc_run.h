// Commands that `tamar cc` starts, and the files that they leave in between.
#ifndef TAMAR_CC_RUN_H
#define TAMAR_CC_RUN_H

#include "base/vec.h"

struct cc_command {
    vec(char *) words;
    vec(char *) owned;
};

void cc_add(struct cc_command *command, const char *word); // a copy
void cc_add_format(struct cc_command *command, const char *format, ...) PRINTF(2, 3);
// Runs it and waits. Returns its exit status (128 + signal when a signal ended it) and frees the command.
int cc_run(struct cc_command *command);
void cc_free(struct cc_command *command); // one that is not run after all

// A folder for files that go when the command ends; made on first use.
const char *cc_temporary_folder(void);
void cc_remove_temporaries(void);

// Gives an object that clang just wrote its bitcode section. False: reported.
bool cc_adopt(const char *object);

#endif
