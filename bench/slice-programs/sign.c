// A choice of three cases.
#include <stdlib.h>
int main(int argc, char **argv) {
    int value = atoi(argv[1]);
    if (value < 0) return -1;
    if (value > 0) return 1;
    return 0;
}
