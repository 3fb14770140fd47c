// Sites: calling contexts as numbers. A site is a call (or allocation) instruction together with the site of
// the call that entered its function. The table only grows and is shared by all states.
#ifndef TAMAR_STATE_SITE_H
#define TAMAR_STATE_SITE_H

#include "base/base.h"

struct site {
    uint32_t caller;      // site of the call that entered the function; 0: first function of the stack
    uint32_t function;    // index in the program
    uint32_t instruction; // index in that function
};

struct sites;

struct sites *sites_new(void);
void sites_free(struct sites *sites);
uint32_t site_intern(struct sites *sites, struct site site); // never 0
struct site site_get(const struct sites *sites, uint32_t number);
// Returns a hash that is equal for equal call stacks, whatever the numbers of their sites. Site 0 (none) is
// valid.
uint64_t site_hash(const struct sites *sites, uint32_t number);

#endif
