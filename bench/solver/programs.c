// The programs whose exploration yields the streams: typical shapes of real code.
#include "bench/solver/streams.h"

#define T stream->terms

static Term number(struct stream *stream, unsigned width, uint64_t value) {
    return term_const(T, width, value);
}
static Term input_byte(struct stream *stream, unsigned i) {
    return term_byte(T, terms_input(T, "input", i + 1), i);
}
static Term is_char(struct stream *stream, Term c, char expected) {
    return term_eq(T, c, number(stream, 8, (uint8_t)expected));
}
static Term between(struct stream *stream, Term x, uint64_t low, uint64_t high) {
    unsigned width = term_width(T, x);
    return term_and(T, term_ule(T, number(stream, width, low), x),
                    term_ule(T, x, number(stream, width, high)));
}
static Term wide(struct stream *stream, Term x, unsigned width) { return term_zext(T, x, width); }

// A recursive-descent parser of sums, products and parentheses over single digits, as in compilers.
struct parser {
    struct stream *stream;
    unsigned at, size, depth;
};

static Term current(struct parser *p) {
    return p->at < p->size ? input_byte(p->stream, p->at) : number(p->stream, 8, 0);
}

static bool parse_sum(struct parser *p);
static bool parse_atom(struct parser *p) {
    struct stream *stream = p->stream;
    if (decide(stream, is_char(stream, current(p), '('))) {
        p->at++;
        if (++p->depth > 3 || !parse_sum(p)) return false;
        if (!decide(stream, is_char(stream, current(p), ')'))) return false;
        p->at++;
        return true;
    }
    if (!decide(stream, between(stream, current(p), '0', '9'))) return false;
    while (decide(stream, between(stream, current(p), '0', '9'))) p->at++;
    return true;
}
static bool parse_sum(struct parser *p) {
    struct stream *stream = p->stream;
    if (!parse_atom(p)) return false;
    while (decide(stream, term_or(T, is_char(stream, current(p), '+'), is_char(stream, current(p), '*')))) {
        p->at++;
        if (!parse_atom(p)) return false;
    }
    return true;
}
static void run_parser(struct stream *stream, unsigned size) {
    struct parser p = {stream, 0, size, 0};
    if (parse_sum(&p)) decide(stream, is_char(stream, current(&p), 0));
}

// A table-driven scanner, as flex generates it: the state is a term over all bytes read so far.
static Term scanner_table(struct stream *stream, unsigned states, unsigned classes) {
    uint8_t next[1024];
    for (unsigned s = 0; s < states; s++)
        for (unsigned c = 0; c < classes; c++)
            next[s * classes + c] = (uint8_t)((s * 7 + c * 5 + (s ^ c)) % states);
    return term_array_bytes(T, 16, 1, next, states * classes);
}
static Term class_table(struct stream *stream) {
    uint8_t class[256];
    for (unsigned c = 0; c < 256; c++)
        class[c] = (uint8_t)(c >= '0' && c <= '9'   ? 1
                             : c >= 'a' && c <= 'z' ? 2
                             : c == ' '             ? 3
                             : c < 32               ? 4
                             : c >= 128             ? 5
                                                    : 6 + c % 2);
    return term_array_bytes(T, 8, 1, class, 256);
}
static void run_scanner(struct stream *stream, unsigned size) {
    Term table = scanner_table(stream, 24, 8), classes = class_table(stream), state = number(stream, 16, 0);
    for (unsigned i = 0; i < size; i++) {
        Term class = wide(stream, term_select(T, classes, input_byte(stream, i)), 16);
        Term index = term_add(T, term_mul(T, state, number(stream, 16, 8)), class);
        check_never(stream, term_ule(T, number(stream, 16, 24 * 8), index));
        state = wide(stream, term_select(T, table, index), 16);
        if (decide(stream, term_eq(T, state, number(stream, 16, 0)))) break;
        if (i > 1 && decide(stream, term_ult(T, number(stream, 16, 20), state))) break;
    }
}

