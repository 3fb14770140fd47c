// main of a libFuzzer harness in an ordinary native program (`tamar cc -fsanitize=fuzzer`): each file that
// is named is one input, as with libFuzzer itself; without any, the test in TAMAR_TEST (objects/input).
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerInitialize(int *argc, char ***argv) __attribute__((weak));

static int run_file(const char *path) {
    FILE *file = fopen(path, "rb");
    if (!file) {
        fprintf(stderr, "tamar: %s cannot be read\n", path);
        return 1;
    }
    uint8_t *data = NULL;
    size_t size = 0, n;
    char buffer[4096];
    while ((n = fread(buffer, 1, sizeof buffer, file)) > 0) {
        uint8_t *more = realloc(data, size + n);
        if (!more) break;
        data = more;
        for (size_t i = 0; i < n; i++) data[size + i] = (uint8_t)buffer[i];
        size += n;
    }
    fclose(file);
    uint8_t *exact = malloc(size ? size : 1); // exact size, to detect reads past the end
    for (size_t i = 0; exact && i < size; i++) exact[i] = data[i];
    free(data);
    if (!exact) return 1;
    LLVMFuzzerTestOneInput(exact, size);
    free(exact);
    return 0;
}

int main(int argc, char **argv) {
    int status = 0;
    if (LLVMFuzzerInitialize) LLVMFuzzerInitialize(&argc, &argv);
    for (int i = 1; i < argc; i++)
        if (argv[i][0] != '-') status |= run_file(argv[i]);
    const char *test = getenv("TAMAR_TEST");
    if (argc < 2 && test) {
        char path[4096];
        snprintf(path, sizeof path, "%s/objects/input", test);
        status = run_file(path);
    }
    return status;
}
