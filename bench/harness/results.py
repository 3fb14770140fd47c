"""Results on disk: OUT/measurements.jsonl, one line per measurement, appended when it is done. An interrupted run
continues with the missing measurements. OUT/run.json has the settings; other settings need another folder."""
import json
import os
import pathlib
import time

from .errors import UserError

SETTINGS = ("suite", "time", "repeat")


def read_lines(path):
    """The records of a file of JSON lines. A last line that was cut off by an interruption is left out."""
    records = []
    text = path.read_text() if path.exists() else ""
    for number, line in enumerate(text.splitlines(), 1):
        try:
            record = json.loads(line)
        except ValueError as error:
            if number == text.count("\n") + 1: # no newline: it was being written
                break
            raise UserError(f"{path}:{number}: not valid JSON ({error})", "Remove the line, or the folder to start over.")
        if not isinstance(record, dict) or not isinstance(record.get("key"), str) or not isinstance(record.get("values"), dict):
            raise UserError(f"{path}:{number}: not a measurement (it needs `key` and `values`)", "Remove the line.")
        records.append(record)
    return records


def read_json(path):
    try:
        return json.loads(path.read_text())
    except FileNotFoundError:
        raise UserError(f"{path} is not there", "Name a folder that bench/run has made.")
    except ValueError as error:
        raise UserError(f"{path}: not valid JSON ({error})", "Remove the folder, and run the suite again.")


def write_whole(path, text):
    temporary = path.with_suffix(path.suffix + ".new")
    temporary.write_text(text)
    temporary.rename(path)


class Results:
    """The folder of one suite's run."""

    def __init__(self, folder, settings, about):
        self.folder, self.lines = pathlib.Path(folder), pathlib.Path(folder) / "measurements.jsonl"
        self.folder.mkdir(parents=True, exist_ok=True)
        description = self.folder / "run.json"
        if description.exists():
            earlier = read_json(description)
            changed = [f"{name} {earlier.get(name)}, not {settings[name]}" for name in SETTINGS if earlier.get(name) != settings[name]]
            if changed:
                raise UserError(f"{self.folder} was measured with {', '.join(changed)}",
                                "Name another folder with --out, or remove this one.")
            about = {**earlier, "binaries": sorted({*earlier.get("binaries", []), *about.get("binaries", [])})}
        write_whole(description, json.dumps({**about, **settings}, indent=2) + "\n")
        self.records = read_lines(self.lines)
        if self.lines.exists() and not self.lines.read_text().endswith("\n"):
            write_whole(self.lines, "".join(json.dumps(record) + "\n" for record in self.records))
        self.about = {**about, **settings}

    def done(self):
        return {record["key"] for record in self.records}

    def add(self, record):
        record = {**record, "at": time.strftime("%Y-%m-%d %H:%M")}
        with self.lines.open("a") as file:
            file.write(json.dumps(record) + "\n")
            file.flush()
            os.fsync(file.fileno())
        self.records.append(record)
