# Known reports: ignored ones are counted and their paths go on; unmatched, expired and malformed entries are reported.
# RUN: bash %s %t
# REQUIRES: run, replay
set -eu
work=$1
rm -rf "$work" && mkdir "$work" && cd "$work"
tamar=$TAMAR_BINARY
cat >hash.c <<'E'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static unsigned word(const char *text, int length) { // reads past the end on purpose, and masks it
    char *copy = malloc(length);
    memcpy(copy, text, length);
    unsigned value = *(unsigned *)copy & ((1u << 8 * length) - 1);
    free(copy);
    return value;
}
int main(void) {
    char text[4];
    if (fread(text, 1, 3, stdin) < 3) return 2;
    if (word(text, 3) == 0x636261) return 1;
    int numbers[4] = {0};
    if (text[1] == 'z') numbers[text[0] & 7] = 5;
    return 0;
}
E
status() { local got=0; "${@:2}" >log 2>&1 || got=$?; test $got = $1 || { cat log; echo "status $got"; exit 1; }; }
# Without the list the path ends at the first report: the second bug is not found.
status 1 $tamar run hash.c --sym-stdin 3 --out plain
! grep -q 'hash.c:16' log
cat >.tamar-ignore <<'E'
# masked
out-of-bounds hash.c:7 word   # reads at most a word
leak other.c until=2020-01-01
null nowhere.c
E
status 1 $tamar run hash.c --sym-stdin 3 --out ignored --jobs 2
grep -q 'tamar-ignore:3: leak other.c until=2020-01-01: the entry has expired' log
grep -q '^ignored: 1 known report, on ' log
grep -q 'tamar-ignore:4: null nowhere.c: not seen in this run' log
grep -q 'out-of-bounds  hash.c:16' log
! grep -q 'out-of-bounds  hash.c:7' log
python3 - <<'E'
import json
s = json.load(open("ignored/summary.json"))
assert s["complete"] and [b["line"] for b in s["bugs"]] == [16], s
assert [(b["line"], b["entry"]) for b in s["ignored"]] == [(7, ".tamar-ignore:2: out-of-bounds hash.c:7 word")], s
assert s["ignored_unmatched"] == [".tamar-ignore:4: null nowhere.c"]
results = json.load(open("ignored/bugs.sarif"))["runs"][0]["results"]
assert [len(r.get("suppressions", [])) for r in results] == [0, 1], results
E
status 0 $tamar replay ignored # paths beyond the report, natively
# All bugs are known, by line or by fingerprint: nothing is reported.
mark=$(python3 -c 'import json; print(json.load(open("ignored/summary.json"))["ignored"][0]["fingerprint"])')
printf 'any hash.c:16\nfingerprint:%s until=2999-12-31\n' $mark >all
status 3 $tamar run hash.c --sym-stdin 3 --ignore all --out all.out # the path continues after a write outside: incomplete
grep -q 'no bug found' log && grep -q 'ignored: ' log
# The path continues after every bug.
status 1 $tamar run hash.c --sym-stdin 3 --ignore /dev/null --on-bug continue --out all.bugs
grep -q 'hash.c:7' log && grep -q 'hash.c:16' log
status 0 $tamar replay all.bugs
# A resumed run has the same list.
status 3 $tamar run hash.c --sym-stdin 3 --max-paths 1 --out part
rm .tamar-ignore
status 1 $tamar run --resume part --max-paths 0
grep -q 'ignored: 1 known report' log
# Errors in the list are reported with their line.
refused() { printf '%s\n' "$1" >bad; status 2 $tamar run hash.c --ignore bad; grep -q "tamar: bad:1: $2" log || { cat log; exit 1; }; }
refused 'out-of-bound hash.c' 'out-of-bound is not a kind of bug'
grep -q "Did you mean 'out-of-bounds'" log
refused 'null' 'null is only a part of an entry'
refused 'null a.c:x' 'a.c:x is not a location'
refused 'null a.c until=soon' 'until=soon is not a day'
refused 'null a.c until=2030-02-29' 'until=2030-02-29 is not a day'
refused 'null a.c until=2100-02-29' 'until=2100-02-29 is not a day'
printf 'null a.c until=2032-02-29\nnull b.c until=2400-02-29\n' >good
status 1 $tamar run hash.c --sym-stdin 3 --ignore good --out leap
refused 'fingerprint:12' 'fingerprint:12 is not a fingerprint'
refused 'null a.c f g' 'g is an unexpected word'
status 2 $tamar run hash.c --ignore nowhere
grep -q 'tamar: nowhere: cannot be read' log
# Functions with no_sanitize attributes.
cat >quiet.c <<'E'
#include <stdio.h>
#include <stdlib.h>
__attribute__((no_sanitize("address"))) static int peek(char *p, int i) { return p[i]; }
__attribute__((no_sanitize_address)) static int look(char *p, int i) { return p[i]; }
__attribute__((no_sanitize("undefined"))) static int add(int a, int b) { return a + b; }
__attribute__((no_sanitize("memory"))) static int other(char *p, int i) { return p[i]; }
int main(int argc, char **argv) {
    char *p = malloc(4);
    int c = getchar(), sum = (peek(p, 4) & 0) + (look(p, 5) & 0) + (add(c, 0x7fffffff) > 3);
    if (c == 'x') sum += other(p, 4) & 0;
    free(p);
    return sum;
}
E
status 1 $tamar run quiet.c --sym-stdin 1 --check arithmetic --out quiet
grep -q '^1 bug' log && grep -q 'quiet.c:6' log
