// Two loops in sequence; the second does not branch on the input, but computes values from it.
#include <stdlib.h>
int main(int argc, char **argv) {
    int width = atoi(argv[1]), height = atoi(argv[2]), total = 0;
    for (int round = 0; round < 10; round++)
        if (total < 20) total += width * height;
    for (int round = 0; round < 10; round++)
        if (round < 5) total += width * height;
    return total;
}
