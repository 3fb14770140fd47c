"""check-after-bug.py SOURCE OUT: each line with a mark has a side that was not taken, for the reason of the mark."""
import json
import pathlib
import sys

REASONS = {"INFEASIBLE": "infeasible", "AFTER": "after-bug"}
source, out = map(pathlib.Path, sys.argv[1:])
lines = enumerate(source.read_text().splitlines(), 1)
expected = {(number, REASONS[line.split()[-1]]) for number, line in lines if line.split() and line.split()[-1] in REASONS}
gaps = json.loads((out / "coverage.json").read_text())["gaps"]
found = {(gap["line"], gap["reason"]) for gap in gaps if gap["reason"] in REASONS.values()}
assert found == expected, (sorted(found - expected), sorted(expected - found))
counts = json.loads((out / "summary.json").read_text())["not_covered"]
for reason in REASONS.values():
    assert counts[reason] == sum(gap["reason"] == reason for gap in gaps), counts
