"""Reaching lines of coreutils (Otter's Tables 3.1 and 3.2): seconds until a line is reached, alone and several at once, by strategy.

The lines were chosen with gcov: none is executed by the tools' own tests."""
import json
import statistics

from harness import process
from harness.builds import ensure
from harness.report import Report
from harness.statistics import shown
from harness.suite import Measurement

TIME, REPEAT = 15, 3
METRICS = {"seconds": False}
LINES = {"paste": [145, 206], "cut": [491, 499], "fold": [264, 279], "nl": [500], "seq": [635, 650], "tac": [650]}
STRATEGIES = ["batch(rr(rp,sdse))", "sdse", "sdse-pr", "sdse-rr", "rp", "klee", "ccbse(rp)", "mix(klee)"]
INPUT = ["--sym-args", "0", "3", "3", "--sym-stdin", "2"]


def prepare(context, measurements):
    del measurements
    ensure(context, "coreutils", "")


def reach(context, tool, lines, strategy, repeat, folder):
    targets = [word for line in lines for word in ("--target", f"{tool}.c:{line}")]
    out = folder / "out"
    done = process.run([context.tamar, "run", *targets, "--search", strategy, "--random-seed", str(repeat + 1), "--no-prove", "-q", "--out", out,
                        *INPUT, context.subject(f"coreutils/{tool}")], budget=context.time, cwd=folder, env={"PATH": "/usr/bin:/bin", "LC_ALL": "C"},
                       folder=folder / "io")
    if done.status == 2 and "--search" in done.errors:
        return {"values": {}, "problems": [f"this binary has no strategy {strategy}"]}
    if done.killed or done.status not in (0, 1, 3):
        return {"values": {}, "problems": [f"status {done.status}: {done.errors.strip()[-300:]}"]}
    found = json.loads((out / "summary.json").read_text())["targets"]
    scale = done.cpu / max(done.wall, 1e-9)
    times = [item["seconds"] * scale if item["reached"] else None for item in found]
    late = any(time is None for time in times)
    return {"values": {"seconds": 2 * context.time if late else max(times), "reached": sum(time is not None for time in times), "targets": len(times)}}


def measurements(context):
    def measure(tool, lines, strategy, repeat):
        subject = f"{tool}.c:{'+'.join(map(str, lines))}"
        return Measurement({"subject": subject, "contestant": strategy, "repeat": repeat},
                           lambda folder: reach(context, tool, lines, strategy, repeat, folder))
    goals = [(tool, [line]) for tool, lines in LINES.items() for line in lines] + [(tool, lines) for tool, lines in LINES.items() if len(lines) > 1]
    return [measure(tool, lines, strategy, repeat) for repeat in range(context.repeat) for tool, lines in goals for strategy in STRATEGIES]


def report(records, about):
    result = Report("Reaching lines of coreutils", about)
    cells = {}
    for record in records:
        if "seconds" in record["values"]:
            cells.setdefault((record["labels"]["subject"], record["labels"]["contestant"]), []).append(record["values"]["seconds"])
    subjects = sorted({subject for subject, _ in cells})
    known = [strategy for strategy in STRATEGIES if any(who == strategy for _, who in cells)]

    def medians(wanted):
        return {who: [statistics.median(cells[subject, who]) for subject in wanted if (subject, who) in cells] for who in known}
    for title, wanted in (("One line", [s for s in subjects if "+" not in s]), ("Several lines at once: until the last", [s for s in subjects if "+" in s])):
        rows = [[subject, *["-" if not cells.get((subject, who)) else "not in time" if statistics.median(cells[subject, who]) > about["time"]
                            else shown(cells[subject, who], 2) for who in known]] for subject in wanted]
        totals = {who: sum(min(value, about["time"]) for value in values) for who, values in medians(wanted).items()}
        result.table(f"{title}, processor seconds", ["line", *known], [*rows, ["total", *[f"{totals[who]:.1f}" for who in known]]])
    singles = medians([subject for subject in subjects if "+" not in subject])
    for who in known:
        result.figure(f"lines reached by {who}", sum(value <= about["time"] for value in singles[who]))
    result.bees("Time to reach a line", "processor seconds",
                {who: [value if value <= about["time"] else None for (subject, other), values in sorted(cells.items()) if other == who
                       for value in values] for who in known}, about["time"])
    return result
