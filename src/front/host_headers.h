// Why a header of the host cannot be used, and what to do.
#ifndef TAMAR_FRONT_HOST_HEADERS_H
#define TAMAR_FRONT_HOST_HEADERS_H

// Explains headers that `source` includes and only the host has, after the compiler has failed.
void host_headers_explain(const char *source);

#endif
