// Edge counters for gcov in native builds: LLVM's pass inserts them into the program's bitcode and calls the functions
// below. TAMAR_GCOV names the file of counts, which is mapped and shared. Counts are added to those of earlier runs and
// of other processes whenever a process ends or lets another one run, so that none is lost however the program ends.
#include "runtime/intrinsics.h"
#include "runtime/native/raw.h"

#include <fcntl.h>
#include <stdint.h>
#include <sys/mman.h>

#define MAGIC        0x67636461u // "gcda"
#define TAG_FUNCTION 0x01000000u
#define TAG_ARCS     0x01a10000u

static void (*write_all)(void), (*reset_all)(void);
static uint32_t *file, *at; // NULL while the size is computed
static size_t words;        // total size

void llvm_gcov_init(void (*write)(void), void (*reset)(void));
void llvm_gcda_start_file(const char *name, uint32_t version, uint32_t checksum);
void llvm_gcda_emit_function(uint32_t name, uint32_t function_checksum, uint32_t graph_checksum);
void llvm_gcda_emit_arcs(uint32_t count, uint64_t *counters);
void llvm_gcda_summary_info(void);
void llvm_gcda_end_file(void);

static void add(uint32_t word) {
    if (at) *at++ = word;
    words++;
}

void llvm_gcov_init(void (*write)(void), void (*reset)(void)) {
    write_all = write;
    reset_all = reset;
}

void llvm_gcda_start_file(const char *name, uint32_t version, uint32_t checksum) {
    add(MAGIC);
    add(version);
    add(checksum);
}

void llvm_gcda_emit_function(uint32_t name, uint32_t function_checksum, uint32_t graph_checksum) {
    add(TAG_FUNCTION);
    add(3);
    add(name);
    add(function_checksum);
    add(graph_checksum);
}

void llvm_gcda_emit_arcs(uint32_t count, uint64_t *counters) {
    add(TAG_ARCS);
    add(2 * count);
    for (uint32_t i = 0; i < count; i++) {
        uint64_t sum = counters[i] + (at ? at[0] | (uint64_t)at[1] << 32 : 0);
        add((uint32_t)sum);
        add((uint32_t)(sum >> 32));
    }
}

void llvm_gcda_summary_info(void) {}

void llvm_gcda_end_file(void) {
    add(0);
    add(0);
}

static uint32_t *map_file(void) {
    const char *path = __tamar_native_variable("TAMAR_GCOV");
    long fd = path ? RAW3(SYS_open, path, O_RDWR | O_CREAT | O_CLOEXEC, 0600) : -1;
    if (fd < 0) return NULL;
    words = 0;
    write_all();
    long size = (long)(words * sizeof *file), map = -1;
    if (RAW3(SYS_ftruncate, fd, size, 0) == 0)
        map = raw(SYS_mmap, 0, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    RAW3(SYS_close, fd, 0, 0);
    return map < 0 && map > -4096 ? NULL : (uint32_t *)map;
}

void __tamar_native_counts(void);
void __tamar_native_counts(void) {
    if (!write_all) return; // not such a build, or not started yet
    if (!file) file = map_file();
    if (!file) return;
    at = file;
    write_all();
    at = NULL;
    reset_all();
}

// Called by code that LLVM's pass inserts: for a fork, and before and after an exec.
int fork(void);
int __gcov_fork(void);
int __gcov_fork(void) { return fork(); }
void __gcov_dump(void);
void __gcov_dump(void) {}
void __gcov_reset(void);
void __gcov_reset(void) {}
