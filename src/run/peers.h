// The script of the peers that talk to a program from outside (`--peers`): docs/runtime.md describes it.
#ifndef TAMAR_RUN_PEERS_H
#define TAMAR_RUN_PEERS_H

#include "base/text.h"

// Reads it into the form of runtime/intrinsics.h (struct __tamar_peer_step). False: an error has been reported, and there are none.
bool peers_read(const char *path, struct text *steps);

#endif
