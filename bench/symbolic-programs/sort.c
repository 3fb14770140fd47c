// Sorting 6 symbolic numbers by insertion; on every path the result is in order.
#include <tamar.h>

#define COUNT 6

int main(void) {
    int number[COUNT];
    tamar_symbolic(number, sizeof number, "number");
    for (int i = 1; i < COUNT; i++) {
        int moving = number[i], k = i;
        for (; k > 0 && number[k - 1] > moving; k--) number[k] = number[k - 1];
        number[k] = moving;
    }
    for (int i = 1; i < COUNT; i++) tamar_assert(number[i - 1] <= number[i]);
    return 0;
}
