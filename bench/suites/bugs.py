"""Planted bugs in real programs: which are found, how soon, and whether they are confirmed; also by AFL++ with ASan.

Each program carries all its bugs of bench/bugs at once. Tamar's reports and AFL++'s crashes are matched by the line
that fails, anywhere in the call stack. A report of Tamar that `tamar replay` does not confirm counts as false, planted
or not. AFL++ gets the program as AFL_USE_ASAN builds it, the same fixed arguments, and one empty seed."""
import pathlib
import re

from harness import afl, native, patched
from harness import tamar as runs
from harness.report import Report
from harness.suite import Measurement

TIME, REPEAT = 120, 1
METRICS = {"found": True}
NEAR = 3 # lines between the marked one and where a compiler says it is
# Options for symbolic input, fixed arguments before the symbolic ones, and whether AFL++'s input has arguments, too.
PROGRAMS = {
    "base64": (["--sym-args", "0", "2", "4", "--sym-stdin", "12"], [], True),
    "bc": (["--sym-stdin", "12"], [], False),
    "cut": (["--sym-args", "1", "3", "6", "--sym-stdin", "8"], [], True),
    "dc": (["--sym-stdin", "10"], [], False),
    "expr": (["--sym-args", "2", "3", "6"], [], True),
    "fold": (["--sym-args", "0", "2", "4", "--sym-stdin", "10"], [], True),
    "nl": (["--sym-args", "0", "2", "5", "--sym-stdin", "12"], [], True),
    "numfmt": (["--sym-arg", "8"], ["--from=auto"], True),
    "od": (["--sym-args", "0", "2", "5", "--sym-stdin", "0..24"], [], True),
    "paste": (["--sym-arg", "5", "--sym-stdin", "4"], ["-s", "-d"], True),
    "printf": (["--sym-args", "1", "3", "10"], [], True),
    "seq": (["--sym-args", "1", "3", "5"], [], True),
    "tr": (["--sym-args", "1", "2", "10", "--sym-stdin", "2"], [], True),
    "tsort": (["--sym-stdin", "12"], [], False),
    "xmlwf": (["--sym-stdin", "24"], [], False),
}
FAMILIES = {"assert": {"assert", "abort"}, "abort": {"assert", "abort"}, "null": {"null", "out-of-bounds"}}


def prepare(context, measurements):
    wanted = {(one.labels["subject"], one.labels["contestant"]) for one in measurements}
    for bug in patched.bugs():
        if (bug.program, "tamar") in wanted:
            patched.build(context, bug.package, "")
        if (bug.program, "afl++") in wanted:
            patched.build(context, bug.package, "afl-asan")


def at_place(text, here):
    """The bug that a stack trace goes through: that of the first frame near one, and of several the nearest. Optimised
    code may have lost its line (ASan then says `in FUNCTION FILE`): then the function is compared."""
    for function, name, number in re.findall(r"(?:in (\w+) )?[^\s:]*?([\w.-]+\.[chy])(?::(\d+)|$)", text, re.M):
        near = [(abs(int(number) - line) if number else 0, bug.name, bug) for bug, lines, its_function in here for line in lines
                if pathlib.Path(bug.file).name == name and (abs(int(number) - line) <= NEAR if number else function == its_function)]
        if near:
            return min(near)[2]
    return None


def planted_in(context, program, kind):
    """[(bug, its lines, its function)]; the sources of both builds are the same."""
    here = [(bug, patched.folder(context, bug.package, kind) / "source") for bug in patched.bugs() if bug.program == program]
    return [(bug, bug.lines(source), bug.function(source)) for bug, source in here]


def with_tamar(context, program, repeat):
    def function(folder):
        symbolic, fixed, _ = PROGRAMS[program]
        here = planted_in(context, program, "")
        binary = patched.folder(context, here[0][0].package, "") / "bin" / program
        run = runs.explore(context.tamar, binary, symbolic, fixed, context.time, folder, random_seed=repeat + 1)
        if run.problem:
            return {"values": {}, "problems": [run.problem]}
        return judge(context, run, here, folder)
    return Measurement({"subject": program, "contestant": "tamar", "repeat": repeat}, function)


