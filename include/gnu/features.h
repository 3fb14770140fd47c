// glibc's <features.h> brings the macros of <sys/cdefs.h> with every header.
#include_next <features.h>
#include <sys/cdefs.h>
