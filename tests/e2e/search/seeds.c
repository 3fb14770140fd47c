// Seeds are followed first, unchanged and without queries; then other paths near them.
// RUN: rm -rf %t && mkdir %t && mkdir %t/raw && printf 'key=4711;' >%t/raw/id:000000,orig:a && printf 'k' >%t/raw/short && printf 'a seed that is too long' >%t/raw/zz-long
// RUN: mkdir %t/raw/.state && printf 'nothing' >%t/raw/.state/x
// RUN: status 3 %tamar run --relax-checks --emit all --max-tests 3 --seeds %t/raw --sym-stdin 9 --out %t/1 %s 2>&1 | FileCheck --check-prefix=SIZES %s
// SIZES: 1 of 3 seeds are longer than the symbolic input: cut
// SIZES: 1 of 3 seeds are shorter than the symbolic input: extended with zeros
// RUN: python3 %S/Inputs/summary %t/1 'queries.total == 0' 'tests == 3' 'paths.completed == 3' 'paths.revived == 0'
// RUN: cmp %t/raw/id:000000,orig:a $(grep -l 4711 %t/1/tests/*/stdin) && printf 'a seed th' | cmp - $(grep -l 'seed' %t/1/tests/*/stdin)
//
// Bugs beside the seeds' paths are found a few forks later.
// RUN: status 1 %tamar run -q --search 'pending(depth)' --seeds %t/raw --sym-stdin 9 --max-forks 40 --out %t/2 %s
// RUN: status 1 %tamar run -q --search zesti --seeds %t/raw --sym-stdin 9 --max-forks 40 --out %t/3 %s
// RUN: status 1 %tamar run -q --search dfs --seeds %t/raw --sym-stdin 9 --max-forks 40 --out %t/4 %s
//
// All formats of tests.
// RUN: mkdir %t/ktest %t/plain && cp %t/1/tests/*.ktest %t/ktest && cp -r %t/1/tests/000001 %t/1/tests/000002 %t/1/tests/000003 %t/plain
// RUN: for from in %t/1 %t/1/tests %t/ktest %t/plain; do rm -rf %t/6; status 3 %tamar run -q --relax-checks --emit all --max-tests 3 --seeds $from --sym-stdin 9 --out %t/6 %s || exit 1; python3 %S/Inputs/summary %t/6 'queries.total == 0' 'paths.completed == 3' && grep -q 4711 %t/6/tests/*/stdin || exit 1; done
//
// A seed gives a variable length its value; a seed can be a file; arguments come from tests.
// RUN: status 3 %tamar run -q --relax-checks --emit all --max-tests 3 --seeds %t/raw --sym-stdin 0..30 --out %t/7 %s && grep -q 'a seed that is too long' %t/7/tests/*/stdin
// RUN: status 3 %tamar run -q --relax-checks --emit all --max-tests 3 --seeds %t/raw --sym-file in=0..30 --out %t/8 %s -- in && grep -q 'a seed that is too long' %t/8/tests/*/files/in
//
// RUN: status 2 %tamar run --seeds %t/raw --sym-arg 3 --out %t/9 %s 2>&1 | FileCheck --check-prefix=NOTHING %s
// NOTHING: --seeds: {{.*}}raw: no symbolic input can take the content of these files
// NOTHING: --sym-stdin N
// RUN: status 2 %tamar run --seeds %t/none --sym-stdin 3 --out %t/9 %s 2>&1 | FileCheck --check-prefix=NONE %s
// NONE: --seeds: {{.*}}none: No such file or directory
// REQUIRES: run
#include <assert.h>
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv) {
    char line[64];
    FILE *in = argc > 1 ? fopen(argv[1], "r") : stdin;
    size_t size = fread(line, 1, sizeof line - 1, in);
    line[size] = 0;
    if (strncmp(line, "key=", 4) != 0) return 1;
    int value = 0, at = 4;
    for (; line[at] >= '0' && line[at] <= '9'; at++) value = value * 10 + line[at] - '0';
    if (line[at] != ';') return 2;
    assert(value != 4712);
    return 0;
}
