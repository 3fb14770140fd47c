// The native reference of tests/fuzz/claims. Prints the outcome of every input, as "a b kind line status", then the
// executed lines.
//
// A child process runs the inputs one after the other, with the program's variables as they were at the start. An error
// that AddressSanitizer reports ends the child, and the next child continues. A process for each input took most of the
// time. Objects of earlier inputs stay on the heap: no program can tell.
#include <sanitizer/asan_interface.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

struct reference_outcome {
    int line, status;
    char kind[64];
};
struct reference {
    int line;
    unsigned next; // the input that runs
    unsigned char hit[1 << 14];
    struct reference_outcome outcomes[256];
};
static struct reference *reference;
static sigjmp_buf reference_return;

#define L (reference->line = __LINE__, reference->hit[__LINE__] = 1);
static void reference_note(const char *kind, int status) {
    struct reference_outcome *outcome = &reference->outcomes[reference->next];
    if (!*outcome->kind) strncpy(outcome->kind, kind, sizeof outcome->kind - 1);
    outcome->line = reference->line;
    outcome->status = status;
}
static _Noreturn void reference_end(const char *kind, int status) {
    reference_note(kind, status);
    siglongjmp(reference_return, 1);
}
static inline size_t reference_check(size_t index, size_t size) {
    if (index >= size) reference_end("out-of-bounds", 99);
    return index;
}
#define AT(pointer, index, size) (pointer)[reference_check((size_t)(index), size)]
#define CHECK_SIZE(length, size) reference_check((size_t)(length), (size) + 1)
#define MUST_HOLD(condition)                                                                                 \
    if (!(condition)) reference_end("assert", 99)
#define exit(status) reference_end("exit", status)

const char *__asan_default_options(void) {
    return "symbolize=0:detect_leaks=0:log_path=/dev/"
           "null:handle_abort=0:handle_sigill=0:detect_stack_use_after_return=1:fast_unwind_on_fatal=1";
}
void __asan_on_error(void) { // AddressSanitizer holds locks
    reference_note(__asan_get_report_description(), 99);
    _exit(0);
}

static void on_signal(int number, siginfo_t *info, void *context) {
    const unsigned char *at =
        info->si_addr; // after a trap: a ud1 instruction that contains the number of the check
    char kind[32];
    (void)context;
    if (number == SIGABRT) reference_end("abort", 99);
    if (at[0] == 0x67 && at[1] == 0x0f && at[2] == 0xb9)
        snprintf(kind, sizeof kind, "ubsan-%d", at[4]);
    else
        snprintf(kind, sizeof kind, "trap");
    reference_end(kind, 99);
}

static int start(int a, int b);

// Copies the program's variables, with the red zones between them.
extern char __data_start[], _end[];
__attribute__((no_sanitize("address"))) static void reference_copy(char *to, const char *from) {
    for (ptrdiff_t i = 0; i < _end - __data_start; i++) ((volatile char *)to)[i] = from[i];
}

static void reference_run(unsigned count, int second, char *saved) {
    struct sigaction action = {.sa_sigaction = on_signal, .sa_flags = SA_SIGINFO | SA_NODEFER};
    sigaction(SIGILL, &action, NULL);
    sigaction(SIGABRT, &action, NULL);
    reference_copy(saved, __data_start);
    for (; reference->next < count; reference->next++) {
        reference_copy(__data_start, saved);
        alarm(10);
        if (!sigsetjmp(reference_return, 1))
            reference_note("exit", start((int)reference->next / second, (int)reference->next % second) & 255);
    }
}

int main(int argc, char **argv) {
    int second = atoi(argv[2]), status;
    unsigned count = (unsigned)(atoi(argv[1]) * second);
    size_t size = (size_t)(_end - __data_start);
    (void)argc;
    reference = mmap(NULL, sizeof *reference, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    char *saved = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    for (; reference->next < count; reference->next++) {
        pid_t child = fork();
        if (child == 0) {
            reference_run(count, second, saved);
            _exit(0);
        }
        waitpid(child, &status, 0);
        if (!WIFEXITED(status)) reference_note("signal", WTERMSIG(status));
    }
    for (unsigned i = 0; i < count; i++) {
        const struct reference_outcome *outcome = &reference->outcomes[i];
        printf("%u %u %s %d %d\n", i / (unsigned)second, i % (unsigned)second, outcome->kind, outcome->line,
               outcome->status);
    }
    for (unsigned i = 0; i < sizeof reference->hit; i++)
        if (reference->hit[i]) printf("line %u\n", i);
    return 0;
}
