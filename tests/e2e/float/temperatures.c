// A table of temperatures: finds the reading that gives a certain entry.
// RUN: rm -rf %t.out
// RUN: status 1 %tamar run --emit all --out %t.out %s >%t.txt
// RUN: FileCheck %s <%t.txt
// RUN: %tamar replay %t.out | FileCheck --check-prefix=REPLAY %s
// REQUIRES: run, replay
// CHECK: out-of-bounds: {{.*}}temperatures.c:21
// CHECK: every path was explored
// REPLAY: as predicted
#include <tamar.h>

static const char *const words[] = {"ice", "cold", "mild", "warm", "hot"};

int main(void) {
    float fahrenheit;
    tamar_symbolic(&fahrenheit, sizeof fahrenheit, "fahrenheit");
    tamar_assume(fahrenheit >= -40.0f && fahrenheit <= 130.0f);
    float celsius = (fahrenheit - 32.0f) * 5.0f / 9.0f;
    int entry = celsius < 0 ? 0 : (int)(celsius / 10.0f);
    if (entry > 3 && entry < 5) return 1;
    return words[entry][0] == 'i'; // 122 degrees and more
}
