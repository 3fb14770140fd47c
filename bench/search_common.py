"""Runs of `tamar run` for a given time, and what they covered: shared by bench/search and bench/pending."""
import json
import pathlib
import shutil
import subprocess
import tempfile


def explore(tamar, program, options, arguments, seconds, search, files=None):
    """The summary of one run. `program` is a path, `options` what is symbolic, `files` the inputs of a seed folder."""
    folder = pathlib.Path(tempfile.mkdtemp(prefix="tamar-bench-"))
    try:
        command = [str(tamar), "run", "-q", "--out", str(folder / "out"), "--max-time", str(seconds), *search, *options]
        if files is not None:
            (folder / "seeds").mkdir()
            for name, content in files.items():
                (folder / "seeds" / name).write_bytes(content)
            command += ["--seeds", str(folder / "seeds")]
        command += [str(program), *(["--", *arguments] if arguments else [])]
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, timeout=seconds * 10 + 120, cwd=folder)
        if done.returncode not in (0, 1, 3):
            return {"failed": done.stderr.decode(errors="replace").strip()[-300:]}
        return json.loads((folder / "out" / "summary.json").read_text())
    except subprocess.TimeoutExpired:
        return {"failed": "did not end in time"}
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
            "revived": summary["paths"]["revived"]}


def table(header, rows):
    """Markdown, on standard output."""
    print("| " + " | ".join(header) + " |")
    print("|" + " --- |" * len(header))
    for row in rows:
        print("| " + " | ".join(str(cell) for cell in row) + " |")
    print(flush=True)
