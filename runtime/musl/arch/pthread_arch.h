// Replaces musl's: the thread pointer is a register of the VM, accessed through an intrinsic.
void *__tamar_thread_pointer(void);

static inline uintptr_t __get_tp(void) { return (uintptr_t)__tamar_thread_pointer(); }

#define MC_PC gregs[REG_RIP]
