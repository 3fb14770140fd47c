// zesti finds two bugs near the path of a seed: one in another case of a switch, next to an access of the seed's path;
// the other needs the other side of a branch, then an index that fails there. The records leave hundreds of pending
// states equally near to accesses: generation by generation, both are found within 250 paths.
// RUN: rm -rf %t && mkdir %t %t/seeds && printf 'a12b34a56b18a90b12a34b56a78b90a12b34' >%t/seeds/one
// RUN: status 1 %tamar run -q --search zesti --relax-checks --seeds %t/seeds --sym-stdin 36 --max-paths 250 --out %t/1 %s | FileCheck %s
// CHECK-DAG: out-of-bounds: {{.*}}zesti.c:[[# @LINE + 11]]
// CHECK-DAG: out-of-bounds: {{.*}}zesti.c:[[# @LINE + 18]]
// RUN: python3 %S/Inputs/summary %t/1 'len(bugs) == 2' 'paths.completed + paths.errors <= 250'
// REQUIRES: run
#include <unistd.h>

static int table[10], weights[10], marks[3];

static int value(const unsigned char *at, int number) {
    int first = at[1] - '0', second = at[2] - '0';
    if (first < 0 || first > 9 || second < 0 || second > 9) _exit(1);
    if (number == 3 && second == 7) weights[first + second] = 1; // the first bug
    return first * 10 + second;
}

static void record(const unsigned char *at, int number) {
    switch (at[0]) {
    case 'a': table[value(at, number) % 10] += number; break;
    case 'b': weights[value(at, number) / 10] -= number; break;
    case 'm': marks[at[1] - '0'] = number; break; // the second bug
    case 'z': table[0] = 0; break;
    case '#': break;
    default: _exit(2);
    }
}

int main(void) {
    unsigned char in[36];
    if (read(0, in, sizeof in) != sizeof in) return 1;
    for (int i = 0; i < 12; i++) record(in + 3 * i, i);
    return 0;
}
