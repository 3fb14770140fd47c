#!/usr/bin/env python3
"""usage: every-program.py FOLDER: every example and every program of tests/e2e/symbolic is explored, and its tests are run
natively on the exact build. The options are those of the program's first RUN line, or as `make demo` has them."""
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys

TESTS = pathlib.Path(__file__).resolve().parents[2]
ROOT = TESTS.parents[1]
TAMAR = os.environ["TAMAR_BINARY"]
EXAMPLES = {"queue": ["--sym-arg", "3"]}
MOST_TESTS = 12


def options_of(source):
    """The options of the first `%tamar run` of the file, without where results go and what becomes a test."""
    for line in source.read_text().splitlines():
        found = re.search(r"RUN:.*%tamar run (.*)", line)
        if not found:
            continue
        words = shlex.split(re.split(r"[|>]|&&", found[1])[0])
        kept, skip = [], 0
        for word in words:
            if skip or "%s" in word:
                skip = max(skip - 1, 0)
            elif word in ("--out", "--emit", "--log-statements"):
                skip = 1
            else:
                kept.append(word.replace("%S", str(source.parent)))
        return kept
    return EXAMPLES.get(source.stem, [])


def check(source, folder):
    """What is wrong; None: nothing, or the program does not begin at main, or is there to reach a limit on time."""
    if {"--entry", "--max-time"} & set(options_of(source)):
        return None
    out = folder / source.stem
    command = [TAMAR, "run", "-q", "--emit", "all", "--max-tests", str(MOST_TESTS), "--out", out, source, *options_of(source)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    if done.returncode not in (0, 1, 3):
        return f"run: status {done.returncode}\n{done.stderr}"
    if not any((out / "tests").glob("*.json")):
        return "no test"
    done = subprocess.run([TAMAR, "replay", "--exact", out], capture_output=True, text=True, timeout=120)
    lines = [line for line in done.stdout.splitlines() if line.startswith("test ")]
    wrong = [line for line in lines if not re.search(r"the same \d+ choices?\b", line)]
    return "\n".join(wrong) if lines else f"replay: status {done.returncode}\n{done.stdout}{done.stderr}"


folder = pathlib.Path(sys.argv[1])
shutil.rmtree(folder, ignore_errors=True)
folder.mkdir(parents=True)
sources = sorted((ROOT / "examples").glob("*.c")) + sorted((TESTS / "symbolic").glob("*.c"))
assert len(sources) > 20
failed = 0
for source in sources:
    wrong = check(source, folder)
    if wrong:
        failed += 1
        print(f"{source}:\n{wrong}")
sys.exit(failed != 0)
