// RUN: same-as-native %tamar %s </dev/null
// REQUIRES: exec
// SSE's conversions to integers by intrinsics, as real code calls them: rounding, truncating, out of range.
#include <emmintrin.h>
#include <stdio.h>

int main(void) {
    static const double values[] = {0,   0.5,          1.5,           2.5, -0.5,   -1.5, -2.75,
                                    1e9, 2147483647.5, -2147483648.5, 3e9, -1e300, 1e18, 1e19};
    for (unsigned i = 0; i < sizeof values / sizeof *values; i++) {
        __m128d d = _mm_set_sd(values[i]);
        __m128 f = _mm_set_ss((float)values[i]);
        printf("%d %d %lld %lld ", _mm_cvtsd_si32(d), _mm_cvttsd_si32(d), (long long)_mm_cvtsd_si64(d),
               (long long)_mm_cvttsd_si64(d));
        printf("%d %d %lld %lld\n", _mm_cvtss_si32(f), _mm_cvttss_si32(f), (long long)_mm_cvtss_si64(f),
               (long long)_mm_cvttss_si64(f));
    }
    return 0;
}
