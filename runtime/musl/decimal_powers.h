// Powers of ten that fit into 64 bits, for reading (floatscan.c) and writing numbers (format_double.h).
#ifndef TAMAR_MUSL_DECIMAL_POWERS_H
#define TAMAR_MUSL_DECIMAL_POWERS_H

#include <stdint.h>

static const uint64_t decimal_powers[] = {
    1ULL,
    10ULL,
    100ULL,
    1000ULL,
    10000ULL,
    100000ULL,
    1000000ULL,
    10000000ULL,
    100000000ULL,
    1000000000ULL,
    10000000000ULL,
    100000000000ULL,
    1000000000000ULL,
    10000000000000ULL,
    100000000000000ULL,
    1000000000000000ULL,
    10000000000000000ULL,
    100000000000000000ULL,
    1000000000000000000ULL,
    10000000000000000000ULL,
};

#endif
