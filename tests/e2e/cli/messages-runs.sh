# Messages of `tamar run`, `tamar config`, `tamar export` and others: each program is small and triggers one message.
# RUN: bash %s %t
# REQUIRES: run, replay, export, reach, config, regress, slice, record, cc
# UNSUPPORTED: sanitized, hostile
set -u
work=$1 tamar=$TAMAR_BINARY failed=0 folder=$(cd "$(dirname "$0")" && pwd) number=0
rm -rf "$work" && mkdir "$work" && cd "$work"
check() { # STATUS MESSAGE COMMAND...
    local wanted=$1 message=$2 status=0
    shift 2
    timeout -k 5 100 env LD_PRELOAD="${FAULT_PRELOAD-}" "$tamar" "$@" >out.text 2>&1 </dev/null || status=$?
    [[ $status =~ ^($wanted)$ ]] && grep -qF -- "$message" out.text && return
    echo "tamar $*: status $status, not $wanted with: $message"; cat out.text; failed=1
}
explore() { # STATUS MESSAGE WORDS...: into a folder of its own
    local wanted=$1 message=$2
    shift 2
    check "$wanted" "$message" run --out "r$((++number))" "$@"
}
cat >part.c <<'E'
#include <stdio.h>
int level;
int main(void) { int c = getchar(); if (c == 'x' && level == 3) return 2; return c == 7; }
E
cat >endless.c <<'E'
#include <stdio.h>
int main(void) { int n = 0; for (;;) n += getchar() == 'x'; }
E

# ---- memory
explore '0|3' '--max-memory 1: Tamar and the program take ' part.c --sym-stdin 1 --max-memory 1
cat >wide.c <<'E'
#include <stdlib.h>
#include <unistd.h>
int main(void) { // every state that waits has written pages of its own
    unsigned char b[40];
    if (read(0, b, sizeof b) != sizeof b) return 1;
    unsigned char *pages = calloc(40, 1 << 16);
    for (int i = 0; i < 40; i++) {
        for (int k = 0; k < 1 << 16; k += 64) pages[(i << 16) + k] = (unsigned char)(k + i);
        if (b[i] > 100) pages[i]++;
    }
    return pages[3];
}
E
explore 3 '--max-memory is reached: states are dropped, so not every path will be explored' \
    wide.c --sym-stdin 40 --search bfs --max-memory 250 --max-paths 30

