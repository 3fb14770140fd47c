// Two threads that take two locks in opposite order: the schedule shows the deadlock, with all stacks.
// RUN: rm -rf %t.out
// RUN: status 125 %tamar exec -g %s 2>&1 | FileCheck %s
// RUN: rm -rf %t.out
// RUN: status 1 %tamar run --out %t.out --sym-stdin 1 -DSYMBOLIC %s | FileCheck %s
// CHECK: tamar: deadlock: {{.*}}deadlock.c:{{[0-9:]+}}: waiting for a lock that is never released, in
// CHECK-DAG: waits:
// CHECK-DAG: in_order
// CHECK-DAG: against_order
// CHECK-DAG: main
#include <pthread.h>
#include <sched.h>
#include <stdio.h>

static pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER, second = PTHREAD_MUTEX_INITIALIZER;

static void *in_order(void *argument) {
    pthread_mutex_lock(&first);
    sched_yield();
    pthread_mutex_lock(&second);
    pthread_mutex_unlock(&second);
    pthread_mutex_unlock(&first);
    return NULL;
}

static void *against_order(void *argument) {
    pthread_mutex_lock(&second);
    sched_yield();
    pthread_mutex_lock(&first);
    pthread_mutex_unlock(&first);
    pthread_mutex_unlock(&second);
    return NULL;
}

int main(void) {
    pthread_t a, b;
#ifdef SYMBOLIC
    if (getchar() != 'd') return 0; // the other path is no deadlock
#endif
    pthread_create(&a, NULL, in_order, NULL);
    pthread_create(&b, NULL, against_order, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
