"""EXE's experiments: optimisations (Table 2), answers of layers (Tables 3 to 5), best-first search (Figures 4 and 5).

Paths are counted in a fixed time, and the time until as many paths as without optimisations. Best-first is compared with depth-first and random inputs. The five kinds of errors
of EXE's packet filters are looked for.

The packet filter is bench/programs/filter.c, similar to those of EXE; the other programs are today's versions of EXE's.
"Caching" and "independence" alone mean, as in the paper, that no other layer of the solver is asked before SAT."""
import json
import math
import pathlib
import re
import sqlite3
import subprocess

from harness import process
from harness import tamar as runs
from harness.builds import ensure
from harness.errors import UserError
from harness.report import Report
from harness.statistics import shown
from harness.suite import Measurement

from .programs import EXE, Program

TIME, REPEAT = 60, 1
METRICS = {"paths": True, "lines": True}
PROGRAMS = pathlib.Path(__file__).resolve().parent.parent / "programs"
SUBJECTS = [Program("filter", []), *EXE]
VARIANTS = {"none": ["--layers", "sat", "--no-independence"], "caching": ["--layers", "cache,sat", "--no-independence"],
            "independence": ["--layers", "sat"], "both": ["--layers", "cache,sat"], "all layers": []}
SEARCHES = ["exe", "dfs"]
RANDOM = 1_000_000
# EXE's Table 2, in % of the time without optimisations
PAPER_TIMES = {"filter": {"caching": 106.5, "independence": 58.2, "both": 33.7}, "expat/xmlwf": {"caching": 108.5, "independence": 88.7, "both": 92.6},
               "pcre2/pcre2grep": {"caching": 109.9, "independence": 31.9, "both": 24.0},
               "tcpdump/tcpdump": {"caching": 95.7, "independence": 88.3, "both": 83.7},
               "busybox/busybox": {"caching": 119.7, "independence": 100.3, "both": 105.6}}


def prepare(context, measurements):
    for package in sorted({one.labels["subject"].partition("/")[0] for one in measurements if "/" in one.labels["subject"]}):
        ensure(context, package, "")


def program_path(context, program):
    return PROGRAMS / "filter.c" if program.name == "filter" else context.subject(program.name)


def errors_found(run):
    """Which of the marked errors of the filter are reported."""
    source = (PROGRAMS / "filter.c").read_text().splitlines()
    marked = {number: re.search(r"error: (\w+)", line)[1] for number, line in enumerate(source, 1) if "// error: " in line}
    reports = "".join(path.read_text(errors="replace") for path in (run.out / "bugs").glob("*.txt")) if (run.out / "bugs").exists() else ""
    return sorted({marked[int(line)] for line in re.findall(r"filter\.c:(\d+)", reports) if int(line) in marked})


def symbolic_bytes(run):
    """The most that any test has."""
    tests = (json.loads(path.read_text(errors="replace")) for path in (run.out / "tests").glob("*.json"))
    return max((sum(given["size"] for given in test["inputs"]) for test in tests), default=0)


def optimisation(context, program, variant, repeat):
    def function(folder):
        run = runs.explore(context.tamar, program_path(context, program), program.symbolic, program.arguments, context.time, folder,
                           more=VARIANTS[variant], fixture=program.files, random_seed=repeat + 1)
        if run.problem:
            return {"values": {}, "problems": [run.problem]}
        with sqlite3.connect(f"file:{run.out}/run.db?mode=ro", uri=True) as database:
            layers = {name: [asked, answered, seconds] for name, asked, answered, seconds in
                      database.execute("SELECT name, asked, answered, seconds FROM layers")}
            solver = dict(database.execute("SELECT name, value FROM solver"))
            decisions = database.execute("SELECT avg(decisions) FROM tests").fetchone()[0] or 0
        found = errors_found(run) if program.name == "filter" else []
        given_up = {kind: sum(item["count"] for item in run.summary["gave_up"] if re.search(words, item["what"]))
                    for kind, words in (("concretized", "concretized|got one value"), ("native", "natively"))}
        return {"values": {**runs.figures(run), "cpu": run.cpu, "wall": run.summary["time"]["wall"], "decisions": decisions, **given_up}, "layers": layers,
                "solver": solver, "symbolic": {**run.summary["symbolic"], "bytes": symbolic_bytes(run)}, "errors": found}
    return Measurement({"subject": program.name, "contestant": variant, "repeat": repeat}, function)


