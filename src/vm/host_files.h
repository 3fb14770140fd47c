// The files that a program sees: those of the host that are not hidden, and symbolic files with their parent folders.
#ifndef TAMAR_VM_HOST_FILES_H
#define TAMAR_VM_HOST_FILES_H

#include "vm/vm_int.h"

// Returns the directory in which the program starts.
const char *host_start_directory(const struct vm *vm);
const struct vm_file *host_symbolic_files(const struct vm *vm, uint32_t *count);
// Returns the symbolic file at an absolute path, or NULL if there is none. A NULL path means standard input.
const struct vm_file *host_symbolic_file(struct vm *vm, const char *path);
// Return whether the file, or any symbolic file, lies in the folder or below it. `folder` is an absolute path.
bool host_is_above(struct vm *vm, const char *folder, const struct vm_file *file);
bool host_leads_to_symbolic(struct vm *vm, const char *folder);
bool host_is_hidden(const struct vm *vm, const char *path);

// Reads the names in a folder into vm->kernel.dir_cache, sorted, unless they are there already. Returns their number
// or a negated error number.
int64_t host_list(struct vm *vm, const char *path);
void host_forget_dir_cache(struct vm *vm);

#endif
