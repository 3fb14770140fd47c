// Symbolic values in native builds: bytes of a test. TAMAR_TEST names a folder in which
// objects/NAME holds the bytes of the object NAME (runtime/object_file.h); missing bytes
// are zero. As in the VM, the second object of the same name is NAME#1, and so on. A test
// with very many objects has them in one file, objects.list, in the order of their creation.
// Without TAMAR_TEST, KTEST_FILE names a test of KLEE's (ktest.c).
#include "runtime/intrinsics.h"
#include "runtime/native/raw.h"
#include "runtime/object_file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/mman.h>
#include <unistd.h>

void *memset(void *to, int c, size_t n);

// The names taken so far, in all processes, by their hash. An open-addressed table, at
// most half full. In the exact build, where __tamar_alloc exists, processes share it.
struct name {
    unsigned long hash;        // 0: empty
    unsigned int used, number; // whether an object has this name; the next number to try for it
};
static struct names {
    struct name *at;
    unsigned long capacity, count;             // capacity: a power of two
    unsigned int choices, no_choices, no_list; // no_choices, no_list: the test has no such file
    unsigned long next;                        // offset in objects.list after the last object found
} alone, *names;
void *__tamar_alloc(size_t size, size_t align, int kind) __attribute__((weak));

static char *add(char *p, char *end, const char *text) {
    while (*text && p < end) *p++ = *text++;
    return p;
}

static char *add_number(char *p, char *end, unsigned long value) {
    char digits[24], *d = digits + sizeof digits;
    *--d = 0;
    do *--d = (char)('0' + value % 10);
    while (value /= 10);
    return add(p, end, d);
}

// Returns zeroed memory, which is never freed.
static void *allocate(size_t size) {
    if (__tamar_alloc) {
        void *at = __tamar_alloc(size, 16, __TAMAR_KERNEL);
        if (at) return at;
    } else {
        long at = raw(SYS_mmap, 0, (long)size, PROT_READ | PROT_WRITE, MAP_ANONYMOUS | MAP_PRIVATE, -1, 0);
        if (at >= 0 || at <= -4096) return (void *)at;
    }
    __tamar_native_say("no memory for the names of objects", "", "");
    __tamar_exit(125);
}

// Must be called before the first fork.
void __tamar_native_names(void);
void __tamar_native_names(void) {
    if (!names) names = __tamar_alloc ? allocate(sizeof *names) : &alone;
}

static struct name *find_slot(unsigned long hash) {
    unsigned long i = hash & (names->capacity - 1);
    while (names->at[i].hash && names->at[i].hash != hash) i = (i + 1) & (names->capacity - 1);
    return &names->at[i];
}

static void grow_names(void) {
    struct name *old = names->at;
    unsigned long capacity = names->capacity;
    names->capacity = capacity ? 2 * capacity : 256;
    names->at = allocate(names->capacity * sizeof *old);
    for (unsigned long i = 0; i < capacity; i++)
        if (old[i].hash) *find_slot(old[i].hash) = old[i];
}

// Returns the entry of a name, created if absent. Valid until the next one is created.
static struct name *entry_of(unsigned long hash) {
    if (2 * (names->count + 1) > names->capacity) grow_names();
    hash += !hash;
    struct name *entry = find_slot(hash);
    names->count += !entry->hash;
    entry->hash = hash;
    return entry;
}

static long open_file(const char *test, const char *folder, const char *file) {
    char path[PATH_MAX], *end = path + sizeof path - 1;
    *add(add(add(path, end, test), end, folder), end, file) = 0;
    return RAW3(SYS_open, path, O_RDONLY | O_CLOEXEC, 0);
}

void __tamar_arrival(void *at, size_t size, const char *name) { __tamar_symbolic(at, size, name); }

// The object "choices" lists the choices that were not 0: their index and value, in order.
unsigned int __tamar_choose(unsigned int count) {
    const char *test = __tamar_native_variable("TAMAR_TEST");
    unsigned int pair[2], result = 0;
    if (!test || count < 2) return 0;
    __tamar_native_names();
    unsigned int number = names->choices++;
    long fd = names->no_choices ? -1 : open_file(test, "/objects/", "choices");
    if (fd < 0) names->no_choices = 1;
    while (fd >= 0 && RAW3(SYS_read, fd, pair, sizeof pair) == sizeof pair)
        if (pair[0] == number) result = pair[1];
    if (fd >= 0) RAW3(SYS_close, fd, 0, 0);
    return result < count ? result : 0;
}

