// Every intrinsic of SSE to SSE4.2 that clang 19 leaves to the processor, on random and on extreme operands.
// RUN: same-as-native %tamar %s </dev/null
// REQUIRES: exec
#include <nmmintrin.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define WITH(extension) __attribute__((target(extension)))

static uint64_t seed = 88172645463325252u;
static uint64_t next(void) {
    seed ^= seed << 13;
    seed ^= seed >> 7;
    return seed ^= seed << 17;
}
static uint64_t extreme(void) {
    static const uint64_t values[] = {0,           ~0ull,       0x8000800080008000, 0x7fff7fff7fff7fff, 0x8080808080808080, 0x7f7f7f7f7f7f7f7f,
                                      0x80000000, 0x7fffffff, 0x8000000000000000, 1,                  0x00ff00ff00ff00ff, 0x0102030405060708};
    return next() % 3 ? next() : values[next() % 12];
}
static __m128i integers(void) { return _mm_set_epi64x((long long)extreme(), (long long)extreme()); }
static float number(void) {
    static const float values[] = {0, -0.0f, 1, -1, 0.5f, 1.5f, 2.5f, -2.5f, 3e9f, -3e9f, 2147483648.0f, 1e-40f, __builtin_inff()};
    return next() % 3 ? (float)(int32_t)next() / 65536 : values[next() % 13];
}
static __m128 floats(void) { return _mm_set_ps(number(), number(), number(), number()); }
static __m128d doubles(void) { return _mm_set_pd((double)number() * 3, (double)number()); }

static uint64_t sum;
static void mix(const void *data, size_t size) {
    unsigned char bytes[16];
    memcpy(bytes, data, size);
    for (size_t i = 0; i < size; i++) sum = (sum ^ bytes[i]) * 0x100000001b3;
}
#define SHOW(name) printf("%s %016llx\n", name, (unsigned long long)sum), sum = 0xcbf29ce484222325
#define TEST(name, type, expression)                                                                         \
    for (int round = 0; round < 12; round++) {                                                               \
        __m128i a = integers(), b = integers();                                                              \
        __m128 x = floats(), y = floats();                                                                   \
        __m128d u = doubles(), v = doubles();                                                                \
        (void)a, (void)b, (void)x, (void)y, (void)u, (void)v;                                                \
        type result = expression;                                                                            \
        mix(&result, sizeof result);                                                                         \
    }                                                                                                        \
    SHOW(name);
#define I(f) TEST(#f, __m128i, f(a, b))
#define S(f, n) TEST(#f, __m128i, f(a, n))
#define F(f) TEST(#f, __m128, f(x, y))
#define D(f) TEST(#f, __m128d, f(u, v))
#define CF(f) TEST(#f, int, f(x, y))
#define CD(f) TEST(#f, int, f(u, v))
#define COUNT_OF(f) TEST(#f " by vector", __m128i, f(a, _mm_set_epi64x((long long)next(), (long long)(next() % 70))))

static void sse(void) {
    F(_mm_min_ps) F(_mm_max_ps) F(_mm_min_ss) F(_mm_max_ss) D(_mm_min_pd) D(_mm_max_pd) D(_mm_min_sd) D(_mm_max_sd)
    F(_mm_cmpeq_ps) F(_mm_cmplt_ps) F(_mm_cmple_ps) F(_mm_cmpunord_ps) F(_mm_cmpneq_ps) F(_mm_cmpnlt_ps) F(_mm_cmpnle_ps) F(_mm_cmpord_ps)
    F(_mm_cmpeq_ss) F(_mm_cmplt_ss) F(_mm_cmple_ss) F(_mm_cmpunord_ss) F(_mm_cmpneq_ss) F(_mm_cmpnlt_ss) F(_mm_cmpnle_ss) F(_mm_cmpord_ss)
    F(_mm_cmpgt_ps) F(_mm_cmpge_ps) F(_mm_cmpngt_ss) F(_mm_cmpnge_ss)
    D(_mm_cmpeq_pd) D(_mm_cmplt_pd) D(_mm_cmple_pd) D(_mm_cmpunord_pd) D(_mm_cmpneq_pd) D(_mm_cmpnlt_pd) D(_mm_cmpnle_pd) D(_mm_cmpord_pd)
    D(_mm_cmpeq_sd) D(_mm_cmplt_sd) D(_mm_cmple_sd) D(_mm_cmpunord_sd) D(_mm_cmpneq_sd) D(_mm_cmpnlt_sd) D(_mm_cmpnle_sd) D(_mm_cmpord_sd)
    CF(_mm_comieq_ss) CF(_mm_comineq_ss) CF(_mm_comilt_ss) CF(_mm_comile_ss) CF(_mm_comigt_ss) CF(_mm_comige_ss)
    CF(_mm_ucomieq_ss) CF(_mm_ucomineq_ss) CF(_mm_ucomilt_ss) CF(_mm_ucomile_ss) CF(_mm_ucomigt_ss) CF(_mm_ucomige_ss)
    CD(_mm_comieq_sd) CD(_mm_comineq_sd) CD(_mm_comilt_sd) CD(_mm_comile_sd) CD(_mm_comigt_sd) CD(_mm_comige_sd)
    CD(_mm_ucomieq_sd) CD(_mm_ucomineq_sd) CD(_mm_ucomilt_sd) CD(_mm_ucomile_sd) CD(_mm_ucomigt_sd) CD(_mm_ucomige_sd)
    TEST("movmsk_ps", int, _mm_movemask_ps(x)) TEST("movmsk_pd", int, _mm_movemask_pd(u))
    TEST("cvtps", __m128i, _mm_cvtps_epi32(x)) TEST("cvttps", __m128i, _mm_cvttps_epi32(x))
    TEST("cvtpd", __m128i, _mm_cvtpd_epi32(u)) TEST("cvttpd", __m128i, _mm_cvttpd_epi32(u))
    TEST("cvtpd_ps", __m128, _mm_cvtpd_ps(u)) TEST("cvtsd_ss", __m128, _mm_cvtsd_ss(x, u))
    TEST("cvtss_si32", int, _mm_cvtss_si32(x)) TEST("cvttsd_si64", long long, _mm_cvttsd_si64(u))
    TEST("sqrt_ps", __m128, _mm_sqrt_ps(_mm_and_ps(x, _mm_castsi128_ps(_mm_set1_epi32(0x7fffffff)))))
    TEST("sqrt_sd", __m128d, _mm_sqrt_sd(u, _mm_mul_sd(v, v)))
    TEST("csr", unsigned, (_mm_getcsr() & ~0x3fu))
    _mm_setcsr(_mm_getcsr());
}

