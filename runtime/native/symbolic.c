// Symbolic values natively: bytes of a test. TAMAR_TEST names a folder in which objects/NAME holds the bytes
// of the object NAME; bytes that are not there are zero. The second object of the same name is NAME_1, and so
// on.
#include "runtime/intrinsics.h"
#include "runtime/native/raw.h"

#include <fcntl.h>
#include <limits.h>

void *memset(void *to, int c, size_t n);

// Names seen so far: a hash of each suffices to count them.
static unsigned long seen[4096];
static unsigned int seen_count;

static unsigned int times_seen(const char *name) {
    unsigned long hash = 14695981039346656037ul;
    unsigned int count = 0;
    for (; *name; name++) hash = (hash ^ (unsigned char)*name) * 1099511628211ul;
    for (unsigned int i = 0; i < seen_count; i++) count += seen[i] == hash;
    if (seen_count < sizeof seen / sizeof seen[0]) seen[seen_count++] = hash;
    return count;
}

static char *add(char *p, char *end, const char *text) {
    while (*text && p < end) *p++ = *text++;
    return p;
}

static char *add_number(char *p, char *end, unsigned int value) {
    char digits[12], *d = digits + sizeof digits;
    *--d = 0;
    do *--d = (char)('0' + value % 10);
    while (value /= 10);
    return add(p, end, d);
}

void __tamar_symbolic(void *at, size_t size, const char *name) {
    char path[PATH_MAX], *p = path, *end = path + sizeof path - 1;
    const char *test = __tamar_native_variable("TAMAR_TEST");
    memset(at, 0, size);
    unsigned int count = times_seen(name);
    if (!test) return;
    p = add(p, end, test);
    p = add(p, end, "/objects/");
    p = add(p, end, name);
    if (count) p = add_number(add(p, end, "_"), end, count);
    *p = 0;
    long fd = RAW3(SYS_open, path, O_RDONLY | O_CLOEXEC, 0);
    if (fd < 0) return;
    char *to = at;
    for (long n; size && (n = RAW3(SYS_read, fd, to, size)) > 0; size -= (size_t)n) to += n;
    RAW3(SYS_close, fd, 0, 0);
}

void __tamar_assume(int condition) {
    if (!condition) __tamar_stop();
}
int __tamar_is_symbolic(unsigned long value) { return 0; }
int __tamar_is_symbolic_bytes(const void *p, size_t size) { return 0; }
unsigned long __tamar_pin(unsigned long value) { return value; }
unsigned long __tamar_example(unsigned long value) { return value; }
int __tamar_may_be_true(unsigned long value) { return value != 0; }
void __tamar_print_value(const char *message, unsigned long value) {
    char digits[24], *end = add_number(digits, digits + sizeof digits - 1, (unsigned int)value);
    *end = 0;
    __tamar_native_say(message, ": ", digits);
}
void __tamar_note(const char *message) {}