def judge(context, run, here, folder):
    reports = [path.read_text(errors="replace") for path in sorted((run.out / "bugs").glob("*.txt"))] if (run.out / "bugs").exists() else []
    confirmed, problems = runs.confirm(context.tamar, run, folder)
    when, found, other = runs.test_seconds(run), {}, []
    for report in reports:
        bug = at_place(report, here)
        if not bug:
            other.append(report.strip().splitlines()[0])
            continue
        kind, test = report.split(":")[0].strip(), re.search(r"tests/(\d+)|test (\d+)", report)
        seconds = when.get(int(test[1] or test[2]), run.cpu) if test else run.cpu
        found[bug.name] = min(found.get(bug.name, run.cpu), seconds)
        if kind in patched.KINDS and kind not in FAMILIES.get(bug.kind, {bug.kind}):
            problems.append(f"{bug.name} is reported as {kind}, not as {bug.kind}")
    values = {"planted": len(here), "found": len(found), "reports": len(run.summary["bugs"]), "confirmed": len(confirmed), "other": len(other), "cpu": run.cpu,
              **runs.figures(run)}
    return {"values": values, "found": found, "other": other, "problems": problems}


def with_afl(context, program, repeat):
    def function(folder):
        _, fixed, packed = PROGRAMS[program]
        here = planted_in(context, program, "afl-asan")
        binary = patched.folder(context, here[0][0].package, "afl-asan") / "bin" / program
        done = afl.fuzz(binary, fixed, context.time, folder, fixture={}, seed=b"\0" if packed else b"\n", packed=packed, random_seed=repeat + 1)
        scale = done.cpu / max(done.wall, 1e-9)
        crashes = sorted(afl.kept(folder, "crashes", fixed, packed), key=lambda test: test["ms"])
        options = "symbolize=1:handle_abort=1:detect_leaks=0:allocator_may_return_null=1:detect_odr_violation=0"
        ran = native.run_tests(binary, crashes, folder / "crashes", fixture={}, keep_errors=8000, seconds=20,
                               environment={"ASAN_OPTIONS": options, "ASAN_SYMBOLIZER_PATH": "/usr/bin/llvm-symbolizer-19"})
        found = {}
        for test, text in zip(crashes, ran["errors"]):
            bug = at_place(text, here)
            if bug:
                found.setdefault(bug.name, test["ms"] / 1000 * scale)
        return {"values": {"planted": len(here), "found": len(found), "crashes": len(crashes), "executions": afl.executions(folder), "cpu": done.cpu},
                "found": found}
    return Measurement({"subject": program, "contestant": "afl++", "repeat": repeat}, function)


def measurements(context):
    return [make(context, program, repeat) for repeat in range(context.repeat) for program in PROGRAMS for make in (with_tamar, with_afl)]


def report(records, about):
    result = Report("Planted bugs in real programs", about)
    found, measured = {"tamar": {}, "afl++": {}}, {"tamar": set(), "afl++": set()}
    for record in records:
        who = record["labels"]["contestant"]
        measured[who].add(record["labels"]["subject"])
        for name, seconds in record.get("found", {}).items():
            found[who].setdefault(name, []).append(seconds)
    bugs = [bug for bug in patched.bugs() if any(bug.program in programs for programs in measured.values())]
    result.figure("planted", len(bugs))
    for who, name in (("tamar", "Tamar"), ("afl++", "AFL++")):
        result.figure(f"found by {name}", f"{len(found[who])} of {sum(bug.program in measured[who] for bug in bugs)}")
    shared = {bug.name for bug in bugs if bug.program in measured["tamar"] & measured["afl++"]}
    if shared:
        ours, theirs = (set(found[who]) & shared for who in ("tamar", "afl++"))
        result.figure("found by AFL++ only", len(theirs - ours), "0")
        result.figure("found by Tamar only", len(ours - theirs), ">= 15")
    ours = [record["values"] for record in records if record["labels"]["contestant"] == "tamar" and record["values"]]
    result.figure("reports of Tamar", sum(values["reports"] for values in ours))
    result.figure("reports not confirmed", sum(values["reports"] - values["confirmed"] for values in ours), "0")

    def cell(who, bug):
        if bug.program not in measured[who]:
            return "not run"
        return " ".join(f"{seconds:.1f}" for seconds in sorted(found[who].get(bug.name, []))) or "-"
    result.table("Processor seconds until found", ["bug", "kind", "what", "Tamar", "AFL++"],
                 [[bug.name, bug.kind, bug.what, cell("tamar", bug), cell("afl++", bug)] for bug in bugs])
    result.table("Other reports of Tamar", ["program", "report"],
                 [[record["labels"]["subject"], text] for record in records for text in record.get("other", [])])
    result.bees("Time to find a bug", "processor seconds",
                {who: [min(found[who][bug.name]) if bug.name in found[who] else None for bug in bugs if bug.program in measured[who]]
                 for who in ("tamar", "afl++")}, about["time"])
    return result
