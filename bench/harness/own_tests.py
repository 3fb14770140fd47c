"""coreutils' own test suite as a compared tool: the scripts of `make check` that name a tool, on the build that gcov
counts.

Everything runs in the sandbox, as an ordinary user, with the counts in the measurement's folder: the build is not
changed, and tools do not share counts."""
import json
import os
import pathlib
import re
import shlex
import sys

from . import native, process
from .errors import UserError

HERE = pathlib.Path(__file__).resolve().parent
SECONDS = 60 # for one script, by the clock; the machine may be busy
SKIPPED = 77
NOBODY = 65534
EVERY = ("tests/misc/help-version.sh", "tests/misc/invalid-opt.pl", "tests/misc/usage_vs_getopt.sh") # go through all of $built_programs
# what tests/local.mk hands to the scripts
VARIABLES = ("VERSION LOCALE_FR LOCALE_FR_UTF8 abs_top_builddir abs_top_srcdir abs_srcdir built_programs host_os host_triplet CONFIG_HEADER CC AWK "
             "EGREP EXEEXT MAKE PACKAGE_VERSION PERL").split()


def listed(source):
    """The scripts of `make check` that need no root, by their paths in the source."""
    lists, name = {}, None
    for line in (source / "tests/local.mk").read_text().splitlines():
        begins = re.match(r"(\w+)\s*\+?=\s*(.*)", line)
        if begins:
            name, line = begins[1], begins[2]
        lists.setdefault(name, []).extend(re.findall(r"tests/[\w./+-]+\.(?:sh|pl|xpl)\b", line))
        if not line.rstrip().endswith("\\"):
            name = None
    root = set(lists.get("all_root_tests", []))
    return [script for script in lists.get("all_tests", []) if script not in root]


def scripts(source, tool):
    """The scripts that name the tool in `print_ver_` (shell), in `$prog` (Perl) or in their file name, and the scripts
    for every tool."""
    word = rf"(?<![\w-]){re.escape(tool)}(?![\w-])"
    inside = re.compile(rf"^\s*print_ver_\b.*{word}|\$prog(?:ram_name)?\s*=\s*['\"]{re.escape(tool)}['\"]", re.M)

    def names_it(script):
        path = pathlib.PurePath(script)
        return script in EVERY or path.parent.name == tool or (path.parent.name == "misc" and re.split(r"[-.]", path.name)[0] == tool) or \
            bool(inside.search((source / script).read_text(errors="replace")))
    return [script for script in listed(source) if names_it(script)]


def environment(source, folder):
    """As `make check` would set it, from the build's own Makefile."""
    rule = "show-environment: ; @tst=x; $(TESTS_ENVIRONMENT) env -0"
    done = process.run([HERE / "sandbox", folder, "make", "-s", "--no-print-directory", "-C", source, "--eval", rule, "show-environment"],
                       folder=folder / "io")
    found = dict(entry.split("=", 1) for entry in done.output.decode(errors="replace").split("\0") if "=" in entry)
    if done.status or "abs_top_builddir" not in found:
        raise UserError(f"coreutils' Makefile does not give the environment of its tests: {done.errors.strip()[-300:]}",
                        "bench/subjects/build --as gcov --again coreutils")
    result = {name: found[name] for name in VARIABLES if name in found}
    return {**result, "srcdir": found["abs_srcdir"], "top_srcdir": found["abs_top_srcdir"], "SHELL": "/bin/sh", "fail": "0", "LC_ALL": "C",
            "PATH": f"{found['abs_top_builddir']}/src:/usr/bin:/bin", "TMPDIR": str(folder / "scratch"), "HOME": str(folder / "scratch")}


def command(source, script):
    if script.endswith(".sh"):
        return ["/bin/sh", str(source / script)]
    taint, name = ["-T"] if script.endswith(".xpl") else [], pathlib.PurePath(script).name
    return ["perl", *taint, "-w", f"-I{source}/tests", "-MCuSkip", "-MCoreutils", f"-MCuTmpdir qw({name})", str(source / script)]


def _counts(gcov, notes):
    """The folders of the counts, the uppermost first: they are created in advance, or the first user to run would own
    them."""
    deepest = [gcov.prefix / str(note.parent).lstrip("/") for note in notes] or [gcov.prefix]
    return sorted({one for path in deepest for one in [path, *path.parents] if one.is_relative_to(gcov.prefix)})


def run(source, tool, notes, sources, folder, seconds=SECONDS):
    """(covered, all, [(processor seconds, covered)], statuses by script, processor seconds) lines of `sources` after the
    tool's scripts ran."""
    ran, cpu = run_scripts(source, tool, notes, folder, seconds)
    series, total = [], 0
    for _, used, text in ran["marks"]:
        lines = native.Gcov.lines(text, sources)
        total = max(total, len(lines))
        series.append((used, sum(lines.values())))
    return (series[-1][1] if series else 0), total, series, dict(map(tuple, ran["statuses"])), cpu


def executed(source, tool, notes, sources, folder, seconds=SECONDS):
    """{(file, line): executed} after the tool's scripts ran."""
    ran, _ = run_scripts(source, tool, notes, folder, seconds)
    return native.Gcov.lines(ran["marks"][-1][2], sources) if ran["marks"] else {}


def run_scripts(source, tool, notes, folder, seconds):
    """(what script_tests.py prints, processor seconds)"""
    folder = pathlib.Path(folder)
    gcov = native.Gcov(notes, folder / "gcov")
    own = [folder / "scratch", *_counts(gcov, notes)]
    for one in own:
        one.mkdir(parents=True, exist_ok=True)
    wanted = scripts(source, tool)
    every = {"built_programs": tool} # scripts for all tools run this one only; others query the list of built programs
    plan = {"scripts": [[script, command(source, script), every if script in EVERY else {}] for script in wanted],
            "scratch": str(folder / "scratch"), "seconds": seconds, "environment": {**environment(source, folder), **gcov.environment()},
            "after": native.moments(len(wanted)), "mark": gcov.command()}
    if os.getuid() == 0: # the scripts run as another user
        plan["user"] = NOBODY
        for one in own:
            os.chown(one, NOBODY, NOBODY)
    (folder / "plan.json").write_text(json.dumps(plan))
    done = process.run([HERE / "sandbox", folder, sys.executable, HERE / "script_tests.py", folder / "plan.json"], folder=folder / "io")
    if done.status:
        raise UserError(f"the sandbox for the test scripts ended with status {done.status}: {done.errors.strip()[-300:]}",
                        f"To see it: {shlex.join(map(str, plan['scripts'][0][1]))}")
    return json.loads(done.output), done.cpu
