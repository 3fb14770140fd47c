// Ranges of memory that are larger than any object: the calls fail, or do what is possible, without delay.
// RUN: status 0 timeout 20 %binary exec %s
// REQUIRES: exec
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>

int main(void) {
    char *at = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (at == MAP_FAILED) return 1;
    at[0] = 1;
    if (mprotect(at, (size_t)1 << 46, PROT_READ) == 0) return 2;
    if (mmap(at, (size_t)1 << 45, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) != MAP_FAILED) return 3;
    if (aligned_alloc((size_t)1 << 40, 16) != NULL) return 4;
    void *block = NULL;
    if (posix_memalign(&block, 24, 8) != EINVAL) return 5;
    munmap(at, (size_t)1 << 46);
    return 0;
}
