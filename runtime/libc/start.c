// From the first instruction of the program to main, and from main to the end.
#include "runtime/intrinsics.h"
#include "runtime/linux/linux.h"

#include <errno.h>
#include <stdlib.h>

// musl's, declared in its private headers.
void __init_libc(char **envp, char *program_name);
void __libc_exit_fini(void);
void __libc_start_init(void);
int main(int argc, char **argv, char **envp) __attribute__((weak));
int __tamar_fuzzer_main(int argc, char **argv);

long __tamar_undefined_long(void) {
    errno = ENOSYS;
    return -1;
}
int __tamar_undefined_int(void) { return (int)__tamar_undefined_long(); }
void *__tamar_undefined_zero(void) {
    errno = ENOSYS;
    return NULL;
}

void __tamar_start(long *sp) {
    int argc = (int)sp[0];
    char **argv = (char **)(sp + 1), **envp = argv + argc + 1;
    __tamar_linux_start(argc ? argv[0] : "");
    __init_libc(envp, argv[0]);
    __tamar_use((void *)__tamar_undefined_long, (void *)__tamar_undefined_int,
                (void *)__tamar_undefined_zero);
    __tamar_constructors(argc, argv, envp);
    exit(main ? main(argc, argv, envp) : __tamar_fuzzer_main(argc, argv)); // a libFuzzer harness has no main
}

// Called by exit() after the functions of atexit. musl's own version
// walks the linker's fini_array, which bitcode does not have.
void __libc_exit_fini(void) { __tamar_destructors(); }
