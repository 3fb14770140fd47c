"""Pending constraints (Figures 4 to 7): edges with and without, seeded and not, by three strategies; relaxed checks."""
import statistics

from harness import tamar as runs
from harness.builds import ensure
from harness.report import Report
from harness.statistics import shown
from harness.suite import Measurement

from .programs import PENDING

TIME, REPEAT = 100, 1 # ninety-nine runs: within 90 minutes on two cores
METRICS = {"engine_edges": True}
STRATEGIES = ["rp", "depth", "dfs"]
MODES = {"eager": [], "pending": ["--feasibility", "pending"]}
RELAXED = {**MODES, "relaxed": ["--relax-checks"]}


def prepare(context, measurements):
    for package in sorted({one.labels["subject"].partition("/")[0] for one in measurements}):
        ensure(context, package, "")


def name(strategy, mode, seeds):
    return f"{strategy} {mode}{seeds and ' '}{seeds}"


def one_seed(program, mode):
    """If there is only one seed, most runs from the first seed have been measured already."""
    return "seeded" if len(program.seeds) == 1 and mode in MODES else "one seed"


def measurements(context):
    def measure(program, strategy, mode, seeds, repeat):
        def function(folder):
            more = ["--search", strategy, *RELAXED[mode]]
            if seeds:
                (folder / "seeds").mkdir()
                for seed in sorted(program.seeds)[:1 if seeds == "one seed" else None]:
                    (folder / "seeds" / seed).write_bytes(program.seeds[seed])
                more += ["--seeds", folder / "seeds"]
            run = runs.explore(context.tamar, context.subject(program.name), program.symbolic, program.arguments, context.time, folder,
                               more=more, random_seed=repeat + 1)
            if run.problem:
                return {"values": {}, "problems": [run.problem]}
            return {"values": {**runs.figures(run), "infeasible_share": run.summary["time"]["infeasible"] / max(run.summary["time"]["wall"], 1e-9), "cpu": run.cpu}}
        return Measurement({"subject": program.name, "contestant": name(strategy, mode, seeds), "repeat": repeat}, function)
    return [measure(program, strategy, mode, seeds, repeat) for repeat in range(context.repeat) for program in PENDING
            for seeds, strategies, modes in (("", STRATEGIES, MODES), ("seeded", STRATEGIES, MODES), ("one seed", ["rp"], RELAXED))
            for strategy in strategies for mode in modes if seeds != "one seed" or one_seed(program, mode) == seeds]


def report(records, about):
    result = Report("Pending constraints", about)
    cells = {}
    for record in records:
        if record["values"]:
            cells.setdefault((record["labels"]["subject"], record["labels"]["contestant"]), []).append(record["values"])

    def edges(program, strategy, mode, seeds):
        return [values["engine_edges"] for values in cells.get((program.name, name(strategy, mode, seeds)), [])]
    programs = [one for one in PENDING if any(subject == one.name for subject, _ in cells)]
    for seeds in ("", "seeded"):
        gains, rows = [], []
        for program in programs:
            row = [program.name]
            for strategy in STRATEGIES:
                eager, pending = (edges(program, strategy, mode, seeds) for mode in MODES)
                gain = statistics.median(pending) / max(statistics.median(eager), 1) if eager and pending else None
                gains += [gain] if gain else []
                row += [shown(eager, 0), shown(pending, 0), f"{100 * (gain - 1):+.0f} %" if gain else "-"]
            rows.append(row)
        result.figure(f"median gain{seeds and ' '}{seeds}, %", round(100 * (statistics.median(gains) - 1), 1) if gains else "-")
        result.table(f"Edges covered{', from seeds' if seeds else ''}",
                     ["program", *[f"{strategy} {what}" for strategy in STRATEGIES for what in ("eager", "pending", "gain")]], rows)
    result.table("Edges covered with rp, from the first seed alone", ["program", *RELAXED],
                 [[program.name, *[shown(edges(program, "rp", mode, one_seed(program, mode)), 0) for mode in RELAXED]] for program in programs])
    result.table("Queries about pending states that were infeasible, % of the time, without seeds", ["program", *STRATEGIES],
                 [[program.name, *[shown([100 * values["infeasible_share"] for values in cells.get((program.name, name(strategy, "pending", "")), [])], 0)
                                   for strategy in STRATEGIES]] for program in programs])
    result.figure("paths finished on bc, 20 symbolic bytes, best of all", max((record["values"]["paths"] for record in records
                  if record["labels"]["subject"] == "bc/bc" and record["values"]), default="-"), "1000 in 120 s")
    return result
