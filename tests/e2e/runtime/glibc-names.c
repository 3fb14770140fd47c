// Functions of glibc for names of signals, renameat2, and flushes of the processor's cache.
// RUN: same-as-native %tamar %s </dev/null
// REQUIRES: exec
#define _GNU_SOURCE
#include <emmintrin.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void make(const char *name) {
    FILE *file = fopen(name, "w");
    fputs(name, file);
    fclose(file);
}

int main(void) {
    char folder[] = "/tmp/namesXXXXXX";
    for (int i = -1; i < 35; i++) {
        const char *name = sigabbrev_np(i);
        printf("%d %s %d\n", i, name ? name : "none", sigdescr_np(i) != NULL);
    }
    if (!mkdtemp(folder) || chdir(folder)) return 1;
    make("a");
    make("b");
    int result = renameat2(AT_FDCWD, "a", AT_FDCWD, "b", RENAME_NOREPLACE);
    printf("%d %s\n", result, errno == EEXIST ? "exists" : "other");
    printf("%d\n", renameat2(AT_FDCWD, "a", AT_FDCWD, "c", RENAME_NOREPLACE));
    printf("%d %d\n", access("a", F_OK), access("c", F_OK));
    unlink("b");
    unlink("c");
    rmdir(folder);
    _mm_clflush(folder);
    __asm__ volatile("clflush %0" : "+m"(folder[0]));
    return 0;
}
