// A read of four bytes returns four, or one, two or three: 4 paths. Those that read again get the rest. Files and
// standard input alike.
// RUN: rm -rf %t.out %t.file %t.random && %tamar run --short-reads 1 --sym-stdin 4 --emit all --out %t.out %s | FileCheck %s
// RUN: %tamar replay %t.out | FileCheck --check-prefix=REPLAY %s
// RUN: %tamar run --short-reads 1 --sym-file data=4 --emit all --out %t.file %s -- data | FileCheck %s
// RUN: %tamar replay %t.file | FileCheck --check-prefix=REPLAY %s
// CHECK: 4 paths, 4 tests; every path was explored
// REPLAY: 4 tests, 4 as predicted
// A symbolic random byte: both outcomes.
// RUN: %tamar run --sym-random 1 --emit all --out %t.random -DRANDOM %s | FileCheck --check-prefix=RANDOM %s
// RUN: %tamar replay %t.random | FileCheck --check-prefix=RANDOM-REPLAY %s
// RANDOM: 2 paths, 2 tests; every path was explored
// RANDOM-REPLAY: 2 tests, 2 as predicted
#include <fcntl.h>
#include <sys/random.h>
#include <unistd.h>

int main(int argc, char **argv) {
    char bytes[8];
#ifdef RANDOM
    if (getrandom(bytes, 2, 0) != 2) return 1;
    if (bytes[0] == 'r') return (int)write(1, bytes, 2);
    return 3;
#endif
    int fd = argc > 1 ? open(argv[1], O_RDONLY) : 0;
    long first = read(fd, bytes, sizeof bytes), all = first;
    while (all < 4) {
        long more = read(fd, bytes + all, sizeof bytes - (size_t)all);
        if (more <= 0) return 9;
        all += more;
    }
    return (int)first;
}
