#ifndef TAMAR_CLUSTER_CORES_H
#define TAMAR_CLUSTER_CORES_H

#include "base/base.h"

// Processors that this process may use: by its affinity and by the quota of its control group. At least 1.
uint32_t cores_usable(void);

#endif
