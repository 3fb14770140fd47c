// Functions that glibc's headers call with _FORTIFY_SOURCE, for bitcode compiled with them: they also get
// the size of the destination. Compiled into the bitcode library and, for native programs, into libtamar.a.
#include <fcntl.h>
#include <poll.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <syslog.h>
#include <unistd.h>
#include <wchar.h>

_Noreturn void __chk_fail(void);
_Noreturn void __stack_chk_fail(void);
_Noreturn void __fortify_fail(const char *message);

_Noreturn void __fortify_fail(const char *message) {
    fprintf(stderr, "*** %s ***: terminated\n", message);
    abort();
}
_Noreturn void __chk_fail(void) { __fortify_fail("buffer overflow detected"); }

#define FITS(count, size)                                                                                    \
    if ((count) > (size)) __chk_fail()

#define WRAP(result, name, parameters, arguments, check)                                                     \
    result __##name##_chk parameters;                                                                        \
    result __##name##_chk parameters {                                                                       \
        check;                                                                                               \
        return name arguments;                                                                               \
    }

WRAP(void *, memcpy, (void *to, const void *from, size_t n, size_t size), (to, from, n), FITS(n, size))
WRAP(void *, memmove, (void *to, const void *from, size_t n, size_t size), (to, from, n), FITS(n, size))
WRAP(void *, mempcpy, (void *to, const void *from, size_t n, size_t size), (to, from, n), FITS(n, size))
WRAP(void *, memset, (void *to, int c, size_t n, size_t size), (to, c, n), FITS(n, size))
WRAP(void, explicit_bzero, (void *to, size_t n, size_t size), (to, n), FITS(n, size))
WRAP(char *, strcpy, (char *to, const char *from, size_t size), (to, from), FITS(strlen(from) + 1, size))
WRAP(char *, stpcpy, (char *to, const char *from, size_t size), (to, from), FITS(strlen(from) + 1, size))
WRAP(char *, strncpy, (char *to, const char *from, size_t n, size_t size), (to, from, n), FITS(n, size))
WRAP(char *, stpncpy, (char *to, const char *from, size_t n, size_t size), (to, from, n), FITS(n, size))
WRAP(char *, strcat, (char *to, const char *from, size_t size), (to, from),
     FITS(strlen(to) + strlen(from) + 1, size))
WRAP(char *, strncat, (char *to, const char *from, size_t n, size_t size), (to, from, n),
     FITS(strlen(to) + strnlen(from, n) + 1, size))
WRAP(wchar_t *, wcscpy, (wchar_t * to, const wchar_t *from, size_t size), (to, from),
     FITS(wcslen(from) + 1, size))
WRAP(wchar_t *, wmemcpy, (wchar_t * to, const wchar_t *from, size_t n, size_t size), (to, from, n),
     FITS(n, size))
WRAP(wchar_t *, wmemset, (wchar_t * to, wchar_t c, size_t n, size_t size), (to, c, n), FITS(n, size))
WRAP(size_t, mbstowcs, (wchar_t * to, const char *from, size_t n, size_t size), (to, from, n), FITS(n, size))
WRAP(size_t, wcstombs, (char *to, const wchar_t *from, size_t n, size_t size), (to, from, n), FITS(n, size))
WRAP(size_t, mbsrtowcs, (wchar_t * to, const char **from, size_t n, mbstate_t *state, size_t size),
     (to, from, n, state), FITS(n, size))
WRAP(ssize_t, read, (int fd, void *to, size_t n, size_t size), (fd, to, n), FITS(n, size))
WRAP(ssize_t, pread, (int fd, void *to, size_t n, off_t at, size_t size), (fd, to, n, at), FITS(n, size))
WRAP(ssize_t, readlink, (const char *path, char *to, size_t n, size_t size), (path, to, n), FITS(n, size))
WRAP(ssize_t, readlinkat, (int fd, const char *path, char *to, size_t n, size_t size), (fd, path, to, n),
     FITS(n, size))
WRAP(ssize_t, recv, (int fd, void *to, size_t n, size_t size, int flags), (fd, to, n, flags), FITS(n, size))
WRAP(ssize_t, recvfrom,
     (int fd, void *to, size_t n, size_t size, int flags, struct sockaddr *address, socklen_t *length),
     (fd, to, n, flags, address, length), FITS(n, size))
WRAP(char *, getcwd, (char *to, size_t n, size_t size), (to, n), FITS(n, size))
WRAP(int, gethostname, (char *to, size_t n, size_t size), (to, n), FITS(n, size))
WRAP(int, getgroups, (int n, gid_t *to, size_t size), (n, to),
     FITS((size_t)(n < 0 ? 0 : n) * sizeof *to, size))
