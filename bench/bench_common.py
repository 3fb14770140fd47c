"""Shared by the benchmark scripts: timing, tables, the machine's description, JSON."""
import json
import math
import os
import pathlib
import platform
import resource
import subprocess
import sys
import time

os.environ.setdefault("TAMAR_PROGRAM_CACHE", "none") # loading is part of what is measured


def machine():
    """One line that describes the machine, without its host name."""
    model = "unknown processor"
    for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            model = line.split(":", 1)[1].strip()
            break
    pages = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    return f"{model}, {os.cpu_count()} cores, {pages / 2**30:.0f} GB, Linux {platform.release().split('-')[0]}"


def timed(command, limit=600):
    """(processor seconds, output) of a command that must succeed."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([str(word) for word in command], stdin=subprocess.DEVNULL, capture_output=True, timeout=limit)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))}: status {done.returncode}\n{done.stderr.decode(errors='replace')}")
    seconds = after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
    return seconds, done.stdout


def geometric_mean(values):
    return math.exp(sum(math.log(value) for value in values) / len(values))


def finish(name, result, folder):
    """Writes the result as JSON into `folder`."""
    folder.mkdir(parents=True, exist_ok=True)
    result = {"benchmark": name, "machine": machine(), "date": time.strftime("%Y-%m-%d"), **result}
    (folder / f"{name}.json").write_text(json.dumps(result, indent=2) + "\n")


def table(header, rows):
    """Markdown, on standard output."""
    print("| " + " | ".join(header) + " |")
    print("|" + " --- |" * len(header))
    for row in rows:
        print("| " + " | ".join(str(cell) for cell in row) + " |")
    print(flush=True)
