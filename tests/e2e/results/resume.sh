# An interrupted run continues with --resume: at the end it has the paths, tests and bugs of an uninterrupted run.
# RUN: bash %s %t
# REQUIRES: run
set -eu
tamar=$TAMAR_BINARY work=$1
rm -rf "$work" && mkdir -p "$work" && cd "$work"

cat > compare.py <<'END'
# compare.py FULL OTHER: the same paths, counted and as sets of tests
import glob, json, sys
def load(folder):
    summary = json.load(open(folder + "/summary.json"))
    tests = [json.load(open(name)) for name in sorted(glob.glob(folder + "/tests/*.json"))]
    assert [test["number"] for test in tests] == list(range(1, summary["tests"] + 1)), "numbers of tests"
    return summary, {json.dumps([test["arguments"], test["inputs"], test["decisions"], test["outcome"]]) for test in tests}
full, wanted = load(sys.argv[1])
other, found = load(sys.argv[2])
for key in ("paths", "tests", "forks", "coverage", "complete", "end"):
    assert full[key] == other[key], (key, full[key], other[key])
bugs = [sorted((bug["kind"], bug["line"], bug["paths"], bug["report"], bug["occurrences"], bug["fingerprint"]) for bug in one["bugs"]) for one in (full, other)]
assert bugs[0] == bugs[1], bugs
assert all(full["symbolic"][key] == other["symbolic"][key] for key in ("branches", "forks", "values")), (full["symbolic"], other["symbolic"])
assert wanted == found, (len(wanted), len(found), len(wanted ^ found))
assert len(wanted) == full["tests"]
END

# 1. A limit ends it, repeatedly.
cat > branches.c <<'END'
#include <stdlib.h>
int f(int x) { return x + 1; }
int g(int x) { return x + 2; }
int (*const table[])(int) = {f, g, f};
int main(int argc, char **argv) {
    int sum = 0;
    for (char *p = argv[1]; *p; p++) {
        switch (*p) {
        case '0': case '1': case '2': sum += table[*p - '0'](sum); break;
        case 'x': sum = -1; break;
        default: if (*p > 'x') sum += 3; else sum += 4;
        }
        if (sum == 9) abort();
    }
    return sum;
}
END
"$tamar" run -q --emit all --sym-arg 3 --out full branches.c > full.txt || true
limit=1000 # the program's start alone takes more
"$tamar" run -q --emit all --sym-arg 3 --max-instructions $limit --out part branches.c > part.txt || true
for tests in 5 9 14 30 60; do
    "$tamar" run -q --resume part --max-tests $tests > part.txt && exit 1
done
"$tamar" run -q --resume part > part.txt || true
python3 compare.py full part
# ... and again, when nothing is left
"$tamar" run -q --resume part > part.txt || true
python3 compare.py full part

# 2. It is killed.
cat > slow.c <<'END'
#include <stdio.h>
int main(void) {
    unsigned sum = 0;
    for (int i = 0; i < 6; i++) {
        int c = getchar();
        if (c == 'a' + i) sum += (unsigned)i * 3;
        else if (c > 200) sum ^= (unsigned)c;
    }
    return sum == 77;
}
END
"$tamar" run -q --emit all --sym-stdin 6 --search bfs --out killed slow.c > killed.txt &
pid=$!
for i in $(seq 600); do
    [ -s killed/checkpoint ] && [ -e killed/tests/000020.json ] && break
    sleep 0.05
done
kill -KILL $pid || true # should it have ended before, there is nothing to go on with, and that must work, too
wait $pid || true
"$tamar" run -q --resume killed > killed.txt || true
"$tamar" run -q --emit all --sym-stdin 6 --search bfs --out whole slow.c > whole.txt || true
python3 compare.py whole killed

# 3. Depth first continues in the same order.
cat > order.c <<'END'
int main(int argc, char **argv) {
    int sum = 0;
    for (char *p = argv[1]; *p; p++) {
        if (*p > 'm') sum++;
        if (*p == 'q') sum += 2;
        switch (*p & 3) { case 0: sum += 5; break; case 1: sum += 7; }
    }
    return sum;
}
END
"$tamar" run -q --emit all --sym-arg 2 --search dfs --out ordered order.c > ordered.txt
"$tamar" run -q --emit all --sym-arg 2 --search dfs --max-tests 7 --out again order.c > again.txt || true
"$tamar" run -q --resume again --max-tests 20 > again.txt || true
"$tamar" run -q --resume again > again.txt
for test in ordered/tests/*.json; do
    cmp <(grep '"decisions"' "$test") <(grep '"decisions"' "again/tests/${test##*/}")
done

# 4. Folders that cannot be resumed: status 2, with the reason.
expect() { # words...: the run fails with status 2 and says so
    local said=$1 status=0; shift
    "$tamar" run "$@" > said.txt 2>&1 || status=$?
    [ $status = 2 ] && grep -q "$said" said.txt || { echo "status $status, not: $said"; cat said.txt; exit 1; }
}
expect "an unexpected operand" --resume part branches.c
expect "No such file" --resume nothing
cp -r part changed
sed -i 's/x + 2/x + 5/' branches.c
expect "the program has changed" --resume changed
sed -i 's/x + 5/x + 2/' branches.c
head -c 100 part/checkpoint > changed/checkpoint
expect "damaged" --resume changed
cp part/checkpoint changed/checkpoint
printf 'no database' > changed/run.db
expect "run.db is damaged" --resume changed
cp part/run.db changed/run.db # an entry of an index that no row has: SQLite's quick check does not see it
python3 - changed/run.db <<'EOF'
import sqlite3, sys
base = sqlite3.connect(sys.argv[1])
size = base.execute("PRAGMA page_size").fetchone()[0]
page = base.execute("SELECT rootpage FROM sqlite_master WHERE name = 'sqlite_autoindex_layers_1'").fetchone()[0]
base.close()
data = bytearray(open(sys.argv[1], "rb").read())
at = data.index(b"parity", (page - 1) * size, page * size)
data[at:at + 6] = b"parit?"
open(sys.argv[1], "wb").write(data)
EOF
expect "run.db is damaged" --resume changed
sed -i '/"format"/d' changed/program.json
expect "of version 0.1.0" --resume changed

# ... and nothing is lost: without the database, or without the checkpoint, the run continues with the tests that are
# there
cp -r part again2
rm again2/run.db again2/checkpoint
"$tamar" run -q --resume again2 > part.txt || true
python3 compare.py full again2
rm again2/checkpoint
"$tamar" run -q --resume again2 > part.txt || true
python3 compare.py full again2

# 5. A log of queries is relative to this command's directory, not to that of the first run.
mkdir -p elsewhere
rm -f queries.smt2
"$tamar" run -q --emit all --sym-arg 3 --max-instructions $limit --out logged branches.c > logged.txt || true
(cd elsewhere && "$tamar" run -q --resume ../logged --log-queries queries.smt2 > said.txt) || true
[ -s elsewhere/queries.smt2 ] && [ ! -e queries.smt2 ]
