// Runs a program that uses tamar_symbolic many times in one process: on random bytes (random COUNT SEED), or on tests
// of Tamar (the folders tests/NNNNNN, which contain objects/NAME). Compiled together with the program
// (-Dmain=program_main) for gcov. If it is compiled with -fsanitize-coverage=trace-pc as well, the last line of output is
// the number of different paths through it.
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int program_main(void);

// A run that crashes must not lose the counts of the others.
static sigjmp_buf again;
static void died(int signal) {
    (void)signal;
    siglongjmp(again, 1);
}

// A path is the sequence of blocks that were entered, here a hash of it.
enum { MOST_PATHS = 1 << 22 };
static unsigned long long path, paths[MOST_PATHS], path_count;
void __sanitizer_cov_trace_pc(void);
void __sanitizer_cov_trace_pc(void) {
    path = (path ^ (unsigned long long)__builtin_return_address(0)) * 0x9e3779b97f4a7c15ull;
    path ^= path >> 29;
}

static void note_path(void) {
    unsigned long long at = path % MOST_PATHS;
    while (paths[at] && paths[at] != path) at = (at + 1) % MOST_PATHS;
    if (!paths[at]) paths[at] = path, path_count++;
}

static void run(void) {
    path = 1;
    if (!sigsetjmp(again, 1)) program_main();
    note_path();
}

static const char *folder; // NULL: random
static unsigned long long state;

static unsigned char next_byte(void) {
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    return (unsigned char)(state >> 32);
}

void tamar_symbolic(void *at, size_t size, const char *name) {
    char path[4096];
    memset(at, 0, size);
    if (!folder) {
        for (size_t i = 0; i < size; i++) ((unsigned char *)at)[i] = next_byte();
        return;
    }
    snprintf(path, sizeof path, "%s/objects/%s", folder, name);
    FILE *file = fopen(path, "rb");
    if (file && fread(at, 1, size, file) > size) abort();
    if (file) fclose(file);
}

int main(int argc, char **argv) {
    signal(SIGSEGV, died);
    signal(SIGFPE, died);
    signal(SIGBUS, died);
    if (argc == 4 && !strcmp(argv[1], "random")) {
        state = strtoull(argv[3], NULL, 10) * 0x9e3779b97f4a7c15ull + 1;
        for (long left = strtol(argv[2], NULL, 10); left > 0; left--) run();
    } else {
        for (int i = 1; i < argc; i++) folder = argv[i], run();
    }
    printf("%llu\n", path_count);
    return 0;
}
