// Native calls of functions without bitcode, in a sandboxed child process (native/sandbox.h). The child has no
// descriptor but one pipe, an empty root, and a seccomp filter that permits only calls for memory, the clock and the
// write of the answer. So it cannot change the host. Only functions of libc and libm can be called. Arguments are
// concrete. An object of the program that an argument points into is mapped at the same address in the child, and its
// bytes are copied back. Pointers inside of objects are not followed.
#include "vm/vm_int.h"

#include "native/sandbox.h"

#include <dlfcn.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define INTEGERS   6
#define FLOATS     8
#define SECONDS    5
#define SLICE      50                  // milliseconds between two checks of the limits of the run
#define LARGEST    ((uint64_t)1 << 24) // most bytes of an object that is passed
#define HOST_PAGE  ((uint64_t)4096)
#define HOST_FLOOR ((uint64_t)1 << 16) // lowest address that can be mapped

struct passed_object {
    uint64_t address, size;
    uint8_t *bytes;
};

struct native {
    void *function;
    const char *signature;
    uint64_t integers[INTEGERS];
    double floats[FLOATS];
    vec(struct passed_object) objects;
};

static enum step refuse(struct vm *vm, const struct ir_function *callee, const char *why) {
    struct text what = {0};
    text_add(&what, "native call of %s: %s", callee->name, why);
    enum step step = vm_report_not_modelled(vm, what.at);
    text_free(&what);
    return step;
}

// ---- in the child

