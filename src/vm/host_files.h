// Which files a program sees: the host's, without those that are hidden, and symbolic ones, with the folders that lead to them.
#ifndef TAMAR_VM_HOST_FILES_H
#define TAMAR_VM_HOST_FILES_H

#include "vm/vm_int.h"

// Where the program starts.
const char *host_start_directory(const struct vm *vm);
const struct vm_file *host_symbolic_files(const struct vm *vm, uint32_t *count);
// The symbolic file at an absolute path; NULL as path: standard input. NULL: there is none.
const struct vm_file *host_symbolic_file(struct vm *vm, const char *path);
// Whether the file lies in the folder, or in one below it; both for an absolute path of a folder.
bool host_is_above(struct vm *vm, const char *folder, const struct vm_file *file);
bool host_leads_to_symbolic(struct vm *vm, const char *folder);
bool host_is_hidden(const struct vm *vm, const char *path);

// Reads the names in a folder into vm->kernel.listing, sorted: their number, or an error. Mostly the next question is for the same
// folder.
int64_t host_list(struct vm *vm, const char *path);
void host_forget_listing(struct vm *vm);

#endif
