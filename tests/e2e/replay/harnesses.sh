# Replays programs without main, with KLEE's or a verifier's functions, with files, and without source.
# RUN: bash %s %t %tamar
# REQUIRES: run, replay, cc
set -eu
work=$1 tamar=$2
rm -rf "$work" && mkdir "$work" && cd "$work"
cat >klee.c <<'END'
#include <assert.h>
#include <klee/klee.h>
int main(void) {
    int x, y;
    klee_make_symbolic(&x, sizeof x, "x");
    klee_make_symbolic(&y, sizeof y, "y");
    klee_assume(x > 3 & x < 100);
    if (x * y == 391) assert(y != 17);
    return 0;
}
END
cat >fuzzer.c <<'END'
#include <stddef.h>
#include <stdint.h>
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size > 2 && data[0] == 'F' && data[1] == 'U') return data[size];
    return 0;
}
END
cat >verifier.c <<'END'
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
    int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int();
    if (a > 10 && b == a + 7) reach_error();
    return 0;
}
END
cat >file.c <<'END'
#include <stdio.h>
#include <stdlib.h>
int main(void) {
    FILE *file = fopen("in.txt", "r");
    if (!file) return 1;
    int c = fgetc(file);
    fclose(file);
    if (c == 'k') abort();
    return 2;
}
END
cat >overrun.c <<'END'
#include <stdio.h>
#include <stdlib.h>
int main(void) {
    char *buffer = malloc(4);
    int c = getchar();
    if (c > 'x' && c < 'z') buffer[c - 'u'] = 1;
    free(buffer);
    return 0;
}
END
confirmed() { # NAME NUMBER_OF_BUGS: the last run was replayed as predicted
    "$tamar" replay tamar-last >"$1.text" || { cat "$1.text"; exit 1; }
    grep -q "$2 of $2 that show a bug confirmed" "$1.text" || { cat "$1.text"; exit 1; }
    ! grep -q 'ANOTHER PATH' "$1.text"
}
status 1 "$tamar" run klee.c --emit all -q >/dev/null
confirmed klee 1
status 1 "$tamar" run fuzzer.c --sym-input 5 --emit all -q >/dev/null
confirmed fuzzer 1
status 1 "$tamar" run verifier.c --emit all -q >/dev/null
confirmed verifier 1
status 1 "$tamar" run file.c --sym-file in.txt=2 --emit all -q >/dev/null
confirmed file 1
"$tamar" cc -g overrun.c -o overrun
status 1 "$tamar" run ./overrun --sym-stdin 1 --emit all -q >/dev/null
rm overrun.c overrun
confirmed overrun 1
