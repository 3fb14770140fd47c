// Damaged files: bitcode, LLVM assembly and objects with flipped bits, truncated or with moved parts. Each is
// loaded in a separate process, which must end with a program or with a message and exit status 2, never with a
// signal.
//
//   fuzz_loader ROUNDS SEED [FILE]    FILE is loaded once instead: to look at one case again
#include "base/alloc.h"
#include "base/error.h"
#include "base/random.h"
#include "base/text.h"
#include "front/elf_bitcode_write.h"
#include "front/front.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static const char source[] =
    "struct pair { int a; double b; }; typedef int v4 __attribute__((vector_size(16)));\n"
    "static const char *names[] = {\"one\", \"two\"}; struct pair table[3] = {{1, 2.0}, {3, 4.0}}; "
    "_Thread_local long own;\n"
    "__attribute__((constructor)) static void start(void) { own = 1; }\n"
    "static int goes(int n) { static void *l[] = {&&a, &&b}; goto *l[n & 1]; a: return 1; b: return 2; }\n"
    "static struct pair make(int n) { struct pair p = {n, n / 3.0}; return p; }\n"
    "static int sum(int n, ...) { __builtin_va_list l; __builtin_va_start(l, n); int s = 0;\n"
    "  while (n--) s += __builtin_va_arg(l, int); __builtin_va_end(l); return s; }\n"
    "static v4 lanes(v4 x) { return x * x + 1; }\n"
    "static unsigned __int128 wide(unsigned long x) { return (unsigned __int128)x * x / 7; }\n"
    "int main(int argc, char **argv) { char local[argc + 3]; local[0] = 1; int s = 0; v4 v = {1, 2, 3, "
    "argc};\n"
    "  for (int i = 0; i < argc; i++) switch (i) { case 1: s += goes(i); break; case 2: case 5: s ^= "
    "names[0][0]; break;\n"
    "    default: s += (int)make(i).b; } long double x = s; return s + sum(3, 1, 2, 3) + lanes(v)[argc & 3] "
    "+ (int)wide(9) + (int)(x * 2) + local[0]; }\n";

struct sample {
    const char *name; // file name for this kind
    struct text bytes;
};
static struct sample samples[3] = {{"case.bc", {0}}, {"case.ll", {0}}, {"case.o", {0}}};
static char folder[] = "/tmp/tamar-fuzz-XXXXXX";

static void read_file(const char *path, struct text *bytes) {
    int file = open(path, O_RDONLY);
    if (file < 0) error_internal("%s cannot be read", path);
    char buffer[4096];
    for (ssize_t n; (n = read(file, buffer, sizeof buffer)) > 0;) text_add_bytes(bytes, buffer, (size_t)n);
    close(file);
}

static void write_file(const char *path, const struct text *bytes) {
    FILE *file = fopen(path, "w");
    if (!file || fwrite(bytes->at, 1, bytes->count, file) != bytes->count || fclose(file))
        error_internal("%s cannot be written", path);
}

static void make_samples(void) {
    char path[200], command[600];
    snprintf(path, sizeof path, "%s/sample.c", folder);
    struct text text = {0};
    text_add(&text, "%s", source);
    write_file(path, &text);
    text_free(&text);
    snprintf(command, sizeof command,
             "cd %s && clang-19 -w -c -emit-llvm -g -O1 sample.c -o a.bc && clang-19 -w -S -emit-llvm -O0 "
             "sample.c -o a.ll",
             folder);
    if (system(command)) error_internal("no sample: clang-19 failed");
    snprintf(path, sizeof path, "%s/a.bc", folder);
    read_file(path, &samples[0].bytes);
    snprintf(path, sizeof path, "%s/a.ll", folder);
    read_file(path, &samples[1].bytes);
    struct elf_bitcode_part part = {(const uint8_t *)samples[0].bytes.at, samples[0].bytes.count, 0};
    elf_bitcode_make_object(&(struct elf_bitcode){&part, 1}, 0, &samples[2].bytes);
}

