// Symbolic values natively: bytes of a test. TAMAR_TEST names a folder in which objects/NAME holds the bytes
// of the object NAME; bytes that are not there are zero. As in the machine, the second object of the same
// name is NAME#1, and so on. In the name of the file, '/' and '%' and a leading '.' are written as %XX.
#include "runtime/intrinsics.h"
#include "runtime/native/raw.h"

#include <fcntl.h>
#include <limits.h>

void *memset(void *to, int c, size_t n);

#define LONGEST_NAME 200

// Names taken so far, in all processes: a hash of each suffices. In the model's build, where
// __tamar_alloc exists, processes share them.
#define MOST_NAMES 65536u
static struct names {
    unsigned int count, choices, no_choices;
    unsigned long taken[MOST_NAMES];
} alone, *names;
void *__tamar_alloc(size_t size, size_t align, int kind) __attribute__((weak));

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

// Must exist before the first fork.
void __tamar_native_names(void);
void __tamar_native_names(void) {
    if (!names) names = __tamar_alloc ? __tamar_alloc(sizeof *names, 16, __TAMAR_KERNEL) : &alone;
}

static int is_taken(const char *name) {
    unsigned long hash = 14695981039346656037ul;
    for (; *name; name++) hash = (hash ^ (unsigned char)*name) * 1099511628211ul;
    for (unsigned int i = 0; i < names->count; i++)
        if (names->taken[i] == hash) return 1;
    if (names->count < MOST_NAMES) names->taken[names->count++] = hash;
    return 0;
}

static char *add_file_name(char *p, char *end, const char *name) {
    static const char digits[] = "0123456789ABCDEF";
    if (!*name) return add(p, end, "%");
    for (unsigned int i = 0; name[i] && i < LONGEST_NAME && p < end - 3; i++) {
        unsigned char c = (unsigned char)name[i];
        if (c == '/' || c == '%' || (c == '.' && i == 0)) {
            *p++ = '%';
            *p++ = digits[c >> 4];
            *p++ = digits[c & 15];
        } else {
            *p++ = (char)c;
        }
    }
    return p;
}

static long open_object(const char *test, const char *name) {
    char path[PATH_MAX], *end = path + sizeof path - 1;
    char *p = add_file_name(add(add(path, end, test), end, "/objects/"), end, name);
    *p = 0;
    return RAW3(SYS_open, path, O_RDONLY | O_CLOEXEC, 0);
}

void __tamar_arrival(void *at, size_t size, const char *name) { __tamar_symbolic(at, size, name); }

// The object "choices" lists those that were not the first possibility: their numbers in order, and what.
unsigned int __tamar_choose(unsigned int count) {
    const char *test = __tamar_native_variable("TAMAR_TEST");
    unsigned int pair[2], result = 0;
    if (!test || count < 2) return 0;
    __tamar_native_names();
    unsigned int number = names->choices++;
    long fd = names->no_choices ? -1 : open_object(test, "choices");
    if (fd < 0) names->no_choices = 1;
    while (fd >= 0 && RAW3(SYS_read, fd, pair, sizeof pair) == sizeof pair)
        if (pair[0] == number) result = pair[1];
    if (fd >= 0) RAW3(SYS_close, fd, 0, 0);
    return result < count ? result : 0;
}

void __tamar_symbolic(void *at, size_t size, const char *name) {
    char unique[1024];
    const char *test = __tamar_native_variable("TAMAR_TEST");
    memset(at, 0, size);
    if (!size || !test) return;
    __tamar_native_names();
    for (unsigned int number = 0;; number++) {
        char *u = add(unique, unique + sizeof unique - 20, name ? name : "input");
        if (number) u = add_number(add(u, u + 1, "#"), u + 12, number);
        *u = 0;
        for (u = unique; *u; u++)
            if (*u == ':') *u = '_'; // as the machine does
        if (!is_taken(unique)) break;
    }
    long fd = open_object(test, unique);
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
void __tamar_event(const char *what) {}
