# afl-fuzz and Tamar side by side: each gets inputs that only the other could find.
# RUN: bash %s %t
# REQUIRES: run
set -eu
work=$1 tamar=$TAMAR_BINARY
rm -rf "$work" && mkdir "$work" && cd "$work"
cat >both.c <<'END'
#include <stdio.h>
#include <string.h>
static int deep(const unsigned char *text) {
    return text[31] > 3; // a seed of the fuzzer leads here
}
int main(void) {
    unsigned char text[32] = {0};
    unsigned sum = 0, magic;
    if (fread(text, 1, sizeof text, stdin) != sizeof text) return 1;
    memcpy(&magic, text + 20, 4);
    if (text[0] == 'm' && magic == 0xc0ffee42) return 2; // that a fuzzer does not guess
    for (int i = 1; i < 31; i++) // more paths than there is time for
        if (text[i] > 'a' + i) sum += text[i];
    if (sum > 7000) return deep(text);
    return 0;
}
END
clean="env -u ASAN_OPTIONS -u LSAN_OPTIONS -u UBSAN_OPTIONS" # AFL++ wants its own
export AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES=1 AFL_SKIP_CPUFREQ=1 AFL_NO_AFFINITY=1 AFL_NO_UI=1 AFL_QUIET=1 AFL_IMPORT_FIRST=1
afl-clang-fast -w both.c -o both.afl >afl-cc.log 2>&1
mkdir in
python3 -c 'import sys; sys.stdout.buffer.write(b"\xff" * 32)' >in/high
"$tamar" run both.c --sym-stdin 32 --afl-sync sync --max-time 300 --out out >text 2>&1 &
pid=$!
for _ in $(seq 600); do # until it has given something
    grep -lqaP '\x42\xee\xff\xc0' sync/tamar/queue/id:* 2>/dev/null && break
    sleep 0.1
done
timeout 120 $clean afl-fuzz -M fuzz -i in -o sync -V 3 -- ./both.afl >fuzz.log 2>&1 || { tail -20 fuzz.log; exit 1; }
cat >has-taken.py <<'END'
import json
line = json.load(open("out/summary.json"))["coverage"]["line"]
assert line["covered"] == line["total"], line
END
for _ in $(seq 600); do # until it has taken what the fuzzer was given
    python3 has-taken.py 2>/dev/null && break
    sleep 0.1
done
kill -INT $pid
status=0
wait $pid || status=$?
test $status = 3 || { cat text; exit 1; }
# A main node takes inputs from all others (which take from the main node only).
# Tamar's input was taken: the magic number is in the fuzzer's own queue.
ls sync/fuzz/queue | grep -q 'sync:tamar' || { ls sync/tamar/queue sync/fuzz/queue; exit 1; }
grep -lqaP '\x42\xee\xff\xc0' sync/fuzz/queue/id:*
# Tamar has taken inputs: it covers code that its own search would not have reached.
grep -q 'afl-sync: [1-9][0-9]* inputs taken' text || { cat text; exit 1; }
python3 has-taken.py
status 2 "$tamar" run both.c --sym-arg 2 --afl-sync sync 2>error && grep -q 'Make standard input or a file symbolic' error
# An input that cannot be written is a warning, not the end of the run.
printf '#include <stdio.h>\nint main(void) { return getchar() == 1; }\n' >small.c
mkdir -p closed/tamar/queue/.new
"$tamar" run small.c --sym-stdin 1 --afl-sync closed --out closed-out 2>warning
grep -q 'warning: --afl-sync: closed/tamar/queue/id:000000.*: Is a directory' warning || { cat warning; exit 1; }
