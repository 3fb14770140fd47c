// RUN: status 125 %tamar exec %s 2>%t
// RUN: FileCheck %s <%t
// REQUIRES: exec
static int *address_of_local(void) {
    int local = 3;
    int *p = &local;
    return p;
}

int main(void) {
    int *p = address_of_local();
    return *p; // CHECK: tamar: use-after-free: {{.*}}use-after-return.c:[[#@LINE]]
}
// CHECK: the stack of a function that has returned
