// The kernel's entry point, and the jumps that C cannot express. The layout of a jmp_buf is musl's: eight words.
    .text
    .globl _start
    .type _start, @function
_start:
    xor %ebp, %ebp
    mov %rsp, %rdi
    and $-16, %rsp
    call __tamar_native_start
    hlt
    .size _start, . - _start

    // __tamar_native_run(long *sp, void *stack): starts the program on its own stack.
    .globl __tamar_native_run
    .type __tamar_native_run, @function
__tamar_native_run:
    xor %ebp, %ebp
    mov %rsi, %rsp
    and $-16, %rsp
    call __tamar_start
    hlt
    .size __tamar_native_run, . - __tamar_native_run

    .globl setjmp, _setjmp, __setjmp, __tamar_setjmp
    .type setjmp, @function
setjmp:
_setjmp:
__setjmp:
__tamar_setjmp:
    mov %rbx, (%rdi)
    mov %rbp, 8(%rdi)
    mov %r12, 16(%rdi)
    mov %r13, 24(%rdi)
    mov %r14, 32(%rdi)
    mov %r15, 40(%rdi)
    lea 8(%rsp), %rdx
    mov %rdx, 48(%rdi)
    mov (%rsp), %rdx
    mov %rdx, 56(%rdi)
    xor %eax, %eax
    ret
    .size setjmp, . - setjmp

    // C code saves the mask first; then it continues as a setjmp of the caller.
    .globl sigsetjmp, __sigsetjmp
    .type sigsetjmp, @function
sigsetjmp:
__sigsetjmp:
    push %rdi
    call __tamar_sigsetjmp_prepare
    pop %rdi
    jmp setjmp
    .size sigsetjmp, . - sigsetjmp

    // Saves the registers and the return address of the caller's caller, as setjmp does. When the context is
    // activated, longjmp, which keeps the buffer in rdi, jumps to `landed`, so that the result is 0 again. `landed`
    // finds the return address in the word of struct content (runtime/libc/context.c) that saved contexts do not use.
    .type save_caller, @function
save_caller: // rdi: the buffer; called by a function that is about to return to its caller
    mov %rbx, (%rdi)
    mov %rbp, 8(%rdi)
    mov %r12, 16(%rdi)
    mov %r13, 24(%rdi)
    mov %r14, 32(%rdi)
    mov %r15, 40(%rdi)
    lea 16(%rsp), %rdx
    mov %rdx, 48(%rdi)
    lea landed(%rip), %rdx
    mov %rdx, 56(%rdi)
    mov 8(%rsp), %rdx
    mov %rdx, 88(%rdi)
    ret
landed:
    xor %eax, %eax
    jmp *88(%rdi)
    .size save_caller, . - save_caller

    .globl getcontext
    .type getcontext, @function
getcontext:
    sub $8, %rsp
    call __tamar_context_save
    add $8, %rsp
    mov %rax, %rdi
    call save_caller
    xor %eax, %eax
    ret
    .size getcontext, . - getcontext

    .globl swapcontext
    .type swapcontext, @function
swapcontext:
    push %rsi
    call __tamar_context_save
    pop %rsi
    mov %rax, %rdi
    call save_caller
    mov %rsi, %rdi
    jmp setcontext
    .size swapcontext, . - swapcontext

    .globl __tamar_longjmp
    .type __tamar_longjmp, @function
__tamar_longjmp:
    mov %esi, %eax
    mov (%rdi), %rbx
    mov 8(%rdi), %rbp
    mov 16(%rdi), %r12
    mov 24(%rdi), %r13
    mov 32(%rdi), %r14
    mov 40(%rdi), %r15
    mov 48(%rdi), %rsp
    jmp *56(%rdi)
    .size __tamar_longjmp, . - __tamar_longjmp

    // __tamar_native_exchange(void **saved, void *other): saves the stack pointer and switches to the other stack.
    .globl __tamar_native_exchange
    .type __tamar_native_exchange, @function
__tamar_native_exchange:
    push %rbp
    push %rbx
    push %r12
    push %r13
    push %r14
    push %r15
    mov %rsp, (%rdi)
    mov %rsi, %rsp
    pop %r15
    pop %r14
    pop %r13
    pop %r12
    pop %rbx
    pop %rbp
    ret
    .size __tamar_native_exchange, . - __tamar_native_exchange

    // Entry point of a new thread: its function and argument are in r12 and r13.
    .globl __tamar_native_thread
    .type __tamar_native_thread, @function
__tamar_native_thread:
    xor %ebp, %ebp
    mov %r13, %rdi
    call *%r12
    hlt
    .size __tamar_native_thread, . - __tamar_native_thread
    .section .note.GNU-stack, "", @progbits
