"""Line coverage of the forty tools of the slicing thesis: Tamar beside AFL++ and the tools' own tests, counted by gcov.

Of the thesis' forty, setuidgid is no longer in coreutils 9.1. Each contestant gets the same processor time and the same
folder with two small files. Tamar's inputs are KLEE's usual ones: up to one long and two short arguments, and standard
input. AFL++ fuzzes arguments and standard input at once (input_main.c) from one empty seed, unlimited in size. The
tools' own tests are the scripts of coreutils' `make check` that name the tool or go through all tools, and need no
root, whatever they take. Counted are the executable lines of the tool's own source file in a gcc -O0 build, after all
tests that the contestant kept ran natively."""
import statistics

from harness import afl, inputs, native, own_tests
from harness import tamar as runs
from harness.builds import ensure
from harness.report import Report
from harness.statistics import shown
from harness.suite import Measurement

TIME, REPEAT = 120, 1
METRICS = {"covered": True}
TOOLS = ("base64 basename chcon cksum comm cut dd dircolors dirname du env expand expr fold groups link logname mkdir mkfifo mknod nice nl "
         "od paste pathchk printf readlink rmdir sleep split sum sync tee touch tr tsort unexpand unlink wc").split()
SYMBOLIC = ["--sym-args", "0", "1", "10", "--sym-args", "0", "2", "2", "--sym-stdin", "8"]
FIXTURE = {"A": b"a b\n1 2\n\tx\n", "B": b"a c\n2\n"}
EMPTY = b"\0" # no argument, empty standard input


def notes_of(context, tool):
    """(gcov's notes, names of the source files) of a tool's own source: src/TOOL.c, or what the tool is compiled
    from."""
    folder = context.cache / "subjects-gcov/coreutils/source/src"
    notes = [path for path in (folder / f"{tool}.gcno",) if path.exists()] + sorted(folder.glob(f"{tool}-*.gcno"))
    return notes, {note.stem.rpartition("-")[2] + ".c" for note in notes}


def prepare(context, measurements):
    contestants = {one.labels["contestant"] for one in measurements}
    ensure(context, "coreutils", "", "gcov", *(["afl"] if "afl++" in contestants else []))


def covered_lines(context, tool, tests, folder, seconds=()):
    """(covered, all, series): lines of the tool's own source that native runs of the tests execute, counted by gcov."""
    notes, sources = notes_of(context, tool)
    return native.covered_lines(context.subject(f"coreutils/{tool}", "gcov"), notes, sources, tests, folder / "gcov", FIXTURE, seconds)


def count(context, tool, tests, folder, seconds):
    """Values and the series over time. `seconds`: when each test was found."""
    covered, total, series = covered_lines(context, tool, tests, folder, seconds)
    return {"covered": 100 * covered / max(total, 1), "lines": total}, \
        [[seconds[at - 1] if at <= len(seconds) else 0, 100 * lines / max(total, 1)] for at, lines in series]


def with_tamar(context, tool, repeat):
    def function(folder):
        run = runs.explore(context.tamar, context.subject(f"coreutils/{tool}"), SYMBOLIC, [], context.time, folder, fixture=FIXTURE,
                           random_seed=repeat + 1)
        if run.problem:
            return {"values": {}, "problems": [run.problem]}
        when = runs.test_seconds(run)
        tests = sorted(inputs.from_tamar(run.out), key=lambda test: when.get(test["number"], 0))
        values, series = count(context, tool, tests, folder, [when.get(test["number"], 0) for test in tests])
        replayed = runs.replay(context.tamar, run, folder)
        confirmed, problems = runs.confirm(context.tamar, run, folder)
        problems += replayed.get("differ", [replayed.get("problem")])
        return {"values": {**values, **runs.figures(run), "cpu": run.cpu, "replayed": replayed.get("tests", 0), "same": replayed.get("same", 0)},
                "series": {"covered": series}, "problems": problems, "bugs": confirmed, "gave_up": run.summary["gave_up"][:8]}
    return Measurement({"subject": tool, "contestant": "tamar", "repeat": repeat}, function)


def with_afl(context, tool, repeat):
    def function(folder):
        done = afl.fuzz(context.subject(f"coreutils/{tool}", "afl"), [], context.time, folder, fixture=FIXTURE, seed=EMPTY, random_seed=repeat + 1)
        scale = done.cpu / max(done.wall, 1e-9)
        tests = sorted(afl.kept(folder, "queue", []) + afl.kept(folder, "crashes", []), key=lambda test: test["ms"])
        values, series = count(context, tool, tests, folder, [test["ms"] / 1000 * scale for test in tests])
        return {"values": {**values, "tests": len(tests), "executions": afl.executions(folder), "cpu": done.cpu}, "series": {"covered": series}}
    return Measurement({"subject": tool, "contestant": "afl++", "repeat": repeat}, function)


