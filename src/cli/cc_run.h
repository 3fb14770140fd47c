// Commands that `tamar cc` starts, and the files that they leave in between.
#ifndef TAMAR_CC_RUN_H
#define TAMAR_CC_RUN_H

#include "base/vec.h"

#include <sys/types.h>

struct cc_command {
    vec(char *) words;
    vec(char *) owned;
};

void cc_add(struct cc_command *command, const char *word); // a copy
void cc_add_format(struct cc_command *command, const char *format, ...) PRINTF(2, 3);
// Runs it and waits. Returns its exit status (128 + signal when a signal ended it) and frees the command.
int cc_run(struct cc_command *command);
// Starts it and frees the command; `silent`: what it writes to standard error is lost. Returns -1 when it cannot be started,
// which is reported.
pid_t cc_start(struct cc_command *command, bool silent);
int cc_wait(pid_t pid);                   // its exit status, as cc_run's; of -1: EXIT_USAGE
void cc_free(struct cc_command *command); // one that is not run after all

// A folder for files that go when the command ends; made on first use.
const char *cc_temporary_folder(void);
void cc_remove_temporaries(void);

// Gives an object that clang just wrote its bitcode section: of the file `bitcode`, or of what is embedded where that is NULL.
// False: reported.
bool cc_adopt(const char *object, const char *bitcode);
// Adds the file's bytes to the assembly that clang just wrote, for the section in which cc_adopt will find it.
bool cc_adopt_assembly(const char *assembly, const char *bitcode);

#endif