WRAP(int, poll, (struct pollfd * at, nfds_t n, int wait, size_t size), (at, n, wait),
     FITS(n * sizeof *at, size))
WRAP(char *, realpath, (const char *path, char *to, size_t size), (path, to), if (to) FITS(4096, size))
WRAP(int, ttyname_r, (int fd, char *to, size_t n, size_t size), (fd, to, n), FITS(n, size))
WRAP(size_t, confstr, (int name, char *to, size_t n, size_t size), (name, to, n), FITS(n, size))

// The position of the size differs for streams.
char *__fgets_chk(char *to, size_t size, int n, FILE *from);
char *__fgets_chk(char *to, size_t size, int n, FILE *from) {
    FITS((size_t)(n < 0 ? 0 : n), size);
    return fgets(to, n, from);
}
size_t __fread_chk(void *to, size_t size, size_t each, size_t n, FILE *from);
size_t __fread_chk(void *to, size_t size, size_t each, size_t n, FILE *from) {
    if (each && n > size / each) __chk_fail();
    return fread(to, each, n, from);
}

// Formatted output. `flag`: glibc would refuse %n in writable formats.
#define FORMATTED(name, parameters, arguments, last)                                                         \
    int __v##name##_chk parameters;                                                                          \
    int __v##name##_chk parameters { return v##name arguments; }
FORMATTED(printf, (int flag, const char *format, va_list list), (format, list), format)
FORMATTED(fprintf, (FILE * to, int flag, const char *format, va_list list), (to, format, list), format)
FORMATTED(dprintf, (int to, int flag, const char *format, va_list list), (to, format, list), format)
FORMATTED(asprintf, (char **to, int flag, const char *format, va_list list), (to, format, list), format)
int __vsnprintf_chk(char *to, size_t n, int flag, size_t size, const char *format, va_list list);
int __vsnprintf_chk(char *to, size_t n, int flag, size_t size, const char *format, va_list list) {
    FITS(n, size);
    return vsnprintf(to, n, format, list);
}
int __vsprintf_chk(char *to, int flag, size_t size, const char *format, va_list list);
int __vsprintf_chk(char *to, int flag, size_t size, const char *format, va_list list) {
    if (size == (size_t)-1) return vsprintf(to, format, list);
    int length = vsnprintf(to, size, format, list);
    if (length >= 0 && (size_t)length >= size) __chk_fail();
    return length;
}
void __vsyslog_chk(int priority, int flag, const char *format, va_list list);
void __vsyslog_chk(int priority, int flag, const char *format, va_list list) {
    vsyslog(priority, format, list);
}

#define VARIADIC(name, parameters, ...)                                                                      \
    int __##name##_chk parameters;                                                                           \
    int __##name##_chk parameters {                                                                          \
        va_list list;                                                                                        \
        va_start(list, format);                                                                              \
        int result = __v##name##_chk(__VA_ARGS__, format, list);                                             \
        va_end(list);                                                                                        \
        return result;                                                                                       \
    }
VARIADIC(printf, (int flag, const char *format, ...), flag)
VARIADIC(fprintf, (FILE * to, int flag, const char *format, ...), to, flag)
VARIADIC(dprintf, (int to, int flag, const char *format, ...), to, flag)
VARIADIC(asprintf, (char **to, int flag, const char *format, ...), to, flag)
VARIADIC(snprintf, (char *to, size_t n, int flag, size_t size, const char *format, ...), to, n, flag, size)
VARIADIC(sprintf, (char *to, int flag, size_t size, const char *format, ...), to, flag, size)
void __syslog_chk(int priority, int flag, const char *format, ...);
void __syslog_chk(int priority, int flag, const char *format, ...) {
    va_list list;
    va_start(list, format);
    vsyslog(priority, format, list);
    va_end(list);
}

long __fdelt_chk(long descriptor);
long __fdelt_chk(long descriptor) {
    if (descriptor < 0 || descriptor >= 1024) __chk_fail();
    return descriptor / 64;
}
_Noreturn void __longjmp_chk(jmp_buf to, int value);
_Noreturn void __longjmp_chk(jmp_buf to, int value) { longjmp(to, value); }
int __open_2(const char *path, int flags);
int __open_2(const char *path, int flags) { return open(path, flags); }
int __open64_2(const char *path, int flags);
int __open64_2(const char *path, int flags) { return open(path, flags); }
int __openat_2(int folder, const char *path, int flags);
int __openat_2(int folder, const char *path, int flags) { return openat(folder, path, flags); }
int __openat64_2(int folder, const char *path, int flags);
int __openat64_2(int folder, const char *path, int flags) { return openat(folder, path, flags); }
