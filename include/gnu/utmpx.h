// GNU's names of the accounting files, which musl's <utmpx.h> leaves out (its functions are empty).
#include_next <utmpx.h>

#ifndef TAMAR_GNU_UTMPX_H
#define TAMAR_GNU_UTMPX_H
#ifdef _GNU_SOURCE
#define UTMPX_FILE "/var/run/utmp"
#define WTMPX_FILE "/var/log/wtmp"
#endif
#endif
