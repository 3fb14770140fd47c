// RUN: same-as-native %tamar %s </dev/null
// REQUIRES: exec
// Inline assembly beyond the baseline: floats in SSE registers and on the x87 stack, control words, BMI, ADX, MOVBE,
// CRC32, rotations through the carry, instructions written as bytes, the stack pointer, system calls.
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>

static const uint64_t values[] = {0,
                                  1,
                                  5,
                                  0x80,
                                  0xffff,
                                  0x7fffffff,
                                  0x80000000u,
                                  0xffffffffu,
                                  0x123456789abcdef0,
                                  0x7fffffffffffffff,
                                  0x8000000000000000,
                                  ~0ull};
#define COUNT (sizeof values / sizeof *values)
typedef unsigned long long ull;

static void extensions(uint64_t a, uint64_t b) {
    uint64_t sum = a, low, high, x, y, z;
    uint32_t sum32 = (uint32_t)a;
    __asm__("crc32b %1, %0" : "+r"(sum32) : "rm"((uint8_t)b));
    __asm__("crc32w %1, %0" : "+r"(sum32) : "rm"((uint16_t)b));
    __asm__("crc32l %1, %0" : "+r"(sum32) : "rm"((uint32_t)b));
    __asm__("crc32q %1, %0" : "+r"(sum) : "rm"(b));
    __asm__("mulx %3, %0, %1" : "=r"(low), "=r"(high) : "d"(a), "rm"(b));
    printf("%x %llx %llx %llx ", sum32, (ull)sum, (ull)low, (ull)high);
    __asm__("xorl %%eax, %%eax; adcx %2, %0; adox %2, %1; adcx %1, %0; setc %%al; movzbl %%al, %%eax; mov "
            "%%rax, %3"
            : "+&r"(low), "+&r"(high)
            : "r"(a), "m"(x)
            : "rax", "memory", "cc");
    printf("%llx %llx %llx ", (ull)low, (ull)high, (ull)x);
    __asm__("shlx %2, %1, %0" : "=r"(x) : "r"(a), "r"(b));
    __asm__("sarx %2, %1, %0" : "=r"(y) : "r"(a), "r"(b));
    __asm__("rorx $7, %1, %0" : "=r"(z) : "r"(a));
    printf("%llx %llx %llx ", (ull)x, (ull)y, (ull)z);
    unsigned char c1, c2;
    __asm__("andn %3, %2, %0; sets %1" : "=&r"(x), "=q"(c1) : "r"(a), "r"(b) : "cc");
    __asm__("blsr %2, %0; setc %1" : "=&r"(y), "=q"(c2) : "r"(a) : "cc");
    printf("%llx %d %llx %d ", (ull)x, c1, (ull)y, c2);
    __asm__("blsi %2, %0; setc %1" : "=&r"(x), "=q"(c1) : "r"(a) : "cc");
    __asm__("blsmsk %2, %0; setc %1" : "=&r"(y), "=q"(c2) : "r"(a) : "cc");
    __asm__("movbe %1, %0" : "=r"(z) : "m"(b));
    printf("%llx %d %llx %d %llx\n", (ull)x, c1, (ull)y, c2, (ull)z);
    __asm__("clc; rcrq $1, %0; rclq $1, %1" : "+r"(a), "+r"(b) : : "cc");
    __asm__("stc; rclq $3, %0; rcrq $5, %1" : "+r"(x), "+r"(y) : : "cc");
    __asm__("lea (,%1,8), %0" : "=r"(z) : "r"(a));
    __asm__ volatile(".p2align 4\n\tmovnti %1, %0" : "=m"(low) : "r"(a));
    printf("%llx %llx %llx %llx %llx %llx\n", (ull)a, (ull)b, (ull)x, (ull)y, (ull)z, (ull)low);
}

