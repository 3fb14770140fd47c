// Finds out how many processors a run may use.
#ifndef TAMAR_CLUSTER_CORES_H
#define TAMAR_CLUSTER_CORES_H

#include "base/base.h"

// Returns the number of processors that this process may use, by its affinity and its control group's quota; at least
// 1.
uint32_t cores_usable(void);

#endif
