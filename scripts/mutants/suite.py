"""Copies of the tree that may be damaged, the tests of the project as single commands, and the map that says which
lines each of them executes.

A test is {"name", "kind", "command", "targets", "env"}: `targets` are what ninja has to build first. In commands and
environments @TREE@ stands for the copy in which the test runs."""
import ast
import difflib
import json
import os
import pathlib
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

import probes

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
LIT = "/usr/lib/llvm-19/build/utils/lit/lit.py"
# Tamar executes the runtime, so its lines have no map: these areas of tests are run instead.
RUNTIME_AREAS = ("runtime", "exec", "symbolic", "native", "float", "replay", "checks")
MEMORY = 12 << 30
PROBES = 1 << 16 # at most so many statements are measured
PART = 60        # end-to-end tests whose results are written at once

# A mistake may signal every process or remove the wrong folder: a test sees only its own processes and its own /tmp,
# and may write only into its copy of the tree.
ISOLATE = """mount --make-rprivate / && mount --bind "$1" "$1" && mount --bind "$2" /tmp && mount -o remount,ro,bind / || exit 125
cd "$1" || exit 125; export TMPDIR=/tmp; shift 2; exec "$@" """


class Tree:
    """A copy of the checkout with a build folder of its own."""

    def __init__(self, place, build_options, origin=ROOT):
        self.origin = origin
        self.place, self.build = place, place / "build"
        self.scratch = place.parent / (place.name + ".tmp")
        self.options = build_options
        self.environment = dict(os.environ, TAMAR_CACHE=str(place / "cache"), LC_ALL="C.UTF-8")

    def synchronise(self, folders=None):
        """Updates the copy; unchanged files keep their time stamps, so that little is built again. A first copy has the
        time stamps of the checkout: the objects that are copied with it are newer."""
        listed = subprocess.run(["git", "ls-files", "-z", "-c", "-o", "--exclude-standard"], cwd=ROOT, capture_output=True, text=True,
                                check=True).stdout.split("\0")
        names = [name for name in listed if name and (ROOT / name).is_file() and (not folders or name.split("/")[0] in folders)]
        for name in names:
            source, target = ROOT / name, self.place / name
            if target.exists() and target.read_bytes() == source.read_bytes():
                continue
            target.parent.mkdir(parents=True, exist_ok=True)
            (shutil.copy if target.exists() else shutil.copy2)(source, target) # a change has a new time stamp, which builds compare
        self.scratch.mkdir(exist_ok=True)

    def copy_runtime(self, origin):
        """The C library as bitcode, with its objects: a mutant of the runtime must not damage those of the checkout."""
        for part in ("cache/sources", "cache/runtime", "build/share"):
            source = origin / part
            if part.startswith("cache") and "TAMAR_CACHE" in os.environ and origin == ROOT:
                source = pathlib.Path(os.environ["TAMAR_CACHE"]) / part.split("/")[1]
            if source.exists() and not (self.place / part).exists():
                (self.place / part).parent.mkdir(parents=True, exist_ok=True)
                subprocess.run(["cp", "-a", source, self.place / part], check=True)

    def set_up(self, change=lambda: None, targets=()):
        """Makes or updates the copy, and builds the targets, or all. `change` may edit the sources before."""
        self.place.mkdir(parents=True, exist_ok=True)
        self.synchronise()
        self.copy_runtime(self.origin)
        change()
        environment = dict(self.environment, CC=os.environ.get("CC", "clang-19"))
        if not (self.build / "build.ninja").exists():
            done = subprocess.run(["meson", "setup", "build", *self.options], cwd=self.place, env=environment, capture_output=True, text=True)
            if done.returncode:
                sys.exit(done.stdout + done.stderr)
        done = subprocess.run(["ninja", "-C", "build", "--quiet", *targets], cwd=self.place, env=environment)
        if done.returncode:
            sys.exit(f"{self.place}: the tree does not build")

    def make(self, *targets):
        """Builds; the text of the failure, or None."""
        done = subprocess.run(["ninja", "-C", str(self.build), "--quiet", *targets], env=self.environment, capture_output=True, text=True)
        return done.stdout + done.stderr if done.returncode else None

    def run(self, test, limit, extra=None):
        """Runs a test: "passed", "failed" or "time". Its output goes to `last.txt` in the scratch folder."""
        command = [word.replace("@TREE@", str(self.place)) for word in test["command"]]
        environment = dict(self.environment, **{k: v.replace("@TREE@", str(self.place)) for k, v in test["env"].items()}, **(extra or {}))
        unshare = ["unshare", "-m", "-p", "-f", "--kill-child", "--mount-proc"] + ["-r"] * (os.geteuid() != 0)
        whole = [*unshare, "sh", "-c", ISOLATE, "sh", str(self.place), str(self.scratch), *command]
        with open(self.place.parent / (self.place.name + ".last.txt"), "wb") as log:
            process = subprocess.Popen(whole, stdout=log, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, env=environment,
                                       start_new_session=True, preexec_fn=limit_process)
            try:
                status = process.wait(timeout=limit)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
                status = None
        for left in self.scratch.iterdir():
            shutil.rmtree(left, ignore_errors=True) if left.is_dir() and not left.is_symlink() else left.unlink(missing_ok=True)
        return "time" if status is None else "failed" if status else "passed"


