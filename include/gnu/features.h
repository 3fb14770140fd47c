// As in glibc, <features.h> includes <sys/cdefs.h>, so that every header has its macros.
#include_next <features.h>
#include <sys/cdefs.h>
