# What a path reports between two decisions (incompleteness, a bug after which it continues) is counted once, although
# the path is executed again where its state is rebuilt: in a resumed run, and on another worker.
# RUN: bash %s %t
# REQUIRES: run
set -eu
work=$1 tamar=$TAMAR_BINARY compare=$(cd "$(dirname "$0")" && pwd)/compare.py
rm -rf "$work" && mkdir "$work" && cd "$work"
cat >processes.c <<'END_C'
#include <sys/wait.h>
#include <unistd.h>
int main(void) {
    unsigned char b[5];
    int total = 0, status;
    if (read(0, b, sizeof b) != sizeof b) return 1;
    for (int i = 0; i < 3; i++) {
        if (fork() == 0) { // "one schedule of several is explored"
            for (volatile int k = 0; k < 600000; k++) {}
            _exit(b[i] > 100 ? i + 1 : 0);
        }
        wait(&status);
        total += WEXITSTATUS(status);
    }
    for (volatile int k = 0; k < 600000; k++) {}
    return b[3] == total ? 7 : b[4] > b[3];
}
END_C
cat >continues.c <<'END_C'
#include <unistd.h>
int main(void) {
    unsigned char b[5];
    volatile int table[4] = {0}, n = 0;
    if (read(0, b, sizeof b) != sizeof b) return 1;
    for (int i = 0; i < 5; i++) {
        if (b[i] > 100) n += i;
        n += table[4 + (i == 3)]; // a bug after which the path continues
        for (volatile int k = 0; k < 600000; k++) {}
    }
    return n & 1;
}
END_C
check() { # NAME OPTIONS...
    name=$1
    shift
    words="$name.c --sym-stdin 5 --emit all -q $*"
    "$tamar" run $words --out "$name" >/dev/null || true
    "$tamar" run $words --max-paths 2 --search bfs --out "$name-resumed" >/dev/null || true
    for paths in 3 5 0; do
        "$tamar" run -q --resume "$name-resumed" --max-paths $paths >/dev/null || true
    done
    "$tamar" run $words --jobs 3 --out "$name-3" >/dev/null || true
    "$tamar" run $words --jobs 8 --search bfs --out "$name-8" >/dev/null || true
    python3 "$compare" "$name" "$name-resumed" "$name-3" "$name-8"
    python3 - "$name" <<'END_PYTHON'
import json, sys
summary = [json.load(open(f"{sys.argv[1]}{part}/summary.json")) for part in ("", "-3", "-8")]
assert summary[0]["gave_up"] or any(b["occurrences"] > 1 for b in summary[0]["bugs"]), summary[0]
assert sum(j["taken"] for s in summary for j in s["jobs"]), "no state has moved"
END_PYTHON
}
check processes
check continues --on-bug continue
