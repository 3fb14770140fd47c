"""usage: lost-paths.py TAMAR SOURCE HOW [OPTIONS]: checks the commands' verdicts on a program
that loses paths in the way HOW (NOTHING: it loses none)."""
import json
import pathlib
import shutil
import subprocess
import sys

tamar, source, how, *options = sys.argv[1:]
whole = how == "NOTHING"
line = 1 + next(i for i, text in enumerate(pathlib.Path(source).read_text().splitlines()) if text.endswith("// TARGET"))
common = ["-w", f"-D{how}", "--allow-undefined", "--sym-stdin", "1"]


def run(*words):
    shutil.rmtree("out", ignore_errors=True)
    done = subprocess.run([tamar, *words], capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr


status, said = run("run", *common, *options, "--out", "out", source)
summary = json.loads(pathlib.Path("out/summary.json").read_text())
assert status == (0 if whole else 3) and summary["complete"] == whole, (how, status, said)
assert ("; every path was explored\n" in said) == whole, said
assert bool(summary["assertions"]["proved"]) == whole, summary["assertions"]
if not whole:
    assert not summary["not_covered"]["infeasible"], summary["not_covered"]
    assert options or any(one["lost"] for one in summary["gave_up"]), summary["gave_up"]

status, said = run("reach", *common, *options, "--no-prove", "--target", f"{pathlib.Path(source).name}:{line}", "--out", "out", source)
assert status == (1 if whole else 3) and ("unreachable" in said) == whole, (how, status, said)

if not options:
    pathlib.Path("options").write_text("variable option bool\ntest one: < input\n")
    pathlib.Path("input").write_text("u")
    status, said = run("config", "--out", "out", "options", "-w", f"-D{how}", source)
    if "undefined" in said: # config has no functions without a body
        sys.exit(0)
    assert status == (0 if whole else 3), (how, status, said)
    assert (whole or "never mattered" not in said) and ("Guaranteed coverage" in said) == whole, (how, said)
