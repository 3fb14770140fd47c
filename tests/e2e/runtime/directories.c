// RUN: same-as-kernel %tamar %s %t
#include "Inputs/trace.h"
#include <dirent.h>
#include <limits.h>

static int by_name(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

static void list(const char *path) {
    char *names[64];
    int count = 0;
    DIR *directory = opendir(path);
    printf("   %s:", path);
    if (!directory) {
        printf(" %s\n", strerror(errno));
        return;
    }
    for (struct dirent *entry; (entry = readdir(directory));) {
        names[count] = malloc(strlen(entry->d_name) + 4);
        sprintf(names[count++], "%s/%d", entry->d_name, entry->d_type);
    }
    closedir(directory);
    qsort(names, (size_t)count, sizeof names[0], by_name);
    for (int i = 0; i < count; i++) {
        printf(" %s", names[i]);
        free(names[i]);
    }
    puts("");
}

static void make(const char *name, const char *text) {
    FILE *file = fopen(name, "w");
    fputs(text, file);
    fclose(file);
}

static void making_and_removing(void) {
    T(mkdir("d", 0755));
    T(mkdir("d", 0755));
    T(mkdir("d/e", 0700));
    T(mkdir("x/y", 0755));
    make("d/file", "content");
    list("d");
    T(rmdir("d"));
    T(rmdir("d/file"));
    T(unlink("d/e"));
    T(unlink("d/none"));
    T(rmdir("d/."));
    T(rmdir("d/e/.."));
    T(rmdir("d/e"));
    T(mkdir("d/e/", 0755));
    T(unlink("d/file/"));
    list("d");
    list("none");
    T(access("d", R_OK | W_OK | X_OK));
    T(access("d/file", F_OK));
    T(access("d/none", F_OK));
}

static void renaming(void) {
    make("a", "a");
    make("b", "bb");
    T(rename("a", "b"));
    T(access("a", F_OK));
    T(rename("b", "d/c"));
    T(rename("none", "x"));
    T(rename("d", "d/e/inside"));
    T(rename("d/c", "d/e"));
    T(rename("d/e", "d/c"));
    T(rename("d", "moved"));
    list("moved");
    T(mkdir("empty", 0755));
    T(rename("moved", "empty"));
    T(mkdir("full", 0755));
    make("full/x", "");
    T(rename("empty", "full"));
    T(rename("empty/.", "y"));
    list(".");
}

static void links(void) {
    char buffer[64] = "";
    struct stat st;
    make("target", "text");
    T(symlink("target", "link"));
    T(symlink("target", "link"));
    T(readlink("link", buffer, sizeof buffer));
    puts(buffer);
    T(readlink("target", buffer, sizeof buffer));
    T(readlink("link", buffer, 3));
    T(lstat("link", &st));
    printf("   %o %ld\n", st.st_mode, (long)st.st_size);
    T(stat("link", &st));
    printf("   %o %ld\n", st.st_mode & S_IFMT, (long)st.st_size);
    T(symlink("loop2", "loop1"));
    T(symlink("loop1", "loop2"));
    T(open("loop1", O_RDONLY));
    T(open("link", O_RDONLY | O_NOFOLLOW));
    T(symlink("nowhere", "dangling"));
    T(open("dangling", O_RDONLY));
    T(open("dangling", O_WRONLY | O_CREAT | O_EXCL, 0600));
    T(open("dangling", O_WRONLY | O_CREAT, 0600));
    T(access("nowhere", F_OK));
    T(symlink("empty", "dirlink"));
    list("dirlink");
    list("dirlink/");
    T(rmdir("dirlink"));
    T(unlink("dirlink"));
    T(link("target", "hard"));
    T(stat("hard", &st));
    T(st.st_nlink);
    T(unlink("target"));
    T(stat("hard", &st));
    T(st.st_nlink);
    T(link("empty", "hard2"));
    T(link("hard", "full/x"));
}

static void current_directory(void) {
    char path[PATH_MAX], start[PATH_MAX];
    T(getcwd(start, sizeof start) != NULL);
    T(chdir("full"));
    T(getcwd(path, sizeof path) != NULL);
    printf("   %s\n", path + strlen(start));
    T(access("x", F_OK));
    T(access("../full/./x", F_OK));
    T(chdir("x"));
    T(chdir("none"));
    T(getcwd(path, 2) != NULL);
    int fd;
    T(fd = open("..", O_RDONLY | O_DIRECTORY));
    T(openat(fd, "full/x", O_RDONLY));
    T(unlinkat(fd, "hard", 0));
    T(mkdirat(fd, "at", 0700));
    T(unlinkat(fd, "at", AT_REMOVEDIR));
    T(fchdir(fd));
    T(access("full", F_OK));
    T(openat(fd, "full/x", O_RDONLY | O_DIRECTORY));
}

static void open_and_removed(void) {
    char buffer[8] = "";
    int fd;
    make("gone", "still");
    T(fd = open("gone", O_RDWR));
    T(unlink("gone"));
    T(read(fd, buffer, 5));
    puts(buffer);
    T(write(fd, "!", 1));
    struct stat st;
    T(fstat(fd, &st));
    T(st.st_nlink);
    T(st.st_size);
    T(close(fd));
}

int main(void) {
    making_and_removing();
    renaming();
    links();
    current_directory();
    open_and_removed();
    return 0;
}
