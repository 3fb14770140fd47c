// --max-memory limits the whole process: states of many sizes are made and dropped, which fragments the memory, and the
// limit still holds. (A sanitizer would need more memory.)
// RUN: rm -rf %t.* && status 3 %tamar run -q --search bfs --max-memory 250 --max-paths 6000 --out %t.1 %s
// RUN: python3 %S/Inputs/summary %t.1 'paths.killed > 1000' 'paths.completed >= 6000' 'peak_memory < 250 << 20'
// REQUIRES: run
// UNSUPPORTED: sanitized
#include <stdlib.h>
#include <string.h>
#include <tamar.h>

int main(void) {
    unsigned char choice[40];
    char *kept[40];
    tamar_symbolic(choice, sizeof choice, "choice");
    for (unsigned i = 0; i < sizeof choice; i++) {
        size_t size = choice[i] > 100 ? 200 + 150 * i : 3000 - 70 * i;
        kept[i] = malloc(size);
        memset(kept[i], (int)i, size);
        if (i > 2 && choice[i] > 200) free(kept[i - 2]), kept[i - 2] = NULL;
    }
    return 0;
}
