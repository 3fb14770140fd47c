# The workflow for CI (examples/github-actions.yml): its script runs, its status decides, its files exist.
# RUN: bash %s %t %S
# REQUIRES: run, replay, cc
set -eu
work=$1 root=$2/../../..
rm -rf "$work" && mkdir "$work" && cd "$work"
PATH=$(dirname "$TAMAR_BINARY"):$PATH
# The lines below `run: |` of the step named explore, as the runner would take them.
python3 - "$root/examples/github-actions.yml" >explore.sh <<'END'
import re, sys
text = open(sys.argv[1]).read()
block = re.search(r"- name: explore\n        run: \|\n((?:          .*\n)+)", text)[1]
print("\n".join(line[10:] for line in block.splitlines()))
assert "results/bugs.sarif" in text and "make CC=\"tamar cc\"" in text
END
grep -q 'tamar run ./program' explore.sh
cat >program.c <<'END'
#include <stdio.h>
#include <string.h>
int main(int argc, char **argv) {
    char name[4];
    if (argc > 1) strcpy(name, argv[1]);
    return argc > 1 && name[0] == 'x';
}
END
printf 'program: program.c\n\t$(CC) -g -o $@ program.c\n' >Makefile
make CC="tamar cc" >/dev/null
status=0
bash -e explore.sh >log 2>&1 || status=$?
test $status = 1 || { cat log; exit 1; }
python3 - <<'END'
import json
sarif = json.load(open("results/bugs.sarif"))
places = [r["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] for r in sarif["runs"][0]["results"]]
assert places == ["program.c"], places
summary = json.load(open("results/summary.json"))
assert [bug["replayed"] for bug in summary["bugs"]] == [True], summary["bugs"]
END
# The log of a CI job is a pipe: no escape sequence, no redrawing.
! grep -q "$(printf '\033')" log
# The same bug in another folder has the same fingerprint: no new alert.
fingerprint() { python3 -c 'import json, sys; print(json.load(open(sys.argv[1]))["runs"][0]["results"][0]["partialFingerprints"])' "$1"; }
mkdir elsewhere && cp program.c Makefile elsewhere
(cd elsewhere && make CC="tamar cc" >/dev/null && status 1 tamar run ./program --sym-args 0 2 4 --sym-stdin 8 --out results -q >/dev/null 2>&1)
test "$(fingerprint results/bugs.sarif)" = "$(fingerprint elsewhere/results/bugs.sarif)"
# Once fixed, the job passes.
sed -i 's/strcpy(name, argv\[1\])/snprintf(name, sizeof name, "%s", argv[1])/' program.c
make CC="tamar cc" >/dev/null
rm -rf results
bash -e explore.sh >log 2>&1 || { cat log; exit 1; }
grep -q 'no bug found' log