def with_own_tests(context, tool):
    """Measured once: the scripts do the same every time."""
    def function(folder):
        notes, sources = notes_of(context, tool)
        covered, total, series, statuses, cpu = own_tests.run(context.cache / "subjects-gcov/coreutils/source", tool, notes, sources, folder)
        failed = [script for script, status in statuses.items() if status not in (0, own_tests.SKIPPED)]
        return {"values": {"covered": 100 * covered / max(total, 1), "lines": total, "scripts": len(statuses), "failed": len(failed), "cpu": cpu,
                           "skipped": sum(status == own_tests.SKIPPED for status in statuses.values())},
                "series": {"covered": [[used, 100 * lines / max(total, 1)] for used, lines in series]}, "failed": failed}
    return Measurement({"subject": tool, "contestant": "own tests", "repeat": 0}, function)


def measurements(context):
    """Runs the tools' own tests, which mostly wait, in parallel with measurements that compute."""
    result = []
    for repeat in range(context.repeat):
        for tool in TOOLS:
            result += [with_tamar(context, tool, repeat), with_afl(context, tool, repeat)] + ([] if repeat else [with_own_tests(context, tool)])
    return result


def report(records, about):
    result = Report("Line coverage of the forty tools", about)
    cells = {}
    for record in records:
        if "covered" in record["values"]:
            cells.setdefault((record["labels"]["subject"], record["labels"]["contestant"]), []).append(record)
    contestants = ("tamar", "afl++", "own tests")
    tools = [tool for tool in TOOLS if any((tool, who) in cells for who in contestants)]

    def values(tool, who, metric="covered"):
        return [record["values"][metric] for record in cells.get((tool, who), []) if metric in record["values"]]

    def medians(who):
        return {tool: statistics.median(values(tool, who)) for tool in tools if values(tool, who)}
    ours, theirs, own = map(medians, contestants)
    both = [tool for tool in tools if tool in ours and tool in theirs]
    result.figure("mean line coverage of Tamar, %", round(statistics.mean(ours.values()), 1) if ours else "-", "> 70")
    result.figure("mean line coverage of AFL++, %", round(statistics.mean(theirs.values()), 1) if theirs else "-")
    if both:
        result.figure("above AFL++, % of the tools", round(100 * sum(ours[tool] > theirs[tool] for tool in both) / len(both)), ">= 80")
        result.figure("level with AFL++, % of the tools", round(100 * sum(ours[tool] == theirs[tool] for tool in both) / len(both)))
    result.figure("mean line coverage of the tools' own tests, %", round(statistics.mean(own.values()), 1) if own else "-")
    known = [tool for tool in tools if tool in ours and tool in own]
    if known:
        result.figure("above the own tests, % of the tools", round(100 * sum(ours[tool] > own[tool] for tool in known) / len(known)))
    tests = sum(sum(values(tool, "tamar", "replayed")) for tool in tools)
    result.figure("tests replayed", tests)
    result.figure("of them on another path", tests - sum(sum(values(tool, "tamar", "same")) for tool in tools), "0")
    rows = [[tool, *[shown(values(tool, who, metric), digits) for who, metric, digits in
                     (("tamar", "covered", 1), ("afl++", "covered", 1), ("own tests", "covered", 1), ("own tests", "scripts", 0),
                      ("tamar", "lines", 0), ("tamar", "paths", 0), ("tamar", "tests", 0), ("afl++", "executions", 0), ("tamar", "gave_up", 0))],
             f"{100 * statistics.median(values(tool, 'tamar', 'solver_share')):.0f}" if values(tool, "tamar", "solver_share") else "-"]
            for tool in sorted(tools, key=lambda tool: ours.get(tool, 0))]
    result.table("Lines covered, % of the tool's own source", ["tool", "Tamar", "AFL++", "own tests", "scripts", "lines", "paths",
                                                               "tests", "AFL++ executions", "given up", "solver, %"], rows)
    found = [[record["labels"]["subject"], bug] for record in records for bug in record.get("bugs", [])]
    if found:
        result.table("Bugs of the tools as they are, confirmed natively", ["tool", "bug"], found)
    for tool in tools:
        series = {who: cells[tool, who][0]["series"]["covered"] for who in contestants if (tool, who) in cells}
        result.lines(tool, "processor seconds", "% of lines", series)
    result.bees("Coverage by tool", "% of lines", {"tamar": list(ours.values()), "afl++": list(theirs.values()),
                                                              "own tests": list(own.values())}, 100)
    return result
