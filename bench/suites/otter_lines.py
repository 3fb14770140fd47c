"""Reaching lines of coreutils (Otter's Tables 3.1 and 3.2): time to a line, and to several lines at once, by strategy.

The lines were chosen with gcov: none is executed by the tools' own tests. Times leave loading out; instructions are
counted, too, because many lines are reached within a few milliseconds."""
import json
import statistics

from harness import process
from harness.builds import ensure
from harness.errors import UserError
from harness.report import Report
from harness.statistics import shown
from harness.suite import Measurement

TIME, REPEAT = 60, 3
METRICS = {"seconds": False}
LINES = {"paste": [145, 206], "cut": [491, 499], "fold": [264, 279], "nl": [500], "seq": [635, 650], "tac": [650]}
STRATEGIES = ["batch(rr(rp,sdse))", "rp", "klee", "ccbse(rp)", "mix(klee)", "sdse", "sdse-pr"]
INPUT = ["--sym-args", "0", "3", "3", "--sym-stdin", "2"]


def prepare(context, measurements):
    del measurements
    ensure(context, "coreutils", "")


def reach(context, tool, lines, strategy, repeat, folder):
    program = context.subject(f"coreutils/{tool}")
    done = process.run([context.tamar, "reach", *[f"{tool}.c:{line}" for line in lines], program, "--search", strategy, "--random-seed", str(repeat + 1),
                        "--no-prove", "-q", "--out", folder / "out", *INPUT], budget=context.time, cwd=folder,
                       env=process.ENVIRONMENT, folder=folder / "io")
    if done.status == 2:
        raise UserError(f"tamar reach {program}: {done.errors.strip()[-400:]}", "Make sure that this binary runs the subject; then run the same command again.")
    if done.killed or done.status not in (0, 1, 3):
        return {"values": {}, "problems": [f"status {done.status}: {done.errors.strip()[-300:]}"]}
    found = json.loads((folder / "out/summary.json").read_text())["targets"]
    reached = [item for item in found if item["reached"]]
    values = {"reached": len(reached), "targets": len(found), "cpu": done.cpu}
    if len(reached) == len(found):
        scale = min(done.cpu / max(done.wall, 1e-9), 1)
        values |= {"seconds": max(item["seconds"] for item in found) * scale, "instructions": max(item["instructions"] for item in found)}
    return {"values": values, "outcomes": {f"{item['line']}": item["outcome"] for item in found}}


def measurements(context):
    def measure(tool, lines, strategy, repeat):
        subject = f"{tool}.c:{'+'.join(map(str, lines))}"
        return Measurement({"subject": subject, "contestant": strategy, "repeat": repeat},
                           lambda folder: reach(context, tool, lines, strategy, repeat, folder))
    goals = [(tool, [line]) for tool, lines in LINES.items() for line in lines] + [(tool, lines) for tool, lines in LINES.items() if len(lines) > 1]
    return [measure(tool, lines, strategy, repeat) for tool, lines in goals for repeat in range(context.repeat) for strategy in STRATEGIES]


def median(runs, metric):
    """Over all runs; a run that did not reach the line counts as infinite."""
    return statistics.median_high([values.get(metric, float("inf")) for values in runs])


def report(records, about):
    result = Report("Reaching lines of coreutils", about)
    cells = {}
    for record in records:
        if record["values"]:
            cells.setdefault((record["labels"]["subject"], record["labels"]["contestant"]), []).append(record["values"])
    subjects = list(dict.fromkeys(subject for subject, _ in cells))
    known = [strategy for strategy in STRATEGIES if any(who == strategy for _, who in cells)]

    def cell(subject, who):
        runs = cells.get((subject, who), [])
        if not runs or median(runs, "seconds") == float("inf"):
            return "-" if runs else ""
        return f"{shown([values['seconds'] for values in runs if 'seconds' in values], 2)}; {median(runs, 'instructions') / 1000:,.0f}"

    def total(wanted, who):
        return sum(min(median(cells[subject, who], "seconds"), about["time"]) for subject in wanted if (subject, who) in cells)
    for title, wanted in (("One line", [s for s in subjects if "+" not in s]), ("Several lines at once: until the last", [s for s in subjects if "+" in s])):
        result.table(f"{title}: processor seconds (- : not in time), and thousands of instructions", ["line", *known],
                     [*[[subject, *[cell(subject, who) for who in known]] for subject in wanted],
                      ["total, seconds", *[f"{total(wanted, who):.1f}" for who in known]]])
    for who in known:
        result.figure(f"lines reached by {who}", sum(median(cells[subject, who], "seconds") < float("inf") for subject in subjects
                                                     if "+" not in subject and (subject, who) in cells))
    result.bees("Time to reach a line", "processor seconds",
                {who: [values.get("seconds") for (_, other), runs in sorted(cells.items()) if other == who for values in runs] for who in known}, about["time"])
    return result
