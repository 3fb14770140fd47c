# Results are complete and are kept: a lock, tests after the last checkpoint, replaced files, errors with a status.
# RUN: bash %s %t
# REQUIRES: run, replay, report
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
expect() { # STATUS TEXT COMMAND...
    local wanted=$1 text=$2 status=0
    shift 2
    "$@" >said.txt 2>&1 || status=$?
    [ $status = "$wanted" ] && grep -q "$text" said.txt || { echo "status $status, wanted $wanted and: $text"; cat said.txt; exit 1; }
}

# 1. A run that is still running cannot be resumed, and continues.
"$tamar" run slow.c --sym-stdin 24 --emit all --search dfs --out going -q >/dev/null 2>&1 &
pid=$!
for i in $(seq 600); do [ -e going/tests/000005.json ] && break; sleep 0.05; done
expect 2 "another run is using it: process $pid" "$tamar" run --resume going
kill -0 $pid

# 2. Killed: every test is still there after resumed runs that are killed at once, repeatedly.
kill -KILL $pid
wait $pid 2>/dev/null || true
cp -r going before
for i in 1 2 3; do
    "$tamar" run -q --resume going >/dev/null 2>&1 &
    pid=$!
    sleep 0.$((i * 3))
    kill -KILL $pid || true
    wait $pid 2>/dev/null || true
done
python3 - before going <<'END'
import glob, json, sys
def paths(folder):
    return {json.dumps([test["decisions"], test["outcome"]]) for test in (json.load(open(name)) for name in glob.glob(folder + "/tests/*.json"))}
before, after = map(paths, sys.argv[1:])
assert len(before) >= 5 and before <= after, (len(before), len(after), len(before - after))
END

# 3. Before the first checkpoint.
rm -f going/checkpoint
tests=$(ls going/tests/*.json | wc -l)
expect 3 "before its first checkpoint" "$tamar" run --resume going --max-instructions 1000000
[ "$(ls going/tests/*.json | wc -l)" -ge "$tests" ]
[ -s going/checkpoint ]

# 4. A page and an export replace existing files atomically, links included.
printf 'int main(void) { return 0; }\n' >plain.c
"$tamar" run -q plain.c --out plain
echo precious >precious
ln -s "$PWD/precious" plain/report.html
"$tamar" report plain >/dev/null
grep -q precious precious
[ ! -L plain/report.html ] && grep -q '</html>' plain/report.html
[ -z "$(ls plain | grep '\.new')" ]

# 5. A summary that cannot be written makes the replay fail.
mkdir plain/summary.json.new
expect 4 "summary.json: cannot be written" "$tamar" replay --exact plain
rmdir plain/summary.json.new
expect 0 "1 as predicted" "$tamar" replay --exact plain

# 6. Folders of version 0.1.0 are rejected.
sed -i '/"format"/d' plain/program.json
expect 2 "of version 0.1.0" "$tamar" run --resume plain
expect 2 "of version 0.1.0" "$tamar" replay plain

# 7. No space for temporary files.
if unshare -rm true 2>/dev/null; then
    mkdir small && { echo "// not compiled before"; cat plain.c; } >fresh.c
    expect 2 "small: not enough space for temporary files" unshare -rm sh -c 'mount -t tmpfs -o size=1m none small && head -c 900000 /dev/zero >small/full && TMPDIR=$PWD/small "$0" run -q fresh.c --out nowhere' "$tamar"
fi
