// getcontext, setcontext, makecontext and swapcontext for native programs: musl declares them, but does not define
// them. The layout of a ucontext_t and the use of its fields are glibc's, so that functions of both libraries can use
// the same context.
#include <stdarg.h>
#include <stdint.h>
#include <ucontext.h>

// Offsets of fields of a ucontext_t.
// clang-format off
#define OFFSETS(X)                                                          \
    X(r8, 40) X(r9, 48) X(r12, 72) X(r13, 80) X(r14, 88) X(r15, 96)         \
    X(rdi, 104) X(rsi, 112) X(rbp, 120) X(rbx, 128) X(rdx, 136) X(rcx, 152)
// clang-format on
_Static_assert(__builtin_offsetof(ucontext_t, uc_mcontext.gregs[REG_RIP]) == 168, "layout");
_Static_assert(__builtin_offsetof(ucontext_t, uc_mcontext.fpregs) == 224, "layout");
_Static_assert(__builtin_offsetof(ucontext_t, uc_sigmask) == 296, "layout");
_Static_assert(__builtin_offsetof(ucontext_t, __fpregs_mem) == 424, "layout");

#define STORE(name, offset) "mov %" #name ", " #offset "(%rdi)\n"

// Stores the caller's registers, as they are after the return, and the floating-point environment.
#define SAVE                                                                                                 \
    OFFSETS(STORE)                                                                                           \
    "mov (%rsp), %rcx\n mov %rcx, 168(%rdi)\n"                                                               \
    "lea 8(%rsp), %rcx\n mov %rcx, 160(%rdi)\n"                                                              \
    "lea 424(%rdi), %rcx\n mov %rcx, 224(%rdi)\n fnstenv (%rcx)\n fldenv (%rcx)\n stmxcsr 448(%rdi)\n"
// rt_sigprocmask(SIG_SETMASK, rsi, rdx, 8)
#define SET_MASK "mov $2, %edi\n mov $8, %r10d\n mov $14, %eax\n syscall\n"

__asm__(".text\n"
        ".weak getcontext, setcontext, swapcontext\n"
        ".type getcontext, @function\n"
        "getcontext:\n" SAVE "lea 296(%rdi), %rdx\n xor %esi, %esi\n" SET_MASK "xor %eax, %eax\n ret\n"
        ".size getcontext, . - getcontext\n"
        ".type swapcontext, @function\n"
        "swapcontext:\n" SAVE "mov %rsi, %r9\n lea 296(%rdi), %rdx\n lea 296(%rsi), %rsi\n" SET_MASK
        "mov %r9, %rdx\n jmp 1f\n"
        ".size swapcontext, . - swapcontext\n"
        ".type setcontext, @function\n"
        "setcontext:\n"
        "mov %rdi, %r9\n lea 296(%rdi), %rsi\n xor %edx, %edx\n" SET_MASK "mov %r9, %rdx\n"
        "1: mov 224(%rdx), %rcx\n fldenv (%rcx)\n ldmxcsr 448(%rdx)\n"
        "mov 160(%rdx), %rsp\n mov 168(%rdx), %rcx\n push %rcx\n"
        "mov 40(%rdx), %r8\n mov 48(%rdx), %r9\n mov 72(%rdx), %r12\n mov 80(%rdx), %r13\n"
        "mov 88(%rdx), %r14\n mov 96(%rdx), %r15\n mov 104(%rdx), %rdi\n mov 112(%rdx), %rsi\n"
        "mov 120(%rdx), %rbp\n mov 128(%rdx), %rbx\n mov 152(%rdx), %rcx\n mov 136(%rdx), %rdx\n"
        "xor %eax, %eax\n ret\n"
        ".size setcontext, . - setcontext\n"
        // Where the function of a context returns to: rbx has the next context.
        ".type __tamar_context_end, @function\n"
        "__tamar_context_end:\n"
        "mov %rbx, %rdi\n test %rdi, %rdi\n je 2f\n call setcontext@PLT\n mov %eax, %edi\n"
        "2: call exit@PLT\n hlt\n"
        ".size __tamar_context_end, . - __tamar_context_end\n");
extern void __tamar_context_end(void) __attribute__((visibility("hidden")));

__attribute__((weak)) void makecontext(ucontext_t *context, void (*function)(void), int count, ...) {
    static const int registers[] = {REG_RDI, REG_RSI, REG_RDX, REG_RCX, REG_R8, REG_R9};
    uintptr_t end = (uintptr_t)context->uc_stack.ss_sp + context->uc_stack.ss_size;
    uintptr_t on_stack = count > 6 ? (uintptr_t)count - 6 : 0;
    uintptr_t *stack = (uintptr_t *)((end - 8 * on_stack) & ~(uintptr_t)15) - 1;
    va_list list;
    va_start(list, count);
    for (int i = 0; i < count; i++) {
        greg_t value = va_arg(list, greg_t);
        if (i < 6)
            context->uc_mcontext.gregs[registers[i]] = value;
        else
            stack[i - 5] = (uintptr_t)value;
    }
    va_end(list);
    stack[0] = (uintptr_t)__tamar_context_end;
    context->uc_mcontext.gregs[REG_RBX] = (greg_t)(uintptr_t)context->uc_link;
    context->uc_mcontext.gregs[REG_RIP] = (greg_t)(uintptr_t)function;
    context->uc_mcontext.gregs[REG_RSP] = (greg_t)(uintptr_t)stack;
}
