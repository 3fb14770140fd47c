# Six small programs in all modes (bench/slice-programs): the queries of the sliced ones, and the coverage of their
# inputs in the original.
# RUN: bash %s %t %S
# REQUIRES: slice
set -eu
work=$1 programs=$2/../../../bench/slice-programs tamar=$TAMAR_BINARY
rm -rf "$work" && mkdir "$work" && cd "$work"
for path in "$programs"/*.c; do
    name=$(basename "$path" .c)
    case $name in two_* | call) symbolic='--sym-arg 2 --sym-arg 2' ;; *) symbolic='--sym-arg 3' ;; esac
    "$tamar" run -q --json --out "$name.0" $symbolic "$path" >/dev/null
    for mode in 1 2 3 4 5; do
        status 3 "$tamar" run -q --json --slice $mode --out "$name.$mode" $symbolic "$path" >/dev/null 2>&1
    done
    # The time that the sliced programs leave goes to the original: all lines, whatever was cut.
    "$tamar" run -q --json --slice auto --max-time 200 --out "$name.auto" $symbolic "$path" >/dev/null 2>&1
done
python3 - <<'END'
import json
names = ["two_loops", "two_conditions", "loop_with_conditional", "conditionals", "call", "sign"]
whole = {name: json.load(open(f"{name}.0/summary.json")) for name in names}
for name in names:
    assert whole[name]["complete"] and whole[name]["sliced"] == []
    lines = whole[name]["coverage"]["line"]
    assert lines["covered"] == lines["total"] - (name == "conditionals"), (name, lines)
    auto = json.load(open(f"{name}.auto/summary.json"))
    assert auto["complete"] and auto["coverage"]["line"] == lines and len(auto["sliced"]) == 5, (name, auto["coverage"])
    for mode in range(1, 6):
        summary = json.load(open(f"{name}.{mode}/summary.json"))
        [sliced] = summary["sliced"]
        assert sliced["mode"] == mode and sliced["complete"], sliced
        assert summary["bugs"] == [] and not summary["complete"] and summary["end"] == "--slice", summary
        covered = summary["coverage"]["line"]["covered"]
        assert covered == lines["covered"] or (name == "conditionals" and mode < 5 and covered < lines["covered"]), (name, mode)
        # Slicing helps with the two loops and with the condition in a loop.
        before, after = whole[name]["queries"]["total"], sliced["queries"]
        drop = {"two_loops": mode >= 4, "loop_with_conditional": True}.get(name, False)
        assert after * 3 < before if drop else after <= before, (name, mode, before, after)
        assert (sliced["cut"] == 0) == (name == "call" or (mode == 5 and "loop" not in name)), (name, mode, sliced)
END
# Without the solver's cache the paths are the same.
"$tamar" run -q --json --layers model,domain,range,order,move,enumerate,scan,search,sat,search2,z3 --out plain --sym-arg 2 --sym-arg 2 \
    "$programs/two_loops.c" >/dev/null
python3 -c 'import json; a, b = (json.load(open(f + "/summary.json")) for f in ("two_loops.0", "plain")); assert a["paths"] == b["paths"] and b["queries"]["cache"] == 0'
# Only functions of the named sources are cut; a pattern that matches none is reported.
"$tamar" slice --mode 5 --only two_loops.c "$programs/two_loops.c" -o some.bc 2>&1 | grep -q '2 of .* edges cut, in 1 of 1 functions'
"$tamar" slice --mode 5 --only 'slice-programs/elsewhere/*.c' "$programs/two_loops.c" -o none.bc 2>&1 | grep -q "no function's source matches"
# The search for paths is bounded, and a message says where that was not enough.
"$tamar" slice --mode 1 --steps 5 "$programs/conditionals.c" -o few.bc 2>&1 | grep -q 'in 1 of 1 functions not all paths were examined'
