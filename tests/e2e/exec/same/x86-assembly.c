// RUN: same-as-native %tamar %s </dev/null
// REQUIRES: exec
// Inline assembly as libraries write it, on random operands: bits, carries, products, exchanges, strings, flags.
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static uint64_t seed = 88172645463325252u;
static uint64_t next(void) {
    seed ^= seed << 13;
    seed ^= seed >> 7;
    return seed ^= seed << 17;
}
static uint64_t value(void) {
    static const uint64_t values[] = {0, ~0ull, 1, 0x80000000, 0x7fffffff, 0x8000000000000000, 0x7fffffffffffffff, 0xff};
    return next() % 3 ? next() : values[next() % 8];
}
#define EACH for (int i = 0; i < 12; i++)
#define SHOW(...) printf(__VA_ARGS__)
typedef unsigned long long ull;

static void bits(void) {
    EACH {
        uint64_t a = value(), out;
        uint32_t b = (uint32_t)a, low = b | 1;
        __asm__("bswap %0" : "+r"(a));
        __asm__("bswapl %0" : "+r"(b));
        SHOW("%llx %x ", (ull)a, b);
        __asm__("bsrq %1, %0" : "=r"(out) : "rm"(a | 1) : "cc");
        SHOW("%llu ", (ull)out);
        __asm__("bsfl %1, %0" : "=r"(b) : "g"(low) : "cc");
        SHOW("%u ", b);
        __asm__("bsrq %1, %0" : "=r"(out) : "r"((uint64_t)0), "0"((uint64_t)77) : "cc");
        SHOW("%llu\n", (ull)out);
    }
    EACH {
        uint64_t word = value();
        uint32_t index = (uint32_t)next() % 64;
        unsigned char on, was;
        __asm__("btq %2, %1\n\tsetc %0" : "=q"(on) : "r"(word), "r"((uint64_t)index) : "cc");
        __asm__("lock; btsq %2, %1" : "=@ccc"(was), "+m"(word) : "Ir"((uint64_t)index) : "memory");
        SHOW("%d %d %llx ", on, was, (ull)word);
        __asm__("btrq $3, %0" : "+r"(word) : : "cc");
        __asm__("btcq $40, %0" : "+rm"(word) : : "cc");
        SHOW("%llx\n", (ull)word);
    }
    unsigned long map[4] = {0};
    for (long k = 0; k < 256; k += 37) __asm__("btsq %1, %0" : "+m"(*(unsigned long(*)[4])map) : "r"(k) : "cc", "memory");
    SHOW("%lx %lx %lx %lx\n", map[0], map[1], map[2], map[3]);
}

static void shifts(void) {
    EACH {
        uint32_t a = (uint32_t)value(), b = a, c = a;
        uint64_t d = value(), e = value(), f = d;
        uint16_t g = (uint16_t)a;
        unsigned char n = (unsigned char)(next() % 40), carry;
        __asm__("roll %%cl, %0" : "+r"(a) : "c"(n) : "cc");
        __asm__("rorl $7, %0" : "=r"(b) : "0"(b) : "cc");
        __asm__("rolw $8, %0" : "+r"(g) : : "cc");
        __asm__("shldq %b2, %1, %0" : "+r"(d) : "r"(e), "c"((uint64_t)n) : "cc");
        __asm__("shrdq $11, %1, %0" : "+rm"(f) : "r"(e) : "cc");
        __asm__("shrl $3, %1; setc %0" : "=qm"(carry), "+r"(c) : : "cc");
        SHOW("%x %x %x %x %llx %llx %d\n", a, b, c, g, (ull)d, (ull)f, carry);
        int64_t s = (int64_t)e;
        __asm__("sarq %%cl, %0" : "+g"(s) : "c"(n));
        __asm__("sall $1, %0" : "+r"(c));
        SHOW("%llx %x\n", (ull)s, c);
    }
}

