// A term that grows with each round, over one number.
// limits: --max-time 10
#include <tamar.h>
int main(void) {
    unsigned n = (unsigned)tamar_int("n"), rounds = 0;
    while (n != 1) {
        n = n % 2 ? 3 * n + 1 : n / 2;
        rounds++;
    }
    return rounds == 77;
}
