// The queries of a run as a script, to which both solvers give the same answers.
// RUN: rm -rf %t.out %t.out2 && status 1 %tamar run -q --out %t.out --log-queries %t.smt2 %s
// RUN: %tamar solve %t.smt2 >%t.ours
// RUN: %tamar solve --layers=z3 %t.smt2 >%t.z3
// RUN: cmp %t.ours %t.z3
// RUN: grep -c -x sat %t.ours && grep -c -x unsat %t.ours && not grep error %t.ours
// RUN: test $(grep -c check-sat %t.smt2) = $(grep -c . %t.ours)
// RUN: FileCheck --check-prefix=SCRIPT %s <%t.smt2
// SCRIPT: (set-option :global-declarations true)
// SCRIPT: (declare-const |text[0]| (_ BitVec 8))
// SCRIPT: (push 1)
// SCRIPT: (check-sat)
// SCRIPT-NEXT: (pop 1)
// RUN: status 2 %tamar run -q --out %t.out2 --log-queries %t.out %s 2>%t.err
// RUN: FileCheck --check-prefix=NO %s <%t.err
// NO: --log-queries: {{.*}}.out: Is a directory
// REQUIRES: run, solve
#include <tamar.h>

static const unsigned char weights[12] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8};

int main(void) {
    unsigned char text[4], sums[8] = {0};
    tamar_symbolic(text, sizeof text, "text");
    tamar_assume(text[0] < 12 && text[1] < 8);
    if (weights[text[0]] == 7) return 1; // in no entry
    sums[text[1]] = weights[text[0]];
    if (text[2] > text[3] && text[3] > text[2]) return 2;
    tamar_assert(sums[text[2] & 7] + text[3] != 100);
    return 0;
}
