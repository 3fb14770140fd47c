// The native reference of tests/fuzz/claims: runs every input in a separate process. Prints the outcome of each, as "a
// b kind line status", then the executed lines.
#include <sanitizer/asan_interface.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

struct reference {
    int line;
    char kind[64];
    unsigned char hit[1 << 14];
};
static struct reference *reference;

#define L (reference->line = __LINE__, reference->hit[__LINE__] = 1);
static void reference_end(const char *kind) {
    if (!*reference->kind) strncpy(reference->kind, kind, sizeof reference->kind - 1);
    _exit(99);
}
static inline size_t reference_check(size_t index, size_t size) {
    if (index >= size) reference_end("out-of-bounds");
    return index;
}
#define AT(pointer, index, size) (pointer)[reference_check((size_t)(index), size)]
#define CHECK_SIZE(length, size) reference_check((size_t)(length), (size) + 1)
#define MUST_HOLD(condition)                                                                                 \
    if (!(condition)) reference_end("assert")

const char *__asan_default_options(void) {
    return "symbolize=0:detect_leaks=0:log_path=/dev/"
           "null:handle_abort=0:handle_sigill=0:detect_stack_use_after_return=1:fast_unwind_on_fatal=1";
}
void __asan_on_error(void) { reference_end(__asan_get_report_description()); }

static void on_signal(int number, siginfo_t *info, void *context) {
    const unsigned char *at =
        info->si_addr; // after a trap: a ud1 instruction that contains the number of the check
    char kind[32];
    (void)context;
    if (number == SIGABRT) reference_end("abort");
    if (at[0] == 0x67 && at[1] == 0x0f && at[2] == 0xb9)
        snprintf(kind, sizeof kind, "ubsan-%d", at[4]);
    else
        snprintf(kind, sizeof kind, "trap");
    reference_end(kind);
}

static int start(int a, int b);

int main(int argc, char **argv) {
    int first = atoi(argv[1]), second = atoi(argv[2]);
    (void)argc;
    reference = mmap(NULL, sizeof *reference, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    struct sigaction action = {.sa_sigaction = on_signal, .sa_flags = SA_SIGINFO};
    sigaction(SIGILL, &action, NULL);
    sigaction(SIGABRT, &action, NULL);
    for (int a = 0; a < first; a++)
        for (int b = 0; b < second; b++) {
            int status;
            memset(reference->kind, 0, sizeof reference->kind);
            pid_t child = fork();
            if (child == 0) {
                alarm(10);
                _exit(start(a, b));
            }
            waitpid(child, &status, 0);
            printf("%d %d %s %d %d\n", a, b,
                   *reference->kind    ? reference->kind
                   : WIFEXITED(status) ? "exit"
                                       : "signal",
                   reference->line, WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status));
            fflush(stdout);
        }
    for (unsigned i = 0; i < sizeof reference->hit; i++)
        if (reference->hit[i]) printf("line %u\n", i);
    return 0;
}
