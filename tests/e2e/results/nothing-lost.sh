# Results are complete and are kept: a lock, tests after the last checkpoint, replaced files, errors with a status.
# RUN: bash %s %t
# REQUIRES: run, replay, report
set -eu
here=$(cd "$(dirname "$0")" && pwd)
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

# 8. Missing and damaged tests are noticed; folders and .ktest files are written again from the .json.
cat >short.c <<'END'
#include <stdio.h>
int main(void) {
    int sum = 0;
    for (int i = 0; i < 4; i++)
        if (getchar() > 'k' + i) sum += i;
    printf("%d\n", sum);
    return 0;
}
END
"$tamar" run -q short.c --sym-stdin 4 --emit all --out tests --max-tests 9 >/dev/null 2>&1 && exit 1
cp -r tests untouched
rm tests/tests/000002.json
sed -i 's/"exit_status": 0/"exit_status": 1/' tests/tests/000003.json
sed -i '/"checksum"/d' tests/tests/000004.json
rm -r tests/tests/000005 tests/tests/000006.ktest
truncate -s 3 tests/tests/000007/stdin
printf x >>tests/tests/000008/stdout
expect 3 "000002.json: No such file" "$tamar" run --resume tests --max-tests 10
grep -q "000003.json: it has been damaged or changed: its checksum is wrong" said.txt
grep -q "000004.json: it has been damaged" said.txt
grep -q "3 tests of the run cannot be used, and what they cover is not explored again. To explore everything again, remove the checkpoint: whole tests are kept" said.txt
grep -q "4 tests had missing or damaged copies (folder, .ktest): written again" said.txt
[ "$(grep -c warning: said.txt)" = 4 ]
for number in 1 5 6 7 8 9; do
    for file in untouched/tests/00000$number* untouched/tests/00000$number/*; do
        [ -d "$file" ] || cmp "$file" "tests/${file#*/}"
    done
done
rm tests/checkpoint
expect 0 "every path was explored" "$tamar" run --resume tests
rm tests/tests/00000[34].json
"$tamar" run -q short.c --sym-stdin 4 --emit all --out all >/dev/null
paths() { python3 -c 'import glob, json, sys; print(sorted(json.load(open(name))["decisions"] for name in glob.glob(sys.argv[1] + "/tests/*.json")))' "$1"; }
[ "$(paths all)" = "$(paths tests)" ]

# 9. A run in several processes is killed while its tests get their final numbers.
cc -shared -fPIC -o faults.so "$here/../cli/Inputs/faults.c" -ldl
for calls in 0 1 2 3 5 9 14; do
    rm -rf renumbered
    env LD_PRELOAD="$PWD/faults.so" FAULT_CALL=access FAULT_PATH=renumbered/tests/ FAULT_ERROR=0 FAULT_SKIP=$calls FAULT_WHERE=first \
        "$tamar" run -q short.c --sym-stdin 4 --emit all --jobs 2 --out renumbered >/dev/null 2>&1 || true
    "$tamar" run -q --resume renumbered >/dev/null
    [ "$(paths all)" = "$(paths renumbered)" ]
done
