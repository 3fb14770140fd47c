// Rounding and square roots. musl's code adds and subtracts large numbers, or computes digit by digit, which gives
// queries that are hard for a solver; these are one operation of the engine. The native library has the instructions of
// SSE4.1. A NaN is returned unchanged, as by musl.
#include <math.h>

#define ROUNDS(name, type)                                                                                   \
    __attribute__((target("sse4.1"))) type name(type x) { return x != x ? x : __builtin_##name(x); }

ROUNDS(floor, double)
ROUNDS(floorf, float)
ROUNDS(ceil, double)
ROUNDS(ceilf, float)
ROUNDS(trunc, double)
ROUNDS(truncf, float)
ROUNDS(rint, double)
ROUNDS(rintf, float)
ROUNDS(nearbyint, double)
ROUNDS(nearbyintf, float)
ROUNDS(round, double)
ROUNDS(roundf, float)

double sqrt(double x) { return __builtin_sqrt(x); }
float sqrtf(float x) { return __builtin_sqrtf(x); }
long double sqrtl(long double x) { return __builtin_sqrtl(x); }
