// For sanitizer builds: the kernel places the strings of the command line and the environment side by side, where
// no sanitizer detects a read past an end. Here each is copied to its own heap block before the program runs.
#include <stdlib.h>
#include <string.h>

#define FRONT                                                                                                \
    16 // bytes before the string are out of bounds; the string does not start a block, so that it cannot be freed

void __asan_poison_memory_region(const volatile void *at, size_t size) __attribute__((weak));

static void **blocks; // found here by leak checkers
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

// Copies the array of pointers, too (linked with --wrap=main). To print source lines, ASan reads the environment after
// the end of the kernel's array, which a program may overwrite.
int __real_main(int argc, char **argv, char **envp);
int __wrap_main(int argc, char **argv, char **envp);
int __wrap_main(int argc, char **argv, char **envp) {
    static char **own; // reachable for leak checkers
    own = malloc(((size_t)argc + 1) * sizeof *own);
    if (!own) abort();
    memcpy(own, argv, ((size_t)argc + 1) * sizeof *own);
    return __real_main(argc, own, envp);
}
