// One of several explorations of a program: carries out the coordinator's orders and reports. The transport is the
// caller's.
#ifndef TAMAR_CLUSTER_WORKER_H
#define TAMAR_CLUSTER_WORKER_H

#include "explore/explore.h"

struct worker;

struct worker_options {
    const struct explore_options *explore; // callbacks, seeds and limits on counts are ignored
    void *context;
    // Sends a report. Returns false if that is impossible; the worker then ends.
    bool (*send)(void *context, const struct text *report);
    // Called between two steps: passes received orders to worker_receive. `wait`: blocks until one arrives or the
    // worker is to end. Returns false if no further order can arrive.
    bool (*poll)(void *context, struct worker *worker, bool wait);
    // Returns true if a report can be sent now; otherwise the worker continues to explore. NULL: always.
    bool (*may_send)(void *context);
    double (*clock)(void); // seconds; NULL: the system's clock
    bool every_step;       // poll after every step, for tests
    double report_seconds; // shortest time between two reports; 0: the default
};

// Returns NULL if the search strategy is invalid; an error has been reported.
struct worker *worker_new(const struct ir_program *program, const struct worker_options *options);
void worker_free(struct worker *worker);
// Explores until it is ordered to end, a limit is reached or the connection is lost; the last report has been sent
// then.
void worker_serve(struct worker *worker);
// Processes an order. Returns false if it is damaged or for another program; `problem` gets the reason, and the
// worker ends.
bool worker_receive(struct worker *worker, const void *bytes, size_t size, struct text *problem);

// Explores until the worker is to end, no state is left, or poll calls worker_pause. For tests, instead of
// worker_serve.
void worker_run(struct worker *worker);
void worker_pause(struct worker *worker);
bool worker_has_ended(const struct worker *worker);
struct explore *worker_explore(struct worker *worker);

#endif
