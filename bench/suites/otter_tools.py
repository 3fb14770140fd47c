"""All uncovered lines of nine coreutils (Otter's Table 3.2 and Figure 3.7), and single lines of them (Table 3.1).

The programs are Otter's. Targets are the lines of the tool's own source that its own tests (`make check`) do not
execute, as gcov counts. Each strategy gets all targets of a tool at once. Figure 3.7 adds up, over the tools, the share of
targets that are covered at a time. "single": one target each, up to four per tool, at equal distances in the source."""
import json
import statistics

from harness import own_tests, process
from harness.builds import ensure
from harness.errors import UserError
from harness.report import Report
from harness.suite import Measurement

from .coverage import notes_of

TIME, REPEAT = 30, 5
METRICS = {"covered": True}
TOOLS = "mkdir mkfifo mknod paste seq ptx md5sum tac pr".split()
# Otter's strategies, by its names; its best three are the third, fifth and sixth
STRATEGIES = {"B(SDSE)": "batch(sdse)", "B(SDSE-pr)": "batch(sdse-pr)", "B(SDSE-rr)": "batch(sdse-rr)", "B(RR(RP,SDSE))": "batch(rr(rp,sdse))",
              "B(RR(RP,SDSE-rr))": "batch(rr(rp,sdse-rr))", "B(Ph(KLEE,SDSE,3))": "batch(ph(klee,sdse,3))", "CCBSE(RP)": "ccbse(rp)", "KLEE": "klee",
              "Mix(KLEE)": "mix(klee)", "SAGE": "sage", "Mix(SAGE)": "mix(sage)", "RP": "rp", "Mix(RP)": "mix(rp)", "RR(SDSE-pr,SDSE)": "rr(sdse-pr,sdse)",
              "default": "rr(sdse-pr,sdse,rp)"}
PAPER = {"B(SDSE)": 51.9, "B(SDSE-pr)": 45.2, "B(SDSE-rr)": 55.5, "B(RR(RP,SDSE))": 63.3, "B(RR(RP,SDSE-rr))": 63.1, "B(Ph(KLEE,SDSE,3))": 50.9,
         "CCBSE(RP)": 62.2, "KLEE": 60.6, "Mix(KLEE)": 62.6, "SAGE": 59.8, "Mix(SAGE)": 59.7, "RP": 61.0, "Mix(RP)": 62.6}
SINGLE = ["B(RR(RP,SDSE))", "CCBSE(RP)", "KLEE", "Mix(KLEE)", "RP", "default"]
INPUT = ["--sym-args", "0", "1", "10", "--sym-args", "0", "3", "2", "--sym-stdin", "8"]


def targets_file(context, tool):
    return context.cache / "otter-tools" / f"{tool}.info"


def targets(context, tool):
    """Numbers of the lines that the tool's own tests do not execute."""
    lines = targets_file(context, tool).read_text().splitlines()
    return [int(line[3:].split(",")[0]) for line in lines if line.startswith("DA:") and line.endswith(",0")]


def prepare(context, measurements):
    ensure(context, "coreutils", "", "gcov")
    source = context.cache / "subjects-gcov/coreutils/source"
    for tool in sorted({one.labels["subject"].partition(":")[0] for one in measurements}):
        file = targets_file(context, tool)
        if file.exists():
            continue
        notes, sources = notes_of(context, tool)
        folder = file.parent / "work" / tool
        folder.mkdir(parents=True, exist_ok=True)
        lines = own_tests.executed(source, tool, notes, sources, folder)
        if not lines:
            raise UserError(f"{tool}: its own tests gave no counts", "bench/subjects/build --as gcov --again coreutils")
        text = ["TN:"]
        for name in sorted(sources):
            text += [f"SF:{context.cache}/subjects/coreutils/source/src/{name}", *[f"DA:{line},{int(done)}" for (file_name, line), done in sorted(lines.items()) if file_name == name],
                     "end_of_record"]
        file.write_text("\n".join(text) + "\n")


def reach(context, tool, wanted, strategy, repeat, folder):
    done = process.run([context.tamar, "reach", *wanted, context.subject(f"coreutils/{tool}"), "--search", STRATEGIES[strategy],
                        "--random-seed", str(repeat + 1), "--no-prove", "-q", "--out", folder / "out", *INPUT], budget=context.time,
                       cwd=folder, env=process.ENVIRONMENT, folder=folder / "io")
    if done.killed or done.status not in (0, 1, 3):
        return {"values": {}, "problems": [f"status {done.status}: {done.errors.strip()[-300:]}"]}
    if not (folder / "out/summary.json").exists():
        return {"values": {}, "problems": ["the time was over before the program was loaded"]}
    found = json.loads((folder / "out/summary.json").read_text())["targets"]
    scale = min(done.cpu / max(done.wall, 1e-9), 1)
    times = sorted(item["seconds"] * scale for item in found if item["reached"])
    return {"values": {"covered": len(times), "targets": len(found), "seconds": times[-1] if times else 0, "cpu": done.cpu}, "times": times}


