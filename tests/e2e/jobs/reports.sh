# What a path reports between two decisions (incompleteness, a bug after which it continues) is counted once, although
# the path is executed again where its state is rebuilt: in a resumed run, and on another worker.
# RUN: bash %s %t
# REQUIRES: run
set -eu
work=$1 tamar=$TAMAR_BINARY folder=$(cd "$(dirname "$0")" && pwd)
source "$folder/more-work.bash"
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
            for (volatile int k = 0; k < 600000 * WORK; k++) {}
            _exit(b[i] > 100 ? i + 1 : 0);
        }
        wait(&status);
        total += WEXITSTATUS(status);
    }
    for (volatile int k = 0; k < 600000 * WORK; k++) {}
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
        for (volatile int k = 0; k < 600000 * WORK; k++) {}
    }
    return n & 1;
}
END_C
alone() { # NAME OPTIONS...: in one process, and the same in parts
    name=$1
    shift
    words="$name.c -DWORK=1 --sym-stdin 5 --emit all -q $*"
    "$tamar" run $words --out "$name" >/dev/null || true
    "$tamar" run $words --max-paths 2 --search bfs --out "$name-resumed" >/dev/null || true
    for paths in 3 5 0; do
        "$tamar" run -q --resume "$name-resumed" --max-paths $paths >/dev/null || true
    done
    python3 "$folder/compare.py" "$name" "$name-resumed"
    python3 - "$name" <<'END_PYTHON'
import json, sys
summary = json.load(open(f"{sys.argv[1]}/summary.json"))
assert summary["gave_up"] or any(b["occurrences"] > 1 for b in summary["bugs"]), summary
END_PYTHON
}
shared() { # NAME JOBS OPTIONS...: with workers, between which states move
    name=$1 jobs=$2
    shift 2
    rm -rf "$name-$jobs"
    "$tamar" run -q "$name.c" -DWORK="$WORK" --sym-stdin 5 --emit all --jobs "$jobs" "$@" --out "$name-$jobs" >/dev/null || true
    python3 "$folder/compare.py" "$name" "$name-$jobs"
    python3 - "$name-$jobs" <<'END_PYTHON' || exit 9
import json, sys
sys.exit(not sum(job["taken"] for job in json.load(open(f"{sys.argv[1]}/summary.json"))["jobs"]))
END_PYTHON
}
alone processes
more_work shared processes 3
more_work shared processes 8 --search bfs
alone continues --on-bug continue
more_work shared continues 3 --on-bug continue
more_work shared continues 8 --on-bug continue --search bfs
