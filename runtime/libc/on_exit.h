// on_exit registers functions that get the exit status. exit sets `on_exit_status` before it calls anything. Included
// by exit.c in the bitcode library, and by native/musl/exit.c in native programs.
#ifndef TAMAR_ON_EXIT_H
#define TAMAR_ON_EXIT_H

#include <stdlib.h>

typedef void on_exit_function(int status, void *argument);

static int on_exit_status;
static struct on_exit_entry {
    struct on_exit_entry *next;
    on_exit_function *function;
    void *argument;
} *on_exit_entries; // newest first

// Calls the function of the newest entry. It is registered with atexit once per entry, so that functions of on_exit
// and atexit run in reverse order of registration.
static void on_exit_call(void) {
    struct on_exit_entry entry = *on_exit_entries;
    free(on_exit_entries);
    on_exit_entries = entry.next;
    entry.function(on_exit_status, entry.argument);
}

int on_exit(on_exit_function *function, void *argument);
int on_exit(on_exit_function *function, void *argument) {
    struct on_exit_entry *entry = malloc(sizeof *entry);
    if (!entry || atexit(on_exit_call)) {
        free(entry);
        return -1;
    }
    *entry = (struct on_exit_entry){on_exit_entries, function, argument};
    on_exit_entries = entry;
    return 0;
}

#endif
