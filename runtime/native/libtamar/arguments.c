// For builds with a checker: the kernel leaves the strings of the command line and the environment side by side, where no
// checker sees that one was read past its end. Here each becomes a block of its own before anything of the program runs.
#include <stdlib.h>
#include <string.h>

#define FRONT                                                                                                \
    16 // what comes before the string is not its own, and the string is no start of a block: it cannot be freed

void __asan_poison_memory_region(const volatile void *at, size_t size) __attribute__((weak));

static void **blocks; // a checker for leaks finds them here
static size_t count;

static void move(char **strings) {
    for (; *strings; strings++) {
        size_t size = strlen(*strings) + 1;
        char *block = malloc(FRONT + size);
        void **more = realloc(blocks, (count + 1) * sizeof *blocks);
        if (more) blocks = more;
        if (!block || !more) abort();
        memcpy(block + FRONT, *strings, size);
        if (__asan_poison_memory_region) __asan_poison_memory_region(block, FRONT);
        blocks[count++] = block;
        *strings = block + FRONT;
    }
}

void __tamar_own_arguments(int argc, char **argv, char **envp);
__attribute__((constructor(101))) void __tamar_own_arguments(int argc, char **argv, char **envp) {
    move(argv);
    move(envp);
}

// The array, too, is main's own (linked with --wrap=main): ASan finds the environment, which it needs to name lines, behind the
// null pointer at the end of the kernel's, and a program may overwrite that.
int __real_main(int argc, char **argv, char **envp);
int __wrap_main(int argc, char **argv, char **envp);
int __wrap_main(int argc, char **argv, char **envp) {
    static char **own; // for a checker for leaks
    own = malloc(((size_t)argc + 1) * sizeof *own);
    if (!own) abort();
    memcpy(own, argv, ((size_t)argc + 1) * sizeof *own);
    return __real_main(argc, own, envp);
}
