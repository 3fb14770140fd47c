# A killed or interrupted run leaves readable results.
# RUN: bash %s %t %tamar
# REQUIRES: run, stats
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
readable() { # every file that a run promises is whole
    python3 - "$1" <<'END'
import json, pathlib, sys
out = pathlib.Path(sys.argv[1])
for path in [*out.glob("*.json"), *out.glob("tests/*.json")]:
    json.loads(path.read_text())
for path in out.glob("tests/*.json"):
    assert path.with_suffix("").is_dir() and path.with_suffix(".ktest").stat().st_size, path
END
    sqlite3 "$1/run.db" 'SELECT count(*) FROM progress' | grep -q '[1-9]'
    "$tamar" stats "$1" >/dev/null
}
until_running() { # the folder has tests
    for i in $(seq 600); do
        if test -e "$1/tests/000003.json"; then return; fi
        sleep 0.1
    done
    exit 1
}
"$tamar" run slow.c --sym-stdin 24 --search dfs --out killed -q >/dev/null 2>&1 &
pid=$!
until_running killed
sleep 1
kill -KILL $pid
wait $pid && exit 1
readable killed
grep -q '"running": true' killed/summary.json
test -e killed/tests/000002.json

"$tamar" run slow.c --sym-stdin 24 --search dfs --out interrupted -q >text 2>&1 &
pid=$!
until_running interrupted # a signal before is ignored, as the shell wants it of what runs behind it
kill -INT $pid
status=0
wait $pid || status=$?
test $status = 3
readable interrupted
grep -q '"running": false' interrupted/summary.json
grep -q '"end": "interrupted"' interrupted/summary.json
test -s interrupted/bugs.sarif && test -s interrupted/coverage.info
