// The files that a run writes, read by other tools.
// RUN: rm -rf %t && mkdir %t && cd %t && status 1 %tamar run %s --sym-stdin 2 -q >%t.text 2>&1
// RUN: cd %t && test "$(readlink tamar-last)" = tamar-out-0
// RUN: cd %t && status 1 %tamar run %s --sym-stdin 2 --json >%t.json && cmp %t.json tamar-out-1/summary.json
// RUN: cd %t && for file in tamar-last/*.json tamar-last/*.sarif tamar-last/tests/*.json; do python3 -m json.tool $file >/dev/null || exit 1; done
// RUN: python3 %S/Inputs/check-results %t/tamar-last
// RUN: cd %t && sqlite3 tamar-last/run.db 'SELECT count(*) FROM tests' | FileCheck --check-prefix=DATABASE %s
// RUN: cd %t && sqlite3 tamar-last/run.db 'SELECT kind, line FROM bugs' | FileCheck --check-prefix=BUGS %s
// RUN: FileCheck --check-prefix=REPORT %s <$(ls %t/tamar-last/bugs/div-by-zero-*.txt)
// RUN: FileCheck --check-prefix=LCOV %s <%t/tamar-last/coverage.info
// RUN: cd %t && status 2 %tamar run %s --sym-stdin 2 --out tamar-out-0 2>&1 | FileCheck --check-prefix=THERE %s
// RUN: cd %t && %tamar stats | FileCheck --check-prefix=STATS %s
// REQUIRES: run, stats
// DATABASE: 4
// BUGS: div-by-zero|[[#@LINE+22]]
// REPORT: div-by-zero: {{.*}}folder.c:[[#@LINE+21]]:{{[0-9]+}}: division by zero, in quotient
// REPORT: > {{ *}}[[#@LINE+20]] |     return a / (b - 'b');
// REPORT: call stack:
// REPORT-NEXT: #0 {{.*}}quotient
// REPORT-NEXT: #1 {{.*}}main
// REPORT: standard input (2 bytes): "ab"
// REPORT: stdin[0] = 97 ('a'), nothing else
// REPORT: stdin[1] = 98 ('b'), nothing else
// REPORT: printf 'ab' | {{.*}}folder.c
// LCOV: SF:{{.*}}folder.c
// LCOV: FNDA:1,quotient
// LCOV: FNDA:0,never
// LCOV: BRDA:
// LCOV: DA:[[#@LINE+11]],0
// LCOV: end_of_record
// THERE: tamar-out-0: already exists
// THERE: --out DIR
// STATS: div-by-zero {{.*}}, not replayed
#include <stdio.h>

static int quotient(int a, int b) {
    return a / (b - 'b');
}

static int never(void) { return 3; }

int main(void) {
    int a = getchar(), b = getchar();
    if (a != 'a') return 1;
    if (b == 'x')
        return 2;
    if (a == 300)
        return never();
    return quotient(a, b) != 0;
}
