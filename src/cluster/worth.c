#include "cluster/worth.h"

#define MOST_LEAST    256u  // a worker gives 512 at most (worker.c)
#define FIXED         0.002 // seconds of a move apart from rebuilding: two reports, their merging, an order
#define EXPENSIVE     0.08  // share of the time that moving may take
#define CHEAP         0.03  // below it fewer states are enough
#define PAUSE_SHARE   20.0  // an attempt with fewer states may cost this part of the time
#define LEAST_PAUSE   0.01
#define LARGEST_PAUSE 1.0

void worth_note(struct worth *worth, double busy, double rebuilding, double now) {
    double cost = rebuilding + FIXED;
    if (cost > EXPENSIVE * busy)
        worth->least = MIN(MAX(1, worth->least) * 2, MOST_LEAST);
    else if (cost < CHEAP * busy)
        worth->least /= 2;
    worth->pause = MIN(MAX(PAUSE_SHARE * cost, LEAST_PAUSE), LARGEST_PAUSE);
    worth->next = now + worth->pause;
}

void worth_wait(struct worth *worth, double now) {
    if (!worth->least || now < worth->next) return;
    worth->least /= 2;
    worth->next = now + worth->pause;
}