// isalpha, toupper and a keyword, through the tables of a C library.
static void run_ctype(struct stream *stream, unsigned size) {
    uint8_t flags[256], upper[256];
    for (unsigned c = 0; c < 256; c++) {
        bool lower = c >= 'a' && c <= 'z', big = c >= 'A' && c <= 'Z', digit = c >= '0' && c <= '9';
        flags[c] = (uint8_t)(lower | big << 1 | digit << 2 | (c == ' ' || (c >= 9 && c <= 13)) << 3);
        upper[c] = (uint8_t)(lower ? c - 32 : c);
    }
    Term flag_table = term_array_bytes(T, 8, 1, flags, 256),
         upper_table = term_array_bytes(T, 8, 1, upper, 256);
    static const char keyword[] = "SELECT";
    unsigned matched = 0;
    for (unsigned i = 0; i < size; i++) {
        Term c = input_byte(stream, i), flag = term_select(T, flag_table, c);
        if (decide(stream, term_ne(T, term_and(T, flag, number(stream, 8, 8)), number(stream, 8, 0))))
            continue;
        if (!decide(stream, term_ne(T, term_and(T, flag, number(stream, 8, 7)), number(stream, 8, 0))))
            return;
        if (matched < sizeof keyword - 1 &&
            decide(stream, is_char(stream, term_select(T, upper_table, c), keyword[matched])))
            matched++;
    }
}

// Header fields of several bytes, and lengths that bound later fields, as in packet parsers.
static Term field(struct stream *stream, unsigned at, unsigned bytes) {
    Term value = input_byte(stream, at);
    for (unsigned i = 1; i < bytes; i++) value = term_concat(T, value, input_byte(stream, at + i));
    return value;
}
static void run_packet(struct stream *stream, unsigned size) {
    Term version = term_lshr(T, input_byte(stream, 0), number(stream, 8, 4));
    if (!decide(stream, term_eq(T, version, number(stream, 8, 4)))) return;
    Term header = term_mul(T, wide(stream, term_and(T, input_byte(stream, 0), number(stream, 8, 15)), 16),
                           number(stream, 16, 4));
    if (decide(stream, term_ult(T, header, number(stream, 16, 20)))) return;
    Term total = field(stream, 2, 2);
    if (decide(stream, term_ult(T, total, header))) return;
    if (decide(stream, term_ult(T, number(stream, 16, size), total))) return;
    if (decide(stream, term_ne(T, term_and(T, field(stream, 6, 2), number(stream, 16, 0x3fff)),
                               number(stream, 16, 0))))
        return;
    unsigned at = 20;
    while (at + 4 < size && decide(stream, term_ult(T, number(stream, 16, at), header))) { // options
        Term kind = input_byte(stream, at), length = wide(stream, input_byte(stream, at + 1), 16);
        if (decide(stream, is_char(stream, kind, 0))) break;
        if (decide(stream, is_char(stream, kind, 1))) {
            at++;
            continue;
        }
        if (decide(stream, term_ult(T, length, number(stream, 16, 2)))) return;
        Term end = term_add(T, number(stream, 16, at), length);
        if (decide(stream, term_ult(T, header, end))) return;
        at += 4;
    }
    Term payload = term_sub(T, total, header);
    check_never(stream, term_ult(T, number(stream, 16, size), payload));
    if (decide(stream, term_ult(T, payload, number(stream, 16, 8)))) return;
    Term port = field(stream, 10, 2);
    if (decide(stream, term_eq(T, port, number(stream, 16, 53)))) return;
    decide(stream, term_ult(T, port, number(stream, 16, 1024)));
}

// Checksums: Fletcher, a CRC, Luhn; fields are used before and after the check.
static void run_checksum(struct stream *stream, unsigned size) {
    Term a = number(stream, 16, 1), b = number(stream, 16, 0);
    for (unsigned i = 0; i < size; i++) {
        Term c = input_byte(stream, i);
        if (i < 3 && decide(stream, term_ult(T, c, number(stream, 8, 32 + i)))) return;
        a = term_add(T, a, wide(stream, c, 16));
        b = term_add(T, b, a);
    }
    Term sum = term_concat(T, input_byte(stream, size), input_byte(stream, size + 1));
    if (!decide(stream, term_eq(T, b, sum))) return;
    if (decide(stream, term_ult(T, number(stream, 16, 0x0800), sum))) return;
    for (unsigned i = 0; i < size; i++)
        if (decide(stream, is_char(stream, input_byte(stream, i), '='))) break;
}
static void run_crc(struct stream *stream, unsigned size) {
    Term crc = number(stream, 16, 0xffff);
    for (unsigned i = 0; i < size; i++) {
        crc = term_xor(T, crc, wide(stream, input_byte(stream, i), 16));
        for (unsigned k = 0; k < 8; k++) {
            Term half = term_lshr(T, crc, number(stream, 16, 1)), odd = term_extract(T, crc, 0, 1);
            crc = term_ite(T, odd, term_xor(T, half, number(stream, 16, 0xa001)), half);
        }
        if (decide(stream, term_ult(T, input_byte(stream, i), number(stream, 8, 16)))) break;
    }
    if (!decide(stream, term_eq(T, crc, number(stream, 16, 0xbeef)))) return;
    if (decide(stream, is_char(stream, input_byte(stream, 0), 'Z'))) return;
    decide(stream, term_ult(T, input_byte(stream, 1), input_byte(stream, 0)));
}

