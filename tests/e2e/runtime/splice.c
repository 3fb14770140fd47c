// RUN: same-as-kernel %tamar %s %t
#include "Inputs/trace.h"
#include <sys/uio.h>
#include <sys/wait.h>

static int a[2], b[2];
static char text[200];

static void show(int descriptor) {
    memset(text, 0, sizeof text);
    T(read(descriptor, text, sizeof text - 1));
    printf("   \"%s\"\n", text);
}

static void errors(int file) {
    off_t offset = 0, bad = -1;
    T(splice(a[0], NULL, file, NULL, 0, 0));
    T(splice(a[0], NULL, file, NULL, 5, 64));
    T(splice(file, NULL, file, NULL, 5, 0));
    T(splice(a[0], &offset, file, NULL, 5, 0));
    T(splice(file, NULL, a[1], &offset, 5, 0));
    T(splice(file, &bad, a[1], NULL, 5, 0));
    T(splice(a[1], NULL, file, NULL, 5, 0));
    T(splice(file, NULL, a[0], NULL, 5, 0));
    T(splice(99, NULL, a[1], NULL, 5, 0));
    T(splice(a[0], NULL, a[1], NULL, 5, 0));
    T(splice(a[0], NULL, file, NULL, 5, SPLICE_F_NONBLOCK));
    T(tee(a[0], b[1], 5, SPLICE_F_NONBLOCK));
    T(tee(a[0], a[1], 5, 0));
    T(tee(file, a[1], 5, 0));
    T(tee(a[0], b[1], 0, 0));
    struct iovec part = {text, 3};
    T(vmsplice(file, &part, 1, 0));
    T(vmsplice(99, &part, 1, 0));
}

static void files(int file) {
    off_t from = 2, to = 4;
    T(write(file, "0123456789", 10));
    T(lseek(file, 0, SEEK_SET));
    T(splice(file, NULL, a[1], NULL, 4, 0));
    T(splice(file, &from, a[1], NULL, 100, SPLICE_F_MOVE | SPLICE_F_MORE));
    printf("   %ld %ld\n", (long)from, (long)lseek(file, 0, SEEK_CUR));
    T(tee(a[0], b[1], 6, 0));
    T(splice(a[0], NULL, b[1], NULL, 3, 0));
    show(b[0]);
    int other =
        open("other", O_RDWR | O_CREAT | O_TRUNC, 0600); // the kernel's pipe refers to pages of the file
    T(write(other, "abcdefg", 7));
    T(splice(a[0], NULL, other, &to, 100, 0));
    printf("   %ld\n", (long)to);
    T(pread(other, text, 20, 0));
    close(other);
    printf("   \"%s\"\n", text);
    int append = open("file", O_WRONLY | O_APPEND);
    T(write(a[1], "x", 1));
    T(splice(a[0], NULL, append, NULL, 1, 0));
    show(a[0]);
    close(append);
    T(lseek(file, 0, SEEK_END));
    T(splice(file, NULL, a[1], NULL, 4, 0));
}

static void large(int file) {
    static char bytes[100000];
    memset(bytes, 'q', sizeof bytes);
    T(pwrite(file, bytes, sizeof bytes, 0));
    T(lseek(file, 0, SEEK_SET));
    T(splice(file, NULL, a[1], NULL, sizeof bytes, 0));
    T(splice(file, NULL, a[1], NULL, sizeof bytes, SPLICE_F_NONBLOCK));
    T(read(a[0], bytes, sizeof bytes));
    T(splice(file, NULL, a[1], NULL, sizeof bytes, 0));
    T(read(a[0], bytes, sizeof bytes));
}

static void waits(void) {
    struct iovec parts[] = {{"ab", 2}, {"cde", 3}};
    if (fork() == 0) {
        usleep(2000);
        vmsplice(a[1], parts, 2, 0);
        _exit(0);
    }
    T(splice(a[0], NULL, b[1], NULL, 100, 0));
    wait(NULL);
    show(b[0]);
    close(a[1]);
    T(splice(a[0], NULL, b[1], NULL, 100, 0));
    close(a[0]);
}

int main(void) {
    setvbuf(stdout, NULL, _IOLBF, 0);
    int file = open("file", O_RDWR | O_CREAT | O_TRUNC, 0600);
    T(pipe(a));
    T(pipe(b));
    errors(file);
    files(file);
    large(file);
    waits();
    return 0;
}