static void sse2(void) {
    I(_mm_avg_epu8) I(_mm_avg_epu16) I(_mm_mulhi_epi16) I(_mm_mulhi_epu16) I(_mm_madd_epi16) I(_mm_sad_epu8)
    I(_mm_packs_epi16) I(_mm_packs_epi32) I(_mm_packus_epi16) I(_mm_mul_epu32) I(_mm_adds_epi8) I(_mm_subs_epu16) I(_mm_max_epi16) I(_mm_min_epu8)
    COUNT_OF(_mm_sll_epi16) COUNT_OF(_mm_sll_epi32) COUNT_OF(_mm_sll_epi64) COUNT_OF(_mm_srl_epi16) COUNT_OF(_mm_srl_epi32) COUNT_OF(_mm_srl_epi64)
    COUNT_OF(_mm_sra_epi16) COUNT_OF(_mm_sra_epi32)
    S(_mm_slli_epi16, round * 2) S(_mm_slli_epi32, round * 4) S(_mm_slli_epi64, round * 8) S(_mm_srli_epi16, round * 2) S(_mm_srli_epi32, round * 4)
    S(_mm_srli_epi64, round * 8) S(_mm_srai_epi16, round * 2) S(_mm_srai_epi32, round * 4) S(_mm_slli_si128, 5) S(_mm_srli_si128, 3)
    TEST("movemask", int, _mm_movemask_epi8(a))
    for (int i = 0; i < 8; i++) {
        char to[16] = "0123456789abcdef";
        _mm_maskmoveu_si128(integers(), integers(), to);
        mix(to, 16);
    }
    SHOW("maskmove");
}

static WITH("ssse3") void ssse3(void) {
    I(_mm_hadd_epi16) I(_mm_hadd_epi32) I(_mm_hadds_epi16) I(_mm_hsub_epi16) I(_mm_hsub_epi32) I(_mm_hsubs_epi16) I(_mm_maddubs_epi16)
    I(_mm_mulhrs_epi16) I(_mm_shuffle_epi8) I(_mm_sign_epi8) I(_mm_sign_epi16) I(_mm_sign_epi32)
    TEST("abs8", __m128i, _mm_abs_epi8(a)) TEST("abs16", __m128i, _mm_abs_epi16(a)) TEST("abs32", __m128i, _mm_abs_epi32(a))
    TEST("alignr", __m128i, _mm_alignr_epi8(a, b, 5))
    F(_mm_addsub_ps) F(_mm_hadd_ps) F(_mm_hsub_ps) D(_mm_addsub_pd) D(_mm_hadd_pd) D(_mm_hsub_pd)
    TEST("lddqu", __m128i, _mm_lddqu_si128((const __m128i *)(const void *)"0123456789abcdefgh" + (round & 0)))
}

