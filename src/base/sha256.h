// SHA-256, for formats that name files by it.
#ifndef TAMAR_SHA256_H
#define TAMAR_SHA256_H

#include "base/base.h"

// Writes the hash as 64 lower-case hexadecimal digits and a NUL.
void sha256_hex(const void *bytes, size_t size, char digits[65]);

#endif
