// Functions of musl that older glibc lacks, for native builds with the host's C library (sanitizers, valgrind, gcov):
// the program may use musl's headers. This file is compiled with the host's headers. Its functions are weak, because
// newer glibc has some of them.
#define _GNU_SOURCE
#include <stdio.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <termios.h>
#include <unistd.h>

#define WEAK __attribute__((weak))

WEAK size_t strlcpy(char *to, const char *from, size_t size);
WEAK size_t strlcpy(char *to, const char *from, size_t size) {
    size_t length = strlen(from), copied = length < size ? length : size ? size - 1 : 0;
    if (size) {
        memcpy(to, from, copied);
        to[copied] = 0;
    }
    return length;
}

WEAK size_t strlcat(char *to, const char *from, size_t size);
WEAK size_t strlcat(char *to, const char *from, size_t size) {
    size_t length = strnlen(to, size);
    return length == size ? size + strlen(from) : length + strlcpy(to + length, from, size - length);
}

// The line stays valid until the next call, for any stream.
WEAK char *fgetln(FILE *file, size_t *length);
WEAK char *fgetln(FILE *file, size_t *length) {
    static char *line;
    static size_t capacity;
    ssize_t got = getline(&line, &capacity, file);
    *length = got > 0 ? (size_t)got : 0;
    return got > 0 ? line : NULL;
}

WEAK int fpurge(FILE *file);
WEAK int fpurge(FILE *file) {
    __fpurge(file);
    return 0;
}

WEAK size_t __freadahead(FILE *file);
WEAK size_t __freadahead(FILE *file) { return (size_t)(file->_IO_read_end - file->_IO_read_ptr); }

WEAK const char *__freadptr(FILE *file, size_t *size);
WEAK const char *__freadptr(FILE *file, size_t *size) {
    *size = __freadahead(file);
    return *size ? file->_IO_read_ptr : NULL;
}

WEAK void __freadptrinc(FILE *file, size_t count);
WEAK void __freadptrinc(FILE *file, size_t count) { file->_IO_read_ptr += count; }

WEAK void __fseterr(FILE *file);
WEAK void __fseterr(FILE *file) { file->_flags |= 0x20; } // _IO_ERR_SEEN

WEAK int issetugid(void);
WEAK int issetugid(void) { return getauxval(AT_SECURE) != 0; }

// FLT_ROUNDS in musl's float.h
WEAK int __flt_rounds(void);
WEAK int __flt_rounds(void) { return __builtin_flt_rounds(); }

WEAK ssize_t getdents(int fd, void *to, size_t size);
WEAK ssize_t getdents(int fd, void *to, size_t size) { return syscall(SYS_getdents64, fd, to, size); }

WEAK int membarrier(int command, int flags);
WEAK int membarrier(int command, int flags) { return (int)syscall(SYS_membarrier, command, flags, 0); }

WEAK int posix_close(int fd, int flags);
WEAK int posix_close(int fd, int flags) { return close(fd); }

WEAK int tcgetwinsize(int fd, struct winsize *size);
WEAK int tcgetwinsize(int fd, struct winsize *size) { return ioctl(fd, TIOCGWINSZ, size); }

WEAK int tcsetwinsize(int fd, const struct winsize *size);
WEAK int tcsetwinsize(int fd, const struct winsize *size) { return ioctl(fd, TIOCSWINSZ, size); }

WEAK int optreset; // glibc restarts at optind = 0 only

// A function that returns twice cannot be wrapped by another function.
__asm__(".weak sigsetjmp\n.type sigsetjmp, @function\nsigsetjmp: jmp __sigsetjmp@PLT");
