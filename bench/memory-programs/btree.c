// A B-tree of order 4 over an array of nodes: five concrete keys, then a symbolic key is inserted, another looked up.
// paths: 307
#include <string.h>
#include <tamar.h>

#define ORDER 4
struct node {
    int count, leaf;
    unsigned char keys[ORDER - 1];
    short children[ORDER];
};
static struct node nodes[256];
static short used, root;

static short make(int leaf) {
    nodes[used] = (struct node){.leaf = leaf};
    return used++;
}

static void split(short parent, int i) {
    short left = nodes[parent].children[i], right = make(nodes[left].leaf);
    nodes[right].count = 1;
    nodes[right].keys[0] = nodes[left].keys[2];
    nodes[right].children[0] = nodes[left].children[2];
    nodes[right].children[1] = nodes[left].children[3];
    nodes[left].count = 1;
    memmove(&nodes[parent].keys[i + 1], &nodes[parent].keys[i], (size_t)(nodes[parent].count - i));
    memmove(&nodes[parent].children[i + 2], &nodes[parent].children[i + 1],
            (size_t)(nodes[parent].count - i) * sizeof(short));
    nodes[parent].keys[i] = nodes[left].keys[1];
    nodes[parent].children[i + 1] = right;
    nodes[parent].count++;
}

static void put(unsigned char key) {
    if (nodes[root].count == ORDER - 1) {
        short old = root;
        root = make(0);
        nodes[root].children[0] = old;
        split(root, 0);
    }
    short at = root;
    for (;;) {
        int i = 0;
        while (i < nodes[at].count && key > nodes[at].keys[i]) i++;
        if (i < nodes[at].count && nodes[at].keys[i] == key) return;
        if (nodes[at].leaf) {
            memmove(&nodes[at].keys[i + 1], &nodes[at].keys[i], (size_t)(nodes[at].count - i));
            nodes[at].keys[i] = key;
            nodes[at].count++;
            return;
        }
        if (nodes[nodes[at].children[i]].count == ORDER - 1) {
            split(at, i);
            if (key > nodes[at].keys[i]) i++;
            else if (key == nodes[at].keys[i]) return;
        }
        at = nodes[at].children[i];
    }
}

static int has(unsigned char key) {
    for (short at = root;;) {
        int i = 0;
        while (i < nodes[at].count && key > nodes[at].keys[i]) i++;
        if (i < nodes[at].count && nodes[at].keys[i] == key) return 1;
        if (nodes[at].leaf) return 0;
        at = nodes[at].children[i];
    }
}

int main(void) {
    static const unsigned char known[] = {50, 20, 80, 10, 30, 60, 90, 25};
    root = make(1);
    for (unsigned i = 0; i < sizeof known; i++) put(known[i]);
    unsigned char a = (unsigned char)tamar_int("a"), b = (unsigned char)tamar_int("b");
    put(a);
    tamar_assert(has(a));
    return has(b);
}
