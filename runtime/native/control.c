// Start, constructors, threads.
#include "runtime/addresses.h"
#include "runtime/intrinsics.h"
#include "runtime/native/raw.h"

#include <elf.h>
#include <sys/mman.h>
#include <sys/resource.h>

#ifndef MAP_FIXED_NOREPLACE
#define MAP_FIXED_NOREPLACE 0x100000
#endif

void *memcpy(void *restrict to, const void *restrict from, size_t n);

extern char **__environ;
char **__tamar_native_environment;
void __tamar_native_trace_start(void);
void __tamar_native_names(void);
void __tamar_native_thread_block(void);

// Hides the variables for Tamar itself (TAMAR_...) from the
// program: the data after them on the stack moves down.
static void hide_own_variables(long *sp) {
    static char *all[4096];
    char **variables = (char **)(sp + 1 + sp[0] + 1), **from = variables, **to = variables;
    unsigned int count = 0;
    for (; *from; from++) {
        const char *own = "TAMAR_", *name = *from;
        if (count < sizeof all / sizeof all[0] - 1) all[count++] = *from;
        while (*own && *own == *name) own++, name++;
        if (*own) *to++ = *from;
    }
    __tamar_native_environment = all;
    *to++ = NULL;
    long *pair = (long *)(from + 1), *out = (long *)to;
    do {
        out[0] = pair[0], out[1] = pair[1];
        out += 2;
        pair += 2;
    } while (out[-2]);
}

// ---- the stack: the same addresses, strings and arrays as in the VM (vm_start in src/vm).
//   TAMAR_ROOM="5 0 3"   bytes reserved by the VM for each string, arguments first; 0: as long as it is

__TAMAR_NORETURN void __tamar_native_run(long *sp, void *stack); // entry.S: __tamar_start(sp) on that stack

static size_t stack_size(void) {
    enum { WITHOUT_LIMIT = 64 << 20 };
    unsigned long limits[2] = {0};
    RAW4(SYS_prlimit64, 0, RLIMIT_STACK, 0, limits);
    return limits[0] && limits[0] < STACK_TOP / 2 ? (limits[0] + 4095) & ~4095ul : WITHOUT_LIMIT;
}

static unsigned long next_number(const char **list) {
    unsigned long value = 0;
    const char *p = *list;
    while (p && *p == ' ') p++;
    for (; p && *p >= '0' && *p <= '9'; p++) value = value * 10 + (unsigned long)(*p - '0');
    *list = p;
    return value;
}

static unsigned long put_strings(char **from, unsigned long at, const char **room, long *words,
                                 size_t *count) {
    for (; *from; from++) {
        size_t length = 0, given = next_number(room);
        while ((*from)[length]) length++;
        at -= (length > given ? length : given) + 1 + STRING_GAP;
        memcpy((void *)at, *from, length + 1);
        words[(*count)++] = (long)at;
    }
    words[(*count)++] = 0;
    return at;
}

// Copies the auxiliary entries: page size, and the image data that the C library needs for thread-local variables.
static void put_auxiliary(const long *pair, long *words, size_t *count) {
    static const long wanted[] = {AT_PAGESZ, AT_PHDR, AT_PHENT, AT_PHNUM};
    for (int i = 0; i < 4; i++) {
        words[(*count)++] = wanted[i];
        words[*count] = 0;
        for (const long *p = pair; p[0]; p += 2)
            if (p[0] == wanted[i]) words[*count] = p[1];
        (*count)++;
    }
    words[(*count)++] = 0;
    words[(*count)++] = 0;
}

static long *make_stack(const long *sp) {
    char **arguments = (char **)(sp + 1), **variables = arguments + sp[0] + 1, **end = variables;
    size_t size = stack_size(), count = 1, most;
    long at = raw(SYS_mmap, (long)(STACK_TOP - size), (long)size, PROT_READ | PROT_WRITE,
                  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
    if (at != (long)(STACK_TOP - size)) {
        __tamar_native_say("no memory for the stack", "", "");
        __tamar_exit(125);
    }
    while (*end) end++;
    most = (size_t)(end - variables) + (size_t)sp[0] + 16;
    long words[most];
    const char *room = __tamar_native_variable("TAMAR_ROOM");
    words[0] = sp[0];
    unsigned long top = put_strings(arguments, STACK_TOP - STACK_ROOM, &room, words, &count);
    top = put_strings(variables, top, &room, words, &count);
    put_auxiliary((long *)(end + 1), words, &count);
    top = (top - count * sizeof *words - START_GAP) & ~15ul;
    memcpy((void *)top, words, count * sizeof *words);
    return (long *)top;
}

// Allocates the object that holds thread-local variables in the VM: TAMAR_THREAD_BLOCK="SIZE ALIGN". Natively the C
// library stores them elsewhere; the object is allocated only so that later objects get the same addresses.
void __tamar_native_thread_block(void) {
    const char *block = __tamar_native_variable("TAMAR_THREAD_BLOCK");
    if (!block) return;
    size_t size = next_number(&block), align = next_number(&block);
    (void)__tamar_alloc(size, align, __TAMAR_SYSTEM);
}

// Returns the start of main's frame, below the frame that __tamar_start has in the VM: TAMAR_START_FRAME="SIZE ALIGN".
static unsigned long start_frame(unsigned long entry) {
    const char *frame = __tamar_native_variable("TAMAR_START_FRAME");
    unsigned long size = next_number(&frame), align = next_number(&frame);
    entry -= CALL_COST;
    return size ? (entry - size) & ~((align > 16 ? align : 16) - 1) : entry;
}

__TAMAR_NORETURN void __tamar_native_start(long *sp);
void __tamar_native_start(long *sp) {
    hide_own_variables(sp);
    long *own = make_stack(sp);
    __environ = (char **)(own + 1 + own[0] + 1); // musl sets it later, but the file system needs it earlier
    __tamar_native_trace_start();
    __tamar_native_names();
    __tamar_native_thread_block();
    if (&__tamar_stack) { // the following code has its frames on the processor's stack
        __tamar_stack = start_frame((unsigned long)own - START_GAP);
        __tamar_start(own);
    }
    __tamar_native_run(own, (char *)own - START_GAP);
}

extern void (*const __init_array_start[])(int, char **, char **) __attribute__((weak));
extern void (*const __init_array_end[])(int, char **, char **) __attribute__((weak));
extern void (*const __fini_array_start[])(void) __attribute__((weak));
extern void (*const __fini_array_end[])(void) __attribute__((weak));

void __tamar_constructors(int argc, char **argv, char **envp) {
    for (void (*const *f)(int, char **, char **) = __init_array_start; f < __init_array_end; f++)
        (*f)(argc, argv, envp);
}

void __tamar_destructors(void) {
    for (void (*const *f)(void) = __fini_array_end; f > __fini_array_start;) (*--f)();
}

void *__tamar_thread_pointer(void) {
    void *pointer;
    __asm__ volatile("mov %%fs:0, %0" : "=r"(pointer));
    return pointer;
}

void __tamar_set_thread_pointer(void *pointer) { RAW3(SYS_arch_prctl, 0x1002, pointer, 0); }

int __tamar_call3(void *function, unsigned long a, unsigned long b, unsigned long c) {
    return ((int (*)(unsigned long, unsigned long, unsigned long))function)(a, b, c);
}

void __tamar_use(void *a, void *b, void *c) {}