static void scalars(double a, double b) {
    double sum = a, product = a, least = a, most = a, ways[4], back;
    float small = (float)a, single;
    int n, truncated;
    int64_t wide;
    unsigned char above, unordered;
    __asm__("addsd %1, %0; subsd %2, %0" : "+&x"(sum) : "xm"(b), "x"(a));
    __asm__("mulsd %1, %0; divsd %2, %0" : "+&x"(product) : "x"(b), "x"(b + 0.5));
    __asm__("minsd %1, %0" : "+x"(least) : "x"(b));
    __asm__("maxsd %1, %0" : "+x"(most) : "x"(b));
    __asm__("mulss %1, %0" : "+x"(small) : "x"((float)b));
    __asm__("cvtsd2si %1, %0" : "=r"(n) : "x"(a));
    __asm__("cvttsd2si %1, %0" : "=r"(truncated) : "xm"(a));
    __asm__("cvtss2siq %1, %0" : "=r"(wide) : "x"(small));
    printf("%a %a %a %a %a %d %d %lld ", sum, product, least, most, (double)small, n, truncated,
           (long long)wide);
    __asm__("roundsd $0, %1, %0" : "=x"(ways[0]) : "x"(a));
    __asm__("roundsd $1, %1, %0" : "=x"(ways[1]) : "x"(a));
    __asm__("roundsd $0xa, %1, %0" : "=x"(ways[2]) : "x"(a));
    __asm__("roundsd $3, %1, %0" : "=x"(ways[3]) : "x"(a));
    __asm__("ucomisd %3, %2; seta %0; setp %1" : "=q"(above), "=q"(unordered) : "x"(a), "x"(b) : "cc");
    __asm__("cvtsi2sdq %1, %0" : "=x"(back) : "rm"(wide));
    __asm__("cvtsd2ss %1, %0" : "=x"(single) : "x"(a));
    printf("%a %a %a %a %d %d %a %a\n", ways[0], ways[1], ways[2], ways[3], above, unordered, back,
           (double)single);
    printf("%a %a %a %a %a %a %a\n", floor(a), ceil(a), trunc(a), rint(a), nearbyint(a), round(a),
           sqrt(fabs(a)));
    printf("%a %a %a %a %a\n", (double)floorf(small), (double)ceilf(small), (double)roundf(small),
           (double)truncf(small), (double)sqrtf(fabsf(small)));
}

static void stack(double a, double b) {
    int16_t half;
    int32_t n;
    int64_t wide, loaded = -77;
    double other = b, moved;
    __asm__("fistps %0" : "=m"(half) : "t"(a) : "st");
    __asm__("fistpl %0" : "=m"(n) : "t"(a) : "st");
    __asm__("fistpll %0" : "=m"(wide) : "t"(a) : "st");
    printf("%d %d %lld ", half, n, (long long)wide);
    __asm__ volatile("fldl %1\n\tfistpl %0" : "=m"(n) : "m"(b));
    __asm__ volatile("fildll %1; fstpl %0" : "=m"(moved) : "m"(loaded));
    __asm__("fxch" : "+t"(a), "+u"(other));
    printf("%d %a %a %a ", n, moved, a, other);
    long double pi, one;
    __asm__("fldpi" : "=t"(pi));
    __asm__("fld1" : "=t"(one));
    uint64_t mantissa;
    memcpy(&mantissa, &pi, sizeof mantissa);
    printf("%llx %a\n", (ull)mantissa, (double)one);
}

int main(void) {
    static const double reals[] = {
        0, -0.0, 0.5, 1.5, -2.5, 1e9 + 0.25, -3e9, 1e19, 4503599627370497.5, 0x1p-1000, INFINITY};
    for (unsigned i = 0; i < COUNT; i++)
        for (unsigned k = 0; k < COUNT; k++) extensions(values[i], values[k]);
    for (unsigned i = 0; i < sizeof reals / sizeof *reals; i++)
        for (unsigned k = 0; k < sizeof reals / sizeof *reals; k++)
            scalars(reals[i], reals[k]), stack(reals[i], reals[k]);
    uint32_t sse;
    uint16_t x87, before = 0x1234;
    __asm__ volatile("stmxcsr %0\n\tldmxcsr %0" : "=m"(sse));
    __asm__ volatile("fnclex\n\tfstcw %0\n\tfwait\n\tfldcw %0" : "=m"(x87));
    printf("%x %x\n", sse & ~0x3fu, x87);
    uintptr_t sp = 0, mark = (uintptr_t)&sse;
    __asm__("movq %%rsp, %0" : "=r"(sp));
    printf("%d\n", sp != 0 && sp / 65536 - mark / 65536 + 1 <= 2);
    unsigned char done;
    uint64_t random;
    __asm__ volatile("rdrand %0; setc %1" : "=r"(random), "=qm"(done) : : "cc");
    uint32_t leaf = 0, b, c, d;
    __asm__ volatile(".byte 0x0f, 0xa2" : "+a"(leaf), "=b"(b), "=c"(c), "=d"(d));
    printf("%d %d %x\n", done, leaf > 0, before);
    fflush(stdout);
    long result;
    __asm__ volatile("syscall"
                     : "=a"(result)
                     : "a"(SYS_write), "D"(1), "S"("by hand\n"), "d"(8)
                     : "rcx", "r11", "memory");
    printf("%ld ", result);
    __asm__ volatile("syscall" : "=a"(result) : "a"(SYS_close), "D"(999) : "rcx", "r11", "memory");
    printf("%ld\n", result);
    return 0;
}