# ---- what the engine gives up, or does in another way
cat >big.h <<'E'
#include <stdlib.h>
#include <sys/mman.h>
#define SIZE (1u << 20)
static char *big;
static void make(void) { // a mapping with parts of other access rights does not become an array term
    big = mmap(NULL, 2 * SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    for (unsigned i = 0; i < SIZE; i += 4096) big[i] = (char)(i >> 12);
    mprotect(big + SIZE, SIZE, PROT_READ);
}
E
cat >large.c <<'E'
#include "big.h"
#include <stdio.h>
int main(void) { unsigned i; make(); if (fread(&i, 4, 1, stdin) != 1) return 1; return big[i % SIZE]; }
E
explore 3 'an index into a large object: the path forks on each value' large.c --sym-stdin 4 --max-paths 5
cat >hard.c <<'E'
#include "big.h"
#include <tamar.h>
static char one[100], two[100];
int main(int argc, char **argv) {
    unsigned long a, b, n = 0xd16ba1a5c1bf8f6bul, p; // n is a prime number
    tamar_symbolic(&a, sizeof a, "a"), tamar_symbolic(&b, sizeof b, "b"), p = a * b;
    tamar_assume(a > 1 && b > 1 && a < 1ul << 32 && b < 1ul << 32);
    make();
    if (argv[1][0] == 'v') { tamar_assume(p % 3 < 2); return big[p * b % SIZE]; }
    char *pointers[] = {one, two, big};
    return pointers[(p & 1) + (p == n)][p * b % 100];
}
E
explore 3 'the solver gave no answer: further values are not explored' hard.c --solver-timeout 0.05 --max-time 20 -- v
explore 3 'the solver gave no answer: objects of a pointer are not explored' hard.c --solver-timeout 0.5 --max-time 20 -- o
cat >long.c <<'E'
#include <stdio.h>
int main(void) { int n = 0, c; while ((c = getchar()) != EOF) if (c > 'm') n++; else n += 2; return n & 1; }
E
mkdir seeds && head -c 3000 /dev/zero | tr '\0' a >seeds/long
explore 3 "further alternatives on the path of a seed are not explored" long.c --sym-stdin 3000 --seeds seeds --max-time 10

# ---- a file of the host that changes between the two runs of a path
cat >reads.c <<'E'
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>
int main(void) {
    char kind = 0;
    int n = 0, fd = open("kind", O_RDONLY);
    if (read(fd, &kind, 1) != 1) return 1;
    if (kind == 'a') return 3;
    for (int i = 0; i < 6; i++) if (getchar() > 'm') n++; else puts("");
    return n;
}
E
printf b >kind
"$tamar" run -q reads.c --sym-stdin 6 --max-paths 3 --out interrupted >/dev/null 2>&1
printf a >kind
check 3 'a path of the interrupted run could not be rebuilt: it is dropped' run --resume interrupted
check 0 'the path was not followed to its end: ' run --follow interrupted/tests/000001.json
cp -r interrupted older && sed -i 's/"version": "[^"]*"/"version": "tamar 0.0.1"/' older/program.json
check 2 'the run was made by another version: tamar 0.0.1' run --resume older

# ---- parts that do not fit together
echo 'int main(void) { return getchar() == 7; }' >wide-main.c
sed -i '1i #include <stdio.h>' wide-main.c
echo '#include <wchar.h>
wchar_t letter = 7;' >short.c
clang-19 -g -c -emit-llvm -fshort-wchar short.c -o short.bc && clang-19 -g -c -emit-llvm wide-main.c -o wide-main.bc
explore 0 'the program is not kept for replay: ' short.bc wide-main.bc --sym-stdin 1
explore 2 'the program cannot be built natively: its parts do not fit into one module' short.bc wide-main.bc --sym-stdin 1 --fuzz afl++

# ---- configurations
printf 'variable level int\ntest one:\n' >open
cat >many.c <<'E'
#include <stdio.h>
int level;
int main(void) { for (int i = 0; i < 100; i++) if (level == 7 * i) return i; return 0; }
E
check 0 'level: more than 16 values make a difference; name those of interest as A|B|C' config open many.c --out c1
printf 'variable level 0|3\ntest one:\n' >options
cat >bug.c <<'E'
int level;
int main(void) { return 1 / (level - 3); }
E
check 0 'one: paths that end with a bug of the program: 1; `tamar run` shows it' config options bug.c --out c2
cat >none.c <<'E'
#include <tamar.h>
int level;
int main(void) { tamar_assume(level > 5); return level; }
E
check 2 'one: no path of the test ended' config options none.c --out c3
cat >given.c <<'E'
#include "big.h"
int level;
int main(void) { make(); return big[(unsigned)level * 77777u % SIZE]; }
E
check 0 'the path forks on each value (2 times, in 1 different location)' config options given.c --out c4

# ---- changes, slices, exports, native runs
echo 'int main(void) { return 0; }' >good.c && clang-19 -c -emit-llvm good.c -o good.bc
"$tamar" cc -g part.c -o part && echo x | "$tamar" record --into tamar-seeds -- ./part >/dev/null 2>&1
printf -- '--- a/part.c\n+++ b/part.c\n@@ -3 +3 @@\n-int main(void) { return 0; }\n+%s\n' "$(sed -n 3p part.c)" >main.diff
check 2 'the program has no debug lines' regress good.bc --diff main.diff
"$tamar" regress -q part.c --diff main.diff --no-compare --out regressed >/dev/null 2>&1
check 2 'the tests of a recorded run do not have the same inputs' export regressed --minimise --to exported
{
    printf 'int getchar(void);\nint main(void) {\n    unsigned c = (unsigned)getchar(), n = 0;\n'
    for i in $(seq 26); do echo "    if (c >> $((i % 8)) & 1) n += $i;"; done
    printf '    return (int)(n & 3);\n}\n'
} >ways.c
check 3 '--slice 1: in 1 of 1 functions not all paths were examined' run ways.c --sym-stdin 1 --slice 1 --out ways
grep -q 'next: tamar run ways.c .*--max-time 60   (explores the original program' out.text || { cat out.text; failed=1; }
check 0 'functions not all paths were examined; --steps allows more' slice endless.c -o sliced.bc --mode 1 --steps 1
echo 'int __VERIFIER_nondet_int(void); int main(void) { return __VERIFIER_nondet_int() == 3; }' >gone.c
"$tamar" run -q gone.c --out gone >/dev/null && rm gone.c
check 0 'metadata.xml has the hash of an empty file' export gone --as test-comp --to exported-2
cat >killed.c <<'E'
#include <signal.h>
#include <stdio.h>
int main(void) { getchar(); raise(SIGKILL); }
E
"$tamar" run -q killed.c --sym-stdin 1 --out killed >/dev/null
check 0 'no line was counted: no test ended in a way that writes the counts' replay killed --gcov

# ---- no time is left: the clock jumps over the end of the run as soon as a file is there
clang-19 -shared -fPIC -O1 "$folder/Inputs/faults.c" -o faults.so || exit 1
late() { # FILE STATUS MESSAGE WORDS...
    local file=$1
    shift
    FAULT_PRELOAD=$PWD/faults.so FAULT_CALL=clock FAULT_PATH="$PWD/r$((number + 1))/$file" FAULT_SKIP=100 explore "$@" --max-time 90
}
FAULT_PRELOAD=$PWD/faults.so FAULT_CALL=clock FAULT_PATH=$PWD/reached/tests/000001.json FAULT_SKIP=100 \
    check 0 'no time is left to confirm reached targets natively' reach part.c:3 part.c --sym-stdin 1 --max-time 90 --out reached
cat >often.c <<'E'
#include <stdio.h>
int main(void) { int n = 0; for (;;) { int c = getchar(); if (c == 'q') return 1; n += c == 'x' ? 2 : 1; } }
E
late tests/000001.json 3 'the checkpoint is too large for the limits: the run cannot be resumed' often.c --sym-stdin 200
late checkpoint 3 'the checkpoint is too large for the limits: --resume will continue from the checkpoint at ' often.c --sym-stdin 200

# ---- a fuzzer that cannot be built: no process of the build gets its sandbox
if [ -e /usr/lib/afl/afl-compiler-rt.o ]; then
    FAULT_PRELOAD=$PWD/faults.so FAULT_CALL=socketpair FAULT_ERROR=24 FAULT_WHERE=forked \
        explore 3 '--fuzz: the program cannot be built for afl++: the run continues without it' endless.c --sym-stdin 100 --fuzz afl++ --max-time 8
fi
exit $failed
