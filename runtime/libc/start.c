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

// The further program that execve has started in this process; NULL: the first program.
static const struct __tamar_program *further;
// The initial stack of the running program. Not a local variable, since the engine has no stack frame for those of the
// entry.
static long *stack;

__TAMAR_NORETURN static void run_further(int argc, char **argv, char **envp) {
    unsigned long words[] = {(unsigned long)argc, (unsigned long)argv, (unsigned long)envp};
    for (void *const *function = further->constructors; *function; function++)
        __tamar_call3(*function, words[0], words[1], words[2]);
    exit(__tamar_call3(further->main, words[0], words[1], words[2]));
}

void __tamar_start(long *sp) {
    __tamar_linux_start(*sp ? (char *)sp[1] : "");
    stack = sp;
    further = __tamar_image_start(&stack);
    int argc = (int)stack[0];
    char **argv = (char **)(stack + 1), **envp = argv + argc + 1;
    __init_libc(envp, argv[0]);
    __tamar_use((void *)__tamar_undefined_long, (void *)__tamar_undefined_int,
                (void *)__tamar_undefined_zero);
    if (further) run_further(argc, argv, envp);
    __tamar_constructors(argc, argv, envp);
    exit(main ? main(argc, argv, envp) : __tamar_fuzzer_main(argc, argv)); // a libFuzzer harness has no main
}

// Called by exit() after the functions of atexit. musl's own version
// walks the linker's fini_array, which bitcode does not have.
void __libc_exit_fini(void) {
    if (!further) {
        __tamar_destructors();
        return;
    }
    void *const *last = further->destructors;
    while (*last) last++;
    while (last > further->destructors) __tamar_call3(*--last, 0, 0, 0);
}
