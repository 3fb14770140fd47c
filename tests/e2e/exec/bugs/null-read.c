// RUN: status 125 %tamar exec %s 2>%t
// RUN: FileCheck %s <%t
// REQUIRES: exec
struct node {
    struct node *next;
    int value;
};

static int last(const struct node *n) {
    while (n->value) // CHECK: tamar: null: {{.*}}null-read.c:[[#@LINE]]
        n = n->next;
    return n->value;
}

int main(void) {
    struct node one = {0, 1};
    return last(&one);
}
