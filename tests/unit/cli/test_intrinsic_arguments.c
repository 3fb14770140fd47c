// Intrinsics with random arguments: the engine ends the path or continues, without a crash, a hang or much memory.
//
//   test_intrinsic_arguments [FIRST_SEED [COUNT]]
#include "../check.h"
#include "../runtime/boundary.h"
#include "base/random.h"
#include "base/text.h"
#include "front/front.h"
#include "solver/solver.h"
#include "vm/vm.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#define SECONDS 10

static uint64_t first = 1, count = 30;

static const struct {
    const char *name;
    unsigned arguments;
} intrinsics[] = {
#define ROW(name, arguments, symbolic, flow) {#name, arguments},
    INTRINSIC_TABLE(ROW)
#undef ROW
};

static void add_argument(struct text *to, struct random *random) {
    static const char *const odd[] = {"0",
                                      "1",
                                      "2",
                                      "3",
                                      "7",
                                      "24",
                                      "4096",
                                      "-1",
                                      "-4096",
                                      "2147483647",
                                      "4294967296",
                                      "1099511627776",
                                      "4611686018427387904",
                                      "ptrtoint (ptr @text to i64)",
                                      "ptrtoint (ptr getelementptr (i8, ptr @text, i64 15) to i64)",
                                      "ptrtoint (ptr @main to i64)",
                                      "%local"};
    uint64_t choice = random_below(random, COUNT(odd) + 2);
    if (choice < COUNT(odd))
        text_add(to, "i64 %s", odd[choice]);
    else
        text_add(to, "i64 %lld", (long long)random_next(random));
}

// Makes a program of two calls of one intrinsic.
static void add_program(struct text *to, unsigned which, struct random *random) {
    text_add(to,
             "target triple = \"x86_64-unknown-linux-gnu\"\n@text = global [16 x i8] "
             "c\"/etc/hostname\\00\\00\\00\"\n"
             "declare i64 @__tamar_%s(",
             intrinsics[which].name);
    for (unsigned i = 0; i < intrinsics[which].arguments; i++) text_add(to, "%si64", i ? ", " : "");
    text_add(to, ")\ndefine i32 @main() {\n  %%place = alloca [64 x i8], align 16\n  %%local = ptrtoint ptr "
                 "%%place to i64\n");
    for (unsigned call = 0; call < 2; call++) {
        text_add(to, "  %%r%u = call i64 @__tamar_%s(", call, intrinsics[which].name);
        for (unsigned i = 0; i < intrinsics[which].arguments; i++) {
            if (i) text_add(to, ", ");
            add_argument(to, random);
        }
        text_add(to, ")\n");
    }
    text_add(to, "  ret i32 0\n}\n");
}

static void drop_fork(void *context, struct state *parent, struct state *child) {
    vm_free_state(*(struct vm **)context, child);
}
static void drop_bug(void *context, struct state *failing, const struct bug *bug) {
    vm_free_state(*(struct vm **)context, failing);
}
static void ignore(void *context, const char *what, uint32_t site, bool lost) {}

static void execute(const struct ir_program *program, bool symbolic) {
    struct vm *vm = NULL;
    struct vm_options options = {.stack_size = 1 << 20, .concrete = !symbolic};
    options.sink =
        (struct vm_sink){.context = &vm, .forked = drop_fork, .found = drop_bug, .gave_up = ignore};
    if (symbolic) {
        options.terms = terms_new();
        options.solver = solver_new(options.terms, &solver_defaults);
    }
    struct vm_text name = {"program", 0};
    struct vm_start_config environment = {.arguments = &name, .argument_count = 1};
    vm = vm_new(program, &options);
    struct state *state = vm_start(vm, &environment);
    for (unsigned i = 0; i < 100; i++) {
        enum vm_event event = vm_run(vm, state, 100000);
        if (event != VM_BUDGET && event != VM_FORKED) break;
    }
}

#if defined(__SANITIZE_ADDRESS__) || (defined(__has_feature) && __has_feature(address_sanitizer))
#define UNDER_ASAN true
#else
#define UNDER_ASAN false
#endif

// Runs in a separate process, which must end by itself.
static int try(const char *path, bool symbolic) {
    pid_t child = fork();
    int status;
    if (child == 0) {
        struct rlimit memory = {(rlim_t)2 << 30, (rlim_t)2 << 30};
        if (!freopen("/dev/null", "w", stderr)) _exit(99);
        if (!UNDER_ASAN) setrlimit(RLIMIT_AS, &memory); // ASan's shadow takes terabytes of addresses
        alarm(SECONDS);
        const char *words[] = {path};
        struct front_options options = {.no_libc = true, .intrinsics = true, .allow_undefined = true};
        struct ir_program *program = front_load(&(struct front_input){words, 1}, &options, NULL);
        if (!program) _exit(98);
        execute(program, symbolic);
        _exit(0);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    return status;
}

static void odd_arguments(void **state) {
    char path[] = "/tmp/tamar-intrinsic-XXXXXX.ll";
    int fd = mkstemps(path, 3);
    unsigned failed = 0;
    assert_true(fd >= 0);
    close(fd);
    for (uint64_t seed = first; seed < first + count; seed++) {
        struct random random = {seed};
        unsigned which = (unsigned)(seed % COUNT(intrinsics));
        struct text text = {0};
        add_program(&text, which, &random);
        FILE *file = fopen(path, "w");
        fputs(text.at, file);
        fclose(file);
        for (int symbolic = 0; symbolic < 2; symbolic++) {
            int status = try(path, symbolic);
            failed += status != 0;
            if (status)
                print_error("seed %llu: %s ends with status %d\n%s", (unsigned long long)seed,
                            symbolic ? "a symbolic run" : "a concrete run", status, text.at);
        }
        text_free(&text);
    }
    unlink(path);
    assert_int_equal(failed, 0);
}

int main(int argc, char **argv) {
    setenv("TAMAR_PROGRAM_CACHE", "none", true);
    if (argc > 1) first = strtoull(argv[1], NULL, 10);
    if (argc > 2) count = strtoull(argv[2], NULL, 10);
    const struct CMUnitTest tests[] = {cmocka_unit_test(odd_arguments)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
