# Status 0 means that a build that shares nothing with the engine confirms every bug. The test also checks which files,
# folders and entries of /tmp the builds see, and the output when something differs.
# RUN: bash %s %t %tamar
# REQUIRES: run, replay, cc
set -eu
work=$1 tamar=$2
rm -rf "$work" && mkdir "$work" && cd "$work"
cat >program.c <<'END'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
    char line[16] = "", *block = malloc(4);
    int c = getchar(), undefined;
    fprintf(stderr, "the program's own words\n");
    FILE *config = fopen("config.txt", "r"), *other = tmpfile();
    char name[] = "/tmp/nameXXXXXX";
    if (!config || !fgets(line, sizeof line, config) || !other || mkstemp(name) < 0) return 9;
    fclose(fopen("made-by-the-program", "w"));
    if (c == 'o') return block[4];
    if (c == 'n' && line[0] == 'h') return *(volatile int *)(long)(c - 'n');
    free(block);
    if (c == 'q') return 3;
    return 0;
}
END
echo hello >config.txt
$tamar run -q --emit all --sym-stdin 1 --out out program.c >/dev/null 2>&1 || true
$tamar replay out >log || { cat log; exit 1; }
grep -q '^4 tests, 4 as predicted; 2 of 2 that show a bug confirmed$' log
test ! -e made-by-the-program
python3 -c '
import json
bugs = {bug["kind"]: bug for bug in json.load(open("out/summary.json"))["bugs"]}
assert bugs["null"]["replayed"] is True and bugs["null"]["replayed_by"] == ["exact", "sanitizers"], bugs
assert bugs["out-of-bounds"]["replayed_by"] == ["sanitizers"], bugs'
# The same with one job and with many.
$tamar replay --jobs 1 out >one && $tamar replay --jobs 7 out >many && diff one many
status 2 $tamar replay --jobs 0 out 2>/dev/null
# The exact build alone does not confirm a bug.
status 1 $tamar replay --exact out >log
grep -q 'confirmed by the exact build alone' log
grep -q '0 of 2 that show a bug confirmed, 1 by the exact build alone' log
python3 -c '
import json
bugs = {bug["kind"]: bug for bug in json.load(open("out/summary.json"))["bugs"]}
assert bugs["null"]["replayed"] is False and bugs["null"]["replayed_by"] == ["exact"], bugs'
# A program of `tamar cc`: every build.
$tamar cc -g program.c -o program
$tamar run -q --emit all --sym-stdin 1 --out built ./program >/dev/null 2>&1 || true
$tamar replay --valgrind built >log || { cat log; exit 1; }
grep -q '2 of 2 that show a bug confirmed' log
status 1 $tamar replay --plain built >log
grep -q '4 as predicted; 1 of 2' log
$tamar replay built >log || { cat log; exit 1; }
# Of several files, under valgrind, too.
cat >pair.h <<'END'
struct pair { int n; int t[4]; };
void fill(struct pair *pair, int c);
int use(struct pair *pair);
END
cat >first.c <<'END'
#include "pair.h"
#include <stdio.h>
int main(void) { struct pair pair; fill(&pair, getchar()); return use(&pair); }
END
cat >second.c <<'END'
#include "pair.h"
void fill(struct pair *pair, int c) { pair->n = c; for (int i = 0; i < 4; i++) pair->t[i] = i * c; }
int use(struct pair *pair) { return pair->n == '!' ? 5 / pair->t[0] : 3; }
END
$tamar cc -g -c first.c && $tamar cc -g -c second.c && $tamar cc first.o second.o -o pair
$tamar run -q --sym-stdin 1 --out of-two ./pair >/dev/null 2>&1 || true
$tamar replay --valgrind of-two >log || { cat log; exit 1; }
grep -q '1 of 1 that show a bug confirmed' log
# Annotated source if the compiler got a relative path.
status 1 $tamar replay --gcov out >/dev/null
grep -Eq '^ +[0-9]+: +6: ' out/gcov/program.c.gcov
# The program's own output is shown if a test differs.
sed -i 's/return 3;/return 5;/' program.c
status 1 $tamar replay --sanitizers out >log
grep -q 'DIFFERS: it ended with status 5' log
grep -q "| the program's own words" log
! grep -q vm_ log
# Tests that need the system model run in the exact build only; without it they do not count as predicted.
cat >fails.c <<'END'
#include <stdlib.h>
int main(void) { char *p = malloc(3); p[1] = 2; return p[1]; }
END
$tamar run -q --emit all --fail 1 --out fails fails.c >/dev/null 2>&1 || true
status 1 $tamar replay --sanitizers fails >log
grep -q 'DID NOT RUN' log
grep -q '^2 tests, 1 as predicted; 0 of 1' log
# All tests crash: nothing was counted, and a message says so.
cat >crash.c <<'END'
#include <stdlib.h>
int main(void) { abort(); }
END
$tamar run -q --out crash crash.c >/dev/null 2>&1 || true
$tamar replay --gcov crash >log 2>&1
grep -q 'no line was counted' log
