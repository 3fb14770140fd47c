// RUN: status 125 %tamar exec %s 2>%t
// RUN: FileCheck %s <%t
// REQUIRES: exec
int main(int argc, char **argv) {
    int *last = &argc;
    for (int i = 0; i < 3; i++) {
        int round = i;
        if (i == 1) last = &round;
    }
    return *last; // CHECK: tamar: use-after-scope: {{.*}}use-after-scope.c:[[#@LINE]]
    // CHECK: 0 bytes inside the local variable `round` of 4 bytes of main at {{.*}}use-after-scope.c:[[#@LINE-4]], which is out of scope
}
