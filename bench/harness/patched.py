"""Builds of subjects with planted bugs: a copy of the built tree, all patches of bench/bugs for that package, and
make."""
import hashlib
import os
import pathlib
import re
import shlex
import shutil
import subprocess

from .builds import BUILD, ensure
from .errors import UserError
from .suite import tell

HERE = pathlib.Path(__file__).resolve().parent
BUGS = HERE.parent / "bugs"
KINDS = {"out-of-bounds", "use-after-free", "double-free", "bad-free", "null", "div-by-zero", "assert", "abort"}
QUIET = "MAKEINFO=true ACLOCAL=: AUTOMAKE=: AUTOCONF=: AUTOHEADER=:"
# The command that rebuilds the programs after a few files have changed; {programs}: those with bugs.
MAKE = {"coreutils": f"make -j2 CC=\"$CC\" {QUIET} {{programs}}", "bc": f"make -j2 CC=\"$CC\" {QUIET}", "expat": ". {recipe}; build"}
PLACES = {"coreutils": "src/{}", "bc": "{0}/{0}", "expat": "{}"}


class Bug:
    """One patch and its header. `name` is PROGRAM-NAME; the line that fails carries the comment `planted: NAME`. If it
    can also fail at another line, `Also:` has a part of that line."""

    def __init__(self, path):
        self.path, self.program, self.name = path, path.parent.name, f"{path.parent.name}-{path.stem}"
        text = path.read_text(errors="surrogateescape")
        header = dict(re.findall(r"^(Package|Kind|What|Also): (.*)$", text.partition("\n--- ")[0], re.M))
        if not {"Package", "Kind", "What"} <= set(header) or header["Kind"] not in KINDS:
            raise UserError(f"{path}: it does not begin with Package:, Kind: and What: lines", f"Kinds are: {', '.join(sorted(KINDS))}.")
        self.package, self.kind, self.what = header["Package"], header["Kind"], header["What"]
        self.also = header.get("Also")
        self.file = re.search(r"^\+\+\+ b/(\S+)", text, re.M)[1]
        if f"planted: {self.name} " not in text:
            raise UserError(f"{path}: no line carries the comment `planted: {self.name}`", "Mark the line that fails.")

    def lines(self, source):
        """The lines at which the bug fails in the patched source, the marked line first."""
        text = (source / self.file).read_text(errors="surrogateescape").split("\n") # not splitlines: a form feed ends no line
        marks = [f"planted: {self.name} "] + [self.also] * bool(self.also)
        return [next(number for number, line in enumerate(text, 1) if mark in line) for mark in marks]

    def function(self, source):
        """The function with the marked line: the last name at the beginning of a line above it that an argument list
        follows."""
        text = (source / self.file).read_text(errors="surrogateescape").split("\n")
        above = "\n".join(text[:self.lines(source)[0]])
        return re.findall(r"^(?:[a-z][\w *]*[ *])?(?!DC_DECL)(\w+)(?:\s+DC_DECLARG)? ?\(", above, re.M)[-1]


def bugs():
    return [Bug(path) for path in sorted(BUGS.glob("*/*.patch"))]


def folder(context, package, kind):
    return context.cache / (f"bugs-{kind}" if kind else "bugs") / package


def _compiler(context, kind):
    return {"": (f"{context.tamar} cc", {}), "afl-asan": (str(HERE / "afl-cc"), {"AFL_USE_ASAN": "1", "ASAN_OPTIONS": "detect_leaks=0"})}[kind]


def build(context, package, kind):
    """Builds the package's programs with all their bugs, unless they exist."""
    wanted = [bug for bug in bugs() if bug.package == package]
    work = folder(context, package, kind)
    state = hashlib.sha256(b"".join(bug.path.read_bytes().partition(b"\n--- ")[2] for bug in wanted)).hexdigest()
    if (work / "done").exists() and (work / "done").read_text() == state:
        return
    ensure(context, package, kind)
    tell(f"building {package} with {len(wanted)} bugs{f' for {kind}' if kind else ''}")
    shutil.rmtree(work, ignore_errors=True)
    (work / "bin").mkdir(parents=True)
    origin = context.cache / (f"subjects-{kind}" if kind else "subjects") / package / "source"
    subprocess.run(["cp", "-a", origin, work / "source"], check=True)
    for bug in wanted:
        done = subprocess.run(["patch", "-p1", "-s", "-i", bug.path], cwd=work / "source", capture_output=True, text=True)
        if done.returncode:
            raise UserError(f"{bug.path} does not apply: {done.stdout.strip()}", "It is made for Debian's source; see bench/bugs/README.md.")
    compiler, more = _compiler(context, kind)
    programs = sorted({bug.program for bug in wanted})
    command = MAKE[package].format(programs=" ".join(PLACES[package].format(name) for name in programs), recipe=shlex.quote(str(BUILD.parent / package)))
    done = subprocess.run(["bash", "-ec", command], cwd=work / "source", env={**os.environ, "CC": compiler, "LC_ALL": "C", "AFL_QUIET": "1", **more},
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")
    (work / "build.log").write_text(done.stdout)
    if done.returncode:
        raise UserError(f"{package} with bugs did not build: {done.stdout[-600:]}", f"See {work}/build.log.")
    for name in programs:
        shutil.copy(work / "source" / PLACES[package].format(name), work / "bin" / name)
    (work / "done").write_text(state)
