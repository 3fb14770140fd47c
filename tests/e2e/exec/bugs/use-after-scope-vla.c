// RUN: %tamar cc -g -w %s -o %t
// RUN: status 125 %tamar exec %t -- a 2>%t.err
// RUN: FileCheck %s <%t.err
// RUN: %tamar exec %t
// REQUIRES: exec
int main(int argc, char **argv) {
    int kept = 0, *last = &kept;
    for (int i = 1; i < 4; i++) {
        int array[i + argc];
        array[0] = i;
        if (i == argc) last = array;
        kept += array[0];
    }
    if (argc == 1) return kept != 6;
    return *last; // CHECK: tamar: use-after-scope: {{.*}}use-after-scope-vla.c:[[#@LINE]]
    // CHECK: a variable-length array, which is out of scope
}
