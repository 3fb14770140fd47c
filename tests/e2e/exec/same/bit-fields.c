// RUN: same-as-native %tamar %s </dev/null
// REQUIRES: exec
#include <stdio.h>
#include <string.h>

struct flags {
    unsigned a : 1, b : 3, c : 12;
    signed d : 5;
    unsigned long long e : 40;
    int : 0;
    unsigned char f : 7;
    _Bool g : 1;
};
#pragma pack(1)
struct packed {
    char tag;
    int value;
    unsigned x : 11, y : 22;
    short last;
};
#pragma pack()
union both {
    struct flags flags;
    unsigned char bytes[sizeof(struct flags)];
};

int main(int argc, char **argv) {
    union both u;
    memset(&u, 0, sizeof u);
    u.flags.a = 3u * argc, u.flags.b = 9u * argc, u.flags.c = 0xfffu - argc, u.flags.d = -7 * argc;
    u.flags.e = 0xabcdef1234ull * argc, u.flags.f = 200u * argc, u.flags.g = 2 * argc;
    u.flags.d -= 12, u.flags.c++, u.flags.b ^= 5, u.flags.e >>= 3;
    printf("%u %u %u %d %llx %u %d\n", u.flags.a, u.flags.b, u.flags.c, u.flags.d,
           (unsigned long long)u.flags.e, u.flags.f, u.flags.g);
    for (unsigned i = 0; i < sizeof u.bytes; i++) printf("%02x", u.bytes[i]);
    struct packed p = {'x', -5, 0x7ff, 0x3fffff, -2};
    p.x -= 3, p.y += 2, p.value *= argc;
    unsigned char raw[sizeof p];
    memcpy(raw, &p, sizeof p);
    printf("\n%zu ", sizeof p);
    for (unsigned i = 0; i < sizeof p; i++) printf("%02x", raw[i]);
    puts("");
    return 0;
}
