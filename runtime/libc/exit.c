// exit, as musl has it, and on_exit.
#include "runtime/libc/on_exit.h"

#include <unistd.h>

void __funcs_on_exit(void);
void __libc_exit_fini(void);
void __stdio_exit(void);

_Noreturn void exit(int status) {
    on_exit_status = status;
    __funcs_on_exit();
    __libc_exit_fini();
    __stdio_exit();
    _Exit(status);
}
