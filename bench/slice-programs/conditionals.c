// A chain of conditions, each tested only if the one before was false; one line is unreachable.
#include <stdlib.h>
int main(int argc, char **argv) {
    int value = atoi(argv[1]);
    if (value < -50)
        return 1;
    else if (value < 0)
        return 2;
    else if (value == 0)
        return 3;
    else if (value < 10)
        return 4;
    else if (value < 50)
        return 5;
    else if (value < 20)
        return 6;
    else
        return 7;
}
