// A hundred thousand inputs of one name.
// limits: --max-time 10
#include <tamar.h>
int a[100000];
int main(void) {
    for (int i = 0; i < 100000; i++) a[i] = tamar_int("v");
    return a[5] == 3 && a[70000] == 17;
}
