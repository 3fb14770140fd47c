"""Comparison of strategies: edges and tests in the same time by each. The default of `tamar run` is based on it."""
import statistics

from harness import tamar as runs
from harness.builds import ensure
from harness.report import Report
from harness.statistics import shown
from harness.suite import Measurement

from .programs import Program

TIME, REPEAT = 10, 1
METRICS = {"engine_edges": True, "tests": True}
STRATEGIES = ["rp", "dfs", "depth", "covnew", "klee", "exe", "sage", "pending(rp)", "rr(rp,exe)", "fair", "share(fair,exe)", "share(fair,fresh(exe))"]
TOOL = ["--sym-args", "1", "2", "3", "--sym-stdin", "8"]
PROGRAMS = [
    *[Program(f"coreutils/{name}", TOOL) for name in ("cut", "expr", "tr", "wc", "printf", "head", "factor", "seq")],
    Program("bc/bc", ["--sym-stdin", "10"]),
    Program("m4/m4", ["--sym-stdin", "12"]),
    Program("datamash/datamash", ["--sym-arg", "3", "--sym-arg", "1", "--sym-stdin", "10"]),
    Program("grep/grep", ["--sym-arg", "6", "--sym-stdin", "6"]),
    Program("sed/sed", ["--sym-arg", "6", "--sym-stdin", "6"]),
    Program("jq/jq", ["--sym-arg", "5", "--sym-stdin", "5"]),
]


def prepare(context, measurements):
    for package in sorted({one.labels["subject"].partition("/")[0] for one in measurements}):
        ensure(context, package, "")


def measurements(context):
    def measure(program, strategy, repeat):
        def function(folder):
            run = runs.explore(context.tamar, context.subject(program.name), program.symbolic, program.arguments, context.time, folder,
                               more=["--search", strategy], random_seed=repeat + 1)
            return {"values": {**runs.figures(run), "cpu": run.cpu}} if not run.problem else {"values": {}, "problems": [run.problem]}
        return Measurement({"subject": program.name, "contestant": strategy, "repeat": repeat}, function)
    return [measure(program, strategy, repeat) for repeat in range(context.repeat) for program in PROGRAMS for strategy in STRATEGIES]


def report(records, about):
    result = Report("Strategies compared", about)
    cells = {}
    for record in records:
        if record["values"]:
            cells.setdefault((record["labels"]["subject"], record["labels"]["contestant"]), []).append(record["values"])
    known = [strategy for strategy in STRATEGIES if any(who == strategy for _, who in cells)]
    programs = [one.name for one in PROGRAMS if all((one.name, strategy) in cells for strategy in known)] # whole rows: else shares mean nothing

    def median(program, strategy, metric):
        return statistics.median(values[metric] for values in cells[program, strategy])
    for title, metric in (("Edges covered", "engine_edges"), ("Tests written", "tests")):
        best = {program: max(median(program, strategy, metric) for strategy in known) for program in programs}
        shares = [statistics.mean(median(program, strategy, metric) / max(best[program], 1) for program in programs) if programs else 0 for strategy in known]
        for strategy, share in zip(known, shares):
            result.figure(f"{title.lower()} by {strategy}, mean share of the best, %", round(100 * share, 1))
        rows = [[program, *[shown([values[metric] for values in cells[program, strategy]], 0) for strategy in known]] for program in programs]
        result.table(title, ["program", *known], [*rows, ["mean share of the best", *[f"{100 * share:.1f} %" for share in shares]]])
    return result
