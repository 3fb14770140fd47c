// RUN: same-as-kernel %tamar %s %t
#include "Inputs/trace.h"
#include <sys/statvfs.h>
#include <sys/time.h>
#include <time.h>
#include <utime.h>

static void show(const char *path) {
    struct stat st;
    T(stat(path, &st));
    printf("   mode %o links %ld size %ld blksize %d mtime %ld.%09ld\n", st.st_mode, (long)st.st_nlink,
           (long)st.st_size, st.st_blksize > 0, st.st_mtim.tv_sec < 2000000 ? (long)st.st_mtim.tv_sec : -1,
           st.st_mtim.tv_sec < 2000000 ? st.st_mtim.tv_nsec : -1);
}

int main(void) {
    umask(022);
    T(umask(027));
    T(close(open("f", O_CREAT | O_WRONLY, 0666)));
    T(mkdir("d", 0777));
    struct timespec early[] = {{1000, 5}, {1234, 500}};
    T(utimensat(AT_FDCWD, "f", early, 0));
    show("f");
    struct timespec omit[] = {{0, UTIME_OMIT}, {0, UTIME_OMIT}};
    T(utimensat(AT_FDCWD, "f", omit, 0));
    show("f");
    struct timespec wrong[] = {{0, 2000000000}, {0, 0}};
    T(utimensat(AT_FDCWD, "f", wrong, 0));
    T(utime("f", &(struct utimbuf){7, 8}));
    show("f");
    T(utimes("f", (struct timeval[]){{1, 2}, {3, 4}}));
    show("f");
    T(utimes("none", NULL));
    T(chmod("f", 0400));
    T(chmod("f", 04755));
    show("f");
    T(chmod("none", 0));
    int fd;
    T(fd = open("f", O_RDONLY));
    T(fchmod(fd, 0600));
    T(fchown(fd, -1, -1));
    T(close(fd));
    T(fchmod(fd, 0600));
    struct stat st;
    T(stat("d", &st));
    printf("   %o %ld\n", st.st_mode, (long)st.st_nlink);
    T(mkdir("d/sub", 0700));
    T(stat("d", &st));
    T(st.st_nlink);
    T(stat("/dev/null", &st));
    printf("   %o %lx\n", st.st_mode, (long)st.st_rdev);
    T(fstat(99, &st));
    T(fstatat(AT_FDCWD, "f", &st, 0));
    T(fstatat(AT_FDCWD, "", &st, 0));
    T(fstatat(open("f", O_RDONLY), "", &st, AT_EMPTY_PATH));
    T(mkfifo("p", 0644));
    T(stat("p", &st));
    printf("   %o\n", st.st_mode);
    struct statvfs vfs;
    T(statvfs(".", &vfs));
    T(vfs.f_namemax);
    char name[300];
    memset(name, 'n', sizeof name);
    name[299] = 0;
    T(open(name, O_CREAT | O_WRONLY, 0600));
    T(isatty(open("f", O_RDONLY)));
    return 0;
}
