// qsort of an index by symbolic keys in a table of 64 records.
// paths: 25
#include <stdlib.h>
#include <tamar.h>

struct record {
    unsigned char key;
    char name[15];
};
static struct record records[64];

static int compare(const void *a, const void *b) {
    return records[*(const unsigned char *)a].key - records[*(const unsigned char *)b].key;
}

int main(void) {
    unsigned char order[4];
    for (int i = 0; i < 64; i++) records[i].key = (unsigned char)(i * 37);
    for (int i = 0; i < 4; i++) {
        order[i] = (unsigned char)(16 * i + i);
        records[order[i]].key = (unsigned char)tamar_int("key");
    }
    qsort(order, 4, 1, compare);
    for (int i = 0; i < 3; i++) tamar_assert(records[order[i]].key <= records[order[i + 1]].key);
    return 0;
}
