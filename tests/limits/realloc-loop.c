// A block that grows by a megabyte, and is filled each time.
// limits: --max-time 5
#include <stdlib.h>
#include <string.h>
int main(void) {
    char *b = 0;
    for (size_t n = 1 << 20;; n += 1 << 20) {
        b = realloc(b, n);
        if (!b) return 0;
        memset(b, 1, n);
    }
}
