# The exit statuses of every command, as in docs/reference/exit-status.md, except those of bad input
# (bad-input.sh).
# RUN: bash %s %t
# REQUIRES: run, exec, reach, replay, record, solve
set -eu
tamar=$TAMAR_BINARY work=$1
rm -rf "$work" && mkdir "$work" && cd "$work"

cat >program.c <<'END'
#include <stdlib.h>
int table[4];
int main(int argc, char **argv) {
    char c = argc > 1 ? argv[1][0] : 0;
    if (c == 'b') return table[argc + 7];
    if (c == 'a') abort();
    if (c == 'l')
        for (;;)
            if (table[0]++ < 0)
                return 8;
    return c == 'x' ? 42 : 0;
}
END
expect() { # STATUS COMMAND...
    local wanted=$1 got=0
    shift
    "$tamar" "$@" >out.text 2>err.text </dev/null || got=$?
    [ $got = "$wanted" ] || { echo "tamar $*: wanted $wanted, got $got"; cat out.text err.text; exit 1; }
}
cat >small.c <<'END'
int main(int argc, char **argv) {
    if (argc > 1 && argv[1][0] == 'u' && argv[1][0] == 'v')
        return 9;
    return 0;
}
END
"$tamar" cc -g program.c -o program

expect 0 exec program
expect 42 exec program -- x
expect 125 exec program -- b
expect 125 exec program -- a
expect 3 exec --max-instructions 100000 program -- l
expect 2 exec nowhere

expect 1 run --sym-arg 1 --max-instructions 200000 --out found program
expect 3 run --max-instructions 1 --out early program
expect 0 run --sym-arg 1 --out whole small.c
expect 2 run --sym-arg 1 --out whole small.c # it already exists

line=$(grep -n 'return table' program.c | cut -d: -f1)
expect 0 reach program.c:$line --sym-arg 1 --max-instructions 200000 --out reached program
python3 -c 'import json, sys
[target] = json.load(open("reached/summary.json"))["targets"]
assert target["file"].endswith("/program.c") and target["line"] == int(sys.argv[1]) and target["reached"], target' "$line"
expect 3 reach program.c:$((line + 5)) --sym-arg 1 --max-instructions 200000 --out missed program
expect 1 reach small.c:3 --sym-arg 1 --out proved small.c
expect 2 reach small.c:99 --sym-arg 1 --out none small.c

expect 0 replay whole
sed -i 's/"exit_status": 0/"exit_status": 7/; s/"status": 0/"status": 7/' whole/tests/*.json
expect 1 replay whole
expect 2 replay nowhere

expect 0 record --into one -- ./program
expect 42 record --into two -- ./program x
expect 127 record --into three -- ./nowhere

echo '(declare-const x (_ BitVec 8))(assert (= x #x05))(check-sat)' >sat.smt2
echo '(assert false)(check-sat)' >unsat.smt2
echo '(assert y)(check-sat)' >wrong.smt2
expect 0 solve sat.smt2
expect 0 solve unsat.smt2
expect 2 solve wrong.smt2

for command in "show found/tests/000001.json" "stats found" "report found" "ir small.c" "help" "help run" "--version"; do
    expect 0 $command
done
