// A libFuzzer harness has LLVMFuzzerTestOneInput and no main: the front end takes this function in main's
// place.
#include "runtime/intrinsics.h"

#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) __attribute__((weak));
int LLVMFuzzerInitialize(int *argc, char ***argv) __attribute__((weak));
int __tamar_fuzzer_main(int argc, char **argv);

int __tamar_fuzzer_main(int argc, char **argv) {
    size_t size = (size_t)__tamar_host_value(__TAMAR_INPUT_SIZE);
    // Of exactly this size, so that a read behind it is seen.
    uint8_t *data = malloc(size);
    if (!data || !LLVMFuzzerTestOneInput) return 1;
    if (LLVMFuzzerInitialize) LLVMFuzzerInitialize(&argc, &argv);
    __tamar_symbolic(data, size, "input");
    LLVMFuzzerTestOneInput(data, size);
    free(data);
    return 0;
}
