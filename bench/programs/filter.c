// A packet filter like BSD's and Linux': a program of small instructions is validated, then run on a packet. It has the
// five kinds of errors that EXE found in those two; each failing line is marked. The filter and the packet are
// symbolic: first all filters that the validator accepts, then each on all packets.
#include <string.h>
#include <tamar.h>

enum { INSTRUCTIONS = 5, PACKET = 8, SLOTS = 4 };
enum {
    LOAD_WORD,
    LOAD_SLOT,
    STORE_SLOT,
    LOADX_SLOT,
    STOREX_SLOT,
    DIVIDE,
    DIVIDEX,
    JUMP_EQUAL,
    TAKE,
    RETURN,
    CODES
};

struct instruction {
    unsigned char code, jump_true, jump_false;
    unsigned k;
};

static int valid(const struct instruction *code, unsigned count) {
    for (unsigned i = 0; i < count; i++) {
        if (code[i].code >= CODES) return 0;
        // forgets LOADX_SLOT and STOREX_SLOT
        if ((code[i].code == LOAD_SLOT || code[i].code == STORE_SLOT) && code[i].k >= SLOTS) return 0;
        if (code[i].code == DIVIDE && !code[i].k) return 0; // not DIVIDEX: the value of X is not known here
        if (code[i].code == JUMP_EQUAL && i + 1 + code[i].jump_true >= count) return 0; // and the other way?
    }
    return code[count - 1].code == RETURN;
}

static unsigned run(const struct instruction *code, const unsigned char *packet, unsigned length) {
    unsigned a = 0, x = 0, slots[SLOTS] = {0};
    for (const struct instruction *at = code;; at++) {
        unsigned k = at->k; // error: jump
        switch (at->code) {
        case LOAD_WORD:
            if (k + 4 > length) return 0;
            memcpy(&a, packet + k, 4); // error: sum
            break;
        case LOAD_SLOT: a = slots[k]; break;
        case STORE_SLOT: slots[k] = a; break;
        case LOADX_SLOT: x = slots[k]; break;  // error: read
        case STOREX_SLOT: slots[k] = x; break; // error: write
        case DIVIDE: a /= k; break;
        case DIVIDEX: a /= x; break; // error: division
        case JUMP_EQUAL: at += a == k ? at->jump_true : at->jump_false; break;
        case TAKE: x = a; break;
        default: return a + k;
        }
    }
}

int main(void) {
    struct instruction code[INSTRUCTIONS];
    unsigned char packet[PACKET];
    tamar_symbolic(code, sizeof code, "filter");
    if (!valid(code, INSTRUCTIONS)) return 1;
    tamar_symbolic(packet, sizeof packet, "packet");
    return run(code, packet, PACKET) ? 0 : 2;
}