// Insertion sort of 16-bit numbers; afterwards no two adjacent ones are out of order.
static void run_sort(struct stream *stream, unsigned size) {
    Term value[16];
    for (unsigned i = 0; i < size; i++) value[i] = field(stream, 2 * i, 2);
    for (unsigned i = 1; i < size; i++) {
        Term key = value[i];
        unsigned k = i;
        for (; k > 0 && decide(stream, term_ult(T, key, value[k - 1])); k--) value[k] = value[k - 1];
        value[k] = key;
    }
    for (unsigned i = 1; i < size; i++) check_never(stream, term_ult(T, value[i], value[i - 1]));
}

// Decimal numbers read from text, then arithmetic with checks for overflow and division by zero.
static Term read_number(struct stream *stream, unsigned from, unsigned digits) {
    Term value = number(stream, 32, 0);
    for (unsigned i = 0; i < digits; i++) {
        Term c = input_byte(stream, from + i);
        if (!decide(stream, between(stream, c, '0', '9'))) break;
        Term ten = number(stream, 32, 10), digit = term_sub(T, wide(stream, c, 32), number(stream, 32, '0'));
        check_never(stream, term_apply(T, KIND_SMUL_OVERFLOW, value, ten, 0));
        value = term_mul(T, value, ten);
        check_never(stream, term_apply(T, KIND_SADD_OVERFLOW, value, digit, 0));
        value = term_add(T, value, digit);
    }
    return value;
}
static void run_overflow(struct stream *stream, unsigned size) {
    Term a = read_number(stream, 0, size), b = read_number(stream, size, size);
    check_never(stream, term_apply(T, KIND_SADD_OVERFLOW, a, b, 0));
    Term sum = term_add(T, a, b);
    if (decide(stream, term_slt(T, number(stream, 32, 1000), sum))) return;
    Term difference = term_sub(T, a, b);
    check_never(stream, term_eq(T, difference, number(stream, 32, 0)));
    Term scaled = term_mul(T, sum, number(stream, 32, 12345));
    check_never(stream, term_apply(T, KIND_SMUL_OVERFLOW, sum, number(stream, 32, 12345), 0));
    if (decide(stream, term_slt(T, scaled, number(stream, 32, 77777)))) return;
    decide(stream, term_eq(T, term_urem(T, sum, number(stream, 32, 7)), number(stream, 32, 3)));
}
static void run_arithmetic(struct stream *stream, unsigned size) {
    Term x = field(stream, 0, 4), y = field(stream, 4, 4), limit = number(stream, 32, 1000 * size);
    if (!decide(stream, term_ult(T, x, limit)) || !decide(stream, term_ult(T, y, limit))) return;
    check_never(stream, term_apply(T, KIND_UADD_OVERFLOW, x, y, 0));
    check_never(stream, term_apply(T, KIND_UMUL_OVERFLOW, x, number(stream, 32, 24), 0));
    Term bytes = term_mul(T, x, number(stream, 32, 24)), area = term_add(T, bytes, y);
    if (decide(stream, term_ult(T, area, number(stream, 32, 4096)))) return;
    Term pages = term_lshr(T, area, number(stream, 32, 12));
    if (decide(stream, term_eq(T, pages, number(stream, 32, 3)))) return;
    check_never(stream, term_ult(T, number(stream, 32, 25 * 1000 * size), area));
    if (decide(stream, term_eq(T, term_add(T, x, y), number(stream, 32, 12345)))) return;
    if (decide(stream, term_slt(T, term_sub(T, x, y), number(stream, 32, 0)))) return;
    decide(stream, term_eq(T, term_udiv(T, x, number(stream, 32, 10)), number(stream, 32, 99)));
}

