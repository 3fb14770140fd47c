"""Runs inside the sandbox: runs a native program on tests, one after the other, each in a new folder.

usage: native_tests.py PLAN.json. The plan: program, tests [[argv, stdin, files]] in base 64, fixture (files for every
test), scratch, seconds (for one test), environment, after [count...] with `mark` (a command to run after these numbers of
tests; its output is kept).
Prints one JSON line: statuses, last lines of standard error where wanted, marks."""
import base64
import json
import os
import pathlib
import shutil
import subprocess
import sys


def run_one(plan, program, test, folder):
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    argv, stdin, files = [base64.b64decode(word) for word in test[0]], base64.b64decode(test[1]), test[2]
    for name, content in {**plan["fixture"], **files}.items():
        path = (folder / name) if not name.startswith("%2F") else None
        if path:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(base64.b64decode(content))
    try:
        done = subprocess.run([os.fsencode(program), *argv], input=stdin, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, cwd=folder,
                              timeout=plan["seconds"], env=plan["environment"])
        return done.returncode, done.stderr.decode(errors="replace")
    except subprocess.TimeoutExpired:
        return "time", ""
    except (OSError, ValueError) as error: # an argument list that exec refuses
        return "exec", str(error)


def main():
    plan = json.loads(pathlib.Path(sys.argv[1]).read_text())
    scratch, statuses, errors, marks = pathlib.Path(plan["scratch"]), [], [], {}
    for count, test in enumerate(plan["tests"], 1):
        status, text = run_one(plan, plan["program"], test, scratch / "test")
        statuses.append(status)
        errors.append(text[:plan["keep_errors"]])
        if count in plan["after"]:
            done = subprocess.run(plan["mark"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, cwd=scratch)
            marks[count] = done.stdout.decode(errors="replace")
    print(json.dumps({"statuses": statuses, "errors": errors, "marks": marks}))


main()
