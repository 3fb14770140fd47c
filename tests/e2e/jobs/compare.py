"""usage: compare.py [--names] FOLDER FOLDER...: compares the results of the same run with different numbers of workers:
paths (decisions and outcome), bugs, coverage, counts, completeness. Exits with 1 if they differ. Paths are compared with
--emit all only. --names: a test must have the same name everywhere, too."""
import json, pathlib, sys


def read(folder):
    folder = pathlib.Path(folder)
    summary = json.loads((folder / "summary.json").read_text())
    result = {"complete": summary["complete"], "coverage": summary["coverage"], "assertions": summary["assertions"],
              "end": summary["end"],
              "bugs": sorted((b["kind"], b["fingerprint"], b["occurrences"], b["paths"]) for b in summary["bugs"]),
              "gave_up": sorted((g["what"], g["file"], g["line"], g["count"], g["lost"]) for g in summary["gave_up"])}
    result["paths"] = {k: v for k, v in summary["paths"].items() if k not in ("revived", "infeasible")}
    if not summary["paths"]["infeasible"] and not summary["paths"]["revived"]:
        result["forks"] = summary["forks"] # which sides are put off at all is a matter of models
    names, reached = {}, 0
    if summary["options"]["emit"] == "all":
        for path in folder.glob("tests/*.json"):
            test = json.loads(path.read_text())
            if test["outcome"] == "reached":
                reached += 1 # the first path that reaches a target shows it: which one that is depends on time
                continue
            key = json.dumps([test["environment"], test["decisions"], test["outcome"], test.get("survived", 0)])
            assert key not in names, f"{folder}: {path.name} and {names[key]} are the same path"
            names[key] = path.name
        result["reached"] = reached
        result["tests"] = sorted(names)
    return result, names


def main():
    words = [w for w in sys.argv[1:] if w != "--names"]
    first, names = read(words[0])
    status = 0
    for folder in words[1:]:
        other, other_names = read(folder)
        for key, value in first.items():
            if other[key] != value:
                print(f"{folder}: {key} differs from {words[0]}: {str(other[key])[:300]} instead of {str(value)[:300]}")
                status = 1
        if "--names" in sys.argv and names != other_names:
            print(f"{folder}: tests have other names than in {words[0]}")
            status = 1
    return status


sys.exit(main())
