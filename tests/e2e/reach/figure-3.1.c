// Otter's Figure 3.1: one of many paths through a loop over words leads to the line; much code after the loop does not.
// SDSE goes straight there; random path forks ten times as often, and depth first does not get there.
// RUN: rm -rf %t && mkdir %t
// RUN: for s in sdse sdse-intra sdse-rr; do %tamar reach figure-3.1.c:27 %s --sym-stdin 8 --no-prove -q --out %t/$s --search $s --max-forks 11 || exit 1; done
// RUN: %tamar reach figure-3.1.c:27 %s --sym-stdin 8 --no-prove -q --out %t/pr --search sdse-pr --max-forks 400
// RUN: status 3 %tamar reach figure-3.1.c:27 %s --sym-stdin 8 --no-prove -q --out %t/rp --search rp --max-forks 400
// RUN: status 3 %tamar reach figure-3.1.c:27 %s --sym-stdin 8 --no-prove -q --out %t/dfs --search dfs --max-forks 10000
// REQUIRES: reach
#include <stdio.h>
#include <tamar.h>
#define WORDS 12
static int flags[4], others;

static void other(int which) {
    for (int i = 0; i < 3; i++)
        if (which & (1 << i)) others += i;
}

int main(void) {
    char words[WORDS];
    int n, count = 0;
    tamar_symbolic(words, sizeof words, "words");
    tamar_symbolic(&n, sizeof n, "n");
    for (int i = 0; i < WORDS && i < n; i++) {
        if (words[i] == 'b') {
            if (count >= 4)
                return 1; // the line
            flags[count++] = 1;
        } else {
            other(words[i]);
        }
    }
    int c, lines = 0;
    while ((c = getchar()) != EOF) {
        if (c == '\n') lines++;
        if (c == 'x') others++;
    }
    return lines > 100;
}
