// main for a libFuzzer harness, which has LLVMFuzzerTestOneInput and
// no main. As with libFuzzer, files named as arguments are the inputs.
// Without such files the input is symbolic (--sym-input gives its size).
#include "runtime/intrinsics.h"

#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) __attribute__((weak));
int LLVMFuzzerInitialize(int *argc, char ***argv) __attribute__((weak));
int __tamar_fuzzer_main(int argc, char **argv);

// The buffer has exactly the input's size, so that reads past its end are detected.
static int run_file(const char *path) {
    struct stat st;
    int fd = open(path, O_RDONLY);
    if (fd < 0 || fstat(fd, &st) < 0) return 1;
    size_t size = (size_t)st.st_size;
    uint8_t *data = malloc(size);
    if (!data || read(fd, data, size) != (ssize_t)size) return 1;
    close(fd);
    LLVMFuzzerTestOneInput(data, size);
    free(data);
    return 0;
}

static int run_symbolic(void) {
    long size = __tamar_host_value(__TAMAR_INPUT_SIZE);
    if (size < 0) size = 0;
    uint8_t *data = malloc((size_t)size);
    if (!data) return 1;
    if (size) __tamar_symbolic(data, (size_t)size, "input");
    LLVMFuzzerTestOneInput(data, (size_t)size);
    free(data);
    return 0;
}

int __tamar_fuzzer_main(int argc, char **argv) {
    int status = 0, files = 0;
    if (LLVMFuzzerInitialize) LLVMFuzzerInitialize(&argc, &argv);
    for (int i = 1; i < argc; i++)
        if (argv[i][0] != '-') files++, status |= run_file(argv[i]);
    return files ? status : run_symbolic();
}