static void damage_once(struct random *random, struct text *bytes) {
    if (bytes->count < 16) return;
    size_t at = random_below(random, (uint32_t)bytes->count),
           from = random_below(random, (uint32_t)bytes->count);
    size_t most = bytes->count - MAX(at, from), length = 1 + random_below(random, (uint32_t)MIN(most, 64));
    switch (random_below(random, 7)) {
    case 0: bytes->at[at] ^= (char)(1u << random_below(random, 8)); break;
    case 1: bytes->at[at] = (char)random_below(random, 256); break;
    case 2: memset(bytes->at + at, random_below(random, 2) ? 0 : 255, MIN(length, bytes->count - at)); break;
    case 3: memmove(bytes->at + at, bytes->at + from, MIN(length, most)); break;
    case 4: memmove(bytes->at + at, bytes->at + at + length / 2, bytes->count - at - length / 2); break;
    case 5:
        if (random_below(random, 8) == 0) bytes->count = at; // cut off
        break;
    default: { // a word that is read as a number: small changes of counts and indices
        size_t word = at & ~(size_t)3;
        uint32_t value;
        memcpy(&value, bytes->at + word, 4);
        value += random_below(random, 2) ? 1 : UINT32_MAX;
        memcpy(bytes->at + word, &value, 4);
    }
    }
}

static int load_in_child(const char *path) {
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        int null = open("/dev/null", O_WRONLY);
        if (null >= 0) dup2(null, STDERR_FILENO);
        const char *words[] = {path};
        struct front_options options = {.no_libc = true, .whole = true, .allow_undefined = true};
        struct ir_program *program = front_load(&(struct front_input){words, 1}, &options, NULL);
        if (program && ir_verify(program)) _exit(99);
        _exit(program ? 0 : 2);
    }
    int status;
    for (unsigned waited = 0;; waited++) {
        if (waitpid(child, &status, WNOHANG) == child) return status;
        if (waited > 60000) break; // a minute
        usleep(1000);
    }
    kill(child, SIGKILL);
    waitpid(child, &status, 0);
    return status;
}

static bool is_good(int status) {
    return WIFEXITED(status) && (WEXITSTATUS(status) == 0 || WEXITSTATUS(status) == 2);
}

static void describe(const char *path, int status) {
    if (WIFSIGNALED(status))
        printf("%s: ended by signal %d\n", path, WTERMSIG(status));
    else
        printf("%s: exit status %d\n", path, WEXITSTATUS(status));
}

static bool run_round(struct random *random, unsigned round, unsigned *loaded) {
    const struct sample *sample = &samples[random_below(random, COUNT(samples))];
    struct text bytes = {0};
    text_add_bytes(&bytes, sample->bytes.at, sample->bytes.count);
    for (uint32_t i = 1 + random_below(random, 4); i > 0; i--) damage_once(random, &bytes);
    char path[300];
    snprintf(path, sizeof path, "%s/%s", folder, sample->name);
    write_file(path, &bytes);
    int status = load_in_child(path);
    *loaded += WIFEXITED(status) && WEXITSTATUS(status) == 0;
    if (!is_good(status)) {
        char kept[320];
        snprintf(kept, sizeof kept, "fuzz-loader-%u-%s", round, sample->name);
        write_file(kept, &bytes);
        describe(kept, status);
    }
    text_free(&bytes);
    return is_good(status);
}

int main(int argc, char **argv) {
    setenv("TAMAR_PROGRAM_CACHE", "none", true);
    unsigned rounds = argc > 1 ? (unsigned)atoi(argv[1]) : 100, bad = 0, loaded = 0;
    if (argc > 3) {
        int status = load_in_child(argv[3]);
        describe(argv[3], status);
        return !is_good(status);
    }
    struct random random = {argc > 2 ? strtoull(argv[2], NULL, 0) : 1};
    if (!mkdtemp(folder)) error_internal("%s cannot be made", folder);
    make_samples();
    for (unsigned i = 0; i < rounds; i++) bad += !run_round(&random, i, &loaded);
    char command[200];
    snprintf(command, sizeof command, "rm -r %s", folder);
    if (system(command)) bad++;
    for (size_t i = 0; i < COUNT(samples); i++) text_free(&samples[i].bytes);
    printf("%u damaged files, %u of them loaded all the same, %u wrong\n", rounds, loaded, bad);
    return bad != 0;
}
