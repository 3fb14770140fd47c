// `tamar cc` accepts code for gcc and glibc: macros of <sys/cdefs.h>, old type names; -Werror ignores clang's warnings.
// RUN: rm -rf %t && mkdir %t && cd %t && %tamar cc -std=gnu99 -pedantic -Wall -Wextra -Werror %s -o program && ./program | FileCheck %s
// RUN: %tamar exec %s | FileCheck %s
// gcc warns, too: an error as asked for
// RUN: not %tamar cc -Wall -Werror -DBAD %s -o none 2>&1 | FileCheck --check-prefix=BAD %s
// So do macros of the C library's headers that clang warns about.
// RUN: cd %t && %tamar cc -std=gnu89 -pedantic -Wno-comment -Wall -Wextra -Wcast-align -Wdouble-promotion -Werror -DMACROS %s -o macros && ./macros | FileCheck %s
// CHECK: 3 7 9
// BAD: error: {{.*}}unused
#include <stdio.h>

__BEGIN_DECLS
extern int old();
__END_DECLS

#include <stdlib.h>

int old() { return 3; }

#ifdef MACROS
#include <math.h>
#include <stdint.h>
#include <sys/socket.h>
static int macros(struct msghdr *message, double number) {
    struct cmsghdr *header = CMSG_FIRSTHDR(message);
    if (header) header = CMSG_NXTHDR(message, header);
    return !header && (isnan(number) || isinf(number) || (number > 2 && INT64_C(1)) || number == INFINITY);
}
#endif

int main(void) {
    uint seven = 7;
    ulong nine = 9;
    __uint32_t same = (__uint32_t)nine;
#ifdef BAD
    int unused;
#endif
#ifdef MACROS
    struct msghdr message = {0};
    if (macros(&message, 1)) return 1;
#endif
    printf("%d %u %u\n", old(), seven, same);
    return 0;
}
