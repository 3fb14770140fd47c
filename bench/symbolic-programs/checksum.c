// Records with checksums: each of four records of three bytes (kind, value, checksum) is accepted or rejected.
#include <tamar.h>

#define RECORDS 4

static unsigned crc8(unsigned crc, unsigned char byte) {
    crc ^= byte;
    for (int bit = 0; bit < 8; bit++) crc = crc & 0x80 ? (crc << 1 ^ 0x07) & 0xff : crc << 1 & 0xff;
    return crc;
}

int main(void) {
    unsigned char record[RECORDS][3];
    int sum = 0, good = 0;
    tamar_symbolic(record, sizeof record, "record");
    for (int i = 0; i < RECORDS; i++) {
        unsigned a = 1, b = 0;
        for (int k = 0; k < 2; k++) { // as Adler's: two sums, the second of the first
            a = (a + record[i][k]) % 251;
            b = (b + a) % 251;
        }
        if (record[i][2] != (unsigned char)(a ^ b << 1)) continue;
        good++;
        if (record[i][0] == 1) sum += record[i][1];
        if (record[i][0] == 2) sum -= record[i][1];
    }
    if (good == RECORDS && sum == 200) tamar_assert(crc8(0, record[0][1]) != 0x99);
    return good;
}
