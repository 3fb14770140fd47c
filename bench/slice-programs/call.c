// A sum, computed by a separate function.
#include <stdlib.h>
static int sum(int a, int b) {
    int result = a + b;
    return result;
}
int main(int argc, char **argv) {
    int a = atoi(argv[1]), b = atoi(argv[2]);
    return sum(a, b);
}
