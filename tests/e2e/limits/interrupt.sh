# Ctrl-C and SIGTERM end a run soon, whatever it is doing, with its results; a second signal loses nothing.
# RUN: bash %s %t
# REQUIRES: run, stats
set -eu
work=$1 tamar=$TAMAR_BINARY
rm -rf "$work" && mkdir "$work" && cd "$work"
cat >block.c <<'END'
#include <stdlib.h>
#include <string.h>
#include <tamar.h>
int main(void) { // two paths end, the third fills blocks
    int n = tamar_int("n");
    if (n == 1) return 1;
    if (n == 2) return 2;
    char *b = malloc(64 << 20);
    for (int i = 0;; i++) memset(b, i, 64 << 20);
}
END
cat >term.c <<'END'
#include <tamar.h>
int main(void) { // terms without end
    unsigned n = (unsigned)tamar_int("n"), t = n;
    if (n == 1) return 1;
    for (unsigned i = 0;; i++) {
        t = t * t + i * n;
        if (t % 12345 == 17) n++;
    }
}
END
for program in block term; do
    for signal in INT TERM; do
        out=$program-$signal
        "$tamar" run -q --search bfs --out $out $program.c >said.txt 2>&1 &
        pid=$!
        for i in $(seq 600); do # until a test is there
            test -e $out/tests/000001.json && break
            sleep 0.1
        done
        sleep 1
        begin=$(date +%s%N)
        kill -$signal $pid
        sleep 0.05
        kill -$signal $pid 2>/dev/null || true
        status=0
        wait $pid || status=$?
        took=$((($(date +%s%N) - begin) / 1000000))
        [ $status = 3 ] || { cat said.txt; echo "$out: status $status"; exit 1; }
        [ $took -lt 4000 ] || { echo "$out: took $took ms"; exit 1; }
        python3 - $out <<'END'
import json, pathlib, sys
out = pathlib.Path(sys.argv[1])
run = json.loads((out / "summary.json").read_text())
assert not run["running"] and run["end"] == "interrupted" and not run["complete"], run["end"]
assert run["tests"] == len(list(out.glob("tests/*.json"))) >= 1, run["tests"]
assert (out / "checkpoint").stat().st_size and (out / "coverage.json").exists()
END
        "$tamar" stats $out >/dev/null
    done
done

# At any moment, also while loading and between loading and the first step: status 3, and a folder has its summary.
for moment in $(seq 0 0.02 0.3); do
    rm -rf out
    status=0
    "$tamar" run -q --out out term.c >said.txt 2>&1 &
    pid=$!
    for i in $(seq 1000); do # until main has set up its handlers: bits 2 and 15 of the mask
        caught=$(sed -n 's/^SigCgt:\t//p' /proc/$pid/status 2>/dev/null)
        [ $((0x${caught:-0} & 0x4002)) = $((0x4002)) ] && break || sleep 0.005
    done
    sleep $moment
    kill -INT $pid
    wait $pid || status=$?
    [ $status = 3 ] || { cat said.txt; echo "after $moment s: status $status"; exit 1; }
    [ ! -d out ] || grep -q '"end": "interrupted"' out/summary.json || { ls out; echo "after $moment s: no summary"; exit 1; }
done
