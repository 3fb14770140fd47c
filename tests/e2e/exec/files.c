// Host files are read; the program's writes stay in its memory.
// RUN: rm -rf %t && mkdir %t && cd %t && echo "from the host" >in.txt
// RUN: %tamar exec %s | FileCheck %s
// RUN: test ! -e %t/out.txt && grep -q "from the host" %t/in.txt
// REQUIRES: exec
#include <stdio.h>

int main(void) {
    char line[100] = "";
    FILE *in = fopen("in.txt", "r");
    if (!in || !fgets(line, sizeof line, in)) return 1;
    fclose(in);
    printf("read: %s", line); // CHECK: read: from the host
    FILE *out = fopen("out.txt", "w");
    if (!out || fprintf(out, "written inside\n") < 0 || fclose(out)) return 2;
    in = fopen("out.txt", "r");
    if (!in || !fgets(line, sizeof line, in)) return 3;
    printf("back: %s", line); // CHECK: back: written inside
    FILE *over = fopen("in.txt", "w");
    if (over) fputs("overwritten", over), fclose(over);
    return 0;
}
