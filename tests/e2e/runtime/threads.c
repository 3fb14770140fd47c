// RUN: same-as-kernel %tamar %s %t
#include "Inputs/trace.h"
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int items[4], count, total;
static __thread int own = 3;

static void *produce(void *argument) {
    for (int i = 1; i <= 50; i++) {
        pthread_mutex_lock(&lock);
        while (count == 4) pthread_cond_wait(&changed, &lock);
        items[count++] = i;
        own++;
        pthread_cond_broadcast(&changed);
        pthread_mutex_unlock(&lock);
    }
    return (void *)(long)own;
}

static void *consume(void *argument) {
    for (int i = 1; i <= 50; i++) {
        pthread_mutex_lock(&lock);
        while (count == 0) pthread_cond_wait(&changed, &lock);
        total += items[--count];
        pthread_cond_broadcast(&changed);
        pthread_mutex_unlock(&lock);
    }
    return (void *)(long)own;
}

static void queue(void) {
    pthread_t threads[4];
    void *result;
    for (int i = 0; i < 4; i++) T(pthread_create(&threads[i], NULL, i % 2 ? consume : produce, NULL));
    for (int i = 0; i < 4; i++) {
        T(pthread_join(threads[i], &result));
        T(result);
    }
    T(total);
    T(own);
}

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int initialised;
static void initialise(void) { initialised++; }
static pthread_barrier_t barrier;
static pthread_rwlock_t readers = PTHREAD_RWLOCK_INITIALIZER;
static sem_t semaphore;
static int phase, serial, seen;

static void *meet(void *argument) {
    pthread_once(&once, initialise);
    pthread_mutex_lock(&lock);
    phase++;
    pthread_mutex_unlock(&lock);
    if (pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD) serial++;
    pthread_rwlock_rdlock(&readers);
    int now = phase; // all have come
    pthread_rwlock_unlock(&readers);
    pthread_rwlock_wrlock(&readers);
    seen += now;
    pthread_rwlock_unlock(&readers);
    sem_post(&semaphore);
    return NULL;
}

static void meeting(void) {
    pthread_t threads[5];
    T(pthread_barrier_init(&barrier, NULL, 5));
    T(sem_init(&semaphore, 0, 0));
    for (int i = 0; i < 5; i++) pthread_create(&threads[i], NULL, meet, NULL);
    for (int i = 0; i < 5; i++) T(sem_wait(&semaphore));
    for (int i = 0; i < 5; i++) T(pthread_join(threads[i], NULL));
    T(initialised);
    T(serial);
    T(seen);
    T(sem_trywait(&semaphore));
    T(pthread_barrier_destroy(&barrier));
}

static pthread_key_t key;
static int destroyed;
static void destroy(void *value) { destroyed += *(int *)value; }

static void *keep(void *argument) {
    pthread_setspecific(key, argument);
    pthread_exit(pthread_getspecific(key));
}

static void keys(void) {
    pthread_t thread;
    int value = 42;
    void *result;
    T(pthread_key_create(&key, destroy));
    T(pthread_getspecific(key) == NULL);
    T(pthread_create(&thread, NULL, keep, &value));
    T(pthread_join(thread, &result));
    T(result == &value);
    T(destroyed);
}

static void *detached(void *argument) {
    usleep(1000);
    sem_post(argument);
    return NULL;
}

static void *sleeper(void *argument) {
    for (;;) sleep(1000);
}

static int tried;
static void *locker(void *argument) {
    tried = pthread_mutex_trylock(argument);
    sem_post(&semaphore);
    return (void *)(long)pthread_mutex_lock(argument);
}

static void ends(void) {
    pthread_t thread;
    pthread_attr_t attributes;
    sem_t done;
    void *result;
    T(sem_init(&done, 0, 0));
    T(pthread_attr_init(&attributes));
    T(pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED));
    T(pthread_create(&thread, &attributes, detached, &done));
    T(sem_wait(&done));
    T(pthread_create(&thread, NULL, sleeper, NULL));
    T(pthread_cancel(thread));
    T(pthread_join(thread, &result));
    T(result == PTHREAD_CANCELED);
    pthread_mutexattr_t kind;
    pthread_mutex_t recursive, held = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutexattr_init(&kind);
    pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_RECURSIVE);
    T(pthread_mutex_init(&recursive, &kind));
    T(pthread_mutex_lock(&recursive));
    T(pthread_mutex_lock(&recursive));
    T(pthread_mutex_unlock(&recursive));
    T(pthread_mutex_unlock(&recursive));
    pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_ERRORCHECK);
    T(pthread_mutex_init(&recursive, &kind));
    T(pthread_mutex_lock(&recursive));
    T(pthread_mutex_lock(&recursive));
    T(pthread_mutex_lock(&held));
    T(pthread_create(&thread, NULL, locker, &held));
    T(sem_wait(&semaphore));
    T(tried);
    T(pthread_mutex_unlock(&held));
    T(pthread_join(thread, &result));
    T(result);
}

static void timed(void) {
    struct timespec at;
    pthread_mutex_lock(&lock);
    clock_gettime(CLOCK_REALTIME, &at);
    at.tv_nsec += 10000000;
    if (at.tv_nsec >= 1000000000) at.tv_sec++, at.tv_nsec -= 1000000000;
    T(pthread_cond_timedwait(&changed, &lock, &at));
    pthread_mutex_unlock(&lock);
    T(sem_timedwait(&semaphore, &at));
}

static volatile sig_atomic_t handled;
static void handle(int signal) { handled = signal; }
static void *wait_for_signal(void *argument) {
    sigset_t none;
    sigemptyset(&none);
    while (!handled) sigsuspend(&none);
    return (void *)(long)handled;
}

static void signalled(void) {
    pthread_t thread;
    void *result;
    sigset_t block;
    sigemptyset(&block);
    sigaddset(&block, SIGUSR1);
    signal(SIGUSR1, handle);
    T(pthread_sigmask(SIG_BLOCK, &block, NULL));
    T(pthread_create(&thread, NULL, wait_for_signal, NULL));
    T(pthread_kill(thread, SIGUSR1));
    T(pthread_join(thread, &result));
    T(result);
}

int main(void) {
    queue();
    meeting();
    keys();
    ends();
    timed();
    signalled();
    return 0;
}
