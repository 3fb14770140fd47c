// Functions of glibc for names of errors, sorted folders, netgroups and the types of a format's arguments.
// RUN: same-as-native %tamar %s </dev/null
// REQUIRES: exec
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <printf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void types_of(const char *format) {
    int types[6] = {-1, -1, -1, -1, -1, -1};
    size_t count = parse_printf_format(format, 5, types);
    printf("%s: %zu", format, count);
    for (int i = 0; i < 6; i++) printf(" %d", types[i]);
    printf("\n");
}

static int not_b(const struct dirent *entry) { return entry->d_name[0] != '.' && entry->d_name[0] != 'b'; }

static void folders(void) {
    char folder[] = "/tmp/formatsXXXXXX";
    static const char *const names[] = {"c", "a", "b1", "d"};
    struct dirent **entries;
    if (!mkdtemp(folder)) exit(1);
    int descriptor = open(folder, O_RDONLY | O_DIRECTORY);
    for (int i = 0; i < 4; i++) close(openat(descriptor, names[i], O_CREAT | O_WRONLY, 0600));
    mkdirat(descriptor, "sub", 0700);
    int count = scandirat(descriptor, ".", &entries, not_b, alphasort);
    printf("%d:", count);
    for (int i = 0; i < count; i++) {
        printf(" %s", entries[i]->d_name);
        free(entries[i]);
    }
    free(entries);
    printf("\n%d", scandirat(descriptor, "sub", &entries, not_b, NULL));
    int result = scandirat(descriptor, "none", &entries, NULL, NULL);
    printf(" %d %s", result, strerrorname_np(errno));
    result = scandirat(descriptor, "a", &entries, NULL, NULL);
    printf(" %d %s\n", result, strerrorname_np(errno));
    for (int i = 0; i < 4; i++) unlinkat(descriptor, names[i], 0);
    unlinkat(descriptor, "sub", AT_REMOVEDIR);
    rmdir(folder);
}

int main(void) {
    for (int i = -1; i < 140; i++) {
        const char *name = strerrorname_np(i);
        printf("%d %s %d\n", i, name ? name : "none", strerrordesc_np(i) != NULL);
    }
    printf("%s, %s\n", strerrordesc_np(0), strerrordesc_np(ENOENT));
    static const char *const formats[] = {
        "",           "100%%",        "%d %s",      "%hd%hhd%ld%lld", "%zu%td%jd", "%c%lc%ls%S%C",
        "%p%n%ln%hn", "%*d%.*f",      "%f%Lf%le",   "%2$s %1$d",      "%3$*1$d",   "%-05d|%+.3e|%#x",
        "%m %d",      "%d%d%d%d%d%d", "%qd%Lx%X%o", "%5.2s%i%u",      "x%",        "%a%G%E%hhx",
        "%'d% d",     "%hhn%lln",
    };
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) types_of(formats[i]);
    printf("%d\n", innetgr("none", "host", "user", "domain"));
    folders();
    return 0;
}
