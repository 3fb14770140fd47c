"""A tiny suite that tests the harness itself: an example of ours, explored and replayed."""
import pathlib

from harness import tamar as runs
from harness.report import Report
from harness.statistics import shown
from harness.suite import Measurement

TIME, REPEAT = 2, 2
METRICS = {"paths": True, "tests": True, "cpu": False}
EXAMPLE = pathlib.Path(__file__).resolve().parent.parent.parent / "examples/queue.c"


def prepare(context, measurements):
    del context, measurements


def measurements(context):
    def measure(size, repeat):
        def function(folder):
            run = runs.explore(context.tamar, EXAMPLE, ["--sym-arg", str(size)], [], context.time, folder, random_seed=repeat + 1)
            if run.problem:
                return {"values": {}, "problems": [run.problem]}
            replayed = runs.replay(context.tamar, run, folder)
            values = {**runs.figures(run), "cpu": run.cpu, "same": replayed.get("same", 0)}
            differ = replayed.get("differ", [replayed.get("problem")])
            return {"values": values, "problems": differ,
                    "series": {"tests": [[when, number] for number, when in sorted(runs.test_seconds(run).items())]}}
        return Measurement({"subject": f"queue {size}", "contestant": "tamar", "repeat": repeat}, function)
    return [measure(size, repeat) for repeat in range(context.repeat) for size in (2, 3, 4)]


def report(records, about):
    result = Report("The harness, on an example", about)
    good = [record for record in records if record["values"]]
    subjects = sorted({record["labels"]["subject"] for record in good})
    result.figure("bugs", sum(record["values"]["bugs"] for record in good))

    def values(subject, metric):
        return [record["values"][metric] for record in good if record["labels"]["subject"] == subject]
    result.table("Paths", ["subject", "paths", "tests", "replayed alike"],
                 [[subject, *[shown(values(subject, metric), 0) for metric in ("paths", "tests", "same")]] for subject in subjects])
    result.lines("Tests over time", "processor seconds", "tests",
                 {record["key"]: record["series"]["tests"] for record in good if record["labels"]["repeat"] == 0})
    result.bees("Processor seconds", "seconds", {subject: values(subject, "cpu") for subject in subjects})
    return result
