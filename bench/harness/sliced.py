"""Runs of `tamar run --slice`: explores the sliced program for some processor seconds, then tries its inputs on the
original."""
import json

from . import process, tamar

UNCACHED = "model,domain,range,order,interval,move,enumerate,search,sat,search2,sat2,z3" # all layers of the solver but the caches


def explore(binary, program, mode, symbolic, budget, folder, *, cache=True, only="*", fixture=None):
    """As tamar.explore, in `mode` (0: not sliced), cutting in source files that match `only`."""
    work, out = folder / "work", folder / "out"
    work.mkdir(parents=True, exist_ok=True)
    for name, content in (fixture or {}).items():
        (work / name).write_bytes(content)
    command = [binary, "run", "-q", "--out", out, "--slice", str(mode), "--slice-only", only, *symbolic]
    if not cache:
        command += ["--layers", UNCACHED]
    done = process.run([*command, program], budget=budget, rest=budget if mode else 0, cwd=work,
                       env=process.ENVIRONMENT, folder=folder / "io")
    done.out, done.summary, done.problem = out, None, None
    if done.killed:
        done.problem = "did not end after an interrupt"
    elif done.status not in tamar.ENDS:
        done.problem = f"status {done.status}: {done.errors.strip()[-400:]}"
    elif not (out / "summary.json").exists():
        done.problem = "the time was over before the program was loaded"
    else:
        done.summary = json.loads((out / "summary.json").read_text())
    return done


def figures(run):
    """Of the exploration of the sliced program, or of the original in mode 0: queries, those that SAT or Z3 answered,
    paths, edges cut, whether every path was explored; and the tests and bugs of the original."""
    summary = run.summary
    sliced = summary["sliced"][0] if summary["sliced"] else None
    if sliced:
        values = {name: sliced[name] for name in ("queries", "solved", "paths", "cut")}
    else:
        values = {"queries": summary["queries"]["total"], "solved": summary["queries"]["sat"] + summary["queries"]["z3"],
                  "paths": summary["paths"]["completed"] + summary["paths"]["errors"], "cut": 0}
    return {**values, "complete": int((sliced or summary)["complete"]), "tests": summary["tests"], "bugs": len(summary["bugs"]),
            "cpu": round(run.cpu, 2)}
