// The program's standard streams do not depend on Tamar's own, and are the same natively: a file for input, pipes for
// output. --stdin gives the file.
// RUN: rm -rf %t && mkdir %t && cd %t && printf 'ab' > in
// RUN: %tamar run -q --emit all --sym-arg 1 --stdin in --out one %s > first < /dev/null
// RUN: %tamar run -q --emit all --sym-arg 1 --stdin in --out two %s < %s | cat > second
// RUN: test "$(ls one/tests/*.json | wc -l)" = 2
// RUN: cmp one/tests/000001.json two/tests/000001.json
// RUN: cd / && %tamar replay %t/one | FileCheck --check-prefix=REPLAY %s
// REPLAY-NOT: differ
// RUN: %tamar show %t/one/tests/000001.json | FileCheck --check-prefix=SHOWN %s
// SHOWN: tamar exec {{.*}} <in{{$}}
// RUN: status 2 %tamar run --stdin nothere %s 2>&1 | FileCheck --check-prefix=NOTHERE %s
// NOTHERE: --stdin: nothere: No such file or directory
// RUN: cd %t && status 2 %tamar run --stdin in --sym-stdin 3 %s 2>&1 | FileCheck --check-prefix=BOTH %s
// BOTH: --stdin: standard input cannot also be symbolic
// RUN: cd %t && status 2 %tamar run --stdin . %s 2>&1 | FileCheck --check-prefix=FOLDER %s
// FOLDER: trying --sym-args 0 2 4{{$}}
// FOLDER: --stdin: . is a directory
#include <assert.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

int main(int argc, char **argv) {
    struct stat input, output;
    assert(fstat(0, &input) == 0 && fstat(1, &output) == 0);
    assert(S_ISREG(input.st_mode) && input.st_size == 2 && S_ISFIFO(output.st_mode) && !isatty(1));
    if (argv[1][0] == getchar()) return getchar() == 'b';
    assert(getchar() == 'a' + 1 && getchar() == EOF);
    return 7;
}
