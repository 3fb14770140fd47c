"""A suite: a list of measurements, each made once and kept, and the report about them."""
import concurrent.futures
import os
import pathlib
import shutil
import signal
import sys
import tempfile
import threading
import traceback

from .errors import UserError
from .progress import Progress


class Measurement:
    """`function(folder)` returns {values: {metric: number}, series: {name: [[x, y]...]}, problems: [text], ...}."""

    def __init__(self, labels, function):
        self.labels, self.function = labels, function
        self.key = " / ".join(str(value) for value in labels.values())


class Context:
    """The options of bench/run and the paths, for a suite."""

    def __init__(self, options, tamar, cache):
        self.time, self.repeat, self.only = options.time, options.repeat, options.only
        self.tamar, self.cache = pathlib.Path(tamar), pathlib.Path(cache)

    def wanted(self, measurement):
        """Whether --only selects it: for one of the parts (between commas), all words (between +) must be in the
        name."""
        return not self.only or any(all(word in measurement.key for word in part.split("+")) for part in self.only.split(","))

    def subject(self, name, kind=""):
        """A program of bench/subjects: `coreutils/cut`; `kind` is gcov, afl or afl-asan."""
        package, _, program = name.partition("/")
        return self.cache / (f"subjects-{kind}" if kind else "subjects") / package / "bin" / program


def run_all(measurements, results, jobs, quiet=False):
    """Makes the missing measurements. An interrupt kills the running process and ends this; a partial measurement is
    not kept."""
    done = results.done()
    left = [one for one in measurements if one.key not in done]
    progress = Progress(len(measurements), len(measurements) - len(left), quiet)
    lock, stop = threading.Lock(), threading.Event()

    def make(one):
        if stop.is_set():
            return
        progress.begin(one.key)
        folder = pathlib.Path(tempfile.mkdtemp(prefix="tamar-bench-"))
        os.chmod(folder, 0o755)
        try:
            found = one.function(folder)
        except UserError:
            stop.set()
            raise
        except Exception as error: # an error of one measurement is a result, too: the suite continues
            found = {"values": {}, "problems": [f"the harness: {error!r}"], "trace": traceback.format_exc()[-1500:]}
        finally:
            shutil.rmtree(folder, ignore_errors=True)
        if stop.is_set():
            return
        with lock:
            results.add({"key": one.key, "labels": one.labels, **found})
        progress.end(one.key, found)

    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        futures = [pool.submit(make, one) for one in left]
        try:
            for future in concurrent.futures.as_completed(futures):
                future.result()
        except BaseException:
            stop.set()
            pool.shutdown(wait=False, cancel_futures=True)
            _kill_children()
            raise
        finally:
            progress.close()


def _kill_children():
    from .process import tree
    for pid in tree(os.getpid()):
        if pid != os.getpid():
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass


def tell(text):
    print(text, file=sys.stderr, flush=True)
