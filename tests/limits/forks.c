// Forks processes in an endless loop.
// limits: --max-time 10 --max-memory 300
#include <unistd.h>
#include <tamar.h>
int main(void) {
    int n = tamar_int("n");
    if (n > 5) n++;
    for (;;) fork();
}
