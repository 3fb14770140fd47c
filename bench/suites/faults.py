"""Faults in every block against two kinds of coverage (Figure 3 of the pending constraints paper).

A division by zero is planted in every basic block of coreutils that computes or loads an integer: it happens if that
value equals a number that differs from block to block. Faults that happen without symbolic input are left out, since every
path would end there. The engine's own coverage (it checks each division for all values
of a path) and gcov's (the tests run natively on a build without faults) are compared with the number of faults found."""
import json
import pathlib
import re
import statistics
import subprocess

from harness import inputs
from harness import tamar as runs
from harness.builds import ensure
from harness.errors import UserError
from harness.report import Report
from harness.suite import Measurement

from .coverage import FIXTURE, covered_lines

TIME, REPEAT = 30, 3
METRICS = {"faults": True}
TOOLS = "cut expr fold nl od paste printf seq tr tsort".split()
STRATEGIES = ["rp", "depth", "dfs"]
SYMBOLIC = ["--sym-args", "0", "2", "4", "--sym-stdin", "8"]
MOST_REMOVED = 60
VALUE = re.compile(r"  (%[\w.$-]+) = (?:load(?: volatile)? (i(?:8|16|32|64)),|(?:add|sub|mul|and|or|xor|shl|lshr|ashr|zext|sext|trunc)\b.*?\b(i(?:8|16|32|64)) )")
WIDER = re.compile(r" to (i(?:8|16|32|64))\b")
PLACE = re.compile(r"(, !dbg !\d+)")


def plant(text, without=()):
    """The LLVM assembly with one division in each block; and how many. `without`: (line, column) of places without one."""
    places = {match[1]: (int(match[2]), int(match[3])) for match in re.finditer(r"^(!\d+) = !DILocation\(line: (\d+), column: (\d+)", text, re.M)}
    result, count, inside, done = [], 0, False, True
    for line in text.splitlines():
        result.append(line)
        if line.startswith("define"):
            inside, done = "!dbg" in line, False
        elif line.startswith("}"):
            inside = False
        elif inside and re.match(r"[\w.$-]+:", line):
            done = False
        elif inside and not done:
            value = VALUE.match(line)
            place = PLACE.search(line)
            if not value or not place or places.get(place[1][7:]) in without:
                continue
            kind = value[2] or (WIDER.search(line) or value)[1 if WIDER.search(line) else 3]
            bits = int(kind[1:])
            number = (7 + 31 * count) % (1 << min(bits - 1, 7)) # small, so that inputs can have it
            result += [f"  %fault.minus.{count} = sub {kind} {value[1]}, {number}{place[1]}",
                       f"  %fault.{count} = udiv {kind} 1, %fault.minus.{count}{place[1]}"]
            count, done = count + 1, True
    return "\n".join(result) + "\n", count


def planted(context, tool):
    return context.cache / "faults" / f"{tool}.ll"


def concrete_fault(context, file, folder):
    """The (line, column) of a fault that happens in a concrete run; None: there is none."""
    (folder / "A").write_bytes(FIXTURE["A"])
    for words in ([], ["A"], ["-x", "1"]):
        done = subprocess.run([str(context.tamar), "exec", "--allow-undefined", str(file), "--", *words], input=FIXTURE["B"], capture_output=True, cwd=folder)
        found = re.search(r"div-by-zero: \S+?:(\d+):(\d+)", done.stderr.decode(errors="replace"))
        if found:
            return int(found[1]), int(found[2])
    return None


def prepare(context, measurements):
    ensure(context, "coreutils", "", "gcov")
    for tool in sorted({one.labels["subject"] for one in measurements}):
        file = planted(context, tool)
        if file.exists():
            continue
        folder = file.parent / "work" / tool
        subprocess.run(["rm", "-rf", str(folder)], check=True)
        folder.mkdir(parents=True, exist_ok=True)
        run = runs.explore(context.tamar, context.subject(f"coreutils/{tool}"), ["--max-paths", "1"], [], 30, folder)
        if run.problem:
            raise UserError(f"{tool}: {run.problem}", "See bench/suites/faults.py.")
        text = subprocess.run(["llvm-dis-19", "-o", "-", str(run.out / "program.bc")], capture_output=True, text=True, check=True).stdout
        without = set()
        for _ in range(MOST_REMOVED):
            changed, count = plant(text, without)
            file.with_suffix(".new.ll").write_text(changed)
            found = concrete_fault(context, file.with_suffix(".new.ll"), folder)
            if not found:
                break
            without.add(found)
        file.with_suffix(".count").write_text(str(count))
        file.with_suffix(".new.ll").rename(file)


