# Other tools read the files of a run: lcov and genhtml, sqlite3, a validator of SARIF's schema, gdb.
# RUN: bash %s %t %S
# REQUIRES: run, show
set -eu
work=$1 here=$2 tamar=$TAMAR_BINARY
rm -rf "$work" && mkdir "$work" && cd "$work"
cp "$here/../../../examples/queue.c" .
status 1 "$tamar" run queue.c --sym-arg 4 --out out -q >/dev/null
lcov --rc lcov_branch_coverage=1 --summary out/coverage.info >lcov.text 2>&1
grep -q 'lines......: 100.0% (30 of 30 lines)' lcov.text
grep -q 'functions..: 100.0% (4 of 4 functions)' lcov.text
grep -q 'branches...: 91.7% (22 of 24 branches)' lcov.text
genhtml --quiet --branch-coverage --output-directory html out/coverage.info
grep -q 'queue.c' html/index.html && test -s "$(find html -name 'queue.c.gcov.html')"
# lcov adds two runs up, as it does with its own files.
status 1 "$tamar" run queue.c --sym-arg 2 --out second -q >/dev/null || "$tamar" run queue.c --sym-arg 2 --out third -q >/dev/null
lcov --quiet --add-tracefile out/coverage.info --add-tracefile "$(ls -d second third 2>/dev/null | head -1)/coverage.info" --output-file sum.info
lcov --summary sum.info 2>&1 | grep -q '30 of 30 lines'

sqlite3 out/run.db 'PRAGMA integrity_check' | grep -qx ok
test "$(sqlite3 out/run.db 'SELECT count(*) FROM tests')" = "$(ls out/tests/*.json | wc -l)"
test "$(sqlite3 out/run.db 'SELECT count(*) FROM bugs')" = 2
test "$(sqlite3 out/run.db 'SELECT max(lines) FROM progress')" = 30
sqlite3 out/run.db "SELECT value FROM options WHERE name = 'sym-arg'" | grep -qx 4

"$here/Inputs/fetch-npm" @microsoft/jest-sarif 1.0.0-beta.0 \
    'A1fOhPd6Ic5iDk4F9YPw1qNB4XF+7+IviR7xl8r2F6QzQkx5cpY9LsGk2rExiFIEcBbjpVnSmwWGBukASkiQ9A==' \
    package/lib/schemas/sarif-2.1.0-rtm.5.json sarif-schema.json
python3 - <<'END'
import copy, json, jsonschema
schema = json.load(open("sarif-schema.json"))
assert "SARIF" in schema["title"]
validator = jsonschema.validators.validator_for(schema)(schema)
log = json.load(open("out/bugs.sarif"))
problems = list(validator.iter_errors(log))
assert not problems, problems[:3]
run = log["runs"][0]
# GitHub's requirements beyond the schema: rules with help and severity, relative paths, fingerprints.
for result in run["results"]:
    rule = run["tool"]["driver"]["rules"][result["ruleIndex"]]
    assert rule["help"]["text"] and rule["shortDescription"]["text"] and rule["properties"]["security-severity"]
    place = result["locations"][0]["physicalLocation"]
    assert place["artifactLocation"] == {"uri": "queue.c", "uriBaseId": "%SRCROOT%"} and place["region"]["startLine"] > 0
    assert result["partialFingerprints"] and result["message"]["text"]
broken = copy.deepcopy(log)
broken["runs"][0]["results"][0]["level"] = "disaster"
assert list(validator.iter_errors(broken)), "the validator can say no"
END

clang-19 -g -O0 -fsanitize=address queue.c -o queue
"$tamar" show out/bugs/use-after-free*.txt --as gdb >script.gdb
ASAN_OPTIONS=detect_leaks=0 timeout 60 gdb -nx -batch -x script.gdb ./queue >gdb.text 2>&1 || true
grep -q 'add (number=3)\|add (number=1)\|add (number=2)' gdb.text || { cat gdb.text; exit 1; }
grep -q 'queue.c:19' gdb.text
