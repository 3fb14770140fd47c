# bench/run and bench/compare: an interrupted suite continues where it stopped; synthetic results with a known
# difference are judged correctly; damaged files and wrong options give clear errors.
# RUN: bash %s %t %S
# REQUIRES: run, replay
set -eu
work=$1 bench=$2/../../../bench
rm -rf "$work" && mkdir "$work" && cd "$work"
run() { "$bench/run" "$@" --tamar "$TAMAR_BINARY"; }
fails() { # STATUS TEXT COMMAND...
    local wanted=$1 text=$2 got=0
    shift 2
    "$@" >said 2>&1 || got=$?
    [ "$got" = "$wanted" ] || { echo "status $got, not $wanted: $*"; cat said; exit 1; }
    grep -qF -e "$text" said || { echo "'$text' is not said by: $*"; cat said; exit 1; }
}

# One measurement alone; then the whole suite, which does not repeat it.
run self --time 2 --repeat 2 --only "queue 2+/ 0" --out out >/dev/null 2>&1
[ "$(wc -l <out/measurements.jsonl)" = 1 ]
first=$(head -1 out/measurements.jsonl)

# Interrupted during the second measurement: complete lines are left, and the same command continues.
setsid "$bench/run" self --time 2 --repeat 2 --out out --jobs 1 --tamar "$TAMAR_BINARY" >/dev/null 2>&1 &
pid=$!
for _ in $(seq 600); do
    [ "$(wc -l <out/measurements.jsonl)" -ge 2 ] && break
    sleep 0.1
done
kill -INT $pid && { wait $pid || status=$?; }
[ "${status-0}" = 130 ] || [ "${status-0}" = 0 ]
printf '{"key": "queue 4 / tam' >>out/measurements.jsonl # cut off in the middle of a line
run self --time 2 --repeat 2 --out out >report 2>progress
grep -q 'of 6 measurements are there already' progress
[ "$(wc -l <out/measurements.jsonl)" = 6 ] && [ "$(head -1 out/measurements.jsonl)" = "$first" ]
[ "$(sort -u out/measurements.jsonl | wc -l)" = 6 ]
grep -q '^problems: 0' report && grep -q '| queue 4 | 341 ' report
python3 - <<'END'
import json, re
summary = json.load(open("out/summary.json"))
assert summary["figures"]["measurements"]["value"] == 6 and summary["about"]["repeat"] == 2, summary
page = open("out/page.html").read()
assert page.count("<svg") == 2 and page.count("<circle") == 6 and "prefers-color-scheme: dark" in page
assert not re.search(r'(src|href)="?http', page)
END

# Other settings need another folder.
fails 2 "was measured with time 2.0, not 3.0" run self --time 3 --repeat 2 --out out
fails 2 "there is no suite 'nonsense'" run nonsense
fails 2 "leaves nothing to measure" run self --only nonsense --out other
fails 2 "is not there" "$bench/run" self --tamar nowhere
fails 2 "positive numbers" run self --time 0

# Two synthetic runs: one subject is faster, one slower, one noisy, and one has too few repeats to decide.
python3 - <<'END'
import json, pathlib
def made(name, times):
    folder = pathlib.Path(name)
    folder.mkdir()
    (folder / "run.json").write_text(json.dumps({"suite": "self", "time": 2.0, "repeat": 5}))
    lines = [{"key": f"{subject} {k}", "labels": {"subject": subject, "contestant": "tamar", "repeat": k}, "values": {"cpu": value}}
             for subject, values in times.items() for k, value in enumerate(values)]
    (folder / "measurements.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
made("old", {"fast": [2, 2.1, 2.2, 2.05, 2.15], "slow": [1, 1.1, 1.05, 1.02, 1.08], "noisy": [1, 5, 2, 4, 3], "few": [1, 1.02]})
made("new", {"fast": [1, 1.1, 1.2, 1.05, 1.15], "slow": [2, 2.1, 2.05, 2.02, 2.08], "noisy": [2, 4.5, 1.5, 5, 3.5], "few": [1.03, 1.01]})
END
fails 1 "better        fast / tamar / cpu: 2.10" "$bench/compare" old new
grep -q '^WORSE         slow / tamar / cpu' said
! grep -q '^[a-zA-Z]* *\(noisy\|few\) ' said
"$bench/compare" old old >said
grep -q 'no difference beyond noise (higher in 0, lower in 0 of 4' said

sed -i 2s/.*/nonsense/ new/measurements.jsonl
fails 2 "new/measurements.jsonl:2: not valid JSON" "$bench/compare" old new
echo '{"key": 5}' >new/measurements.jsonl
fails 2 "new/measurements.jsonl:1: not a measurement" "$bench/compare" old new
echo '{' >new/run.json
fails 2 "new/run.json: not valid JSON" "$bench/compare" old new
fails 2 "run.json is not there" "$bench/compare" old nowhere
