"""Slicing (Tables 5.7 to 5.12 of the thesis): twenty coreutils sliced by modes 2 to 5, relative to mode 0, by gcov.

Each run explores the sliced program (cut in the tool's own sources only) for the given time; the inputs found until
then are tried on the original. Its tests run natively in a gcc -O0 build, and the executable lines of the tool's own
source are counted. Modes 0 and 5 are measured without the solver's caches, too. All runs of a tool follow each
other."""
import statistics

from harness import inputs, sliced
from harness.builds import ensure
from harness.report import Report
from harness.suite import Measurement

from .coverage import FIXTURE, covered_lines

TIME, REPEAT = 60, 1
METRICS = {"covered": True, "queries": False}
TOOLS = ("base64 basename cksum comm cut dd dircolors dirname expand expr fold nl od paste pathchk printf split tr unexpand wc").split()
SYMBOLIC = ["--sym-args", "0", "2", "4", "--sym-stdin", "8"]
RUNS = [(mode, True) for mode in (0, 2, 3, 4, 5)] + [(mode, False) for mode in (0, 5)] # mode, with the solver's caches


def named(mode, cache):
    return f"mode {mode}{'' if cache else ' uncached'}"


def prepare(context, measurements):
    del measurements
    ensure(context, "coreutils", "", "gcov")


def measurements(context):
    def measure(tool, mode, cache, repeat):
        def function(folder):
            run = sliced.explore(context.tamar, context.subject(f"coreutils/{tool}"), mode, SYMBOLIC, context.time, folder, cache=cache,
                                 only="src/*", fixture=FIXTURE)
            if run.problem:
                return {"values": {}, "problems": [run.problem]}
            covered, total, _ = covered_lines(context, tool, inputs.from_tamar(run.out), folder)
            values = {"covered": covered, "lines": total, **sliced.figures(run)}
            return {"values": values, "problems": [f"{bug['kind']} at {bug['file'].rpartition('/')[2]}:{bug['line']}" for bug in run.summary["bugs"]]}
        labels = {"subject": tool, "contestant": named(mode, cache)}
        return Measurement({**labels, "repeat": repeat} if context.repeat > 1 else labels, function)
    return [measure(tool, mode, cache, repeat) for repeat in range(context.repeat) for tool in TOOLS for mode, cache in RUNS]


class Cells:
    """Medians of the repeats: of the metric of a tool in a mode; None where it was not measured."""

    def __init__(self, records):
        self.records = {}
        for record in records:
            if record["values"]:
                self.records.setdefault((record["labels"]["subject"], record["labels"]["contestant"]), []).append(record["values"])

    def get(self, tool, who, metric):
        found = [values[metric] for values in self.records.get((tool, who), [])]
        return statistics.median(found) if found else None

    def ratios(self, who, base, metric):
        """{tool: `who` in % of `base`}, where both were measured and there is something to compare with."""
        pairs = {tool: (self.get(tool, who, metric), self.get(tool, base, metric)) for tool in TOOLS}
        return {tool: 100 * one / other for tool, (one, other) in pairs.items() if one is not None and other}


def mean(values):
    values = list(values)
    return f"{statistics.mean(values):.1f}" if values else "-"


def trimmed(values):
    """Without the largest and the smallest, as the thesis has it."""
    values = sorted(values)
    return values[1:-1] if len(values) > 2 else values


def relative(result, cells, cache):
    """Against mode 0 with or without caches: Tables 5.7, 5.8 or 5.10, and 5.9 or 5.12."""
    base, rows, queries_of = named(0, cache), [], []
    for mode in [mode for mode, with_cache in RUNS if mode and with_cache == cache]:
        lines, queries = (cells.ratios(named(mode, cache), base, metric) for metric in ("covered", "queries"))
        if not lines:
            continue
        better, worse = [tool for tool in lines if lines[tool] > 100], [tool for tool in lines if lines[tool] < 100]
        ended = sum(cells.get(tool, named(mode, cache), "complete") == 1 for tool in lines)
        rows.append([mode, len(lines), len(better), len(lines) - len(better) - len(worse), len(worse), mean(lines.values()),
                     mean(lines[tool] for tool in better), mean(lines[tool] for tool in worse), ended])
        queries_of.append([mode, mean(trimmed(queries.values())),
                           *[mean(trimmed(queries[tool] for tool in some if tool in queries)) for some in (better, worse)]])
        result.figure(f"{named(mode, cache)}: tools improved or level", f"{len(lines) - len(worse)} of {len(lines)}")
    words = "with" if cache else "without"
    result.table(f"Lines in % of mode 0, {words} caches (5.7, {'5.10' if cache else '5.8'})",
                 ["mode", "tools", "better", "level", "worse", "average", "average gain", "average loss", "explored to the end"], rows)
    result.table(f"Queries in % of mode 0, {words} caches (5.{12 if cache else 9}; without the largest and smallest)",
                 ["mode", "all", "where better", "where worse"], queries_of)


def caching(result, cells):
    """The effect of the caches: Table 5.11."""
    rows = []
    for mode in [mode for mode, cache in RUNS if not cache]:
        lines, solved, cpu = (cells.ratios(named(mode, True), named(mode, False), metric) for metric in ("covered", "solved", "cpu"))
        ended = [tool for tool in cpu if all(cells.get(tool, named(mode, cache), "complete") for cache in (True, False))]
        rows.append([mode, len(lines), mean(lines.values()), mean(solved.values()), mean(cpu[tool] for tool in ended), len(ended)])
    result.table("With caches in % of without (5.11)",
                 ["mode", "tools", "lines", "queries that SAT or Z3 answered", "processor seconds, where both ended", "both ended"], rows)


def report(records, about):
    result = Report("Slicing twenty coreutils", about)
    cells = Cells(records)
    rows = []
    for tool in [tool for tool in TOOLS if cells.get(tool, named(0, True), "covered") is not None]:
        shown = [f"{cells.get(tool, named(*run), 'covered'):g}{'*' if cells.get(tool, named(*run), 'complete') == 1 else ''}"
                 f" ({cells.get(tool, named(*run), 'queries'):.0f})"
                 if cells.get(tool, named(*run), "covered") is not None else "?" for run in RUNS]
        rows.append([tool, f"{cells.get(tool, named(0, True), 'lines'):g}", *shown])
    for cache in (True, False):
        relative(result, cells, cache)
    caching(result, cells)
    result.table("Lines covered (queries); * every path of the sliced program was explored", ["tool", "lines", *[named(*run) for run in RUNS]], rows)
    result.bees("Lines covered, by mode", "% of mode 0",
                {named(mode, True): list(cells.ratios(named(mode, True), named(0, True), "covered").values()) for mode, cache in RUNS if mode and cache})
    return result
