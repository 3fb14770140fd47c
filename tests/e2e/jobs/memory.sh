# --max-memory holds for all workers together: the proportional set size (shared pages count once) of the run's
# processes stays below it, even if the states of one path alone would exceed it. The run is watched for some seconds
# after it has dropped states, then interrupted. MEMORY and MEMORY_SECONDS in the environment: another limit (MB), and
# how long to watch.
# RUN: bash %s %t
# REQUIRES: run
# UNSUPPORTED: sanitized
set -eu
work=$1 tamar=$TAMAR_BINARY
rm -rf "$work" && mkdir "$work" && cd "$work"
cat >wide.c <<'END'
#include <stdlib.h>
#include <unistd.h>
int main(void) { // every state that waits has written pages of its own
    unsigned char b[40];
    if (read(0, b, sizeof b) != sizeof b) return 1;
    unsigned char *pages = calloc(40, 1 << 16);
    for (int i = 0; i < 40; i++) {
        for (int k = 0; k < 1 << 16; k += 64) pages[(i << 16) + k] = (unsigned char)(k + i);
        if (b[i] > 100) pages[i]++;
        for (volatile int k = 0; k < 20000; k++) {} // so that workers start before memory is used up
    }
    return pages[3];
}
END
python3 - "$tamar" <<'END'
import json, os, pathlib, signal, subprocess, sys, time
LIMIT, SECONDS = int(os.environ.get("MEMORY", "600")), float(os.environ.get("MEMORY_SECONDS", "3"))
run = subprocess.Popen([sys.argv[1], "run", "-q", "wide.c", "--sym-stdin", "40", "--jobs", "8", "--search", "bfs", "--max-memory", str(LIMIT),
                        "--out", "out"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

def processes(of):
    found = [of]
    for one in found:
        try:
            found += [int(word) for word in pathlib.Path(f"/proc/{one}/task/{one}/children").read_text().split()]
        except OSError:
            pass
    return found

def size(one): # KB
    try:
        if "tamar" not in os.readlink(f"/proc/{one}/exe"):
            return 0 # the compiler
        return next(int(line.split()[1]) for line in open(f"/proc/{one}/smaps_rollup") if line.startswith("Pss:"))
    except (OSError, StopIteration):
        return 0

def dropped():
    try:
        return json.loads(pathlib.Path("out/summary.json").read_text())["paths"]["killed"]
    except (OSError, ValueError):
        return 0

most, workers, until = 0, 0, None
while run.poll() is None:
    all = processes(run.pid)
    workers = max(workers, len(all) - 1)
    most = max(most, sum(size(one) for one in all) / 1024)
    until = until or dropped() and time.monotonic() + SECONDS
    if until and time.monotonic() > until:
        run.send_signal(signal.SIGINT)
    time.sleep(0.1)
print(f"{most:.0f} MB in {workers + 1} processes, limit {LIMIT}, status {run.returncode}")
assert workers >= 8, "the workers were not seen"
assert most > LIMIT / 4, "the program does not need the memory that the test is about"
assert most <= LIMIT * 1.1, "over the limit"
assert run.returncode == 3
END
