"""Runs inside the sandbox: test scripts one after the other, each in a fresh folder.

usage: script_tests.py PLAN.json. The plan: scripts [[name, command, further variables]], scratch, seconds (for one
script, by the clock), environment, user (a number; absent: the current one), after [count...] with `mark` (a command to
run after these numbers of scripts; its output is kept).
Prints one JSON line: statuses, marks [[count, processor seconds so far, output]]."""
import json
import os
import pathlib
import resource
import shutil
import signal
import subprocess
import sys


def run_one(plan, name, command, variables, folder):
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    user = plan.get("user")
    if user is not None:
        os.chown(folder, user, user)
        command = ["setpriv", f"--reuid={user}", f"--regid={user}", "--clear-groups", *command]
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=folder,
                               env={**plan["environment"], **variables, "CU_TEST_NAME": name.replace("/", "-")}, start_new_session=True)
    try:
        return process.wait(plan["seconds"])
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        return "time"


def main():
    plan = json.loads(pathlib.Path(sys.argv[1]).read_text())
    scratch, statuses, marks = pathlib.Path(plan["scratch"]), [], []
    os.dup2(2, 9) # where the scripts tell why they skip
    os.set_inheritable(9, True)
    for count, (name, command, variables) in enumerate(plan["scripts"], 1):
        statuses.append([name, run_one(plan, name, command, variables, scratch / "test")])
        if count in plan["after"]:
            used = resource.getrusage(resource.RUSAGE_CHILDREN)
            done = subprocess.run(plan["mark"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, cwd=scratch)
            marks.append([count, used.ru_utime + used.ru_stime, done.stdout.decode(errors="replace")])
    print(json.dumps({"statuses": statuses, "marks": marks}))


main()
