"""Pending constraints (Figures 2, 4 to 7, 9): edges with and without, seeded and not, by three strategies; relaxed checks.

Figure 9: sqlite3 without seeds, and from each of two seeds: the lines of every two runs together."""
import json
import statistics
import tempfile

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
PAPER_GAINS = {"": {"rp": 35, "dfs": 24, "depth": 34}, "seeded": {"rp": 25, "depth": 30, "dfs": 23}}
COMBINED = "sqlite3/sqlite3" # Figure 9
COMBINED_SETS = ["", "seed a", "seed b"]


def prepare(context, measurements):
    for package in sorted({one.labels["subject"].partition("/")[0] for one in measurements}):
        ensure(context, package, "")
    for subject in sorted({one.labels["subject"] for one in measurements}): # so that no run loads the program anew
        with tempfile.TemporaryDirectory() as folder:
            runs.explore(context.tamar, context.subject(subject), [], ["--version"], 600, folder, more=["--max-paths", "1"])


def name(strategy, mode, seeds):
    return f"{strategy} {mode}{seeds and ' '}{seeds}"


def one_seed(program, mode):
    """If there is only one seed, most runs from the first seed have been measured already."""
    return "seeded" if len(program.seeds) == 1 and mode in MODES else "one seed"


def covered_lines(run):
    """A number for each covered line of the program."""
    numbers, found = {}, []
    for file in json.loads((run.out / "coverage.json").read_text())["files"]:
        number = numbers.setdefault(file["file"], len(numbers))
        found += [1000000 * number + line for line in file["covered"]]
    return sorted(found)


def measurements(context):
    def measure(program, strategy, mode, seeds, repeat):
        def function(folder):
            more = ["--search", strategy, *RELAXED[mode]]
            if seeds:
                (folder / "seeds").mkdir()
                chosen = [seeds[5:]] if seeds.startswith("seed ") else sorted(program.seeds)[:1 if seeds == "one seed" else None]
                for seed in chosen:
                    (folder / "seeds" / seed).write_bytes(program.seeds[seed])
                more += ["--seeds", folder / "seeds"]
            run = runs.explore(context.tamar, context.subject(program.name), program.symbolic, program.arguments, context.time, folder,
                               more=more, random_seed=repeat + 1)
            if run.problem:
                return {"values": {}, "problems": [run.problem]}
            lines = {"covered": covered_lines(run)} if program.name == COMBINED else {}
            return {**lines, "values": {**runs.figures(run), "infeasible_share": run.summary["time"]["infeasible"] / max(run.summary["time"]["wall"], 1e-9), "cpu": run.cpu}}
        return Measurement({"subject": program.name, "contestant": name(strategy, mode, seeds), "repeat": repeat}, function)
    combined = [measure(program, strategy, mode, seeds, 0) for program in PENDING if program.name == COMBINED for seeds in COMBINED_SETS[1:]
                for strategy in ("depth", "rp") for mode in MODES]
    return combined + [measure(program, strategy, mode, seeds, repeat) for repeat in range(context.repeat) for program in PENDING
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
    means = {}
    for seeds in ("", "seeded"):
        gains, rows = [], []
        by_strategy = {strategy: [] for strategy in STRATEGIES}
        for program in programs:
            row = [program.name]
            for strategy in STRATEGIES:
                eager, pending = (edges(program, strategy, mode, seeds) for mode in MODES)
                gain = statistics.median(pending) / max(statistics.median(eager), 1) if eager and pending else None
                gains += [gain] if gain else []
                by_strategy[strategy] += [gain] if gain else []
                row += [shown(eager, 0), shown(pending, 0), f"{100 * (gain - 1):+.0f} %" if gain else "-"]
            rows.append(row)
        means[seeds] = {strategy: round(100 * (statistics.mean(some) - 1), 1) if some else None for strategy, some in by_strategy.items()}
        result.bars(f"Figure {6 if seeds else 4}: gain of edges by pending constraints, mean over {len(rows)} programs{', from seeds' if seeds else ''}", "%", STRATEGIES,
                    {"Tamar": [means[seeds][strategy] for strategy in STRATEGIES],
                     "the paper (instructions, 2 hours)": [PAPER_GAINS[seeds][strategy] for strategy in STRATEGIES]})
        result.figure(f"median gain{seeds and ' '}{seeds}, %", round(100 * (statistics.median(gains) - 1), 1) if gains else "-")
        result.table(f"Edges covered{', from seeds' if seeds else ''}",
                     ["program", *[f"{strategy} {what}" for strategy in STRATEGIES for what in ("eager", "pending", "gain")]], rows)
    result.table("Edges covered with rp, from the first seed alone", ["program", *RELAXED],
                 [[program.name, *[shown(edges(program, "rp", mode, one_seed(program, mode)), 0) for mode in RELAXED]] for program in programs])
    result.table("Queries about pending states that were infeasible, % of the time, without seeds", ["program", *STRATEGIES],
                 [[program.name, *[shown([100 * values["infeasible_share"] for values in cells.get((program.name, name(strategy, "pending", "")), [])], 0)
                                   for strategy in STRATEGIES]] for program in programs])
    shares = {f"rp {mode}": [round(100 * statistics.median([values["solver_share"] for values in cells[one.name, name("rp", mode, "")]]), 1)
                             if (one.name, name("rp", mode, "")) in cells else None for one in programs] for mode in MODES}
    result.bars("Figure 2: the solver's share of the time, random path, without seeds", "%", [one.name for one in programs], shares)
    result.bars("Figure 7: edges from the first seed, random path", "edges", [one.name for one in programs],
                {mode: [statistics.median(edges(one, "rp", mode, one_seed(one, mode))) if edges(one, "rp", mode, one_seed(one, mode)) else None for one in programs]
                 for mode in RELAXED})
    combine(result, records)
    result.figure("paths finished on bc, 20 symbolic bytes, best of all", max((record["values"]["paths"] for record in records
                  if record["labels"]["subject"] == "bc/bc" and record["values"]), default="-"), "1000 in 120 s")
    return result


def combine(result, records):
    """Figure 9: above the diagonal pairs of runs with pending constraints, below without, in % of the depth-biased run without
    seeds; on the diagonal the ratio of both."""
    sets = {record["labels"]["contestant"]: set(record["covered"]) for record in records
            if record["labels"]["subject"] == COMBINED and record["labels"]["repeat"] == 0 and "covered" in record}
    who = [(strategy, seeds) for seeds in COMBINED_SETS for strategy in ("depth", "rp")]
    if not all(name(strategy, mode, seeds) in sets for strategy, seeds in who for mode in MODES):
        return

    def lines(one, mode):
        return sets[name(one[0], mode, one[1])]
    cells = []
    for i, one in enumerate(who):
        row = []
        for j, other in enumerate(who):
            if i == j:
                row.append(100 * len(lines(one, "pending")) / max(len(lines(one, "eager")), 1))
            else:
                mode = "pending" if j > i else "eager"
                row.append(100 * len(lines(one, mode) | lines(other, mode)) / max(len(lines(who[0], mode)), 1))
        cells.append(row)
    names = [f"{strategy}{seeds[4:]}" for strategy, seeds in who]
    result.heat("Figure 9: sqlite3, lines of two runs together; above the diagonal pending, below eager, in % of depth; diagonal: pending in % of eager", names, cells)
    result.table("Lines of sqlite3 by two runs together, % (Figure 9)", ["", *names], [[names[i], *[f"{value:.0f}" for value in row]] for i, row in enumerate(cells)])
