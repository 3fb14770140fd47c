// A condition inside a loop: one iteration is enough to execute each side.
#include <stdlib.h>
int main(int argc, char **argv) {
    int at = atoi(argv[1]), low = 0, middle = 0, high = 0;
    if (at < 0) return -1;
    while (at < 12) {
        if (at < 4) {
            low++;
        } else if (at < 8) {
            middle++;
        } else {
            high++;
        }
        at++;
    }
    return low + middle + high;
}
