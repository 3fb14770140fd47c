// on_exit for native programs: musl lacks it, and its exit does not store the status. Linked only if a program uses
// it.
#include "runtime/libc/on_exit.h"

#include <dlfcn.h>
#include <stdint.h>

// The steps of musl's exit, which are not visible in its shared library.
void __funcs_on_exit(void) __attribute__((weak));
void __stdio_exit(void) __attribute__((weak));
void _fini(void) __attribute__((weak));
extern void (*const __fini_array_start[])(void) __attribute__((weak));
extern void (*const __fini_array_end[])(void) __attribute__((weak));

__attribute__((weak)) _Noreturn void exit(int status) {
    on_exit_status = status;
    if (!__funcs_on_exit) {
        void (*next)(int) __attribute__((noreturn)) = dlsym(RTLD_NEXT, "exit");
        next(status);
    }
    __funcs_on_exit();
    for (uintptr_t at = (uintptr_t)__fini_array_end; at > (uintptr_t)__fini_array_start;) {
        at -= sizeof(void (*)(void));
        (*(void (**)(void))at)();
    }
    if (_fini) _fini();
    if (__stdio_exit) __stdio_exit();
    _Exit(status);
}
