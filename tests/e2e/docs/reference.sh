# The generated page is up to date, and real results satisfy their schemas.
# RUN: bash %s %t %S
# REQUIRES: run
set -eu
work=$1 root=$2/../../.. tamar=$TAMAR_BINARY
rm -rf "$work" && mkdir "$work" && cd "$work"
"$tamar" help --markdown | diff - "$root/docs/reference/commands.md" || { echo "run scripts/update-docs BUILD, and commit"; exit 1; }
status 1 "$tamar" run "$root/examples/queue.c" --sym-arg 4 --out out -q >/dev/null
status 3 "$tamar" run "$root/examples/settings.c" --sym-stdin 5 --sym-env A=2 --max-forks 50 --emit all --out other -q >/dev/null
line=$(grep -n 'printf("job' "$root/examples/queue.c" | cut -d: -f1)
"$tamar" reach queue.c:"$line" "$root/examples/queue.c" --sym-arg 2 --out reach -q >/dev/null
python3 - "$root/docs/reference/schema" <<'END'
import json, jsonschema, pathlib, sys
schemas = {}
for path in pathlib.Path(sys.argv[1]).glob("*.json"):
    schemas[path.name.split(".")[0]] = jsonschema.Draft7Validator(json.loads(path.read_text()))
    jsonschema.Draft7Validator.check_schema(schemas[path.name.split(".")[0]].schema)
checked = 0
outcomes = set()
for out in (pathlib.Path("out"), pathlib.Path("other"), pathlib.Path("reach")):
    for path in [out / "summary.json", out / "coverage.json", *sorted((out / "tests").glob("*.json"))[:50]]:
        kind = path.stem if path.parent == out else "test"
        content = json.loads(path.read_text())
        outcomes |= {content["outcome"]} if kind == "test" else set()
        problems = [error.message for error in schemas[kind].iter_errors(content)]
        assert not problems, (path, problems[:3])
        checked += 1
assert checked > 10, checked
assert {"exit", "bug", "reached"} <= outcomes, outcomes
bad = json.loads(pathlib.Path("out/summary.json").read_text())
bad["bugs"][0]["kind"] = "nonsense"
assert list(schemas["summary"].iter_errors(bad)), "the validator can say no"
END
