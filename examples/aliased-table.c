// Four numbers, one of which is changed through a pointer to its lowest byte: the index that is read back may be out of
// range, and the divisor may be zero. The logic is that of the first example of the EXE paper.
#include <assert.h>
#include <stdlib.h>
#include <tamar.h>

int main(void) {
    unsigned table[4] = {1, 3, 5, 2}, choice, value;
    tamar_symbolic(&choice, sizeof choice, "choice");
    if (choice >= 4) exit(0);
    char *low = (char *)table + choice * 4;
    *low = *low - 1;
    value = table[*low]; // out of bounds when choice is 2
    value = value / table[choice]; // divides by zero when choice is 0
    if (value == 2)
        assert(choice == 1);
    else
        assert(choice == 3);
    return 0;
}
