// The parts of the programs of tests/fuzz/kernel that are always the same. R prints the line, result and error of a call.
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#define SLOTS 8
static int file[SLOTS] = {-1, -1, -1, -1, -1, -1, -1, -1};
static char in[20000], out[20000];
static long result;

static long report(int line, long value) {
    printf("%d: %ld %s\n", line, value, value < 0 ? strerrorname_np(errno) : "");
    return value;
}
#define R(call) (errno = 0, result = report(__LINE__, (long)(call)))

// Prints a digest of the bytes that were read, and clears them.
static void show_bytes(void) {
    unsigned digest = 17;
    for (unsigned i = 0; i < sizeof in; i++) digest = digest * 31 + (unsigned char)in[i];
    printf("   %x\n", digest);
    memset(in, 0, sizeof in);
}

// Sizes and links of folders depend on the file system.
static void show_status(int line, int error, const struct stat *status) {
    if (report(line, error) < 0) return;
    int folder = S_ISDIR(status->st_mode);
    printf("   mode %o size %ld links %ld\n", status->st_mode, folder ? 0 : (long)status->st_size,
           folder ? 0 : (long)status->st_nlink);
}

static int compare(const void *a, const void *b) { return strcmp(a, b); }
static void list(int line, const char *path) {
    char names[64][300];
    int count = 0;
    DIR *folder = opendir(path);
    if (report(line, folder ? 0 : -1) < 0) return;
    for (struct dirent *entry; count < 64 && (entry = readdir(folder));)
        snprintf(names[count++], sizeof *names, "%.200s %d", entry->d_name, entry->d_type);
    closedir(folder);
    qsort(names, (size_t)count, sizeof *names, compare);
    for (int i = 0; i < count; i++) printf("   %s\n", names[i]);
}

static void set(int slot, int descriptor) {
    if (file[slot] > 2) close(file[slot]);
    file[slot] = descriptor;
}

static void set_both(const int ends[2], int first, int second) {
    set(first, ends[0]);
    set(second, ends[1]);
}

static void begin(void) {
    for (unsigned i = 0; i < sizeof out; i++) out[i] = (char)(i * 7 + i / 256);
    signal(SIGPIPE, SIG_IGN);
    umask(022);
    setbuf(stdout, NULL);
    mkdir("d", 0755);
    if (symlink("a", "l") || symlink("gone", "m") || symlink("d", "ld")) abort();
}
