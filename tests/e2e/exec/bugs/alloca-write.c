// RUN: status 125 %tamar exec %s 2>%t
// RUN: FileCheck %s <%t
// REQUIRES: exec
static int fill(int n) {
    char before[n];
    int *list = __builtin_alloca((unsigned)n * sizeof *list);
    for (int i = 0; i <= n; i++) list[i] = i; // CHECK: tamar: out-of-bounds: {{.*}}alloca-write.c:[[#@LINE]]
    // CHECK: just after the end of a variable-length array or alloca of 20 bytes of fill
    // CHECK: allocated by:
    // CHECK: alloca-write.c:[[#@LINE-4]]
    return list[0] + (int)sizeof before;
}

int main(void) { return fill(5); }
