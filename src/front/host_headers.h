// Explains why a header of the host cannot be used, and what to do instead.
#ifndef TAMAR_FRONT_HOST_HEADERS_H
#define TAMAR_FRONT_HOST_HEADERS_H

// Explains, after the compiler has failed, which headers that `source` includes exist only on the host.
void host_headers_explain(const char *source);

#endif
