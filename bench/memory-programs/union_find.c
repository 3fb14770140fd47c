// Union-find over 1,000 elements: two symbolic unions, then two elements are compared.
// paths: 5
#include <tamar.h>

#define COUNT 1000
static int parent[COUNT];

static int find(int x) {
    while (parent[x] != x) x = parent[x];
    return x;
}

static int element(const char *name) {
    int x = tamar_int(name);
    tamar_assume(x >= 0 && x < COUNT);
    return x;
}

int main(void) {
    for (int i = 0; i < COUNT; i++) parent[i] = i;
    int a = element("a"), b = element("b"), c = element("c");
    parent[find(a)] = find(b);
    tamar_assert(find(a) == find(b));
    parent[find(b)] = find(c);
    tamar_assert(find(a) == find(c));
    return 0;
}
