// Inputs of one name in a loop, added up.
// limits: --max-time 3
#include <tamar.h>
int main(void) {
    unsigned s = 0;
    for (int i = 0; i < 8000; i++) s += (unsigned)tamar_int("n");
    return s == 7;
}
