// Runs before main when TAMAR_INPUT is set: reads standard input as arguments, each ended by a zero byte, and the list
// by an empty one. The rest becomes standard input. inputs.py has the same format in Python.
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { MOST_BYTES = 1 << 16, MOST_ARGUMENTS = 64 };

int __real_main(int argc, char **argv, char **environment);

int __wrap_main(int argc, char **argv, char **environment) {
    static char bytes[MOST_BYTES + 1];
    static char *words[MOST_ARGUMENTS + 1];
    if (!getenv("TAMAR_INPUT")) return __real_main(argc, argv, environment);
    size_t size = 0, at = 0;
    for (ssize_t got; size < MOST_BYTES && (got = read(0, bytes + size, MOST_BYTES - size)) > 0;)
        size += (size_t)got;
    int count = 0;
    for (; count < argc && count < MOST_ARGUMENTS; count++) words[count] = argv[count];
    while (at < size && count < MOST_ARGUMENTS) {
        size_t length = strlen(bytes + at);
        if (!length) break;
        words[count++] = bytes + at;
        at += length + 1;
    }
    if (at < size) at++;
    if (at > size) at = size;
    int rest = memfd_create("stdin", 0);
    if (rest < 0 || write(rest, bytes + at, size - at) < 0 || lseek(rest, 0, SEEK_SET) < 0 ||
        dup2(rest, 0) < 0)
        abort();
    close(rest);
    return __real_main(count, words, environment);
}
