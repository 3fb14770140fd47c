"""Native runs of tests, in the sandbox, and the lines that gcov counts."""
import base64
import bisect
import json
import os
import pathlib
import sys

from . import process
from .errors import UserError

HERE = pathlib.Path(__file__).resolve().parent
CACHE = pathlib.Path(os.environ.get("TAMAR_CACHE", HERE.parent.parent / "cache")).resolve()


def _plain(content):
    return base64.b64encode(content).decode()


def run_tests(program, tests, folder, *, fixture, seconds=3, environment=None, after=(), mark=(), keep_errors=0):
    """Statuses, standard errors and marks of the tests, as native_tests.py prints them."""
    folder = pathlib.Path(folder)
    scratch = folder / "scratch"
    scratch.mkdir(parents=True, exist_ok=True)
    plan = {"program": str(program), "scratch": str(scratch), "seconds": seconds, "after": list(after), "mark": [str(word) for word in mark],
            "keep_errors": keep_errors, "environment": {"PATH": "/usr/bin:/bin", "LC_ALL": "C", **(environment or {})},
            "fixture": {name: _plain(content) for name, content in fixture.items()},
            "tests": [[[_plain(word) for word in test["argv"]], _plain(test["stdin"]),
                       {name: _plain(content) for name, content in test["files"].items()}] for test in tests]}
    (folder / "plan.json").write_text(json.dumps(plan))
    done = process.run([HERE / "sandbox", folder, sys.executable, HERE / "native_tests.py", folder / "plan.json"], folder=folder / "io")
    if done.status:
        raise UserError(f"the sandbox for native runs ended with status {done.status}: {done.errors.strip()[-300:]}",
                        "It needs util-linux's unshare, as root or with user namespaces.")
    return json.loads(done.output)


class Gcov:
    """Which lines of a program's own source its gcov build has counted. `notes`: the .gcno files of that source."""

    def __init__(self, notes, folder):
        self.notes, self.prefix = [pathlib.Path(note) for note in notes], pathlib.Path(folder) / "counts"
        self.folder = pathlib.Path(folder)

    def environment(self):
        return {"GCOV_PREFIX": str(self.prefix)}

    def command(self):
        """Prints gcov's JSON for the notes, from the counts so far; gcov needs both in the same folder."""
        script = " ".join(f'd="{self.prefix}{note.parent}"; mkdir -p "$d"; cp -n "{note}" "$d/"; '
                          f'[ -e "$d/{note.stem}.gcda" ] || echo none; gcov -t --json-format -o "$d" "$d/{note.stem}.gcda" 2>/dev/null; '
                          for note in self.notes)
        return ["sh", "-c", script]

    @staticmethod
    def lines(text, sources):
        """{(file, line): executed} from the command's output."""
        found = {}
        for line in text.splitlines():
            if not line.startswith("{"):
                continue
            for file in json.loads(line)["files"]:
                name = pathlib.Path(file["file"]).name
                if name in sources:
                    for entry in file["lines"]:
                        place = (name, entry["line_number"])
                        found[place] = found.get(place, False) or entry["count"] > 0
        return found


def moments(count, seconds=(), most=12, parts=24):
    """Numbers of tests after which coverage is measured: close together at first; also at regular times, if it is known
    when the tests were found."""
    found = {max(1, round(count ** (k / most))) for k in range(most + 1)} if count else set()
    for k in range(1, parts if seconds else 0):
        found.add(max(1, bisect.bisect_right(seconds, max(seconds) * k / parts)))
    return sorted(found)


def covered_lines(binary, notes, sources, tests, folder, fixture, seconds=()):
    """(covered, all, [(number of tests, covered)]) lines of `sources` after the tests ran natively. `seconds`: when
    each was found, rising."""
    gcov = Gcov(notes, folder)
    if not tests:
        tests = [{"argv": [], "stdin": b"", "files": {}}]
    ran = run_tests(binary, tests, folder, fixture=fixture, environment=gcov.environment(), after=moments(len(tests), seconds),
                    mark=gcov.command())
    series, total = [], 0
    for count, text in sorted((int(count), text) for count, text in ran["marks"].items()):
        lines = Gcov.lines(text, sources)
        total = max(total, len(lines))
        series.append((count, sum(lines.values())))
    return (series[-1][1] if series else 0), total, series
