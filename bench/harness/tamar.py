"""Runs of Tamar for a budget of processor seconds, and their results."""
import json
import pathlib
import re
import sqlite3

from . import process
from .errors import UserError

ENDS = {0, 1, 3} # documented: finished, bugs found, a limit


def explore(tamar, program, symbolic, arguments, budget, folder, *, more=(), fixture=None, random_seed=1, stdin=None):
    """`tamar run` for `budget` processor seconds. The result: how it ended, `summary`, `problem` (a text when Tamar
    failed)."""
    folder = pathlib.Path(folder)
    # in a deep folder where nothing changes, since a program may walk through the parent folders
    work, out = folder / "world/a/b/work", folder / "out"
    work.mkdir(parents=True, exist_ok=True)
    for name, content in (fixture or {}).items():
        (work / name).write_bytes(content)
    command = [tamar, "run", "-q", "--random-seed", str(random_seed), "--out", out, *symbolic, *more, program]
    if arguments:
        command += ["--", *arguments]
    done = process.run(command, budget=budget, cwd=work, env=process.ENVIRONMENT, folder=folder / "io")
    done.out, done.summary, done.problem = out, None, None
    if done.status == 2: # an error of the binary or the command, not of the program: every further run would fail, too
        raise UserError(f"tamar run {program}: {done.errors.strip()[-400:]}", "Make sure that this binary runs the subject; then run the same command again.")
    if done.killed:
        done.problem = "did not end after an interrupt"
    elif done.status not in ENDS:
        done.problem = f"status {done.status}: {done.errors.strip()[-400:]}"
    else:
        done.summary = json.loads((out / "summary.json").read_text())
    return done


def test_seconds(run):
    """{number of a test: seconds}, in processor time: the run's own clock, scaled."""
    with sqlite3.connect(f"file:{run.out}/run.db?mode=ro", uri=True) as database:
        rows = database.execute("SELECT number, seconds FROM tests").fetchall()
    scale = run.cpu / max(run.wall, 1e-9)
    return {number: seconds * scale for number, seconds in rows}


def figures(run):
    """The numbers of a run that tables and comparisons use."""
    summary = run.summary
    coverage = {f"engine_{kind}s": summary["coverage"][kind]["covered"] for kind in ("line", "block", "edge", "condition")}
    paths = summary["paths"]
    return {"paths": paths["completed"] + paths["errors"], "tests": summary["tests"], "bugs": len(summary["bugs"]),
            "instructions": summary["instructions"], "queries": summary["queries"]["total"], "sat": summary["queries"]["sat"],
            "unknown": summary["queries"]["unknown"], "solver_share": summary["time"]["solver"] / max(summary["time"]["wall"], 1e-9),
            "peak_memory": summary["peak_memory"], "gave_up": sum(item["count"] for item in summary["gave_up"]),
            "complete": int(summary["complete"]), **coverage}


def replay(tamar, run, folder, builds="--exact", seconds=10):
    """{tests, same, differ: [lines], confirmed, seen} of `tamar replay`."""
    done = process.run([tamar, "replay", builds, "--max-time", str(seconds), run.out], budget=600,
                       env=process.ENVIRONMENT, folder=pathlib.Path(folder) / "replay")
    text = done.output.decode(errors="replace")
    last = re.search(r"^(\d+) tests?, (\d+) as predicted", text, re.M)
    bugs = re.search(r"(\d+) of (\d+) that show a bug confirmed", text)
    if not last:
        return {"problem": f"replay, status {done.status}: {(done.errors + text).strip()[-400:]}"}
    differ = [line for line in text.splitlines() if re.match(r"test \d+:", line) and re.search("ANOTHER PATH|DIFFERS", line)]
    return {"tests": int(last[1]), "same": int(last[2]), "differ": differ[:20], "text": text[-2000:],
            "confirmed": int(bugs[1]) if bugs else 0, "seen": int(bugs[2]) if bugs else 0}


def confirm(tamar, run, folder):
    """Runs the tests that show a bug with a checker: ([bugs that it confirms], [problems, and bugs that it does not
    confirm])."""
    tests = sorted({str(bug["test"]) for bug in run.summary["bugs"] if bug["test"]})
    if not tests:
        return [], []
    done = process.run([tamar, "replay", run.out, *tests], budget=600, env=process.ENVIRONMENT, folder=pathlib.Path(folder) / "confirm")
    confirmed, problems = [], [] if done.status in (0, 1) else [f"replay: status {done.status}: {done.errors.strip()[-300:]}"]
    lines = [line for line in done.output.decode(errors="replace").splitlines() if re.search("not seen|ANOTHER|DIFFERS", line)]
    for bug in json.loads((run.out / "summary.json").read_text())["bugs"]:
        text = f"{bug['kind']} at {bug['file'].rpartition('/')[2]}:{bug['line']}"
        if bug["replayed"] is True:
            confirmed.append(text)
        else:
            problems.append(f"not confirmed: {text}" + "".join(f"\n      {line}" for line in lines if f"test {int(bug['test']):06d}:" in line))
    return confirmed, problems
