"""Runs of Tamar that end after so much time of the processor, and results that last: shared by bench/reach, bench/search
and bench/pending.

A run is stopped as by Ctrl-C once its process has used its seconds of the processor, so that a busy machine changes little.
Results are appended to a file, one JSON object per line with the run's key; what is there already is not run again. So a
table can be made in several turns: `--turn S` starts no further run after S seconds, and the same command goes on."""
import json
import os
import pathlib
import shutil
import signal
import subprocess
import tempfile
import time

TICKS = os.sysconf("SC_CLK_TCK")


def processor_seconds(pid):
    """What a running process has used, its threads included."""
    try:
        fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / TICKS
    except (OSError, IndexError):
        return 0.0


def limited(command, seconds, folder, patience=20):
    """(status, output, errors, processor seconds); status None: it did not stop even when asked to."""
    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
        process = subprocess.Popen([str(word) for word in command], stdin=subprocess.DEVNULL, stdout=output, stderr=errors, cwd=folder)
        started, asked, killed = time.monotonic(), False, False
        while True:
            pid, status, usage = os.wait4(process.pid, os.WNOHANG)
            if pid:
                break
            used = processor_seconds(process.pid)
            if not asked and used >= seconds:
                process.send_signal(signal.SIGINT)
                asked = True
            if used >= seconds + 30 or time.monotonic() - started > patience * (seconds + 10):
                process.kill()
                killed = True
            time.sleep(0.02)
        process.returncode = os.waitstatus_to_exitcode(status)
        output.seek(0)
        errors.seek(0)
        return (None if killed else process.returncode, output.read().decode(errors="replace"), errors.read().decode(errors="replace"),
                usage.ru_utime + usage.ru_stime)


class Runs:
    """The results of a bench so far."""

    def __init__(self, path, turn=None):
        self.path, self.end, self.at, self.left = path, time.monotonic() + turn if turn else None, {}, 0
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.exists():
            for line in path.read_text().splitlines():
                entry = json.loads(line)
                self.at[self.text(entry["key"])] = entry["value"]

    @staticmethod
    def text(key):
        return json.dumps(key, sort_keys=True)

    def get(self, key, make):
        """The value of the run with this key, made by make() if need be; None: not in this turn any more."""
        text = self.text(key)
        if text not in self.at:
            if self.end and time.monotonic() > self.end:
                self.left += 1
                return None
            self.at[text] = make()
            with self.path.open("a") as file:
                file.write(json.dumps({"key": key, "value": self.at[text]}) + "\n")
        return self.at[text]

    def say_left(self, name):
        if self.left:
            print(f"{name}: {self.left} runs are left; the same command goes on with them")


def explore(tamar, program, options, arguments, seconds, search, files=None):
    """The summary of one run. `program` is a path, `options` what is symbolic, `files` the inputs of a seed folder."""
    folder = pathlib.Path(tempfile.mkdtemp(prefix="tamar-bench-"))
    try:
        command = [str(tamar), "run", "-q", "--out", str(folder / "out"), *search, *options]
        if files is not None:
            (folder / "seeds").mkdir()
            for name, content in files.items():
                (folder / "seeds" / name).write_bytes(content)
            command += ["--seeds", str(folder / "seeds")]
        command += [str(program), *(["--", *arguments] if arguments else [])]
        status, _, errors, used = limited(command, seconds, folder)
        if status is None:
            return {"failed": "did not end in time"}
        if status not in (0, 1, 3):
            return {"failed": errors.strip()[-300:]}
        return {**json.loads((folder / "out" / "summary.json").read_text()), "processor": used}
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def figures(summary):
    """What the tables show."""
    if "failed" in summary:
        return {"failed": summary["failed"]}
    return {"lines": summary["coverage"]["line"]["covered"], "edges": summary["coverage"]["edge"]["covered"],
            "tests": summary["tests"], "paths": summary["paths"]["completed"] + summary["paths"]["errors"],
            "bugs": len(summary["bugs"]), "instructions": summary["instructions"], "complete": summary["complete"],
            "solver": summary["time"]["solver"] / max(summary["time"]["wall"], 1e-9),
            "infeasible": summary["time"]["infeasible"], "queries": summary["queries"]["total"],
            "revived": summary["paths"]["revived"], "processor": summary.get("processor")}


def table(header, rows):
    """Markdown, on standard output."""
    print("| " + " | ".join(header) + " |")
    print("|" + " --- |" * len(header))
    for row in rows:
        print("| " + " | ".join(str(cell) for cell in row) + " |")
    print(flush=True)
