// An unchanged libFuzzer harness: its input is symbolic and has the requested size.
// RUN: rm -rf %t.out
// RUN: status 1 %tamar run --sym-input 4 --out %t.out %s | FileCheck %s
// REQUIRES: run
#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size < 4 || data[0] != 'F' || data[1] != 'U' || data[2] != 'Z') return 0;
    // CHECK: tamar: out-of-bounds: {{.*}}harness.c:[[#@LINE+1]]
    return data[3] == 'Z' ? data[size] : 0;
    // CHECK: with input="FUZZ"
}
// CHECK: 5 paths, {{.*}}every path was explored
