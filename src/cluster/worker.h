// One of several explorations of a program: explores what the coordinator orders, and reports. How bytes travel is the caller's matter.
#ifndef TAMAR_CLUSTER_WORKER_H
#define TAMAR_CLUSTER_WORKER_H

#include "explore/explore.h"

struct worker;

struct worker_options {
    const struct explore_options
        *explore; // callbacks, seeds of the run and its limits on counts are left out
    void *context;
    // A report; false: it cannot be sent, and the worker ends.
    bool (*send)(void *context, const struct text *report);
    // Called between two steps: gives what has come to worker_receive. `wait`: until something has come, or the worker is to end. False:
    // no order will come any more.
    bool (*poll)(void *context, struct worker *worker, bool wait);
    // Can a report be sent now? Else the worker goes on with what it has. NULL: always.
    bool (*may_send)(void *context);
    double (*clock)(void); // seconds; NULL: the real time
    bool every_step;       // poll after every step, for tests
    double report_seconds; // between two reports at least; 0: a good number
};

// NULL: the strategy's text is wrong, which has been reported.
struct worker *worker_new(const struct ir_program *program, const struct worker_options *options);
void worker_free(struct worker *worker);
// Explores until it is told to end, a limit is reached, or the link is gone; the last report has been sent then.
void worker_serve(struct worker *worker);
// An order. False: it is damaged or not of this program; `problem` gets the reason, and the worker ends.
bool worker_receive(struct worker *worker, const void *bytes, size_t size, struct text *problem);

// For tests, in place of worker_serve: explores until it is to end, has no state left, or worker_pause is called from poll.
void worker_run(struct worker *worker);
void worker_pause(struct worker *worker);
bool worker_has_ended(const struct worker *worker);
struct explore *worker_explore(struct worker *worker);

#endif
