// A buffer that is given to the system is checked against the object that its pointer was made from, also if the address
// is in another object. Nothing is checked where nothing is transferred.
// RUN: rm -rf %t.*
// RUN: not %tamar run -q %s --sym-stdin 3 --emit all --out %t.out
// RUN: grep '"line": [0-9]\|"complete"' %t.out/summary.json >%t.txt
// RUN: FileCheck %s <%t.txt
// RUN: not %tamar run -q %s --sym-stdin 3 --feasibility pending --relax-checks --out %t.relaxed
// RUN: grep -c '"kind"' %t.relaxed/summary.json | FileCheck %s --check-prefix COUNT
// RUN: printf 'ax..' >%t.in
// RUN: not %tamar exec %s <%t.in 2>&1 | FileCheck %s --check-prefix EXEC
// RUN: printf 'bx..' >%t.in
// RUN: not %tamar exec %s <%t.in 2>&1 | FileCheck %s --check-prefix WRITE
// RUN: printf 'gx..' >%t.in
// RUN: %tamar exec %s <%t.in
#include <sys/uio.h>
#include <tamar.h>
#include <unistd.h>

static char small[8], other[16], large[4096];

int main(void) {
    unsigned char k[2];
    if (read(0, k, 2) != 2) return 0;
    long to_large = large - small;
    switch (k[0]) {
    case 'a': return (int)read(0, small + to_large, 1);
    // CHECK-DAG: "line": [[#@LINE-1]],
    case 'b': return (int)write(1, small + to_large, 2);
    // CHECK-DAG: "line": [[#@LINE-1]],
    case 'c': {
        struct iovec part = {small + to_large, 1};
        return (int)readv(0, &part, 1);
        // CHECK-DAG: "line": [[#@LINE-1]],
    }
    case 'd':
        return (int)write(1, small + to_large / 2 * (k[1] & 2), k[1] & 1); // wrong for 3 only
    // CHECK-DAG: "line": [[#@LINE-1]],
    case 'e':
        return (int)write(1, small + 8 * k[1], 3); // 1 is the red zone, others may be in `large`
    // CHECK-DAG: "line": [[#@LINE-1]],
    case 'f': tamar_symbolic(small + to_large, 4, "far"); return large[0] == 3;
    // CHECK-DAG: "line": [[#@LINE-1]],
    // Correct:
    case 'g': return (int)write(1, small + to_large, 0) + (int)read(0, large + to_large - to_large, 1) - 1;
    case 'h': {
        char *both[2] = {small, other}, *to = both[k[1] & 1] + to_large;
        char last;
        return (int)read(0, &last, 1) == 1 && read(0, to, 1) == 0 ? 2 : 3; // at the end
    }
    case 'i': return (int)write(1, small + to_large + k[1] - to_large - k[1], 8);
    }
    return 0;
}
// CHECK-NOT: "line"
// CHECK: "complete": true
// COUNT: 6
// EXEC: out-of-bounds: {{.*}}left-buffers.c:{{[0-9]+}}:{{.*}}write of 1 byte
// EXEC: after the end of the global `small` of 8 bytes{{.*}}, which the pointer was made from; the address is in the global `large`
// WRITE: out-of-bounds: {{.*}}left-buffers.c:{{[0-9]+}}:{{.*}}read of 2 bytes