def same_number(context, program, repeat):
    """Table 2 as EXE has it: processor seconds until as many paths as the run without optimisations finished in its time."""
    def function(folder):
        values, wanted = {}, None
        for variant, options in VARIANTS.items():
            more = options if wanted is None else [*options, "--max-paths", str(wanted)]
            run = runs.explore(context.tamar, program_path(context, program), program.symbolic, program.arguments,
                               context.time if wanted is None else 3 * context.time, folder / variant.replace(" ", "-"), more=more, fixture=program.files,
                               random_seed=repeat + 1)
            if run.problem:
                return {"values": values, "problems": [f"{variant}: {run.problem}"]}
            paths = runs.figures(run)["paths"]
            wanted = paths if wanted is None else wanted
            values[variant] = run.cpu if paths >= wanted else float("inf")
        return {"values": {**values, "paths": wanted}}
    return Measurement({"subject": program.name, "contestant": "same number of paths", "repeat": repeat}, function)


def different_paths(context, repeat):
    """Figure 5: different paths among a million random inputs, and among the tests of all paths that Tamar finds."""
    def function(folder):
        native = driver(folder, "-fsanitize-coverage=trace-pc")
        done = process.run([native, "random", str(RANDOM), str(repeat + 1)], cwd=folder, budget=600, folder=folder / "io")
        return {"values": {"random inputs": RANDOM, "different paths": int(done.output.split()[-1])}}
    return Measurement({"subject": "filter, paths", "contestant": "random", "repeat": repeat}, function)


def driver(folder, *more):
    """The filter for native runs, counted by gcov."""
    command = ["clang-19", "-g", "-O0", "-w", "--coverage", *more, f"-I{PROGRAMS.parent.parent}/include", "-Dmain=program_main", "-c", PROGRAMS / "filter.c", "-o", "filter.o"]
    link = ["clang-19", "-g", "-w", "--coverage", PROGRAMS / "random_driver.c", "filter.o", "-o", "driver"]
    for one in (command, link):
        done = subprocess.run([str(word) for word in one], cwd=folder, capture_output=True, text=True)
        if done.returncode:
            raise UserError(f"the driver of the filter does not build: {done.stderr[-400:]}", "See bench/programs.")
    return folder / "driver"


def counted(folder):
    report = subprocess.run(["llvm-cov-19", "gcov", "-n", "filter.gcno"], cwd=folder, capture_output=True, text=True).stdout
    found = re.search(r"filter\.c'\nLines executed:\s*([0-9.]+)% of (\d+)", report)
    return (round(float(found[1]) * int(found[2]) / 100), int(found[2])) if found else (0, 0)


def searching(context, who, repeat):
    def function(folder):
        native = driver(folder)
        if who == "random": # one process until 1, 10, 100... have been run
            ends = [10 ** power for power in range(len(str(RANDOM)))]
            groups = [["random", str(end - before), str(1000 * repeat + end)] for before, end in zip([0, *ends], ends)]
        else:
            run = runs.explore(context.tamar, PROGRAMS / "filter.c", [], [], context.time, folder, more=["--search", who], random_seed=repeat + 1)
            if run.problem:
                return {"values": {}, "problems": [run.problem]}
            # one process for each test: those that show a bug may die, and must not take the others' counts with them
            groups = [[path] for path in sorted((run.out / "tests").iterdir()) if path.is_dir()]
            ends = list(range(1, len(groups) + 1))
        cpu, lines, series = 0, 0, []
        for group, end in zip(groups, ends):
            cpu += process.run([native, *group], cwd=folder, budget=600, folder=folder / "io").cpu
            lines, total = counted(folder)
            series.append([math.log10(end), 100 * lines / max(total, 1)])
        return {"values": {"lines": lines, "total": total, "tests": ends[-1], "cpu": cpu}, "series": series}
    return Measurement({"subject": "filter, lines", "contestant": who, "repeat": repeat}, function)


def measurements(context):
    tables = [optimisation(context, program, variant, repeat) for repeat in range(context.repeat) for program in SUBJECTS for variant in VARIANTS]
    tables += [same_number(context, program, repeat) for repeat in range(context.repeat) for program in SUBJECTS]
    tables += [different_paths(context, repeat) for repeat in range(context.repeat)]
    return tables + [searching(context, who, repeat) for repeat in range(context.repeat) for who in [*SEARCHES, "random"]]


def percent(part, whole):
    return f"{100 * part / max(whole, 1e-9):.1f} %"