static void carries(void) {
    EACH {
        uint64_t ah = value(), al = value(), bh = value(), bl = value(), h, l;
        __asm__("addq %5,%q1\n\tadcq %3,%q0" : "=r"(h), "=&r"(l) : "0"(ah), "rme"(bh), "%1"(al), "rme"(bl));
        SHOW("%llx%016llx ", (ull)h, (ull)l);
        __asm__("subq %5,%q1\n\tsbbq %3,%q0" : "=r"(h), "=&r"(l) : "0"(ah), "rme"(bh), "1"(al), "rme"(bl));
        SHOW("%llx%016llx ", (ull)h, (ull)l);
        int carry, overflow, zero, less;
        uint32_t sum = (uint32_t)al;
        __asm__("addl %4, %3" : "=@ccc"(carry), "=@cco"(overflow), "=@ccz"(zero), "+r"(sum) : "r"((uint32_t)bl));
        __asm__("cmpq %2, %1" : "=@ccl"(less) : "r"(ah), "r"(bh));
        SHOW("%x %d%d%d%d ", sum, carry, overflow, zero, less);
        unsigned char above, parity, sign;
        __asm__("cmpl %4, %3\n\tseta %0\n\tsetp %1\n\tsets %2" : "=q"(above), "=q"(parity), "=q"(sign) : "r"((uint32_t)al), "r"((uint32_t)bl) : "cc");
        SHOW("%d%d%d ", above, parity, sign);
        uint64_t mask;
        __asm__("cmp %1,%2\n\tsbb %0,%0" : "=r"(mask) : "r"(al), "r"(bl) : "cc");
        uint64_t most = al;
        __asm__("cmpq %1, %0; cmovb %1, %0" : "+r"(most) : "r"(bl) : "cc");
        SHOW("%llx %llx ", (ull)mask, (ull)most);
        uint8_t byte = (uint8_t)ah;
        __asm__("negb %0; incb %0; notb %0; decb %0" : "+q"(byte) : : "cc");
        SHOW("%x\n", byte);
    }
}

static void products(void) {
    EACH {
        uint64_t a = value(), b = value() | 1, high, low, rest;
        __asm__("mulq %3" : "=a"(low), "=d"(high) : "%0"(a), "rm"(b) : "cc");
        SHOW("%llx %llx ", (ull)high, (ull)low);
        __asm__("divq %4" : "=a"(low), "=d"(rest) : "0"(a), "1"(b / 2), "rm"(b) : "cc");
        SHOW("%llx %llx ", (ull)low, (ull)rest);
        __asm__("imulq %3" : "=a"(low), "=d"(high) : "0"(a), "r"(b) : "cc");
        SHOW("%llx %llx ", (ull)high, (ull)low);
        int32_t quotient, left;
        __asm__("cltd; idivl %3" : "=a"(quotient), "=&d"(left) : "0"((int32_t)(a >> 3)), "r"((int32_t)(b | 2) == -1 ? 3 : (int32_t)(b | 2)) : "cc");
        SHOW("%d %d ", quotient, left);
        int over;
        int32_t c = (int32_t)a, three;
        __asm__("imull %2, %1" : "=@cco"(over), "+r"(c) : "r"((int32_t)b) : "cc");
        __asm__("imul $-3, %1, %0" : "=r"(three) : "r"(c) : "cc");
        uint16_t wide;
        __asm__("mulb %2" : "=a"(wide) : "0"((uint8_t)a), "q"((uint8_t)b) : "cc");
        SHOW("%d %x %d %x\n", over, c, three, wide);
    }
}

static void exchanges(void) {
    uint32_t counter = 5, old = 7, expected;
    uint64_t big = 1;
    unsigned char done;
    __asm__ volatile("lock; xaddl %0, %1" : "+r"(old), "+m"(counter) : : "memory", "cc");
    SHOW("%u %u ", old, counter);
    __asm__ volatile("xchgl %0, %1" : "=r"(old) : "m"(counter), "0"(99u) : "memory");
    SHOW("%u %u ", old, counter);
    __asm__ volatile("lock; cmpxchgl %3, %1\n\tsete %0" : "=q"(done), "+m"(counter), "=a"(expected) : "r"(123u), "2"(99u) : "memory", "cc");
    SHOW("%d %u %u ", done, counter, expected);
    __asm__ volatile("lock; cmpxchgl %3, %1\n\tsete %0" : "=q"(done), "+m"(counter), "=a"(expected) : "r"(5u), "2"(99u) : "memory", "cc");
    SHOW("%d %u %u ", done, counter, expected);
    __asm__ volatile("lock; incl %0; lock; decq %1" : "+m"(counter), "+m"(big) : : "cc", "memory");
    __asm__ volatile("lock; addl %1,%0" : "=m"(counter) : "ir"(10), "m"(counter));
    __asm__ volatile("lock; orl $0x1000,%0; lock; andl %1,%0; lock subl $1, %0" : "+m"(counter) : "r"(~4u));
    SHOW("%u %llu\n", counter, (ull)big);
    __attribute__((aligned(16))) uint64_t two[2] = {3, 4};
    __asm__ volatile("lock; cmpxchg16b %1; setz %0" : "=q"(done), "+m"(*(__int128 *)two) : "a"(3ull), "d"(4ull), "b"(5ull), "c"(6ull) : "cc", "memory");
    SHOW("%d %llu %llu\n", done, (ull)two[0], (ull)two[1]);
    uint64_t a = 1, b = 2;
    __asm__("xchgq %0, %1" : "+r"(a), "+r"(b));
    __asm__("push %0; mov %1, %0; pop %1" : "+r"(a), "+r"(b));
    __asm__("lea 5(%1), %0" : "=r"(b) : "r"(b));
    int16_t narrow = -5;
    int64_t wide;
    uint32_t zero;
    __asm__("movswq %1, %0" : "=r"(wide) : "rm"(narrow));
    __asm__("movzwl %1, %0" : "=r"(zero) : "r"(narrow));
    SHOW("%llu %llu %lld %u\n", (ull)a, (ull)b, (long long)wide, zero);
}