def measurements(context):
    def measure(tool, strategy, share, repeat):
        def function(folder):
            run = runs.explore(context.tamar, planted(context, tool), SYMBOLIC, [], context.time * share, folder, more=["--search", strategy, "--allow-undefined"], fixture=FIXTURE,
                               random_seed=repeat + 1)
            if run.problem:
                return {"values": {}, "problems": [run.problem]}
            covered, total, _ = covered_lines(context, tool, inputs.from_tamar(run.out), folder)
            faults = sum(bug["kind"] == "div-by-zero" for bug in run.summary["bugs"])
            lines = run.summary["coverage"]["line"]
            return {"values": {"faults": faults, "planted": int(planted(context, tool).with_suffix(".count").read_text()), "gcov": 100 * covered / max(total, 1),
                               "internal": 100 * lines["covered"] / max(lines["total"], 1), "cpu": run.cpu}}
        return Measurement({"subject": tool, "contestant": f"{strategy}, {share:g} of the time", "repeat": repeat}, function)
    return [measure(tool, strategy, share, repeat) for repeat in range(context.repeat) for tool in TOOLS for strategy in STRATEGIES for share in (0.3, 1)]


def correlation(pairs):
    if len(pairs) < 3 or len({x for x, _ in pairs}) < 2 or len({y for _, y in pairs}) < 2:
        return None
    return statistics.correlation([x for x, _ in pairs], [y for _, y in pairs])


def report(records, about):
    result = Report("Faults in every block", about)
    by_tool = {}
    for record in records:
        if record["values"]:
            by_tool.setdefault(record["labels"]["subject"], []).append(record["values"])
    rows, all_pairs = [], {"internal": [], "gcov": []}
    for tool, some in by_tool.items():
        pairs = {kind: [(values["faults"], values[kind]) for values in some] for kind in all_pairs}
        most = max(max(values["faults"] for values in some), 1)
        for kind in all_pairs: # relative to the best run of the tool, so that tools of different sizes can be compared
            top = max(max(values[kind] for values in some), 1e-9)
            all_pairs[kind] += [(100 * faults / most, 100 * value / top) for faults, value in pairs[kind]]
        shown = ["-" if correlation(pairs[kind]) is None else f"{correlation(pairs[kind]):.2f}" for kind in all_pairs]
        rows.append([tool, len(some), some[0]["planted"], f"{min(v['faults'] for v in some)} to {max(v['faults'] for v in some)}",
                     *[f"{min(v[kind] for v in some):.0f} to {max(v[kind] for v in some):.0f}" for kind in all_pairs], *shown])
    for kind, pairs in all_pairs.items():
        value = correlation(pairs)
        result.figure(f"correlation of faults found with {'the engine' if kind == 'internal' else 'gcov'}'s coverage", round(value, 2) if value is not None else "-")
    result.table("Faults found, and coverage (Figure 3)", ["tool", "runs", "blocks with a fault", "found", "engine's lines, %", "gcov's lines, %",
                                                           "correlation, engine", "correlation, gcov"], rows)
    result.scatter("Figure 3: coverage against faults found, both in % of the tool's best run", "faults found, % of the best run", "coverage, %",
                   {"engine's coverage": all_pairs["internal"], "gcov's coverage": all_pairs["gcov"]})
    return result


if __name__ == "__main__": # for a look at one file: python3 faults.py FILE.ll
    import sys
    print(json.dumps({"blocks": plant(pathlib.Path(sys.argv[1]).read_text())[1]}))
