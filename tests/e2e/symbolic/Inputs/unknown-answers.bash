# usage: unknown-answers.bash SOURCE
set -eu
for mode in "" "--feasibility pending" "--relax-checks"; do
    for layers in model model,cache model,sat; do
        wanted="3 False 0 0 1"
        [ $layers != model,sat ] || wanted="0 True 0 1 0"
        rm -rf out
        status=0
        "$TAMAR_BINARY" run -q --layers $layers $mode --out out "$1" >said.txt 2>&1 || status=$?
        found=$(python3 -c '
import json, sys
run = json.load(open("out/summary.json"))
print(sys.argv[1], run["complete"], len(run["bugs"]), run["assertions"]["proved"], run["assertions"]["open"])' $status)
        [ "$found" = "$wanted" ] || { cat said.txt; echo "$layers $mode: $found, not $wanted"; exit 1; }
    done
done