def limit_process():
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def can_isolate(tree):
    return tree.run({"command": ["true"], "env": {}}, 60) == "passed"


def meson_tests(tree):
    listed = subprocess.run(["meson", "introspect", "--tests", str(tree.build)], capture_output=True, text=True, check=True).stdout
    for one in json.loads(listed):
        inside = [word for word in one["cmd"] if word.startswith(str(tree.build) + "/")]
        yield {"name": "unit " + one["name"], "kind": "unit",
               "command": [word.replace(str(tree.place), "@TREE@") for word in one["cmd"]],
               "env": {name: value.replace(str(tree.place), "@TREE@") for name, value in one["env"].items()},
               "targets": [os.path.relpath(word, tree.build) for word in inside]}


def end_to_end_tests(tree):
    folder = tree.place / "tests/e2e"
    for path in sorted(folder.glob("*/*")):
        if path.suffix in (".c", ".ll", ".sh", ".smt2", ".test") and path.parent.name not in ("bin", "Inputs"):
            name = str(path.relative_to(folder))
            yield {"name": "e2e " + name, "kind": "e2e", "env": {}, "targets": ["src/cli/tamar"],
                   "command": [sys.executable, LIT, "-q", "-j1", "--param", "tamar=@TREE@/build/src/cli/tamar", "--param",
                               "scratch=@TREE@/build/e2e", "@TREE@/tests/e2e/" + name]}


def fuzz_tests(tree):
    text = (tree.place / "tests/fuzz/all").read_text()
    drivers = ast.literal_eval(re.search(r"^DRIVERS = (\{.*?\})$", text, re.M | re.S)[1])
    for name, (_, seeds) in drivers.items():
        if name in ("expr", "solver", "kills", "limits"):
            continue # the first two are among the unit tests, the others go by time
        yield {"name": "fuzz " + name, "kind": "fuzz", "env": {}, "targets": ["all"],
               "command": [f"@TREE@/tests/fuzz/{name}/run", "@TREE@/build", seeds, "--results", "/tmp/results"]}


def all_tests(tree):
    (tree.build / "e2e").mkdir(exist_ok=True)
    return [*meson_tests(tree), *end_to_end_tests(tree), *fuzz_tests(tree)]


