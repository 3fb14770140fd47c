// The circuits of a query count for --max-memory: those of four thousand products of floats would take gigabytes. SAT
// gives up early, and the solver's local search has time to find inputs. (A sanitizer would need more memory.)
// RUN: rm -rf %t.* && %tamar run -q --max-memory 250 --out %t.1 %s
// RUN: python3 %S/Inputs/summary %t.1 'peak_memory < 250 << 20' 'paths.completed == 2' 'queries.unknown == 0'
// REQUIRES: run
// UNSUPPORTED: sanitized
#include <string.h>
#include <tamar.h>

int main(void) {
    double x[3], all = 1;
    unsigned long bits;
    tamar_symbolic(x, sizeof x, "x");
    for (int i = 0; i < 4000; i++) all = all * x[i % 3] + x[(i + 1) % 3];
    memcpy(&bits, &all, sizeof bits);
    if (bits == 0x400921fb54442d18) return 1; // pi
    return 0;
}
