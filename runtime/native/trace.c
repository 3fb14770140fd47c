// Records the branches of a run (src/front/trace.c inserts the calls). TAMAR_TRACE is the
// descriptor of a file that is as large as the record can become. It is mapped and shared, so
// that it survives however the program ends. Its first words are the number of entries
// and whether some were dropped; then one entry of two words follows for each branch.
#include "runtime/intrinsics.h"
#include "runtime/native/raw.h"

#include <sys/mman.h>

static struct {
    unsigned long count, lost;
    unsigned long entries[][2];
} *record;
static unsigned long room;

void __tamar_trace(unsigned long choice, unsigned long value);
void __tamar_trace(unsigned long choice, unsigned long value) {
    if (!record) return;
    if (record->count == room) {
        record->lost = 1;
        return;
    }
    record->entries[record->count][0] = choice;
    record->entries[record->count][1] = value;
    record->count++;
}

void __tamar_native_trace_start(void);
void __tamar_native_trace_start(void) {
    const char *number = __tamar_native_variable("TAMAR_TRACE");
    if (!number) return;
    long fd = *number - '0', size = RAW3(SYS_lseek, fd, 0, 2);
    if (size < 32) return;
    long at = raw(SYS_mmap, 0, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, fd, 0);
    RAW3(SYS_close, fd, 0, 0);
    if (at < 0 && at > -4096) return;
    record = (void *)at;
    room = ((unsigned long)size - 16) / 16;
}
