# A full disk: one message with a remedy, status 4; files already written are complete and readable.
# RUN: bash %s %t
# REQUIRES: run, stats, replay
set -eu
work=$1 tamar=$TAMAR_BINARY
rm -rf "$work" && mkdir "$work" && cd "$work"
cat >slow.c <<'END'
#include <stdio.h>
int main(void) {
    unsigned sum = 0;
    for (int i = 0; i < 24; i++) {
        int c = getchar();
        if (c == 'a' + i) sum += (unsigned)i * 3;
        else if (c > 200) sum ^= (unsigned)c;
    }
    return sum == 77;
}
END
kept() { # FOLDER ERROR_TEXT: the results up to the failure are there
    test "$(grep -c 'cannot be written' "$2")" = 1
    grep -q 'The results up to here are kept' "$2"
    python3 - "$1" <<'END'
import json, pathlib, sys
out = pathlib.Path(sys.argv[1])
tests = list(out.glob("tests/*.json"))
assert tests
for path in [out / "summary.json", out / "program.json", *tests]:
    json.loads(path.read_text())
END
    "$tamar" stats "$1" >/dev/null
    sqlite3 "$1/run.db" 'SELECT count(*) FROM tests' >/dev/null
}
# A limit on the size of files: the log of run.db exceeds it.
status=0
(ulimit -f 100; exec "$tamar" run slow.c --sym-stdin 24 --emit all --search dfs --max-time 60 --out limited -q) >/dev/null 2>error || status=$?
test $status = 4
kept limited error
# A small disk, if it can be mounted without root.
if unshare -rm true 2>/dev/null; then
    status=0
    unshare -rm bash -c 'mkdir small && mount -t tmpfs -o size=700k none small &&
        { status=0; "$0" run slow.c --sym-stdin 24 --emit all --search dfs --max-time 60 --out small/out -q >/dev/null 2>error || status=$?; cp -r small/out kept; exit $status; }' "$tamar" || status=$?
    test $status = 4
    grep -Eq 'No space left on device|disk is full' error # a file, or SQLite
    kept kept error
fi
# A write error on standard output is a failure, but the results are there.
status=0
"$tamar" run slow.c --sym-stdin 2 --out full >/dev/full 2>error || status=$?
test $status = 4 && grep -q 'standard output could not be written' error
grep -q '"running": false' full/summary.json
# A folder that cannot be created, or exists already.
status=0
"$tamar" run slow.c --sym-stdin 2 --out /proc/nowhere 2>error || status=$?
test $status = 2 && grep -q -- '--out DIR' error
status=0
"$tamar" run slow.c --sym-stdin 2 --out full 2>error || status=$?
test $status = 2 && grep -q 'already exists' error
