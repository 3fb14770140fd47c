// The script of the peers that talk to a program from outside (`--peers`): docs/sockets.md describes it.
#ifndef TAMAR_RUN_PEERS_H
#define TAMAR_RUN_PEERS_H

#include "base/text.h"

// Reads a script as an array of struct __tamar_peer_step (runtime/boundary.h). Returns false if an error has been
// reported; `steps` is then empty.
bool peers_read(const char *path, struct text *steps);

#endif
