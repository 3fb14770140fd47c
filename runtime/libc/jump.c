// setjmp itself is lowered by the front end (a function's return would end the frame that it must keep); the
// rest is written in C here. musl's layout of a jmp_buf: eight words for the VM, a flag, the signal mask.
#include "runtime/intrinsics.h"

#include <setjmp.h>
#include <signal.h>
#include <stddef.h>

_Noreturn void _longjmp(jmp_buf buffer, int value);

void __tamar_sigsetjmp_prepare(void *buffer, int save) {
    struct __jmp_buf_tag *tag = buffer;
    tag->__fl = save != 0;
    if (save) sigprocmask(SIG_SETMASK, NULL, (sigset_t *)tag->__ss);
}

void longjmp(jmp_buf buffer, int value) { __tamar_longjmp(buffer->__jb, value ? value : 1); }
void _longjmp(jmp_buf buffer, int value) { __tamar_longjmp(buffer->__jb, value ? value : 1); }

// __builtin_longjmp, whose buffer is five words, all for the VM.
_Noreturn void __tamar_builtin_longjmp(void *buffer);
void __tamar_builtin_longjmp(void *buffer) { __tamar_longjmp(buffer, 1); }

void siglongjmp(sigjmp_buf buffer, int value) {
    if (buffer->__fl) sigprocmask(SIG_SETMASK, (sigset_t *)buffer->__ss, NULL);
    __tamar_longjmp(buffer->__jb, value ? value : 1);
}