def report(records, about):
    result = Report("EXE's experiments", about)
    cells = {}
    for record in records:
        if record["values"]:
            cells.setdefault((record["labels"]["subject"], record["labels"]["contestant"]), []).append(record)

    def values(subject, who, metric):
        return [record["values"][metric] for record in cells.get((subject, who), [])]
    names = [program.name for program in SUBJECTS if any((program.name, who) in cells for who in VARIANTS)]
    kinds = sorted({error for record in records for error in record.get("errors", [])})
    result.figure("kinds of errors found in the filter", f"{len(kinds)} of 5: {', '.join(kinds)}", "5")
    result.table("Paths finished (EXE's Table 2)", ["program", *VARIANTS], [[name, *[shown(values(name, who, "paths"), 0) for who in VARIANTS]] for name in names])
    same = [name for name in names if (name, "same number of paths") in cells]
    if same:
        result.table("Processor seconds to the same number of paths (EXE's Table 2; inf: not in three times the time)", ["program", "paths", *VARIANTS],
                     [[name, shown(values(name, "same number of paths", "paths"), 0),
                       *[shown(values(name, "same number of paths", who), 1) for who in VARIANTS]] for name in same])
        result.bars("Table 2: time to the same number of paths, % of the run without optimisations", "%",
                    [f"{name.partition('/')[2] or name}: {who}" for name in same for who in list(VARIANTS)[1:]],
                    {"Tamar": [round(100 * cells[name, "same number of paths"][0]["values"][who] / cells[name, "same number of paths"][0]["values"]["none"], 1)
                               for name in same for who in list(VARIANTS)[1:]],
                     "EXE (paper)": [PAPER_TIMES.get(name, {}).get(who) for name in same for who in list(VARIANTS)[1:]]})
    different = values("filter, paths", "random", "different paths")
    if different:
        result.figure("different paths of a million random inputs for the filter", shown(different, 0))
    first = {key: records[0] for key, records in cells.items()}
    rows = []
    for name in names:
        if (name, "both") in first:
            record, alone = first[name, "both"], first.get((name, "caching"), {}).get("layers", {}).get("cache", [0, 0, 0])
            figures, (asked, answered, seconds) = record["values"], record["layers"].get("cache", [0, 0, 0])
            rows.append([name, figures["queries"], percent(answered, asked), percent(alone[1], alone[0]),
                         f"{record['solver']['groups'] / max(figures['queries'], 1):.1f}", percent(seconds, figures["wall"]), f"{100 * figures['solver_share']:.0f} %"])
    result.table("Caching and independence (EXE's Table 3)", ["program", "queries", "hit rate", "hit rate without independence",
                                                               "independent subsets, mean", "time in the cache", "time in the solver"], rows)
    for variant, title in (("both", "with caching and independence alone (EXE's Table 4)"), ("all layers", "with all layers")):
        rows = []
        for name in names:
            if (name, variant) in first:
                solver = first[name, variant]["solver"]
                rows.append([name, first[name, variant]["layers"]["sat"][0], solver["conditions"], solver["nodes"], percent(solver["products"], solver["nodes"]),
                             solver["reads"], solver["writes"]])
        result.table(f"Queries sent to SAT {title}", ["program", "queries", "constraints", "nodes", "products and quotients", "array reads at symbolic places",
                                                      "array writes"], rows)
    rows = []
    for name in names:
        if (name, "all layers") in first:
            record, symbolic = first[name, "all layers"], first[name, "all layers"]["symbolic"]
            rows.append([name, symbolic["bytes"], record["values"]["instructions"], percent(symbolic["instructions"], record["values"]["instructions"]),
                         symbolic["branches"], percent(symbolic["forks"], symbolic["branches"]), f"{record['values']['decisions']:.1f}", symbolic["checks"],
                         symbolic["values"], record["values"].get("concretized", "-"), record["values"].get("native", "-")])
    result.table("Execution with all layers (EXE's Table 5)", ["program", "symbolic bytes", "instructions", "symbolic", "symbolic branches", "both sides feasible",
                                                               "decisions of a test, mean", "symbolic checks", "values one by one",
                                                               "values concretized", "calls without source"], rows)
    rows = []
    for name in names:
        for record in cells.get((name, "all layers"), [])[:1]:
            order = sorted(record["layers"].items(), key=lambda item: -item[1][1])
            rows.append([name, record["values"]["queries"], record["values"]["sat"], record["values"]["instructions"],
                         "; ".join(f"{layer} {answered}" for layer, (_, answered, _) in order if answered)])
    result.table("Where queries end with all layers", ["program", "queries", "SAT", "instructions", "answered by"], rows)
    result.table("Lines of the filter (EXE's Figures 4 and 5)", ["by", "lines", "of", "tests"],
                 [[who, shown(values("filter, lines", who, "lines"), 0), shown(values("filter, lines", who, "total"), 0),
                   shown(values("filter, lines", who, "tests"), 0)] for who in [*SEARCHES, "random"]])
    result.lines("Lines of the filter by number of tests", "tests, logarithm to base 10", "% of lines",
                 {who: cells["filter, lines", who][0]["series"] for who in [*SEARCHES, "random"] if ("filter, lines", who) in cells})
    return result
