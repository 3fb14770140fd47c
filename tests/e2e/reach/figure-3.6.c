// Otter's Figure 3.6, the pattern of mkdir, mkfifo and mknod: branches on parsed options call the same function, and the
// line can be reached from the second call only. The first call is nearer: shortest distance alone stays in the paths
// of that call. The default strategy and Otter's best one leave it.
// RUN: rm -rf %t.1 %t.2 %t.3 %t.4 && status 3 %tamar reach figure-3.6.c:21 %s --no-prove -q --sym-arg 3 --sym-arg 12 --search sdse --max-instructions 200000 --out %t.1
// RUN: %tamar reach figure-3.6.c:21 %s --no-prove -q --sym-arg 3 --sym-arg 12 --max-instructions 200000 --out %t.2
// RUN: %tamar reach figure-3.6.c:21 %s --no-prove -q --sym-arg 3 --sym-arg 12 --search 'batch(rr(rp,sdse))' --max-instructions 200000 --out %t.3
// RUN: %tamar reach figure-3.6.c:21 %s --no-prove -q --sym-arg 3 --sym-arg 12 --search 'mix(klee)' --max-instructions 200000 --out %t.4
// REQUIRES: reach
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char quoted[64];

static const char *quote(const char *text, int special) {
    size_t length = 0;
    for (; *text && length < 40; text++) {
        if (*text == '\'' || *text == '\\') quoted[length++] = '\\';
        if (*text < ' ') quoted[length++] = '^';
        if (special && *text == '\'') {
            abort(); // the line
        }
        quoted[length++] = *text;
    }
    return quoted;
}

int main(int argc, char **argv) {
    const char *options = argv[1], *text = argv[2]; // as if getopt_long had parsed them
    if (options[0] != 'm') printf("no mode for %s\n", quote(text, 0));
    if (options[1] == 'v') printf("made %s\n", quote(text, options[2] == 's'));
    return argc - 3;
}
