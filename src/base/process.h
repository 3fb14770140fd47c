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

void process_add(struct process_command *command, const char *word); // copies the word
void process_add_format(struct process_command *command, const char *format, ...) PRINTF(2, 3);
// Runs the command and waits. Returns its exit status (128 + signal if a signal ended it) and frees the command.
int process_run(struct process_command *command);
// Starts the command and frees it; `silent`: discards its standard error. If it cannot be started, reports that and
// returns -1.
pid_t process_start(struct process_command *command, bool silent);
int process_wait(pid_t pid);                        // the exit status, as for process_run; pid -1: EXIT_USAGE
void process_free(struct process_command *command); // for a command that is not run

// A temporary folder, removed when the command ends; made on first use.
const char *process_temporary_folder(void);
void process_remove_temporaries(void);

#endif
