// Headers and functions that programs written for glibc use, also those that musl lacks.
// RUN: %tamar exec %s | FileCheck %s
// RUN: rm -rf %t && mkdir %t && %tamar cc %s -o %t/program && %t/program | FileCheck %s
// CHECK: queue 1 2 3
// CHECK-NEXT: trace 0
// CHECK-NEXT: retry 3
// CHECK-NEXT: copies abc ab
// CHECK-NEXT: statx 1 1
// CHECK-NEXT: uniform 1 1
// CHECK-NEXT: argz 3 a,b,c
// CHECK-NEXT: random 1804289383 846930886
// CHECK-NEXT: glibc 2
// CHECK-NEXT: checked abcd 7 12
#define _GNU_SOURCE
#include <argz.h>
#include <assert.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <gnu/libc-version.h>
#include <mcheck.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/cdefs.h>
#include <sys/queue.h>
#include <sys/stat.h>
#include <unistd.h>

__BEGIN_DECLS
extern void __assert_fail(const char *, const char *, unsigned int, const char *) __THROW __attribute__((__noreturn__));
char *__strcpy_chk(char *to, const char *from, size_t size);
int __sprintf_chk(char *to, int flag, size_t size, const char *format, ...);
int __snprintf_chk(char *to, size_t n, int flag, size_t size, const char *format, ...);
__END_DECLS

struct item {
    int value;
    TAILQ_ENTRY(item) links;
};
static TAILQ_HEAD(list, item) head = TAILQ_HEAD_INITIALIZER(head);

static int tries;
static int interrupted(void) {
    errno = EINTR;
    return ++tries < 3 ? -1 : tries;
}

int main(void) {
    assert(sizeof(int) == 4);
    struct item items[3] = {{.value = 1}, {.value = 2}, {.value = 3}}, *one;
    for (int i = 0; i < 3; i++) TAILQ_INSERT_TAIL(&head, &items[i], links);
    printf("queue");
    TAILQ_FOREACH(one, &head, links) printf(" %d", one->value);
    void *frames[4];
    int count = backtrace(frames, 4);
    free(backtrace_symbols(frames, count));
    printf("\ntrace %d\nretry %d\n", count, (int)TEMP_FAILURE_RETRY(interrupted()));
    printf("copies %s %s\n", strdupa("abc"), strndupa("abc", 2));
    struct statx status;
    int good = statx(AT_FDCWD, "/", 0, STATX_BASIC_STATS, &status);
    printf("statx %d %d\n", good == 0, S_ISDIR(status.stx_mode));
    unsigned bytes[4];
    arc4random_buf(bytes, sizeof bytes);
    printf("uniform %d %d\n", arc4random_uniform(1) == 0, arc4random_uniform(10) < 10);
    char *argz;
    size_t size;
    argz_create_sep("a::b:c", ':', &argz, &size);
    printf("argz %zu ", argz_count(argz, size));
    argz_stringify(argz, size, ',');
    puts(argz);
    struct random_data data = {0};
    char state[128];
    int first, second;
    initstate_r(1, state, sizeof state, &data);
    random_r(&data, &first);
    random_r(&data, &second);
    printf("random %d %d\nglibc %.1s\n", first, second, gnu_get_libc_version());
    char text[16];
    __strcpy_chk(text, "abcd", sizeof text);
    printf("checked %s ", text);
    int length = __sprintf_chk(text, 1, sizeof text, "%d-%s", 1234, "xy");
    printf("%d %d\n", length, __snprintf_chk(text, 5, 1, sizeof text, "%s", "twelve bytes"));
    mtrace();
    return 0;
}
