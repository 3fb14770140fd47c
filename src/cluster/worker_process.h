// Prepares a forked process for its work as a worker.
#ifndef TAMAR_CLUSTER_WORKER_PROCESS_H
#define TAMAR_CLUSTER_WORKER_PROCESS_H

// Call it in a process forked as a worker: it ends with its parent, ignores Ctrl-C, and prints nothing.
void worker_process_begin(void);

#endif
