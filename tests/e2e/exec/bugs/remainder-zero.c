// RUN: status 125 %tamar exec %s 2>%t
// RUN: FileCheck %s <%t
// REQUIRES: exec
int main(int argc, char **argv) {
    unsigned long long zero = (unsigned)argc - 1;
    return (int)(7ull % zero); // CHECK: tamar: div-by-zero: {{.*}}remainder-zero.c:[[#@LINE]]
}
