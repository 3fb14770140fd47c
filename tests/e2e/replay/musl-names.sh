# A built program calls functions that musl has and older glibc lacks: the build for the host's C library has them.
# RUN: rm -rf %t && mkdir %t && cd %t && bash %s %tamar
# REQUIRES: run, replay
set -eu
cat >names.c <<'END'
#define _GNU_SOURCE
#include <float.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <string.h>
static sigjmp_buf place;
int main(int argc, char **argv) {
    char to[6], *line;
    size_t length;
    volatile int rounds = 0;
    if (argc < 2) return 9;
    if (FLT_ROUNDS != 1) return 8;
    if (strlcpy(to, argv[1], sizeof to) >= sizeof to) return 1;
    if (strlcat(to, "abc", sizeof to) >= sizeof to) return 2;
    if (sigsetjmp(place, 1)) return 3;
    rounds++;
    if (to[0] == 'j') siglongjmp(place, 1);
    if (!(line = fgetln(stdin, &length))) return 4;
    return line[0] == to[0] ? 5 : (int)length;
}
END
"$1" cc names.c -o names
printf 'xyz\n' >in
status=0
"$1" run --sym-arg 3 --stdin in --out out names >text || status=$?
[ $status = 0 ] || { cat text; exit 1; }
"$1" replay out >text || { cat text; exit 1; }
grep -q 'exit status 5; exact: the same.*sanitizers: the same' text && grep -q 'exit status 3; .*sanitizers: the same' text || { cat text; exit 1; }
