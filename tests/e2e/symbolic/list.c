// A list of three nodes with symbolic values: the first value above 100 ends the walk. Four paths.
// RUN: rm -rf %t.out
// RUN: %tamar run --emit all --check leak --out %t.out %s | grep "4 paths, 4 tests; every path was explored"
// REQUIRES: run
#include <stdlib.h>
#include <tamar.h>

struct node {
    struct node *next;
    unsigned char value;
};

int main(void) {
    struct node *head = NULL;
    for (int i = 0; i < 3; i++) {
        struct node *node = malloc(sizeof *node);
        tamar_symbolic(&node->value, 1, "value");
        node->next = head;
        head = node;
    }
    int count = 0;
    for (struct node *node = head; node && node->value <= 100; node = node->next) count++;
    while (head) {
        struct node *next = head->next;
        free(head);
        head = next;
    }
    return count;
}
