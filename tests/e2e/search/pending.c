// A first branch decides the assertion, loops over the input make many paths, and a long computation follows.
// pending(rp) stays with its path, for either order of the first branch. Random path that may leave a state after every
// block, as in the paper, needs more than ten times as many instructions. Instructions that start the program are not
// counted, since they depend on the length of file names.
// RUN: rm -rf %t.*
// RUN: status 1 %tamar run -q --search 'pending(rp)' --max-instructions 112000 --max-tests 1 --emit errors --out %t.1 %s
// RUN: status 1 %tamar run -q --search 'pending(rp)' --max-instructions 112000 --max-tests 1 --emit errors --out %t.2 -DOTHER_ORDER %s
// RUN: status 1 %tamar run -q --search rp --feasibility pending --step 1 --max-instructions 112000 --max-tests 1 --emit errors --out %t.3 %s
// RUN: status 3 %tamar run -q --search rp --step 1 --max-instructions 900000 --emit errors --out %t.4 %s
// RUN: status 3 %tamar run -q --search rp --step 1 --max-instructions 900000 --emit errors --out %t.5 -DOTHER_ORDER %s
// RUN: %tamar run -q --out %t.0 -DNOTHING %s
// RUN: start=$(python3 -c 'import json, sys; print(json.load(open(sys.argv[1]))["instructions"])' %t.0/summary.json); \
// RUN: for i in 1 2 3; do python3 %S/Inputs/summary %t.$i "(instructions - $start) * 10 < 900000 - $start" 'paths.revived > 0' 'len(bugs) == 1' || exit 1; done
// REQUIRES: run
#include <assert.h>
#include <tamar.h>

static unsigned slow(unsigned n) { return n < 2 ? n : slow(n - 1) + slow(n - 2); }

int main(void) {
#ifdef NOTHING
    return 0;
#endif
    unsigned char blank;
    char text[6];
    tamar_symbolic(&blank, sizeof blank, "blank");
    tamar_symbolic(text, sizeof text, "text");
    tamar_assume(blank < 2);
#ifndef OTHER_ORDER
    if (blank)
        text[0] = ' ';
    else
        text[0] = 0;
#else
    if (blank == 0)
        text[0] = 0;
    else
        text[0] = ' ';
#endif
    for (int i = 1; i < 6; i++)
        for (char j = 0; j < text[i]; j++) text[i - 1]++;
    slow(15);
    assert(!blank);
    return 0;
}