static WITH("sse4.2") void sse4(void) {
    TEST("blendv8", __m128i, _mm_blendv_epi8(a, b, integers())) TEST("blendvps", __m128, _mm_blendv_ps(x, y, _mm_castsi128_ps(a)))
    TEST("blendvpd", __m128d, _mm_blendv_pd(u, v, _mm_castsi128_pd(a)))
    TEST("dpps", __m128, _mm_dp_ps(x, y, 0x7b)) TEST("dppd", __m128d, _mm_dp_pd(u, v, 0x32)) TEST("insertps", __m128, _mm_insert_ps(x, y, 0x9c))
    I(_mm_packus_epi32) TEST("minpos", __m128i, _mm_minpos_epu16(a))
    TEST("mpsadbw 0", __m128i, _mm_mpsadbw_epu8(a, b, 0)) TEST("mpsadbw 7", __m128i, _mm_mpsadbw_epu8(a, b, 7)) TEST("mpsadbw 2", __m128i, _mm_mpsadbw_epu8(a, b, 2))
    TEST("testz", int, _mm_testz_si128(a, b)) TEST("testc", int, _mm_testc_si128(a, b)) TEST("testnzc", int, _mm_testnzc_si128(a, b))
    TEST("all ones", int, _mm_test_all_ones(a))
    TEST("round", __m128, _mm_round_ps(x, _MM_FROUND_TO_NEAREST_INT)) TEST("floor", __m128d, _mm_floor_pd(u)) TEST("ceil", __m128, _mm_ceil_ss(x, y))
    TEST("trunc", __m128d, _mm_round_sd(u, v, _MM_FROUND_TO_ZERO)) TEST("current", __m128, _mm_round_ps(x, _MM_FROUND_CUR_DIRECTION))
    I(_mm_min_epi8) I(_mm_max_epu32) I(_mm_mul_epi32) I(_mm_mullo_epi32) I(_mm_cmpgt_epi64)
    TEST("crc8", unsigned, _mm_crc32_u8((unsigned)next(), (unsigned char)next())) TEST("crc16", unsigned, _mm_crc32_u16((unsigned)next(), (unsigned short)next()))
    TEST("crc32", unsigned, _mm_crc32_u32((unsigned)next(), (unsigned)next())) TEST("crc64", unsigned long long, _mm_crc32_u64(next(), next()))
}

static __m128i text(void) { // few letters, and zeros
    char bytes[16];
    for (int i = 0; i < 16; i++) bytes[i] = next() % 9 ? (char)('a' + next() % 3) : 0;
    __m128i result;
    memcpy(&result, bytes, 16);
    return result;
}
#define STRINGS(mode)                                                                                        \
    for (int i = 0; i < 10; i++) {                                                                           \
        __m128i a = text(), b = i % 3 ? text() : a;                                                          \
        int m = (int)(next() % 20), n = (int)(next() % 20) - 2;                                              \
        int flags[] = {_mm_cmpistri(a, b, mode), _mm_cmpistra(a, b, mode), _mm_cmpistrc(a, b, mode), _mm_cmpistro(a, b, mode),  \
                       _mm_cmpistrs(a, b, mode), _mm_cmpistrz(a, b, mode), _mm_cmpestri(a, m, b, n, mode),   \
                       _mm_cmpestra(a, m, b, n, mode), _mm_cmpestrc(a, m, b, n, mode), _mm_cmpestro(a, m, b, n, mode),          \
                       _mm_cmpestrs(a, m, b, n, mode), _mm_cmpestrz(a, m, b, n, mode)};                      \
        __m128i masks[] = {_mm_cmpistrm(a, b, mode), _mm_cmpestrm(a, m, b, n, mode)};                        \
        for (int k = 0; k < 12; k++) mix(&flags[k], sizeof flags[k]);                                        \
        mix(&masks[0], 16);                                                                                  \
        mix(&masks[1], 16);                                                                                  \
    }                                                                                                        \
    SHOW(#mode);
static WITH("sse4.2") void strings(void) {
    STRINGS(0x00) STRINGS(0x04) STRINGS(0x08) STRINGS(0x0c) STRINGS(0x10) STRINGS(0x38) STRINGS(0x44) STRINGS(0x4c) STRINGS(0x58)
    STRINGS(0x09) STRINGS(0x0d) STRINGS(0x41) STRINGS(0x06) STRINGS(0x3b)
}

// A signalling NaN is rounded to a quiet one.
static WITH("sse4.1") void quiet(void) {
    static const uint32_t single = 0x7f812345;
    static const uint64_t wide = 0x7ff0000000012345;
    float f;
    double d;
    memcpy(&f, &single, sizeof f);
    memcpy(&d, &wide, sizeof d);
    __m128 x = _mm_set1_ps(f), floors = _mm_floor_ps(x), nearest = _mm_round_ss(x, x, _MM_FROUND_TO_NEAREST_INT);
    __m128d u = _mm_set1_pd(d), ceilings = _mm_ceil_pd(u), whole = _mm_round_sd(u, u, _MM_FROUND_TO_ZERO);
    mix(&floors, 16);
    mix(&nearest, 16);
    mix(&ceilings, 16);
    mix(&whole, 16);
    SHOW("signalling NaN");
}

int main(void) {
    sum = 0xcbf29ce484222325;
    sse();
    sse2();
    ssse3();
    sse4();
    strings();
    quiet();
    return 0;
}
