// A function without a body and a system call that is not modelled, under each policy. A native call runs in a child
// that may make no system call; a sanitizer there needs some.
// UNSUPPORTED: sanitized
// RUN: status 126 %tamar exec --allow-undefined %s 2>&1 | FileCheck --check-prefix=END %s
// END: tamar: gave up: {{.*}}unmodelled.c:[[@LINE+32]]:{{.*}} not modelled: call of ecvt_r, which is not defined, in main
// RUN: status 2 %tamar exec %s 2>&1 | FileCheck --check-prefix=REFUSED %s
// REFUSED: undefined function "ecvt_r"
// RUN: status 38 %tamar exec --unmodelled error %s
// RUN: %tamar exec --unmodelled native %s | FileCheck --check-prefix=NATIVE %s
// NATIVE: 0 31416 1 0
// RUN: rm -rf %t.out && status 3 %tamar run --sym-stdin 1 --unmodelled error --emit all --json --out %t.out -DCALL %s | FileCheck --check-prefix=JSON %s
// JSON: "what": "system call inotify_init is not modelled: it failed with ENOSYS"
// The exact build returns the same error; a kernel that has the call does not.
// RUN: status 1 %tamar replay %t.out | FileCheck --check-prefix=REPLAY %s
// REPLAY-COUNT-2: exact: the same
// RUN: status 126 %tamar exec -DCALL %s 2>&1 | FileCheck --check-prefix=CALL %s
// CALL: unmodelled.c:{{[0-9:]+}}: not modelled: system call inotify_init1, in main
// A native function that makes a system call is stopped.
// RUN: status 126 %tamar exec --unmodelled native -DHARM %s 2>&1 | FileCheck --check-prefix=HARM %s
// HARM: native call of getpt: it makes system calls, which is not allowed
#include <errno.h>
#include <stdio.h>
#include <sys/inotify.h>

int ecvt_r(double value, int digits, int *point, int *sign, char *buffer, unsigned long size);
int getpt(void); // opens /dev/ptmx

int main(void) {
#ifdef CALL
    if (getchar() == 'x') return 1;
    return inotify_init() == -1 && errno == ENOSYS ? 0 : 2;
#elif defined HARM
    return getpt();
#else
    int point = 0, sign = 0;
    char buffer[32] = "";
    int result = ecvt_r(3.14159265, 5, &point, &sign, buffer, sizeof buffer);
    if (result == -1 && errno == ENOSYS) return ENOSYS;
    printf("%d %s %d %d\n", result, buffer, point, sign);
    return 0;
#endif
}
