// An exit status that was never set is reported at the end of main, not in the C library.
// RUN: rm -rf %t %t2 && status 1 %tamar run %s --sym-arg 1 --check uninit --out %t | FileCheck %s
// RUN: status 3 %tamar run %s --sym-arg 1 --out %t2 | FileCheck --check-prefix=TRIED %s
// REQUIRES: run
// CHECK: uninitialised: {{.*}}exit-status.c:[[#@LINE+6]]:{{.*}}: the exit status depends on uninitialised memory, in main
// TRIED: given up: the exit status depends on a value that was never set: only 0 was tried at {{.*}}exit-status.c:[[#@LINE+5]]
int main(int argc, char **argv) {
    int x;
    if (argc > 1 && argv[1][0] == 'a') x = 1;

    return x;
}