// A symbolic index into an array of input bytes: reads.
static void run_reads(struct stream *stream, unsigned size) {
    uint32_t memory = terms_input(T, "memory", size);
    Term array = term_input_array(T, memory, size, 16);
    Term i = field(stream, 0, 2), k = field(stream, 2, 2);
    if (!decide(stream, term_ult(T, i, number(stream, 16, size)))) return;
    if (!decide(stream, term_ult(T, k, number(stream, 16, size)))) return;
    Term x = term_select(T, array, i), y = term_select(T, array, k);
    if (decide(stream, is_char(stream, x, 'A'))) {
        if (decide(stream, term_ult(T, y, x))) return;
        check_never(stream, term_and(T, term_eq(T, i, k), term_ne(T, x, y)));
    }
    if (decide(stream, term_eq(T, term_add(T, x, y), number(stream, 8, 100)))) return;
    for (unsigned n = 0; n < 4; n++)
        if (decide(stream, is_char(stream, term_byte(T, memory, n * (size / 4)), 'B'))) break;
    decide(stream, term_eq(T, i, k));
}

// A table of concrete bytes: writes at symbolic indices, then reads; a hash table with linear
// probing.
static void run_writes(struct stream *stream, unsigned size) {
    uint8_t *zeros = NEW_ARRAY(uint8_t, size);
    Term array = term_array_bytes(T, 16, 1, zeros, size);
    DELETE_ARRAY(zeros, size);
    for (unsigned n = 0; n < 4; n++) {
        Term key = input_byte(stream, n), mask = number(stream, 16, size - 1);
        Term slot = term_and(T, term_mul(T, wide(stream, key, 16), number(stream, 16, 2654 % 65536)), mask);
        check_never(stream, term_ule(T, number(stream, 16, size), slot));
        unsigned probes = 0;
        while (probes < 2 && decide(stream, term_ne(T, term_select(T, array, slot), number(stream, 8, 0)))) {
            if (decide(stream, term_eq(T, term_select(T, array, slot), key))) break;
            slot = term_and(T, term_add(T, slot, number(stream, 16, 1)), mask);
            probes++;
        }
        array = term_store(T, array, slot, key);
    }
    decide(stream, term_eq(T, term_select(T, array, number(stream, 16, size / 2)), number(stream, 8, 'x')));
}

// A look-up in a large constant table, like gamma curves, sine tables and S-boxes.
static void run_lookup(struct stream *stream, unsigned size) {
    uint8_t *bytes = NEW_ARRAY(uint8_t, size);
    for (unsigned i = 0; i < size; i++) bytes[i] = (uint8_t)((i * i + 31 * i + 7) % 251);
    Term table = term_array_bytes(T, 16, 1, bytes, size);
    DELETE_ARRAY(bytes, size);
    Term i = field(stream, 0, 2), k = field(stream, 2, 2);
    if (!decide(stream, term_ult(T, i, number(stream, 16, size)))) return;
    if (!decide(stream, term_ult(T, k, number(stream, 16, size)))) return;
    Term x = term_select(T, table, i), y = term_select(T, table, k);
    check_never(stream, is_char(stream, x, (char)252));
    if (decide(stream, term_ult(T, x, number(stream, 8, 16)))) return;
    if (decide(stream, term_eq(T, x, y))) {
        decide(stream, term_eq(T, i, k));
        return;
    }
    if (decide(stream, term_eq(T, term_xor(T, x, y), number(stream, 8, 0x55)))) return;
    decide(stream,
           term_ult(T, term_add(T, wide(stream, x, 16), wide(stream, y, 16)), number(stream, 16, 100)));
}

const struct program programs[] = {
    {"parser", run_parser, 10, "recursive descent over text"},
    {"ctype", run_ctype, 10, "keywords through the C library's tables"},
    {"scanner", run_scanner, 6, "flex-like tables, the state symbolic"},
    {"packet", run_packet, 40, "header fields and lengths"},
    {"fletcher", run_checksum, 8, "a checksum over 8 bytes"},
    {"crc", run_crc, 4, "CRC-16 bit by bit"},
    {"sort", run_sort, 6, "insertion sort of 16-bit numbers"},
    {"overflow", run_overflow, 4, "decimal numbers, overflow checks"},
    {"arithmetic", run_arithmetic, 8, "32-bit sizes and bounds"},
    {"reads-16", run_reads, 16, "symbolic reads of 16 bytes"},
    {"reads-256", run_reads, 256, "symbolic reads of 256 bytes"},
    {"reads-4096", run_reads, 4096, "symbolic reads of 4096 bytes"},
    {"writes-16", run_writes, 16, "hash table in 16 bytes"},
    {"writes-256", run_writes, 256, "hash table in 256 bytes"},
    {"writes-4096", run_writes, 4096, "hash table in 4096 bytes"},
    {"lookup-256", run_lookup, 256, "constant table of 256 bytes"},
    {"lookup-4096", run_lookup, 4096, "constant table of 4096 bytes"},
};
const unsigned program_count = COUNT(programs);
