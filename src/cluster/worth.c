#include "cluster/worth.h"

#define MOST_LEAST    4096u // upper limit of `least`
#define FIXED         0.002 // seconds of a move apart from rebuilding: two reports, their merging, an order
#define EXPENSIVE     0.10  // if moving states takes more than this share of the time, `least` is raised
#define CHEAP         0.04  // if it takes less than this share, `least` is halved
#define PAUSE_SHARE   5.0   // pause before an attempt with fewer states, as a multiple of the cost of a move
#define LEAST_PAUSE   0.01
#define LARGEST_PAUSE 1.0

void worth_note(struct worth *worth, uint64_t states, double processor, double rebuilding, double now) {
    double cost = rebuilding + FIXED;
    if (cost > EXPENSIVE * processor)
        worth->least = (uint32_t)MIN(MAX(MAX(1, worth->least) * 2, states), MOST_LEAST);
    else if (cost < CHEAP * processor)
        worth->least /= 2;
    worth->pause = MIN(MAX(PAUSE_SHARE * cost, LEAST_PAUSE), LARGEST_PAUSE);
    worth->next = now + worth->pause;
}

void worth_wait(struct worth *worth, double now) {
    if (!worth->least || now < worth->next) return;
    worth->least /= 2;
    worth->next = now + worth->pause;
}

double worth_rebuilding(const struct work_report *report) {
    return report->processor > 0 ? report->busy * report->rebuilding / report->processor : 0;
}
