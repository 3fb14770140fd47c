// SSE4.2's string comparisons, as the manual defines them: a matrix of comparisons, aggregated in one of four ways.
#include "runtime/x86/x86.h"

struct operands {
    int32_t first[16], second[16];
    int first_length, second_length, lanes;
};
struct answer {
    uint32_t mask; // one bit for each lane
    int lanes, first_length, second_length;
};

enum { SIGNED = 2, WORDS = 1, NEGATE = 16, ONLY_VALID = 32, LAST = 64 };

static int32_t lane_of(i8x16 value, int i, unsigned control) {
    union {
        i8x16 vector;
        int8_t i8[16];
        uint8_t u8[16];
        int16_t i16[8];
        uint16_t u16[8];
    } all = {value};
    if (control & WORDS) return control & SIGNED ? all.i16[i] : all.u16[i];
    return control & SIGNED ? all.i8[i] : all.u8[i];
}

static int length_of(int32_t given, int lanes) {
    int64_t length = given < 0 ? -(int64_t)given : given;
    return length > lanes ? lanes : (int)length;
}

static int terminated(const int32_t *lanes, int count) {
    int length = 0;
    while (length < count && lanes[length]) length++;
    return length;
}

static int equal_any(const struct operands *o, int at) {
    for (int i = 0; i < o->first_length; i++)
        if (o->first[i] == o->second[at]) return 1;
    return 0;
}

static int in_ranges(const struct operands *o, int at) {
    for (int i = 0; i + 1 < o->first_length; i += 2)
        if (o->first[i] <= o->second[at] && o->second[at] <= o->first[i + 1]) return 1;
    return 0;
}

static int begins(const struct operands *o,
                  int at) { // the first string, or the part that still fits, begins here
    for (int i = 0; i < o->first_length && at + i < o->lanes; i++)
        if (at + i >= o->second_length || o->first[i] != o->second[at + i]) return 0;
    return 1;
}

static int bit_of(const struct operands *o, int at, unsigned control) {
    int valid = at < o->second_length;
    switch (control >> 2 & 3) {
    case 0: return valid && equal_any(o, at);
    case 1: return valid && in_ranges(o, at);
    case 2:
        return valid && at < o->first_length ? o->first[at] == o->second[at]
                                             : !valid && at >= o->first_length;
    default: return begins(o, at);
    }
}

static struct answer compare(struct operands *o, unsigned control) {
    struct answer answer = {0, o->lanes, o->first_length, o->second_length};
    for (int i = 0; i < o->lanes; i++) {
        int bit = bit_of(o, i, control);
        if (control & NEGATE && (!(control & ONLY_VALID) || i < o->second_length)) bit = !bit;
        answer.mask |= (uint32_t)bit << i;
    }
    return answer;
}

static void take(struct operands *o, i8x16 a, i8x16 b, unsigned control) {
    o->lanes = control & WORDS ? 8 : 16;
    for (int i = 0; i < o->lanes; i++) {
        o->first[i] = lane_of(a, i, control);
        o->second[i] = lane_of(b, i, control);
    }
}

static struct answer explicit_lengths(i8x16 a, int32_t a_length, i8x16 b, int32_t b_length,
                                      unsigned control) {
    struct operands o;
    take(&o, a, b, control);
    o.first_length = length_of(a_length, o.lanes);
    o.second_length = length_of(b_length, o.lanes);
    return compare(&o, control);
}

static struct answer implicit_lengths(i8x16 a, i8x16 b, unsigned control) {
    struct operands o;
    take(&o, a, b, control);
    o.first_length = terminated(o.first, o.lanes);
    o.second_length = terminated(o.second, o.lanes);
    return compare(&o, control);
}

static int32_t index_of(struct answer answer, unsigned control) {
    if (!answer.mask) return answer.lanes;
    return control & LAST ? 31 - __builtin_clz(answer.mask) : __builtin_ctz(answer.mask);
}

static i8x16 mask_of(struct answer answer, unsigned control) {
    union {
        i8x16 vector;
        uint8_t u8[16];
        uint16_t u16[8];
    } all = {{0}};
    for (int i = 0; i < answer.lanes; i++) {
        unsigned bit = answer.mask >> i & 1;
        if (!(control & LAST)) // as bits
            all.u8[i / 8] |= (uint8_t)(bit << i % 8);
        else if (control & WORDS)
            all.u16[i] = (uint16_t)(0 - bit);
        else
            all.u8[i] = (uint8_t)(0 - bit);
    }
    return all.vector;
}

#define EXPLICIT i8x16 a, int32_t a_length, i8x16 b, int32_t b_length, uint8_t control
#define IMPLICIT i8x16 a, i8x16 b, uint8_t control
#define ESTR     explicit_lengths(a, a_length, b, b_length, control)
#define ISTR     implicit_lengths(a, b, control)
#define FLAGS(kind, PARAMETERS, ANSWER)                                                                      \
    int32_t X86(sse42_pcmp##kind##i128)(PARAMETERS) { return index_of(ANSWER, control); }                    \
    i8x16 X86(sse42_pcmp##kind##m128)(PARAMETERS) { return mask_of(ANSWER, control); }                       \
    int32_t X86(sse42_pcmp##kind##ic128)(PARAMETERS) { return ANSWER.mask != 0; }                            \
    int32_t X86(sse42_pcmp##kind##io128)(PARAMETERS) { return (int32_t)(ANSWER.mask & 1); }                  \
    int32_t X86(sse42_pcmp##kind##iz128)(PARAMETERS) {                                                       \
        struct answer answer = ANSWER;                                                                       \
        return answer.second_length < answer.lanes;                                                          \
    }                                                                                                        \
    int32_t X86(sse42_pcmp##kind##is128)(PARAMETERS) {                                                       \
        struct answer answer = ANSWER;                                                                       \
        return answer.first_length < answer.lanes;                                                           \
    }                                                                                                        \
    int32_t X86(sse42_pcmp##kind##ia128)(PARAMETERS) {                                                       \
        struct answer answer = ANSWER;                                                                       \
        return !answer.mask && answer.second_length >= answer.lanes;                                         \
    }
FLAGS(estr, EXPLICIT, ESTR)
FLAGS(istr, IMPLICIT, ISTR)
