// An alloca that the program declares itself, without <alloca.h>, allocates memory of the calling function.
// RUN: same-as-native %tamar %s </dev/null
// REQUIRES: exec
#include <stdio.h>
#include <string.h>
extern void *alloca(__SIZE_TYPE__);
static int chain(int depth, int *before) {
    int *here = alloca(sizeof *here * (unsigned)(depth + 1));
    for (int i = 0; i <= depth; i++) here[i] = before ? before[0] + i : i;
    return depth ? chain(depth - 1, here) + here[depth] : here[0];
}
int main(void) {
    char *text = alloca(20);
    strcpy(text, "on the stack");
    printf("%s %d %d\n", text, chain(5, 0), (int)((unsigned long)text % 16));
    return 0;
}
