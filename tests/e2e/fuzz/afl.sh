# AFL++ runs beside the exploration, with arguments and standard input: its findings become ordinary bugs; after a
# limit, an interrupt or SIGKILL no process of it is left, and nothing is written outside of the results.
# RUN: bash %s %t
# REQUIRES: run
set -eu
work=$1 tamar=$TAMAR_BINARY
rm -rf "$work" && mkdir "$work" && cd "$work"
cat >heavy.c <<'END'
#include <float.h> // FLT_ROUNDS calls a function that only musl has
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(int argc, char **argv) {
    unsigned char line[16] = {0};
    unsigned hash = 1, large = 0;
    if (argc < 2 || argv[1][0] != '-' || FLT_ROUNDS != 1) return 1;
    fopen("written", "w");
    size_t size = fread(line, 1, sizeof line, stdin);
    for (size_t i = 0; i < size; i++) // more paths than the run has time for: the fuzzer has all of it
        if (line[i] > 100) large++;
    for (int round = 0; round < 3000; round++)
        for (size_t i = 0; i < size; i++) hash = (hash ^ line[i]) * 16777619u + (hash >> 13);
    if (size && (hash & 15) == 10) abort();
    return large == 77;
}
END
runs() { pgrep -f "$work/$1/fuzz/" >/dev/null; }
gone() { for _ in $(seq 100); do runs "$1" || return 0; sleep 0.1; done; pgrep -af "$work/$1/fuzz/"; exit 1; }
"$tamar" run heavy.c --sym-args 0 1 2 --sym-stdin 0..12 --fuzz auto --max-time 110 --out out >out.txt 2>&1 &
run=$!
until-json out/summary.json "s['fuzz']['inputs'] and s['fuzz']['bugs']"
kill -INT $run
status=0; wait $run || status=$?
test $status -eq 1
until-json out/summary.json "not s['running'] and s['fuzz']['tool'] == 'afl++' and s['fuzz']['bugs'][0]['kind'] == 'abort' and s['fuzz']['bugs'][0]['line'] == 15"
! runs out || exit 1
test ! -e written && test "$(ls)" = "$(printf 'heavy.c\nout\nout.txt')"

# The resumed run continues with the fuzzer's queue.
queued=$(ls out/fuzz/run/afl/default/queue | wc -l)
status=0; "$tamar" run --resume out --max-time 8 >/dev/null 2>&1 || status=$?
test $status -eq 1
test "$(ls out/fuzz/run/afl/default/queue | wc -l)" -ge "$queued"
! runs out || exit 1

# SIGKILL
"$tamar" run heavy.c --sym-args 0 1 2 --sym-stdin 0..12 --fuzz auto --max-time 110 --out killed >out.txt 2>&1 &
run=$!
until-json killed/summary.json "s['fuzz']['starts']"
runs killed
kill -KILL $run
gone killed
