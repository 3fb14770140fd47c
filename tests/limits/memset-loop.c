// Fills sixteen megabytes in an endless loop.
// limits: --max-time 5
#include <stdlib.h>
#include <string.h>
int main(void) {
    char *b = malloc(16 << 20);
    for (int i = 0;; i++) memset(b, i, 16 << 20);
}
