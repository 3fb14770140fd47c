// Programs that Tamar starts, and a temporary folder for their intermediate files.
#ifndef TAMAR_BASE_PROCESS_H
#define TAMAR_BASE_PROCESS_H

#include "base/vec.h"

#include <sys/types.h>

// The words of a command line, the program first.
struct process_command {
    vec(char *) words;
    vec(char *) owned;
};

void process_add(struct process_command *command, const char *word); // a copy
void process_add_format(struct process_command *command, const char *format, ...) PRINTF(2, 3);
// Runs it and waits. Returns its exit status (128 + signal when a signal ended it) and frees the command.
int process_run(struct process_command *command);
// Starts it and frees the command; `silent`: its standard error is discarded. Returns -1 if it cannot be started, which
// is reported.
pid_t process_start(struct process_command *command, bool silent);
int process_wait(pid_t pid);                        // its exit status, as process_run's; of -1: EXIT_USAGE
void process_free(struct process_command *command); // one that is not run after all

// A temporary folder, removed when the command ends; made on first use.
const char *process_temporary_folder(void);
void process_remove_temporaries(void);

#endif
