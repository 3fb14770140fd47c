"""Pending constraints (Figures 4 to 7): edges covered with and without, seeded and not, by three strategies."""
import statistics

from harness import tamar as runs
from harness.builds import ensure
from harness.report import Report
from harness.statistics import shown
from harness.suite import Measurement

from .programs import PENDING

TIME, REPEAT = 60, 1
METRICS = {"engine_edges": True}
STRATEGIES = ["rp", "depth", "dfs"]
MODES = {"eager": [], "pending": ["--feasibility", "pending"]}


def prepare(context, measurements):
    for package in sorted({one.labels["subject"].partition("/")[0] for one in measurements}):
        ensure(context, package, "")


def measurements(context):
    def measure(program, strategy, mode, seeded, repeat):
        def function(folder):
            more = ["--search", strategy, *MODES[mode]]
            if seeded:
                (folder / "seeds").mkdir()
                for name, content in program.seeds.items():
                    (folder / "seeds" / name).write_bytes(content)
                more += ["--seeds", folder / "seeds"]
            run = runs.explore(context.tamar, context.subject(program.name), program.symbolic, program.arguments, context.time, folder,
                               more=more, random_seed=repeat + 1)
            return {"values": {**runs.figures(run), "cpu": run.cpu}} if not run.problem else {"values": {}, "problems": [run.problem]}
        who = f"{strategy} {mode}{' seeded' if seeded else ''}"
        return Measurement({"subject": program.name, "contestant": who, "repeat": repeat}, function)
    return [measure(program, strategy, mode, seeded, repeat) for repeat in range(context.repeat) for seeded in (False, True)
            for program in PENDING for strategy in STRATEGIES for mode in MODES]


def report(records, about):
    result = Report("Pending constraints", about)
    cells = {}
    for record in records:
        if record["values"]:
            cells.setdefault((record["labels"]["subject"], record["labels"]["contestant"]), []).append(record["values"]["engine_edges"])
    for seeded in ("", " seeded"):
        gains, rows = [], []
        for program in [one for one in PENDING if any(subject == one.name for subject, _ in cells)]:
            row = [program.name]
            for strategy in STRATEGIES:
                eager, pending = (cells.get((program.name, f"{strategy} {mode}{seeded}"), []) for mode in MODES)
                gain = statistics.median(pending) / max(statistics.median(eager), 1) if eager and pending else None
                gains += [gain] if gain else []
                row += [shown(eager, 0), shown(pending, 0), f"{100 * (gain - 1):+.0f} %" if gain else "-"]
            rows.append(row)
        result.figure(f"median gain{seeded}, %", round(100 * (statistics.median(gains) - 1), 1) if gains else "-")
        result.table(f"Edges covered{seeded}", ["program", *[f"{strategy} {what}" for strategy in STRATEGIES for what in ("eager", "pending", "gain")]], rows)
    result.figure("paths finished on bc, 20 symbolic bytes, best of all", max((record["values"]["paths"] for record in records
                  if record["labels"]["subject"] == "bc/bc" and record["values"]), default="-"), "1000 in 120 s")
    return result