def measurements(context):
    def all_lines(tool, strategy, repeat):
        return Measurement({"subject": tool, "contestant": strategy, "repeat": repeat},
                           lambda folder: reach(context, tool, ["--uncovered-by", targets_file(context, tool)], strategy, repeat, folder))

    def single(tool, number, strategy, repeat):
        def function(folder):
            lines = targets(context, tool)
            if number >= min(len(lines), 4):
                return {"values": {}}
            line = lines[(2 * number + 1) * len(lines) // 8] if len(lines) > 4 else lines[number]
            name = sorted(notes_of(context, tool)[1])[0]
            return {**reach(context, tool, [f"{name}:{line}"], strategy, repeat, folder), "line": line}
        return Measurement({"subject": f"{tool}:single {number + 1}", "contestant": strategy, "repeat": repeat}, function)
    repeats = range(context.repeat)
    return [all_lines(tool, strategy, repeat) for repeat in repeats for tool in TOOLS for strategy in STRATEGIES] + \
        [single(tool, number, strategy, repeat) for repeat in repeats for number in range(4) for tool in TOOLS for strategy in SINGLE]


def quartile_range(values):
    """Half of the distance between the quartiles, as Otter reports it."""
    if len(values) < 2:
        return 0
    cuts = statistics.quantiles(values, n=4, method="inclusive")
    return (cuts[2] - cuts[0]) / 2


def outliers(values):
    """How many are more than three SIQR from the median."""
    middle, spread = statistics.median(values), quartile_range(values)
    return sum(abs(value - middle) > 3 * spread for value in values) if spread else 0


def with_range(values, digits):
    far = outliers(values)
    return f"{statistics.median(values):.{digits}f} ±{quartile_range(values):.{digits}f}" + (f" ({far})" if far else "")


def normalized(cells, who, tools):
    """Figure 3.7: [[seconds, sum over the tools of the share of targets covered]...], from the medians of the repeats."""
    steps = []
    for tool in tools:
        runs = cells[tool, who]
        count = max(run["values"]["targets"] for run in runs)
        for k in range(max(len(run["times"]) for run in runs)):
            times = [run["times"][k] if k < len(run["times"]) else float("inf") for run in runs]
            at = statistics.median_high(times)
            if at < float("inf"):
                steps.append((at, 1 / count))
    total, series = 0.0, [[0, 0]]
    for at, share in sorted(steps):
        total += share
        series.append([round(at, 3), round(total, 3)])
    return series


def report(records, about):
    result = Report("Otter: all uncovered lines of nine coreutils", about)
    cells = {}
    for record in records:
        if "covered" in record["values"]:
            cells.setdefault((record["labels"]["subject"], record["labels"]["contestant"]), []).append(record)
    tools = [tool for tool in TOOLS if any((tool, who) in cells for who in STRATEGIES)]
    known = [who for who in STRATEGIES if all((tool, who) in cells for tool in tools)]
    rows, average = [], {}
    for tool in tools:
        count = max(run["values"]["targets"] for who in known for run in cells[tool, who])
        for what, digits in (("covered", 0), ("seconds", 1)):
            rows.append([f"{tool} ({count})" if what == "covered" else "", what,
                         *[with_range([run["values"][what] for run in cells[tool, who]], digits) for who in known]])
    for who in known:
        shares = [statistics.median([run["values"]["covered"] for run in cells[tool, who]]) / max(run["values"]["targets"] for run in cells[tool, who])
                  for tool in tools]
        average[who] = 100 * statistics.mean(shares) if shares else 0
        result.figure(f"average coverage by {who}, %", round(average[who], 1))
    result.table("Lines covered: median ±SIQR (outliers), and seconds until the last of them (Otter's Table 3.2)", ["program (targets)", "", *known],
                 [*rows, ["average, %", "", *[f"{average[who]:.1f}" for who in known]], ["Otter, %", "", *[str(PAPER.get(who, "")) for who in known]]])
    result.bars("Table 3.2: average coverage of the targets", "% of the targets", known,
                {"Tamar": [round(average[who], 1) for who in known], "the thesis (2 hours)": [PAPER.get(who) for who in known]})
    if tools:
        result.lines("Figure 3.7: normalized coverage over time", "processor seconds", f"tools, of {len(tools)}",
                     {who: normalized(cells, who, tools) for who in known})
    singles = sorted({subject for subject, _ in cells if ":" in subject})
    rows = []
    for subject in singles:
        some = next(iter(cells[subject, who][0]["line"] for who in SINGLE if (subject, who) in cells), "")
        row = [f"{subject.partition(':')[0]}.c:{some}"]
        for who in SINGLE:
            runs = cells.get((subject, who), [])
            times = [run["values"]["seconds"] if run["values"]["covered"] else float("inf") for run in runs]
            row.append("-" if not times or statistics.median_high(times) == float("inf") else with_range([t for t in times if t < float("inf")], 2))
        rows.append(row)
    if rows:
        result.table("Single lines: seconds, median ±SIQR (outliers); -: not in time (Otter's Table 3.1)", ["line", *SINGLE], rows)
        result.bees("Appendix A.1: times of all runs for single lines", "processor seconds",
                    {who: [run["values"]["seconds"] if run["values"]["covered"] else None for subject in singles for run in cells.get((subject, who), [])]
                     for who in SINGLE}, about["time"])
    return result