class Map:
    """Which lines each test executes and how long it takes: one file for each test, made once."""

    def __init__(self, work):
        self.folder = work / "map"
        self.folder.mkdir(parents=True, exist_ok=True)
        header = ROOT / "scripts/mutants/probe.h"
        options = ["-Dwerror=false", f"-Dc_args=-w -DPROBE_COUNT={PROBES} -include {header}", "-Dc_link_args=-fuse-ld=lld-19"]
        self.tree = Tree(work / "measured", options)
        self.raw = self.tree.place / "build/probes"
        self.tests, self.others, self.lines, self.old, self.probes = {}, {}, {}, {}, []
        self.lock = threading.Lock()

    def file_of(self, test):
        return self.folder / (plain_name(test["name"]) + ".json")

    def set_up(self):
        """Builds a copy with probes. It stays as it is until --refresh: the lines of the map are those of this copy."""
        listed = self.tree.place / "build/probes.json"
        if not listed.exists():
            self.tree.set_up(self.plant)
            listed.write_text(json.dumps(self.probes))
        else:
            self.probes = json.loads(listed.read_text())
            self.tree.synchronise(["tests"])
            self.tree.make()
        follow_tests(self.tree.place / "tests/e2e/lit.cfg.py", self.raw)

    def plant(self):
        for path in sorted((self.tree.place / "src").rglob("*.[ch]")):
            name = str(path.relative_to(self.tree.place))
            text, found = probes.plant(name, (ROOT / name).read_text(), len(self.probes))
            self.probes += [(name, lines) for lines in found]
            path.write_text(text)
        assert len(self.probes) < PROBES

    def make(self, refresh, say, wanted, jobs):
        if refresh:
            shutil.rmtree(self.folder)
            shutil.rmtree(self.tree.place, ignore_errors=True)
            self.folder.mkdir()
        self.set_up()
        if not can_isolate(self.tree):
            sys.exit("mutate: tests cannot be isolated here (unshare with namespaces of processes and mounts is needed, and a "
                     "checkout that is not below /tmp)")
        missing = [test for test in all_tests(self.tree) if not self.file_of(test).exists() and wanted(test)]
        for test in missing:
            if test["kind"] != "e2e":
                say(f"map: {test['name']}")
                self.measure(test)
        missing = [test for test in missing if test["kind"] == "e2e"]
        for k in range(0, len(missing), PART):
            say(f"map: {k} of {len(missing)} end-to-end tests")
            self.measure_together(missing[k:k + PART], jobs)

    def measure(self, test):
        shutil.rmtree(self.raw, ignore_errors=True)
        self.raw.mkdir()
        begin = time.time()
        result = self.tree.run(test, 900, {"MUTATE_PROBES": str(self.raw / plain_name(test["name"]))})
        self.keep(test, result == "passed", time.time() - begin)

    def measure_together(self, tests, jobs):
        """Runs end-to-end tests in one process of lit, whose configuration names a file of probes for each."""
        shutil.rmtree(self.raw, ignore_errors=True)
        self.raw.mkdir()
        report = self.tree.build / "lit.json"
        report.unlink(missing_ok=True)
        command = [word if word != "-j1" else f"-j{jobs}" for word in tests[0]["command"][:-1]]
        command += ["--timeout=300", "-o", "@TREE@/build/lit.json", *(test["command"][-1] for test in tests)]
        self.tree.run({"command": command, "env": {}}, 300 * len(tests))
        done = json.loads(report.read_text())["tests"] if report.exists() else []
        done = {one["name"].removeprefix("tamar :: "): one for one in done}
        for test in tests:
            one = done.get(test["name"].removeprefix("e2e "), {"code": "missing", "elapsed": 0})
            self.keep(test, one["code"] == "PASS", one["elapsed"] or 0)

    def keep(self, test, passed, seconds):
        self.file_of(test).write_text(json.dumps({**test, "passed": passed, "seconds": round(seconds, 2), "lines": self.executed(test)}))

    def executed(self, test):
        file = self.raw / plain_name(test["name"])
        lines = {}
        for number, byte in enumerate(file.read_bytes()[:len(self.probes)] if file.exists() else b""):
            if byte:
                lines.setdefault(self.probes[number][0], []).extend(self.probes[number][1])
        return {path: ranges(numbers) for path, numbers in lines.items()}

    def load(self, wanted):
        self.probes = json.loads((self.tree.place / "build/probes.json").read_text())
        for file in self.folder.glob("*.json"):
            self.take(json.loads(file.read_text()))
        if not self.tests:
            sys.exit("mutate: no test of the map passes")
        known = {file.name for file in self.folder.glob("*.json")}
        self.others = {test["name"]: {**test, "seconds": 1} for test in all_tests(self.tree)
                       if self.file_of(test).name not in known and wanted(test)}

    def take(self, test):
        lines = test.pop("lines")
        if not test["passed"]:
            return # it would notice every mutant
        self.tests[test["name"]] = test
        for path, parts in lines.items():
            for first, last in parts:
                for line in range(first, last + 1):
                    self.lines.setdefault(path, {}).setdefault(line, set()).add(test["name"])

    def unmapped(self):
        with self.lock:
            return list(self.others.values())

    def vouch(self, test):
        """Whether a test passes without a mutant. A test that the map lacks is mapped now."""
        with self.lock:
            if self.others.pop(test["name"], None):
                self.measure(test)
                self.take(json.loads(self.file_of(test).read_text()))
            return test["name"] in self.tests

    def line_then(self, path, line):
        """The number that a line had when the map was made, or None for a new one."""
        if path not in self.old:
            now, then = (ROOT / path).read_text().splitlines(), (self.tree.place / path)
            then = then.read_text().splitlines() if then.exists() else []
            blocks = difflib.SequenceMatcher(None, then, now, autojunk=False).get_matching_blocks() if now != then else None
            self.old[path] = blocks
        blocks = self.old[path]
        if blocks is None:
            return line
        return next((b.a + line - b.b for b in blocks if b.b < line <= b.b + b.size), None)

    def tests_of(self, path, line):
        if path.startswith("runtime/"):
            names = [name for name in self.tests if name.split()[-1].split("/")[0] in RUNTIME_AREAS or name == "fuzz csmith"]
        else:
            then = self.line_then(path, line)
            if then is None:
                names = set().union(*self.lines.get(path, {0: ()}).values())
            else:
                names = self.lines.get(path, {}).get(then, ())
        return [self.tests[name] for name in names]


def plain_name(name):
    return re.sub(r"[^\w.-]", "_", name)


def follow_tests(configuration, folder):
    """Adds a format to lit's configuration that names a file of probes for each test."""
    text = configuration.read_text()
    mark = "# -- probes\n"
    if mark not in text:
        configuration.write_text(text + f"""{mark}
class Probed(lit.formats.ShTest):
    def execute(self, test, lit_config):
        name = re.sub(r"[^\\w.-]", "_", "e2e " + "/".join(test.path_in_suite))
        test.config.environment["MUTATE_PROBES"] = os.path.join({str(folder)!r}, name)
        return super().execute(test, lit_config)

config.test_format = Probed(execute_external=True)
""")


def ranges(numbers):
    result = []
    for number in sorted(set(numbers)):
        if result and result[-1][1] + 1 == number:
            result[-1][1] = number
        else:
            result.append([number, number])
    return result
