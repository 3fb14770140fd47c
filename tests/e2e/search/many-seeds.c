// Every seed is followed to its end, although the first path leaves so many pending states that further alternatives are
// dropped (src/vm/novelty.h): an alternative that another seed takes is kept.
// RUN: rm -rf %t && mkdir -p %t/seeds && for letter in a b c d e f g h i j k l m n o p q r s t u v w x y z; do { printf $letter; head -c 9000 /dev/zero; } >%t/seeds/$letter; done
// RUN: status 3 %tamar run -q --relax-checks --emit all --max-tests 26 --seeds %t/seeds --sym-stdin 9001 --out %t/out %s
// RUN: for seed in %t/seeds/*; do cat %t/out/tests/*/stdin | tr -d '\0' | grep -q ${seed##*/} || exit 1; done
// REQUIRES: run
#include <stdio.h>

static unsigned char in[9001];

int main(void) {
    if (fread(in, 1, sizeof in, stdin) != sizeof in) return 1;
    int sum = 0;
    for (int i = 1; i <= 9000; i++)
        if (in[i] == 'x') sum++;
    for (int letter = 'a'; letter <= 'z'; letter++)
        if (in[0] == letter) return letter - 'a' + sum;
    return 99;
}
