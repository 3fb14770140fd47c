// Included before every file of the tree that scripts/mutate measures: a byte of a mapped file says that a statement was
// executed. Processes that fork, run each other or are killed share the file.
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#define PROBE(number) (probe_bytes[number] = 1)

__attribute__((weak)) unsigned char probe_unused[PROBE_COUNT];
__attribute__((weak)) unsigned char *probe_bytes = probe_unused;

static __attribute__((constructor(101))) void probe_open(void) {
    if (probe_bytes != probe_unused)
        return;
    const char *path = getenv("MUTATE_PROBES");
    int file = path ? open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666) : -1;
    if (file < 0 || ftruncate(file, PROBE_COUNT))
        return;
    void *bytes = mmap(NULL, PROBE_COUNT, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (bytes != MAP_FAILED)
        probe_bytes = bytes;
    close(file);
}
