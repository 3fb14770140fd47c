#ifndef TAMAR_BENCH_RECORDED_H
#define TAMAR_BENCH_RECORDED_H

#include "base/base.h"

struct stream;

// Reads the first `most` queries of a log and passes them to the callback once; they are valid during that call.
// Returns false if the file cannot be read or is not an SMT-LIB script.
bool recorded_read(const char *file, uint32_t most, void (*use)(void *context, const struct stream *stream),
                   void *context);

#endif
