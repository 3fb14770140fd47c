// RUN: same-as-kernel %tamar %s %t
#include "Inputs/trace.h"
#include <malloc.h>
#include <stdint.h>
#include <sys/mman.h>

static void allocation(void) {
    char *p = malloc(10);
    strcpy(p, "123456789");
    p = realloc(p, 1000);
    T(strcmp(p, "123456789"));
    p = realloc(p, 5);
    T(memcmp(p, "12345", 5));
    free(p);
    int *numbers = calloc(100, sizeof *numbers);
    int sum = 0;
    for (int i = 0; i < 100; i++) sum += numbers[i];
    T(sum);
    free(numbers);
    free(NULL);
    T(calloc(SIZE_MAX / 2, 4) == NULL);
    T(malloc(SIZE_MAX) == NULL);
    T(reallocarray(NULL, SIZE_MAX / 2, 4) == NULL);
    void *aligned;
    T(posix_memalign(&aligned, 256, 10));
    T((uintptr_t)aligned % 256);
    free(aligned);
    T(posix_memalign(&aligned, 3, 10));
    aligned = aligned_alloc(4096, 8192);
    T((uintptr_t)aligned % 4096);
    T(malloc_usable_size(aligned) >= 8192);
    free(aligned);
    void *zero = malloc(0);
    T(zero != NULL);
    free(zero);
    for (int i = 1; i < 3000; i++) free(malloc((size_t)i));
}

static void mappings(void) {
    char *p = mmap(NULL, 10000, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    T(p != MAP_FAILED);
    T(p[0] + p[9999]);
    p[5000] = 7;
    T(munmap(p, 4096));
    T(p[5000]);
    p = mremap(p + 4096, 8192, 16384, MREMAP_MAYMOVE);
    T(p[904]);
    p[16383] = 1;
    T(munmap(p, 16384));
    T(mmap(NULL, 0, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED);
    T(mmap(NULL, 10, PROT_READ, MAP_PRIVATE, 99, 0) == MAP_FAILED);
    T(munmap((void *)1, 10));
}

static void files(void) {
    int fd;
    char buffer[8] = "";
    T(fd = open("m", O_RDWR | O_CREAT, 0600));
    T(write(fd, "0123456789", 10));
    char *private = mmap(NULL, 10, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, 0);
    T(memcmp(private, "0123456789", 10));
    T(private[10]);
    private[0] = 'P';
    T(pread(fd, buffer, 1, 0));
    puts(buffer);
    char *shared = mmap(NULL, 10, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    shared[1] = 'S';
    T(pread(fd, buffer, 3, 0));
    puts(buffer);
    T(pwrite(fd, "W", 1, 2));
    T(shared[2]);
    T(msync(shared, 10, MS_SYNC));
    T(munmap(shared, 10));
    T(pread(fd, buffer, 3, 0));
    puts(buffer);
    T(close(fd));
    T(fd = open("m", O_RDONLY));
    T(mmap(NULL, 10, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0) == MAP_FAILED);
    T(mmap(NULL, 10, PROT_READ, MAP_PRIVATE, fd, 1) == MAP_FAILED);
}

int main(void) {
    allocation();
    mappings();
    files();
    return 0;
}
