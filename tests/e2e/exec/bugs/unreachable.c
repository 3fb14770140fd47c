// RUN: status 125 %tamar exec %s 2>%t
// RUN: FileCheck %s <%t
// REQUIRES: exec
int main(int argc, char **argv) {
    if (argc < 100) __builtin_unreachable(); // CHECK: tamar: unreachable: {{.*}}unreachable.c:[[#@LINE]]
    return 0;
}
