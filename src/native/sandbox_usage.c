// Use of the sandbox's processes: threads, and memory of the processes and of the kernel.
//
// A process can make the kernel keep memory that is not in its resident set: System V segments and messages, buffers of
// sockets, page tables. Without a control group only their sums in /proc show it. Buffers of sockets are not
// listed: each socket counts with the most that it holds by default (the filter keeps programs from enlarging it).
#include "native/sandbox_int.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SOCKET_BYTES ((uint64_t)256 << 10)

// The number in kB after a label of /proc/PID/status, or 0.
static uint64_t number_after(const char *content, const char *label) {
    const char *at = strstr(content, label);
    return at ? strtoull(at + strlen(label), NULL, 10) : 0;
}

// Adds the threads and the memory of one process. Returns false if they cannot be read, although the process exists.
static bool add_process(int proc, const char *number, struct sandbox_usage *usage) {
    char path[64], content[4096];
    snprintf(path, sizeof path, "%.20s/status", number);
    int fd = openat(proc, path, O_RDONLY | O_CLOEXEC);
    ssize_t size = fd >= 0 ? read(fd, content, sizeof content - 1) : -1;
    int error = errno;
    if (fd >= 0) close(fd);
    if (size <= 0) return size == 0 || error == ENOENT || error == ESRCH;
    content[size] = 0;
    usage->threads += number_after(content, "\nThreads:");
    // The name in the first line has no newline. A process that has ended has no memory.
    usage->bytes += (number_after(content, "\nVmRSS:") + number_after(content, "\nVmPTE:")) << 10;
    return true;
}

// Adds one column of a table below /proc/sysvipc, counted from 1.
static void add_column(int proc, const char *path, unsigned column, uint64_t *bytes) {
    int fd = openat(proc, path, O_RDONLY | O_CLOEXEC);
    FILE *file = fd >= 0 ? fdopen(fd, "r") : NULL;
    char line[512];
    if (!file && fd >= 0) close(fd);
    for (unsigned row = 0; file && fgets(line, sizeof line, file); row++) {
        char *end, *at = line;
        uint64_t value = 0;
        for (unsigned i = 0; row && i < column; i++, at = end) value = strtoull(at, &end, 10);
        *bytes += value;
    }
    if (file) fclose(file);
}

// The sockets of the sandbox's own network.
static uint64_t count_sockets(int proc) {
    char content[512];
    int fd = openat(proc, "self/net/sockstat", O_RDONLY | O_CLOEXEC);
    ssize_t size = fd >= 0 ? read(fd, content, sizeof content - 1) : -1;
    if (fd >= 0) close(fd);
    if (size <= 0) return 0;
    content[size] = 0;
    return number_after(content, "sockets: used");
}

bool sandbox_measure(const struct sandbox *sandbox, DIR *proc, struct sandbox_usage *usage) {
    *usage = (struct sandbox_usage){0};
    rewinddir(proc);
    for (struct dirent *entry; (entry = readdir(proc));)
        if (entry->d_name[0] >= '1' && entry->d_name[0] <= '9' && strcmp(entry->d_name, "1") != 0 &&
            !add_process(dirfd(proc), entry->d_name, usage))
            return false;
    if (sandbox->view == SANDBOX_SHARES) return true; // no limit of memory; the network is the host's
    add_column(dirfd(proc), "sysvipc/shm", 15, &usage->bytes);
    add_column(dirfd(proc), "sysvipc/msg", 4, &usage->bytes);
    usage->bytes += count_sockets(dirfd(proc)) * SOCKET_BYTES;
    return true;
}
