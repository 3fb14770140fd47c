"""Slicing in the thesis' own setting: its forty coreutils under depth-first search with a time limit (Tables 5.1 to 5.10).

As the suite `slice`, but with `--search dfs`, the thesis' tools (setuidgid is no longer in coreutils), and without the
runs without caches. The slicer's own time is reported; the best mode of each tool is compared, too. "half":
mode 4 for half of the time, then the original for the other half, as `--slice 4 --max-time` divides its time."""
import statistics

from harness import inputs, sliced
from harness.report import Report
from harness.suite import Measurement

from . import slice as twenty
from .coverage import FIXTURE, TOOLS, covered_lines

TIME, REPEAT = 60, 1
METRICS = {"covered": True, "queries": False}
MODES = (0, 5, 4, 2, 3)
HALF = "half"
# of the thesis (KLEE, five minutes, depth first): tools as good or better of 40, mean coverage in % of the original
PAPER = {2: (24, 112.6), 3: (21, 98.9), 4: (25, 112.6), 5: (33, 122.6)}
prepare = twenty.prepare


def measurements(context):
    def measure(tool, mode, repeat):
        def function(folder):
            run = sliced.explore(context.tamar, context.subject(f"coreutils/{tool}"), mode, [*twenty.SYMBOLIC, "--search", "dfs"], context.time, folder,
                                 only="src/*", fixture=FIXTURE)
            if run.problem:
                return {"values": {}, "problems": [run.problem]}
            covered, total, _ = covered_lines(context, tool, inputs.from_tamar(run.out), folder)
            part = run.summary["sliced"][0] if run.summary["sliced"] else {}
            return {"values": {"covered": covered, "lines": total, **sliced.figures(run),
                               **{name: part[name] for name in ("slicing", "inputs", "tried", "trying") if name in part}}}
        return Measurement({"subject": tool, "contestant": twenty.named(mode, True), "repeat": repeat}, function)

    def half(tool, repeat):
        def function(folder):
            tests, cpu = [], 0
            for mode in (4, 0):
                run = sliced.explore(context.tamar, context.subject(f"coreutils/{tool}"), mode, [*twenty.SYMBOLIC, "--search", "dfs"], context.time / 2,
                                     folder / str(mode), only="src/*", fixture=FIXTURE)
                if run.problem:
                    return {"values": {}, "problems": [run.problem]}
                tests, cpu = tests + inputs.from_tamar(run.out), cpu + run.cpu
            covered, total, _ = covered_lines(context, tool, tests, folder)
            return {"values": {"covered": covered, "lines": total, "cpu": cpu}}
        return Measurement({"subject": tool, "contestant": HALF, "repeat": repeat}, function)
    repeats = range(context.repeat)
    return [one for repeat in repeats for tool in TOOLS for one in (measure(tool, 0, repeat), half(tool, repeat))] + \
        [measure(tool, mode, repeat) for repeat in repeats for tool in TOOLS for mode in MODES[1:]]


def report(records, about):
    result = Report("Slicing forty coreutils under depth-first search", about)
    cells = {}
    for record in records:
        if record["values"]:
            cells.setdefault((record["labels"]["subject"], record["labels"]["contestant"]), []).append(record["values"])

    def get(tool, mode, metric):
        found = [values[metric] for values in cells.get((tool, twenty.named(mode, True)), []) if metric in values]
        return statistics.median(found) if found else None
    halves = {}
    for tool in TOOLS:
        alone, sliced_first = (cells.get((tool, who), []) for who in (twenty.named(0, True), HALF))
        if alone and sliced_first:
            halves[tool] = [statistics.median(values["covered"] for values in some) for some in (alone, sliced_first)]
    if halves:
        result.figure("tools on which mode 4 for half of the time, then the original, covers at least as many lines as dfs alone",
                      f"{sum(second >= first for first, second in halves.values())} of {len(halves)}", "30 of 40")
        result.figure("lines by halves in % of dfs alone, mean", round(statistics.mean(100 * second / max(first, 1) for first, second in halves.values()), 1))
        result.table("Lines by dfs alone, and by mode 4 and the original for half of the time each", ["tool", "alone", "sliced first"],
                     [[tool, f"{first:g}", f"{second:g}"] for tool, (first, second) in halves.items()])
        result.bees("Lines by mode 4 and the original for half of the time each, in % of depth-first search alone", "%",
                    {"tools": [round(100 * second / max(first, 1), 1) for first, second in halves.values()]})
    tools = [tool for tool in TOOLS if get(tool, 0, "covered")]
    rows, shares = [], {}
    for mode in sorted(MODES)[1:]:
        pairs = {tool: 100 * get(tool, mode, "covered") / get(tool, 0, "covered") for tool in tools if get(tool, mode, "covered") is not None}
        if not pairs:
            continue
        shares[mode] = pairs
        better, level = sum(value > 100 for value in pairs.values()), sum(value == 100 for value in pairs.values())
        queries = [100 * get(tool, mode, "queries") / get(tool, 0, "queries") for tool in pairs if get(tool, 0, "queries")]
        slicing = [get(tool, mode, "slicing") for tool in pairs]
        rows.append([mode, len(pairs), better, level, len(pairs) - better - level, f"{better + level} of {len(pairs)}", f"{PAPER[mode][0]} of 40",
                     twenty.mean(pairs.values()), PAPER[mode][1], twenty.mean(twenty.trimmed(queries)),
                     sum(get(tool, mode, "complete") == 1 for tool in pairs), f"{1000 * statistics.median(slicing):.0f} [{1000 * max(slicing):.0f}]"])
    result.table("Relative to mode 0 (Tables 5.3, 5.7, 5.10, 5.12; 5.1: the slicer's time)",
                 ["mode", "tools", "better", "level", "worse", "as good or better", "thesis", "lines, mean %", "thesis", "queries, mean %", "explored to the end",
                  "slicer, ms: median [largest]"], rows)
    best = {tool: max(pairs[tool] for pairs in shares.values() if tool in pairs) for tool in tools if any(tool in pairs for pairs in shares.values())}
    if best:
        result.figure("tools on which some mode covers at least as many lines as dfs alone", f"{sum(value >= 100 for value in best.values())} of {len(best)}",
                      "30 of 40")
        result.figure("mean of the best mode of each tool, % (thesis: 127)", round(statistics.mean(best.values()), 1))
        result.bars("Tables 5.7 and 5.10: lines in % of depth-first search alone, mean", "%", [f"mode {mode}" for mode in shares],
                    {"Tamar": [round(statistics.mean(pairs.values()), 1) for pairs in shares.values()], "the thesis (KLEE, 300 s)": [PAPER[mode][1] for mode in shares]})
        result.bees("Lines by tool, in % of depth-first search alone", "%", {f"mode {mode}": list(pairs.values()) for mode, pairs in shares.items()})
    result.table("Lines covered; * every path of the sliced program was explored", ["tool", "of", *[f"mode {mode}" for mode in sorted(MODES)]],
                 [[tool, get(tool, 0, "lines"), *[("?" if get(tool, mode, "covered") is None else
                                                  f"{get(tool, mode, 'covered'):g}{'*' if get(tool, mode, 'complete') == 1 else ''}") for mode in sorted(MODES)]]
                  for tool in tools])
    return result
