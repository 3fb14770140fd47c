"""Exactness: for the tests of every program of the other suites, does native replay take the predicted path?

One run of each program with the inputs that its suite uses, then `tamar replay --exact`: the same bitcode and C library
as native code must make the same choices in the same order and end alike. Differences are listed with their
location."""
from harness import tamar as runs
from harness.builds import ensure
from harness.report import Report
from harness.suite import Measurement

from . import bugs, coverage
from .programs import EXE, MORE, PENDING, Program

TIME, REPEAT = 20, 1
METRICS = {"same": True, "tests": True}
PACKAGES = {"bc": "bc", "dc": "bc", "xmlwf": "expat"}


def programs():
    tools = [Program(f"coreutils/{tool}", coverage.SYMBOLIC) for tool in coverage.TOOLS]
    planted = [Program(f"{PACKAGES.get(name, 'coreutils')}/{name}", symbolic, fixed) for name, (symbolic, fixed, _) in bugs.PROGRAMS.items()]
    seen, result = set(), []
    for program in [*tools, *planted, *PENDING, *EXE, *MORE]:
        key = (program.name, tuple(program.symbolic), tuple(program.arguments))
        if key not in seen:
            seen.add(key)
            result.append(program)
    return result


def prepare(context, measurements):
    for package in sorted({one.labels["subject"].partition("/")[0] for one in measurements}):
        ensure(context, package, "")


def measurements(context):
    def measure(program, repeat):
        def function(folder):
            run = runs.explore(context.tamar, context.subject(program.name), program.symbolic, program.arguments, context.time, folder,
                               fixture={**coverage.FIXTURE, **program.files}, random_seed=repeat + 1)
            if run.problem:
                return {"values": {}, "problems": [run.problem]}
            replayed = runs.replay(context.tamar, run, folder)
            if "problem" in replayed:
                return {"values": {**runs.figures(run), "cpu": run.cpu}, "problems": [replayed["problem"]]}
            found = [f"{bug['kind']} at {bug['file'].rpartition('/')[2]}:{bug['line']}" for bug in run.summary["bugs"]]
            return {"values": {**runs.figures(run), "cpu": run.cpu, "replayed": replayed["tests"], "same": replayed["same"]},
                    "problems": replayed["differ"], "bugs": found, "gave_up": run.summary["gave_up"][:6]}
        return Measurement({"subject": program.name, "inputs": " ".join([*program.symbolic, "--", *program.arguments]), "repeat": repeat}, function)
    return [measure(program, repeat) for repeat in range(context.repeat) for program in programs()]


def report(records, about):
    result = Report("Native replay takes the predicted path", about)
    good = [record for record in records if "same" in record["values"]]
    total, same = (sum(record["values"][name] for record in good) for name in ("replayed", "same"))
    result.figure("programs and inputs", len(records))
    result.figure("tests replayed", total)
    result.figure("on the predicted path, %", round(100 * same / max(total, 1), 3), "100")
    result.figure("runs that failed", len(records) - len(good), "0")
    result.figure("most memory, MB", round(max((record["values"].get("peak_memory", 0) for record in records), default=0) / 1e6))
    result.table("By program", ["program", "inputs", "paths", "tests", "same", "solver, %", "given up", "bugs"],
                 [[record["labels"]["subject"], record["labels"]["inputs"], *[record["values"].get(name, "-") for name in ("paths", "replayed", "same")],
                   f"{100 * record['values'].get('solver_share', 0):.0f}", record["values"].get("gave_up", "-"), "; ".join(record.get("bugs", []))]
                  for record in records])
    return result
