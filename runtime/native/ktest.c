// KTEST_FILE, as in KLEE's libkleeRuntest: a program that was linked the ordinary way takes its symbolic objects from a
// .ktest file, in the order of the file. Messages and status are KLEE's, because scripts look for them.
#include "include/klee/klee.h"
#include "runtime/intrinsics.h"
#include "runtime/native/raw.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

void *memset(void *to, int c, size_t n);
void *memcpy(void *to, const void *from, size_t n);

static struct {
    const unsigned char *bytes; // the whole file; NULL before the first object
    size_t size, at;            // at: the next object
    unsigned int left;          // objects that follow
} test;

struct object {
    const char *name;
    unsigned int name_size, size;
    const unsigned char *bytes;
};

static void fail(const char *what, const char *more) {
    const char *goes_on = __tamar_native_variable("KLEE_RUN_TEST_ERRORS_NON_FATAL");
    __tamar_native_say("KLEE_RUN_TEST_ERROR: ", what, more);
    if (!goes_on) __tamar_exit(1);
    __tamar_native_say("KLEE_RUN_TEST_ERROR: Forcing execution to continue", "", "");
}

static unsigned int read_number(void) {
    if (test.size - test.at < 4) {
        fail("the .ktest file is cut off: ", __tamar_native_variable("KTEST_FILE"));
        __tamar_exit(1);
    }
    const unsigned char *at = test.bytes + test.at;
    test.at += 4;
    return (unsigned int)at[0] << 24 | (unsigned int)at[1] << 16 | (unsigned int)at[2] << 8 | at[3];
}

static const unsigned char *read_counted(unsigned int *size) {
    *size = read_number();
    if (*size > test.size - test.at) {
        fail("the .ktest file is cut off: ", __tamar_native_variable("KTEST_FILE"));
        __tamar_exit(1);
    }
    const unsigned char *at = test.bytes + test.at;
    test.at += *size;
    return at;
}

static struct object read_object(void) {
    struct object object;
    object.name = (const char *)read_counted(&object.name_size);
    object.bytes = read_counted(&object.size);
    test.left--;
    return object;
}

static void open_test(const char *path) {
    static const char magic[] = "KTEST";
    long fd = RAW3(SYS_open, path, O_RDONLY | O_CLOEXEC, 0);
    long size = fd < 0 ? -1 : RAW3(SYS_lseek, fd, 0, SEEK_END);
    long at = size < 9 ? -1 : raw(SYS_mmap, 0, size, PROT_READ, MAP_PRIVATE, fd, 0);
    int good = size >= 9 && (at >= 0 || at <= -4096);
    for (int i = 0; good && i < 5; i++) good = ((const char *)at)[i] == magic[i];
    if (!good) {
        __tamar_native_say("KLEE_RUN_TEST_ERROR: ", "unable to open .ktest file: ", path);
        __tamar_exit(1);
    }
    RAW3(SYS_close, fd, 0, 0);
    test.bytes = (const unsigned char *)at;
    test.size = (size_t)size;
    test.at = 5;
    unsigned int version = read_number(), count = read_number(), unused;
    while (count--) read_counted(&unused);
    if (version >= 2) {
        (void)read_number();
        (void)read_number();
    }
    test.left = read_number();
}

// Whether the object has this name, or NAME#1: Tamar adds a number to further objects of the same name.
static int has_name(const struct object *object, const char *name) {
    unsigned int i = 0;
    while (i < object->name_size && name[i] && object->name[i] == name[i]) i++;
    return !name[i] && (i == object->name_size || object->name[i] == '#');
}

// Finds the next object of the name. Objects before it belong to the environment (arguments, model_version) and are
// skipped.
static int find(const char *name, struct object *object) {
    size_t at = test.at;
    unsigned int left = test.left;
    while (test.left) {
        *object = read_object();
        if (has_name(object, name)) return 1;
    }
    test.at = at;
    test.left = left;
    if (!left) {
        fail("out of inputs. Will use zero if continuing.", "");
        return 0;
    }
    fail("object name mismatch. Requesting ", name);
    *object = read_object();
    return 1;
}

int __tamar_native_ktest(void *to, size_t size, const char *name) {
    const char *path = __tamar_native_variable("KTEST_FILE");
    struct object object;
    if (!path) return 0;
    if (!test.bytes) open_test(path);
    if (!find(name, &object)) return 1;
    memcpy(to, object.bytes, object.size < size ? object.size : size);
    if (object.size != size) fail("object sizes differ: ", name);
    return 1;
}

int __tamar_native_invalid_assume(void) {
    if (!__tamar_native_variable("KTEST_FILE")) return 0;
    fail("invalid klee_assume", "");
    return 1;
}

unsigned klee_is_replay(void) { return __tamar_native_variable("KTEST_FILE") != NULL; }
