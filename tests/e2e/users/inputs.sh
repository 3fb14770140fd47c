# A part of a file, standard input that never ends, and rejected options.
# RUN: bash %s %t
# REQUIRES: run, replay
set -eu
work=$1
rm -rf "$work" && mkdir "$work" && cd "$work"
tamar=$TAMAR_BINARY
cat >part.c <<'E'
#include <stdio.h>
int main(void) {
    char b[8];
    FILE *f = fopen("image", "r");
    if (!f || fread(b, 1, 8, f) != 8 || b[0] != 'A') return 2;
    if (b[3] == 'q') return 3;
    return b[5] == 'F' ? 0 : 4;
}
E
printf ABCDEFGH >image
$tamar run part.c --sym-file image@2..4 --emit all --out part >log
python3 - <<'E'
import glob, json
tests = [json.load(open(f)) for f in sorted(glob.glob("part/tests/*.json"))]
found = {t["exit_status"]: t["inputs"][0]["text"] for t in tests}
assert set(found) == {0, 3} and len(tests) == 2, found
assert found[0] == "ABCDEFGH" and found[3] == "ABCqEFGH", found # what is not symbolic is as it is
E
$tamar replay part >log
refused() { ! $tamar run part.c --sym-file "$1" >log 2>&1; grep -q -- "$2" log || { cat log; exit 1; }; }
refused image@2..40 'the range is empty or not in image, which has 8 bytes'
refused image@4..4 'the range is empty or not in image'
refused nowhere@0..1 'nowhere: No such file'
refused image@2 'NAME=N, with N the number of bytes, or as NAME@FROM..TO'
refused @1..2 'or as NAME@FROM..TO'
! $tamar run part.c --sym-file A=10 --sym-file A=5 >log 2>&1
grep -q 'A is given twice' log
cat >endless.c <<'E'
#include <stdio.h>
int main(void) {
    int n = 0, c;
    while ((c = getchar()) != EOF && c != 'q') n++;
    return c == EOF ? 99 : n;
}
E
status=0
$tamar run endless.c --sym-stdin inf --emit all --max-paths 5 --out endless >log || status=$?
test $status = 3
$tamar replay endless >log
! grep -q 'exit status 99' log
