"""Comparison with other tools: AFL++ (executions, lines), memcheck on Tamar's tests, Z3 in place of Tamar's solver.

Z3 gets the queries of the same exploration: only the state's model is asked before it. Memcheck runs the tests
natively, on the build that gcov counts, and must be silent where Tamar reports nothing."""
from harness import inputs, native
from harness import tamar as runs
from harness.builds import ensure
from harness.report import Report
from harness.statistics import shown
from harness.suite import Measurement

from . import coverage

TIME, REPEAT = 30, 1
METRICS = {"covered": True, "paths": True}
TOOLS = ["base64", "cut", "expr", "fold", "nl", "od", "paste", "pathchk", "printf", "tr", "tsort", "wc"]
MEMCHECK = 99 # the status that stands for an error of memcheck


def prepare(context, measurements):
    coverage.prepare(context, measurements)
    ensure(context, "coreutils", "gcov")


def explored(context, tool, repeat, more, who, memcheck):
    def function(folder):
        run = runs.explore(context.tamar, context.subject(f"coreutils/{tool}"), coverage.SYMBOLIC, [], context.time, folder, more=more,
                           fixture=coverage.FIXTURE, random_seed=repeat + 1)
        if run.problem:
            return {"values": {}, "problems": [run.problem]}
        tests = inputs.from_tamar(run.out)
        values, _ = coverage.count(context, tool, tests, folder, [0] * len(tests))
        result = {"values": {**values, **runs.figures(run), "cpu": run.cpu}}
        if memcheck:
            binary = context.subject(f"coreutils/{tool}", "gcov")
            wrapped = [{**test, "argv": [b"-q", b"--error-exitcode=%d" % MEMCHECK, bytes(binary), *test["argv"]]} for test in tests[:200]]
            ran = native.run_tests("/usr/bin/valgrind", wrapped, folder / "memcheck", fixture=coverage.FIXTURE, seconds=30, keep_errors=600)
            bad = [text.strip()[:300] for status, text in zip(ran["statuses"], ran["errors"]) if status == MEMCHECK]
            result["values"].update({"checked": len(wrapped), "memcheck": len(bad)})
            result["problems"] = [f"memcheck, not Tamar: {text}" for text in bad] if not run.summary["bugs"] else []
        return result
    return Measurement({"subject": tool, "contestant": who, "repeat": repeat}, function)


def measurements(context):
    result = []
    for repeat in range(context.repeat):
        for tool in TOOLS:
            result += [explored(context, tool, repeat, [], "tamar", True), coverage.with_afl(context, tool, repeat),
                       explored(context, tool, repeat, ["--layers", "model,z3"], "tamar on z3", False)]
    return result


def report(records, about):
    result = Report("Beside AFL++, memcheck and Z3", about)

    def values(tool, who, metric):
        return [record["values"][metric] for record in records
                if record["labels"]["subject"] == tool and record["labels"]["contestant"] == who and metric in record["values"]]
    measured = [tool for tool in TOOLS if any(record["labels"]["subject"] == tool for record in records)]
    result.figure("tests under memcheck", sum(record["values"].get("checked", 0) for record in records))
    result.figure("errors of memcheck", sum(record["values"].get("memcheck", 0) for record in records))
    result.table("Lines and paths", ["tool", "Tamar, % of lines", "AFL++, % of lines", "on Z3, % of lines", "Tamar's paths", "paths on Z3", "AFL++ executions"],
                 [[tool, *[shown(values(tool, who, metric), digits) for who, metric, digits in
                           (("tamar", "covered", 1), ("afl++", "covered", 1), ("tamar on z3", "covered", 1), ("tamar", "paths", 0),
                            ("tamar on z3", "paths", 0), ("afl++", "executions", 0))]] for tool in measured])
    return result
