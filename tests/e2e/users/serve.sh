# The page during a run: on loopback only, for its own host name only, and gone when the run ends.
# RUN: bash %s %t
# REQUIRES: run, report
set -eu
work=$1
rm -rf "$work" && mkdir "$work" && cd "$work"
cat >many.c <<'E'
#include <stdio.h>
int main(void) {
    unsigned sum = 0;
    for (int i = 0; i < 4000; i++) {
        int c = getchar();
        if (c == 'a' + i % 20) sum += (unsigned)i;
    }
    return sum == 77;
}
E
$TAMAR_BINARY run many.c --sym-stdin 4000 --search bfs --max-memory 500 --serve --out out >log 2>&1 &
run=$!
trap 'kill -9 $run 2>/dev/null || true' EXIT
python3 - $run <<'E'
import http.client, os, re, signal, subprocess, shutil, sys, time
port, page = None, ""
while port is None:
    found = re.search(r"http://127\.0\.0\.1:(\d+)/", open("log").read())
    port = int(found[1]) if found else None
    time.sleep(0.1)
def get(path, host=None):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=120)
    connection.request("GET", path, headers={"Host": host} if host else {})
    answer = connection.getresponse()
    return answer.status, answer.getheader("Refresh"), answer.read().decode()
while "many.c" not in page or '"covered"' not in page: # source with coverage, though the run goes on
    status, refresh, page = get("/")
    assert status == 200 and refresh, (status, refresh)
    time.sleep(0.1)
assert get("/", "attacker.example:%d" % port)[0] == 403
assert get("/../etc/passwd")[0] == 404
if shutil.which("chromium"):
    shown = subprocess.run(["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--dump-dom", "http://127.0.0.1:%d/" % port],
                           capture_output=True, text=True, timeout=300).stdout
    assert "not tried before the run ended" not in shown.split("<script")[0], "the run goes on"
    assert "Tamar report: many.c" in shown and "getchar" in shown, shown[-2000:]
os.kill(int(sys.argv[1]), signal.SIGINT)
E
status=0
wait $run || status=$?
test $status = 3 || { cat log; exit 1; }
grep -q 'ended by an interrupt' log && grep -q 'next: tamar run --resume out' log || { cat log; exit 1; }
trap - EXIT
! $TAMAR_BINARY run many.c --serve 99999 >log 2>&1
grep -q "'99999' is not a port" log
