# --max-time and --max-memory also work for exec and solve: status 3, and a message that names the limit.
# RUN: bash %s %t
# REQUIRES: exec, solve
# UNSUPPORTED: sanitized
set -eu
work=$1 tamar=$TAMAR_BINARY
rm -rf "$work" && mkdir "$work" && cd "$work"
expect() { # STATUS TEXT COMMAND...
    local status=0 wanted=$1 text=$2
    shift 2
    "$@" >said.txt 2>&1 </dev/null || status=$?
    [ $status = "$wanted" ] && grep -q -- "$text" said.txt || { cat said.txt; echo "status $status: $*"; exit 1; }
}
soon() { # SECONDS COMMAND...: over by then
    local begin=$(date +%s)
    local most=$1
    shift
    "$@"
    [ $(($(date +%s) - begin)) -le $most ] || { echo "too long: $*"; exit 1; }
}
cat >spin.c <<'END'
int main(void) { for (volatile int i = 0;; i++) {} }
END
cat >block.c <<'END'
#include <stdlib.h>
#include <string.h>
int main(void) { char *b = malloc(64 << 20); for (int i = 0;; i++) memset(b, i, 64 << 20); }
END
cat >grow.c <<'END'
#include <stdlib.h>
#include <string.h>
int main(void) { for (int i = 0;; i++) memset(malloc(1 << 20), i, 1 << 20); }
END
cat >wait.c <<'END'
#include <stdio.h>
int main(void) { return getchar(); }
END
cat >small.c <<'END'
#include <stdio.h>
int main(void) { puts("done"); return 7; }
END
soon 5 expect 3 "--max-time is reached" "$tamar" exec --max-time 1 spin.c
soon 5 expect 3 "--max-time is reached" "$tamar" exec --max-time 1 block.c
soon 20 expect 3 "--max-memory is reached" "$tamar" exec --max-memory 300 grow.c
expect 3 "the limit of instructions is reached" "$tamar" exec --max-instructions 20000000 spin.c
expect 7 done "$tamar" exec --max-time 30 --max-memory 300 small.c
# A program that waits for input, which never comes.
mkfifo never
sleep 20 >never &
sleeper=$!
status=0 begin=$(date +%s)
"$tamar" exec --max-time 1 wait.c <never >said.txt 2>&1 || status=$?
kill $sleeper
[ $status = 3 ] && grep -q -- "--max-time is reached" said.txt && [ $(($(date +%s) - begin)) -le 6 ] || { cat said.txt; echo "status $status"; exit 1; }

# A query that needs gigabytes.
python3 - >large.smt2 <<'END'
print("(set-logic QF_BV)")
for i in range(60):
    print(f"(declare-const x{i} (_ BitVec 512))")
for i in range(59):
    print(f"(assert (= (bvmul x{i} x{i + 1}) (bvurem x{(i + 7) % 60} (bvmul x{i + 1} x{i + 1}))))")
    print(f"(assert (bvult #x{'0' * 127}1 x{i}))")
print("(check-sat)")
END
expect 3 unknown "$tamar" solve --max-memory 300 large.smt2
grep -q -- "--max-memory" said.txt