static void strings(void) {
    char from[40] = "the quick brown fox jumps", to[40] = {0};
    const void *source = from;
    void *target = to;
    size_t count = 10;
    __asm__ volatile("rep; movsb" : "+D"(target), "+S"(source), "+c"(count) : : "memory");
    SHOW("%s %d %d %d\n", to, (int)((char *)target - to), (int)((const char *)source - from), (int)count);
    __asm__ volatile("cld\n\trep stosb" : "=D"(target), "=c"(count) : "0"(to + 2), "1"((size_t)3), "a"('x') : "memory");
    target = to + 8, count = 2;
    __asm__ volatile("rep\n\tstosl" : "+D"(target), "+c"(count) : "a"(0x41424344) : "memory");
    SHOW("%s\n", to);
    memcpy(to, "ab", 2); // overlapping: a pattern
    target = to + 2, source = to, count = 9;
    __asm__ volatile("rep movsb" : "+D"(target), "+S"(source), "+c"(count) : : "memory");
    SHOW("%s\n", to);
    const char *end = from;
    count = ~(size_t)0;
    __asm__("repne scasb" : "+D"(end), "+c"(count) : "a"(0) : "memory", "cc");
    SHOW("%zu %d\n", ~count - 1, (int)(end - from));
    uint32_t words[] = {7, 7, 7, 8, 7}, *at = words, word;
    count = 5;
    __asm__("repe; scasl" : "+D"(at), "+c"(count) : "a"(7) : "memory", "cc");
    SHOW("%zu %d ", count, (int)(at - words));
    __asm__("lodsl" : "=a"(word), "+S"(at) : : "memory");
    SHOW("%u %d\n", word, (int)(at - words));
}

// Addresses with an index, and the barrier that adds 0 to the stack.
static void addresses(void) {
    uint64_t table[] = {11, 22, 33, 44, 55}, base = 100, out, index = 3;
    __asm__("leaq (%1,%1,2), %0" : "=r"(out) : "r"(base));
    SHOW("%llu ", (ull)out);
    __asm__("lea -8(%1,%2,8), %0" : "=r"(out) : "r"(base), "r"(index));
    SHOW("%llu ", (ull)out);
    __asm__("movq 8(%1,%2,8), %0; addq (%1,%2), %0" : "=&r"(out) : "r"(table), "r"(index - 3), "m"(table));
    SHOW("%llu ", (ull)out);
    __asm__("mov %2, %%rcx; movq %0, (%1,%%rcx,4)" : : "r"(out), "r"(table), "r"(index + 1) : "rcx", "memory");
    SHOW("%llu\n", (ull)table[2]);
    __asm__ volatile("lock; addl $0,0(%%rsp)" : : : "memory", "cc");
    __asm__ volatile("lock orq $0, (%%rsp)" : : : "memory", "cc");
}

static void show_bits(long double value) {
    uint64_t mantissa;
    memcpy(&mantissa, &value, 8);
    SHOW("%llx\n", (ull)mantissa);
}

static void roots(void) {
    EACH {
        double d = (double)(next() >> 12) / 3, r;
        float f = (float)d, s;
        long double l = (long double)d * 3, t;
        __asm__("sqrtsd %1, %0" : "=x"(r) : "xm"(d));
        __asm__("sqrtss %1, %0" : "=x"(s) : "x"(f));
        __asm__("fsqrt" : "=t"(t) : "0"(l));
        SHOW("%a %a %a ", r, (double)s, (double)t);
        show_bits(t);
        __asm__("fsqrt" : "=t"(r) : "0"(d));
        __asm__("fchs; fabs; frndint" : "+t"(l));
        SHOW("%a ", r);
        show_bits(l);
    }
}

int main(void) {
    int x = 3, y;
    __asm__("" : "=g"(y) : "0"(x + 1));
    __asm__("nop; pause; mfence; lfence; sfence" : "+g"(y) : : "memory");
    SHOW("%d\n", y);
    bits();
    shifts();
    carries();
    products();
    exchanges();
    strings();
    addresses();
    roots();
    return 0;
}