// Sets `file` to the file name of a new object of this name: with the first free number, as in the VM. Returns the hash
// of the object's name.
static unsigned long next_file(char file[OBJECT_FILE_SIZE], const char *name) {
    unsigned long given = object_file_name(file, name, 0), hash;
    unsigned int number = entry_of(given)->number;
    for (;; number++) {
        hash = object_file_name(file, name, number);
        struct name *entry = entry_of(hash);
        if (entry->used) continue;
        entry->used = 1;
        break;
    }
    entry_of(given)->number = number + 1;
    return hash;
}

// Positions the list before the bytes of the object with this name's hash, searching from `from` up to `end`. Returns
// their number, or -1.
static long find_listed(long fd, unsigned long hash, unsigned long from, unsigned long end) {
    struct object_list_entry entry;
    for (unsigned long at = from; at < end && RAW3(SYS_lseek, fd, at, SEEK_SET) == (long)at;
         at += sizeof entry + entry.size) {
        if (RAW3(SYS_read, fd, &entry, sizeof entry) != sizeof entry) break;
        if (entry.hash != hash) continue;
        names->next = at + sizeof entry + entry.size;
        return (long)entry.size;
    }
    return -1;
}

// Opens the test's list before the object's bytes. Returns -1 if it is not there.
static long open_listed(const char *test, unsigned long hash, size_t *size) {
    long fd = names->no_list ? -1 : open_file(test, "/", OBJECT_LIST), found;
    if (fd < 0) {
        names->no_list = 1;
        return fd;
    }
    unsigned long next = names->next;
    found = find_listed(fd, hash, next, ~0ul >> 1); // objects are asked for in the order of the list
    if (found < 0) found = find_listed(fd, hash, 0, next);
    if (found >= 0) {
        if (*size > (size_t)found) *size = (size_t)found;
        return fd;
    }
    RAW3(SYS_close, fd, 0, 0);
    return -1;
}

void __tamar_symbolic(void *at, size_t size, const char *name) {
    char file[OBJECT_FILE_SIZE];
    const char *test = __tamar_native_variable("TAMAR_TEST");
    memset(at, 0, size);
    if (!test && __tamar_native_ktest(at, size, name && *name ? name : "input")) return;
    if (!size || !test) return;
    __tamar_native_names();
    unsigned long hash = next_file(file, name && *name ? name : "input"); // as the VM names it
    long fd = open_listed(test, hash, &size);
    if (fd < 0) fd = open_file(test, "/objects/", file);
    if (fd < 0) return;
    char *to = at;
    for (long n; size && (n = RAW3(SYS_read, fd, to, size)) > 0; size -= (size_t)n) to += n;
    RAW3(SYS_close, fd, 0, 0);
}

void __tamar_assume(int condition) {
    if (!condition && !__tamar_native_invalid_assume()) __tamar_stop();
}
int __tamar_is_symbolic(unsigned long value) { return 0; }
int __tamar_is_symbolic_bytes(const void *p, size_t size) { return 0; }
unsigned long __tamar_pin(unsigned long value) { return value; }
unsigned long __tamar_unset(unsigned long size) {
    unsigned long value = 0; // unless the test has one
    __tamar_symbolic(&value, size, __TAMAR_UNSET_LOCAL);
    return value;
}
unsigned long __tamar_example(unsigned long value) { return value; }
int __tamar_may_be_true(unsigned long value) { return value != 0; }
// Maps whole pages: natively nothing smaller can be mapped. Pages that are mapped for earlier objects stay.
long __tamar_fixed_object(void *p, size_t size) {
    long first = (long)p & -4096l, last = ((long)p + (long)size - 1) & -4096l;
    for (long page = first; page <= last; page += 4096) {
        long at = raw(SYS_mmap, page, 4096, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
        if (at < 0 && at > -4096 && at != -EEXIST) return at;
    }
    return 0;
}
void __tamar_prefer(unsigned long value) {}
void __tamar_set_forking(int enable) {}
void __tamar_print_value(const char *message, unsigned long value) {
    char digits[24], *end = add_number(digits, digits + sizeof digits - 1, value);
    *end = 0;
    __tamar_native_say(message, ": ", digits);
}
void __tamar_note(const char *message) {}
void __tamar_event(const char *what) {}
