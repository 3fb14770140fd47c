// Stores at symbolic offsets: each is a term over all that were before it.
// limits: --max-time 10 --max-memory 300
#include <tamar.h>
unsigned char t[4096];
int main(void) {
    for (int i = 0; i < 80000; i++) {
        unsigned k = (unsigned)tamar_int("k");
        t[k % 4096] = (unsigned char)i;
    }
    return t[7] == 3;
}
