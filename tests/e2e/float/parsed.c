// Finds six bytes that strtod reads as 125, by executing the library's code.
// RUN: rm -rf %t.out
// RUN: status 1 %tamar run --search bfs --max-time 300 --max-tests 1 --emit errors --out %t.out %s >%t.txt
// RUN: FileCheck %s <%t.txt
// RUN: %tamar replay %t.out | FileCheck --check-prefix=REPLAY %s
// REQUIRES: run, replay
// CHECK: assert: {{.*}}parsed.c:24
// REPLAY: as predicted
#include <stdlib.h>
#include <tamar.h>

int main(void) {
    char text[7] = "";
    tamar_symbolic(text, 6, "text");
    // Digits, a point, an exponent in this form: dd.ded
    for (int i = 0; i < 6; i++) {
        if (i == 2)
            tamar_assume(text[i] == '.');
        else if (i == 4)
            tamar_assume(text[i] == 'e');
        else
            tamar_assume(text[i] >= '0' && text[i] <= '9');
    }
    tamar_assert(strtod(text, NULL) != 12.5e1);
    return 0;
}