static bool map_objects(const struct native *native) {
    vec_each (struct passed_object, object, &native->objects) {
        uint64_t start = object->address & ~(HOST_PAGE - 1);
        uint64_t end = align_up(object->address + object->size, HOST_PAGE);
        for (uint64_t page = start; page < end; page += HOST_PAGE) {
            void *at = mmap((void *)page, HOST_PAGE, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
            // The object before is on the same page.
            bool shared = at == MAP_FAILED && errno == EEXIST && page == start;
            if (at == MAP_FAILED && !shared) return false;
        }
        memcpy((void *)object->address, object->bytes, object->size);
    }
    return true;
}

static uint64_t call_it(const struct native *native) {
    const uint64_t *i = native->integers;
    const double *f = native->floats;
    typedef uint64_t integer_function(uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, double,
                                      double, double, double, double, double, double, double);
    typedef double float_function(uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, double, double,
                                  double, double, double, double, double, double);
    uint64_t bits;
    if (native->signature[0] != 'd' && native->signature[0] != 'f')
        return ((integer_function *)native->function)(i[0], i[1], i[2], i[3], i[4], i[5], f[0], f[1], f[2],
                                                      f[3], f[4], f[5], f[6], f[7]);
    double value = ((float_function *)native->function)(i[0], i[1], i[2], i[3], i[4], i[5], f[0], f[1], f[2],
                                                        f[3], f[4], f[5], f[6], f[7]);
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static bool put(int fd, const void *bytes, uint64_t size) {
    for (const uint8_t *at = bytes; size;) {
        ssize_t n = write(fd, at, size);
        if (n <= 0) return false;
        at += n;
        size -= (uint64_t)n;
    }
    return true;
}

static bool prepare(void *context) { return map_objects(context); }

NORETURN static void compute(const struct native *native) {
    uint64_t result = call_it(native);
    bool good = put(3, &result, sizeof result);
    vec_each (struct passed_object, object, &native->objects)
        good = good && put(3, (const void *)object->address, object->size);
    syscall(SYS_exit_group, good ? 0 : 124);
    __builtin_unreachable();
}

// ---- in Tamar

// Waits for data. Returns false on a timeout, or if the run is over.
static bool wait_for(int fd) {
    struct pollfd polled = {fd, POLLIN, 0};
    int waited = 0;
    for (; waited < (SECONDS + 1) * 1000 && !limits_over(); waited += SLICE)
        if (poll(&polled, 1, SLICE) == 1) return true;
    return false;
}

static bool take(int fd, void *bytes, uint64_t size) {
    for (uint8_t *at = bytes; size;) {
        if (!wait_for(fd)) return false;
        ssize_t n = read(fd, at, size);
        if (n <= 0) return false;
        at += n;
        size -= (uint64_t)n;
    }
    return true;
}

// Calls the function in a child; its answer replaces the objects' bytes. Returns NULL, or the reason of a failure.
static const char *run_native(struct native *native, uint64_t *result) {
    int pipes[2], status;
    if (pipe(pipes) != 0) return "no pipe can be made";
    pid_t child = sandbox_fork_computing(pipes[1], prepare, native, SECONDS);
    if (child == 0) compute(native);
    close(pipes[1]);
    bool good = child > 0 && take(pipes[0], result, sizeof *result);
    vec_each (struct passed_object, object, &native->objects)
        good = good && take(pipes[0], object->bytes, object->size);
    close(pipes[0]);
    if (child < 0) return "no sandbox can be made on this system (--no-sandbox calls it without one)";
    if (!good) kill(child, SIGKILL);
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {}
    if (good) return NULL;
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGSYS)
        return "it makes system calls, which is not allowed";
    if (WIFSIGNALED(status) && WTERMSIG(status) != SIGKILL) return "it crashes";
    if (WIFEXITED(status) && WEXITSTATUS(status) == 125) return "its memory cannot be laid out natively";
    if (WIFEXITED(status) && WEXITSTATUS(status) == 126)
        return "no sandbox can be made on this system (--no-sandbox calls it without one)";
    return "it does not end in time";
}

// Assigns the arguments to registers as in the x86-64 calling convention. Returns NULL, or the reason of a failure.
static const char *sort_arguments(struct native *native, const uint64_t *arguments) {
    unsigned integers = 0, floats = 0;
    if (native->signature[0] == '?') return "the type of its result is not supported";
    for (const char *at = native->signature + 1; *at; at++, arguments++) {
        if (*at == '?') return "the type of an argument is not supported";
        bool is_float = *at == 'f' || *at == 'd';
        if (is_float ? floats == FLOATS : integers == INTEGERS) return "it has too many arguments";
        if (is_float)
            memcpy(&native->floats[floats++], arguments, sizeof *arguments);
        else
            native->integers[integers++] = *arguments;
    }
    return NULL;
}

static enum step take_objects(struct vm *vm, struct native *native, const char **why) {
    for (unsigned i = 0; i < INTEGERS; i++) {
        uint64_t address = native->integers[i];
        struct object object;
        if (address < HOST_FLOOR || !object_at(vm->state, address, &object) || !object.size) continue;
        bool known = false;
        vec_each (struct passed_object, other, &native->objects) known |= other->address == object.start;
        if (known) continue;
        if (object.size > LARGEST) {
            *why = "an object is too large to be passed";
            return STEP_NEXT;
        }
        struct passed_object passed = {object.start, object.size, mem_alloc(object.size)};
        vec_push(&native->objects, passed);
        enum step step = vm_read_bytes(vm, object.start, passed.bytes, object.size);
        if (step != STEP_NEXT) return step;
    }
    return STEP_NEXT;
}

static uint64_t cut_result(char class, uint64_t result) {
    if (class == 'v') return 0;
    if (class == 'f') return result & 0xffffffff;
    return class >= '1' && class < '8' ? result & mask_bits(8 * (unsigned)(class - '0')) : result;
}

// Writes back only the bytes that the function changed: the others may be constant.
static enum step give_objects(struct vm *vm, const struct native *native) {
    vec_each (struct passed_object, object, &native->objects) {
        uint8_t *before = mem_alloc(object->size);
        memory_peek(vm->state->memory, object->address, before, object->size);
        enum step step = STEP_NEXT;
        if (memcmp(before, object->bytes, object->size) != 0)
            step = vm_write_bytes(vm, object->address, object->bytes, object->size);
        mem_free(before, object->size);
        if (step != STEP_NEXT) return step;
    }
    return STEP_NEXT;
}

// Looks only in libc and libm: other libraries of this process do not belong to the program.
static void *find_function(const char *name) {
    static const char *const libraries[] = {"libc.so.6", "libm.so.6"};
    void *function = NULL;
    for (unsigned i = 0; i < COUNT(libraries) && !function; i++) {
        void *library = dlopen(libraries[i], RTLD_NOW | RTLD_NOLOAD);
        if (!library) continue;
        function = dlsym(library, name);
        dlclose(library); // the process itself holds a reference
    }
    return function;
}

enum step native_call(struct vm *vm, const struct ir_function *callee, const uint64_t *arguments,
                      uint64_t *result) {
    struct native native = {.function = find_function(callee->name), .signature = callee->signature};
    const char *why = NULL;
    if (!native.function) why = "this system has no such function";
    if (!why && (callee->variadic || !native.signature)) why = "the number of its arguments varies";
    if (!why) why = sort_arguments(&native, arguments);
    enum step step = why ? STEP_NEXT : take_objects(vm, &native, &why);
    limits_hold(); // the child process must not be abandoned
    if (step == STEP_NEXT && !why) why = run_native(&native, result);
    limits_release();
    if (step == STEP_NEXT && !why) step = give_objects(vm, &native);
    if (step == STEP_NEXT && !why) *result = cut_result(native.signature[0], *result);
    vec_each (struct passed_object, object, &native.objects) mem_free(object->bytes, object->size);
    vec_free(&native.objects);
    if (why && vm->solver && vm_run_is_over(vm)) return vm_retry_later(vm);
    if (why) return refuse(vm, callee, why);
    if (step == STEP_NEXT) {
        struct text what = {0};
        text_add(&what, "%s was called natively, with one value of each symbolic argument", callee->name);
        vm_note_incomplete(vm, what.at);
        text_free(&what);
    }
    return step;
}
