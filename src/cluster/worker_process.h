#ifndef TAMAR_CLUSTER_WORKER_PROCESS_H
#define TAMAR_CLUSTER_WORKER_PROCESS_H

// In a process that was forked to be a worker: it ends with its parent, leaves Ctrl-C to that one, and says nothing to the user.
void worker_process_begin(void);

#endif
