// The summary at the end: bugs with source, command and report; uncovered code, with the reasons.
// RUN: rm -rf %t && mkdir %t && cp %s %t/prog.c && cd %t && status 1 %tamar run prog.c --sym-stdin 2 >text
// RUN: FileCheck --input-file %t/text %s
// RUN: cd %t && sed -n 's/^ *to see it:  //p' text >paste && PATH=$(dirname %binary):$PATH status 125 bash paste 2>&1 | FileCheck --check-prefix=EXEC %s
// RUN: cd %t && %tamar show --full tamar-last/bugs/*.txt | FileCheck --check-prefix=REPORT %s
// RUN: cd %t && status 3 %tamar run prog.c --sym-stdin 2 --max-forks 1 --out left | FileCheck --check-prefix=LEFT %s
// RUN: cd %t && status 1 %tamar run prog.c -DUNKNOWN --allow-undefined --sym-stdin 2 --out up | FileCheck --check-prefix=UP %s
// RUN: cd %t && status 1 %tamar run prog.c --sym-stdin 2 --color always --out color | FileCheck --check-prefix=COLOR %s
// RUN: cd %t && status 0 %tamar replay tamar-last >/dev/null && grep -q '"replayed": true' tamar-last/summary.json
// REQUIRES: run, show, replay
#include <stdio.h>
#include <stdlib.h>

static int table[7] = {1, 2, 3};
int mystery(int n);

static int never_called(int n) { return n + 1; }

static int look_up(unsigned index, const char *name, char mark) {
    return table[index] + name[0] + mark; // SOURCE
}

int main(int argc, char **argv) {
    int c = getchar(), d = getchar();
    if (argc > 5) return never_called(c);
    if (c > 300) return 3; // no byte is so large
    if (d == 'x') puts("x");
#ifdef UNKNOWN
    if (d == 'y') mystery(d);
#endif
    if (c >= '0' && c <= '7') return look_up((unsigned)(c - '0'), "seven", 'm') == 0;
    return 0;
}
// CHECK: {{^}}tamar: out-of-bounds: prog.c:[[#LINE:]]:{{.*}}, in look_up
// CHECK: {{^}}1 bug, not yet confirmed natively:
// CHECK-NEXT: {{^}} 1. out-of-bounds  prog.c:[[#LINE]]  index 7 is out of bounds for type 'int[7]', in look_up
// CHECK: > [[#LINE]] | {{.*}} // SOURCE
// CHECK: to see it:  printf '7{{.*}}' | tamar exec prog.c
// CHECK-NEXT: report:     tamar show tamar-out-0/bugs/out-of-bounds-prog.c-
// CHECK: {{[0-9]+}} paths, {{[0-9]+}} tests; every path was explored
// CHECK: covered: lines
// CHECK: not covered, and why:
// CHECK-NEXT: infeasible here: no value of these inputs gets there
// CHECK-NEXT: prog.c:26 {{.*}}
// CHECK-NEXT: depends on no symbolic input: more symbolic input may help
// CHECK-NEXT: prog.c:25 {{.*}}
// CHECK-NEXT: functions that no path called
// CHECK-NEXT: prog.c:17 never_called never called
// CHECK: next: tamar replay tamar-out-0
// EXEC: tamar: out-of-bounds: {{.*}}prog.c:
// REPORT: out-of-bounds: prog.c:
// REPORT: call stack:
// REPORT-NEXT: look_up(index=7, name="seven", mark=109 'm')
// REPORT-NEXT: main(argc=1, argv=0x
// REPORT: stdin[0] = 55 ('7'), nothing else
// REPORT: the path to it is taken when all of this holds:
// REPORT-NEXT: stdin[0] == '7'
// REPORT: to see it natively:  tamar replay tamar-out-0
// LEFT: not every path was explored
// LEFT: not tried before the run ended
// LEFT: next: tamar run --resume {{.*}} --max-forks 0{{.*}}continues the run
// UP: infeasible on every path that was explored; a path that was given up might get there
// UP: given up: {{.*}}mystery{{.*}} at prog.c:
// COLOR: {{1;31m}}out-of-bounds
