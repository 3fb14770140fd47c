// Threads that are never joined.
// limits: --max-time 10 --max-memory 300
#include <pthread.h>
#include <tamar.h>
static void *work(void *p) { return p; }
int main(void) {
    int n = tamar_int("n");
    if (n > 5) n++;
    for (int i = 0; i < 100000; i++) {
        pthread_t t;
        if (pthread_create(&t, 0, work, 0)) return 1;
    }
    return n == 3;
}
