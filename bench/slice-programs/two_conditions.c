// The same condition twice in a row.
#include <stdlib.h>
int main(int argc, char **argv) {
    int width = atoi(argv[1]), height = atoi(argv[2]), total = 0;
    if (width * height > 20)
        total += width;
    else
        total -= height;
    if (width * height > 20)
        total += height;
    else
        total -= width;
    return total;
}
