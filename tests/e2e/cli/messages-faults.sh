# Messages on a system that has run out of disk space, processes, descriptors or locks. Inputs/faults.c makes single
# calls fail.
# RUN: bash %s %t
# REQUIRES: run, replay, exec, cc
# UNSUPPORTED: sanitized
set -u
work=$1 tamar=$TAMAR_BINARY failed=0 folder=$(cd "$(dirname "$0")" && pwd)
rm -rf "$work" && mkdir "$work" && cd "$work"
clang-19 -shared -fPIC -O1 "$folder/Inputs/faults.c" -o faults.so || exit 1
check() { # STATUS MESSAGE COMMAND...
    local wanted=$1 message=$2 status=0
    shift 2
    timeout -k 5 60 "$@" >out.text 2>&1 </dev/null || status=$?
    [ $status = "$wanted" ] && grep -qF -- "$message" out.text && return
    echo "$*: status $status, not $wanted with: $message"; cat out.text; failed=1
}
fault() { # STATUS MESSAGE 'CALL=NAME PATH=PART ERROR=N ...' COMMAND...
    local wanted=$1 message=$2 faults=()
    for word in $3; do faults+=("FAULT_$word"); done
    shift 3
    check "$wanted" "$message" env LD_PRELOAD="$PWD/faults.so" "${faults[@]}" "$tamar" "$@"
}
cat >part.c <<'E'
#include <stdio.h>
int main(void) { int c = getchar(); if (c == 'x') return 2; return c == 7; }
E
"$tamar" run -q part.c --sym-stdin 1 --out run >/dev/null
"$tamar" replay -q run >/dev/null || exit 1 # the same without a fault
EAGAIN=11 ENOSPC=28 EMFILE=24 ENOLCK=37 KILL=0 DAMAGE=-1

# ---- files
check 0 '/dev/full: the log of queries is not complete' "$tamar" run part.c --sym-stdin 1 --layers sat --log-queries /dev/full --out w1
check 0 '/dev/full: the log of statements is not complete' "$tamar" run part.c --sym-stdin 1 --log-statements /dev/full --out w2
fault 2 'a file of the test cannot be created: No space left on device' "CALL=open PATH=/errors ERROR=$ENOSPC" replay run --exact
fault 2 'the sliced program cannot be written' "CALL=open PATH=tamar-sliced ERROR=$ENOSPC" run part.c --sym-stdin 1 --slice 1 --out w0
fault 2 'cannot be locked' "CALL=lock ERROR=$ENOLCK" run part.c --sym-stdin 1 --out w3
echo 'int one(void) { return 1; }' >one.c && echo 'int one(void); int main(void) { return one(); }' >two.c
"$tamar" cc -shared -fPIC one.c -o libone.so || failed=1
fault 1 'libone.so: its bitcode cannot be copied' "CALL=open PATH=/library-0.o ERROR=$ENOSPC" cc two.c libone.so -o two
cat >writes.c <<'E'
#include <stdio.h>
int main(void) { FILE *f = fopen("made", "w"); fputs("text", f); return fclose(f); }
E
mkdir kept && ln -s / "kept$(pwd | cut -d/ -f1-2)" # nothing is written through a link
check 4 'made of the program cannot be saved there: ' "$tamar" exec writes.c --save-files kept
mkdir gone && cd gone && cp ../part.c . && "$tamar" run -q part.c --sym-stdin 1 --out ../elsewhere >/dev/null && cd .. && rm -r gone
check 2 'gone: the program cannot start in this folder: No such file or directory' "$tamar" replay elsewhere --exact

# ---- processes and descriptors
fault 2 'cannot create a socket: Too many open files' "CALL=socketpair ERROR=$EMFILE" replay run --exact
fault 2 'cannot create a pipe: Too many open files' "CALL=pipe2 ERROR=$EMFILE WHERE=forked" replay run --sanitizers
fault 2 'replay: cannot start a process: Resource temporarily unavailable' "CALL=fork ERROR=$EAGAIN WHERE=first" replay run --exact --jobs 2
fault 2 'test 1 was not finished: its process ended' "CALL=open PATH=/errors ERROR=$KILL WHERE=forked" replay run --exact --jobs 1
fault 2 '--serve: cannot start a process: Resource temporarily unavailable' "CALL=fork ERROR=$EAGAIN" run part.c --sym-stdin 1 --serve 0 --out w4
fault 3 '--jobs: cannot start a process: Resource temporarily unavailable' "CALL=fork ERROR=$EAGAIN" run part.c --sym-stdin 1 --jobs 2 --out w5

# ---- the fuzzer: the exploration goes on without it, or does not begin
if [ -e /usr/lib/afl/afl-compiler-rt.o ]; then
    fault 2 "the fuzzer's folder cannot be created: No space left on device" "CALL=mkdir PATH=/fuzz ERROR=$ENOSPC" run part.c --sym-stdin 1 --fuzz afl++ --out w6
    fault 0 '--fuzz: cannot start a process: Resource temporarily unavailable' "CALL=fork ERROR=$EAGAIN" run part.c --sym-stdin 1 --fuzz afl++ --out w7
fi

# ---- what processes of one run send each other
fault 3 'a report of worker 1: ' "CALL=send ERROR=$DAMAGE WHERE=forked" run part.c --sym-stdin 1 --jobs 1 --out w8
fault 3 'an order of the coordinator: ' "CALL=send ERROR=$DAMAGE WHERE=first" run part.c --sym-stdin 1 --jobs 1 --out w9
exit $failed
