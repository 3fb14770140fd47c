# Messages of docs/troubleshooting.md that no other test prints (scripts/check-messages): errors with status 2, then
# warnings and `given up` messages.
# RUN: bash %s %t
# REQUIRES: run, replay, show, export, reach, config, regress, harness, slice, record, cc
set -u
work=$1 tamar=$TAMAR_BINARY failed=0
rm -rf "$work" && mkdir "$work" && cd "$work"
check() { # STATUS MESSAGE COMMAND...
    local wanted=$1 message=$2 status=0
    shift 2
    "$tamar" "$@" >out.text 2>&1 </dev/null || status=$?
    [ $status = "$wanted" ] && grep -qF -- "$message" out.text && return
    echo "tamar $*: status $status, not $wanted with: $message"; cat out.text; failed=1
}
refuse() { check 2 "$@"; }
echo 'int main(void) { return 0; }' >good.c
cat >part.c <<'E'
#include <stdio.h>
static int hidden;
int helper(char *text, int size) { return size ? text[0] : hidden; }
int main(void) { int c = getchar(); if (c == 'x') return helper("a", 1); return c == 7; }
E
mkdir a b && echo 'int one(void) { return 1; }' >a/same.c && echo 'int one(void); int main(void) { return one(); }' >b/same.c
"$tamar" cc -g -c part.c -o part.o && "$tamar" cc -g part.o -o part && ar crs lib.a part.o
"$tamar" run -q good.c --out run --sym-env HOME=1 >/dev/null
cp -r run later && sed -i 's/"format": [0-9]*/"format": 99/' later/program.json
cp -r run old && sed -i 's/"format": [0-9]*/"format": 1/' old/program.json

# ---- options and operands
refuse '--quiet takes no value' run good.c --quiet=1
refuse '--emit all|new|errors: the value is missing; it should be' run good.c --emit=
refuse 'must be the last word' run good.c --ignore <(echo 'null until=2030-01-01 good.c')
refuse "'p' does not say which pointer has which length" run part.c --entry helper --entry-length p
refuse 'hidden is static in another file than one' run part.c a/same.c --entry one --sym-global hidden
refuse '--log-queries works in one process only' run good.c --log-queries q --jobs 2
refuse '--log-queries works on one machine only' run good.c --log-queries q --workers redis://127.0.0.1:1/name
refuse "is not the address of a run (letters, digits, '.', '_' and '-' in RUN)" run good.c --workers http://127.0.0.1/x
refuse 'a fuzzer runs main on inputs of its own, not with --entry' run part.c --entry helper --fuzz auto
echo 'word' >words
refuse 'words:1: this is not a word of a dictionary' run part.c --sym-stdin 2 --fuzz auto --dict words
refuse 'libFuzzer needs LLVMFuzzerTestOneInput, and no main' run part.c --sym-stdin 2 --fuzz libfuzzer
: >peers
refuse 'peers has no steps' run good.c --peers peers

# ---- names that were meant
cat >meant.c <<'E'
void tamar_make_symbolic(void *, unsigned long, const char *), klee_asume(int), print_nothing(int);
unsigned __VERIFIER_nondet_unsinged(void);
int main(void) { int x; tamar_make_symbolic(&x, sizeof x, "x"), klee_asume(x > 3), print_nothing(x); return (int)__VERIFIER_nondet_unsinged(); }
E
refuse 'Did you mean tamar_symbolic?' run meant.c
refuse 'Did you mean klee_assume?' run meant.c
refuse 'Did you mean __VERIFIER_nondet_unsigned?' run meant.c
[ "$(grep -c 'Did you mean' out.text)" = 3 ] || { echo 'a suggestion for print_nothing, which resembles nothing'; cat out.text; failed=1; }

# ---- files
echo 'int f();' >x.cc
refuse 'is C++, which Tamar does not compile' run x.cc
check 1 'x.cc is C++, which Tamar does not execute' cc -c x.cc
refuse 'lib.a: is a library, not a program' run lib.a
printf '!<arch>\nnonsense nonsense nonsense nonsense nonsense nonsense nonsense nonsense' >wrong.a
refuse 'the archive is damaged' run wrong.a --entry f
echo text >text.o && ar crs empty.a text.o
refuse 'the archive has no member that carries bitcode' run empty.a --entry f
echo text >text.bc
refuse "is not bitcode: it does not start with bitcode's magic number" run text.bc
refuse 'neither C, nor bitcode, nor a program that carries bitcode' run text.o
refuse 'the results are of a later version' replay later
refuse 'the results are of version 0.1.0, which this version does not read' replay old

mkdir early && touch early/lock
refuse 'If the run was killed at its start, nothing is lost' run --resume early
cp -r run damaged && echo '[]' >damaged/summary.json
refuse 'damaged: summary.json is damaged' replay damaged
head -c 100 run/summary.json >damaged/summary.json
refuse 'The file is damaged: run again.' replay damaged
cp -r run gone && rm gone/coverage.json
check 0 'gone has no coverage.json: the run is still going on, or was killed' report gone

# ---- reach
refuse 'same.c:1: several files have this name' reach same.c:1 a/same.c b/same.c
echo '{"version": "2.1.0"}' >no.sarif
refuse 'no.sarif has no "runs"' reach --sarif no.sarif good.c
echo '{"version": "2.1.0", "runs": [{"results": []}]}' >empty.sarif
refuse 'empty.sarif has no results with a location' reach --sarif empty.sarif good.c
printf '#0 f at other.c:3\n#1 g at other.c:9\n' >trace
refuse 'none of the given locations is code of the program' reach --trace trace good.c
printf 'SF:good.c\nDA:1,4\nend_of_record\n' >full.info
refuse 'full.info has no line that was not executed' reach --uncovered-by full.info good.c

# ---- other commands
refuse 'more than one results folder' export run later
refuse 'no test has an input that is a plain sequence of bytes' export run
refuse 'test 1 has no input that is a plain sequence of bytes' show run/tests/000001.json --as raw
touch run/bugs/other.txt
refuse 'run/bugs/other.txt: is not a bug of run' show run/bugs/other.txt
refuse 'an options file and a program are needed' config good.c
echo '# nothing' >options
refuse 'no option is named' config options good.c
refuse '--since, --old and --diff exclude each other' regress good.c --since HEAD --old .
refuse 'no arguments can be given: they come from the seeds' regress good.c --since HEAD -- word
echo 'struct s { int a; };' >types.h
refuse 'types.h: declares no function' harness types.h
refuse 'good.c: only one header or C file can be given' harness part.c good.c
refuse 'good.c: already exists, and may have been edited' harness part.c helper --out good.c
echo '#include <stdarg.h>
int f(va_list list);' >va.h
refuse 'no harness can be made' harness va.h

# ---- warnings
mkdir -p seeds && echo x >seeds/raw && cp run/tests/000001.ktest seeds
cat >outside.c <<'E'
#include <stdio.h>
int main(void) { char b[4] = {0}; int i = getchar(); if (i == 9) b[i] = 1; return b[0]; }
E
cat >assume.c <<'E'
#include <tamar.h>
int main(void) { int x = tamar_int("x"); tamar_assume(x > 3); tamar_assume(x < 2); return 0; }
E
mkdir -p nothing && check 0 '--seeds: there are no inputs in nothing' run good.c --seeds nothing --out w2
check 0 "no such library carries bitcode in the folders of -L" run good.c -lnowhere --out w3
check 0 'the entry has expired, so the bug is reported again' run good.c --ignore <(echo 'null good.c until=2001-01-01') --out w4
check 0 "-fsanitize=address is ignored: \`tamar run\` has its own checks and coverage" cc -fsanitize=address -c good.c
check 0 "-L/usr/lib is ignored: the host's libraries are for another C library. \`tamar deps LIBRARY\` builds Debian's for Tamar." cc -L/usr/lib good.c -o good
check 0 "/usr/include is ignored: the host's headers are for another C library. \`tamar deps LIBRARY\` builds Debian's libraries for Tamar." cc -I/usr/include -c good.c
check 3 'no input satisfies the assumptions: nothing was explored beyond them' run assume.c --out w5
check 0 'raw files are ignored: neither standard input nor a file is symbolic' run good.c --sym-arg 1 --seeds seeds --out w6
check 0 "--only nowhere*: no function's source matches, so nothing is cut" slice part.c -o sliced.bc --only 'nowhere*'
check 0 "--slice-only nowhere*: no function's source matches, so nothing is cut" run part.c --sym-stdin 1 --slice 1 --slice-only 'nowhere*' --out w7
check 0 "--sym-input has no effect: the program's main is run; --sym-file and --sym-stdin give it input" run good.c --sym-input 4 --out w12
check 0 'continuing without it' run good.c --solver-cache a --out w8
check 1 'a path continues after a write outside of an object: its native effect is not known' run outside.c --sym-stdin 1 --on-bug continue --out w9
# ---- resumed runs, recorded programs, changes
"$tamar" run -q part.c --sym-stdin 1 --max-instructions 100 --out cut >/dev/null 2>&1
cp -r cut torn && echo x >torn/checkpoint
refuse 'the file is damaged, or of another version: ' run --resume torn
cp part.c kept.c && sed -i 's/== 7/== 8/' part.c
refuse 'the program has changed since the run was interrupted' run --resume cut
cp kept.c part.c
echo x | "$tamar" record --into tamar-seeds -- ./part >/dev/null 2>&1
printf -- '--- a/part.c\n+++ b/part.c\n@@ -1,2 +1,2 @@\n-#include <stdlib.h>\n+#include <stdio.h>\n static int hidden;\n' >comment.diff
refuse 'none of the 1 changed lines is code of this program' regress part.c --diff comment.diff
cp part installed && cp part "$(printf 'two\nlines')"
"$tamar" record --install installed --into runs >/dev/null 2>&1
refuse 'installed: its runs are already recorded' record --install installed --into runs
refuse 'the name contains a line break' record --install "$(printf 'two\nlines')" --into runs
mkdir tools && ln -s "$(command -v clang-19)" "$(command -v grep)" "$(command -v cat)" tools
PATH=$PWD/tools refuse 'git cannot be run' regress part.c --since HEAD

printf -- '--- a/part.c\n+++ b/part.c\n@@ -4 +4 @@\n-int main(void) { return 0; }\n+%s\n' "$(sed -n 4p part.c)" >main.diff
"$tamar" regress part.c --diff main.diff --no-compare --out regressed >/dev/null 2>&1
refuse 'a run of `tamar regress` cannot be resumed: it compares all of its tests when it ends' run --resume regressed
clang-19 -emit-llvm -c good.c -o good.bc
check 0 "--check overflow: this bitcode may lack clang's instrumentation; then only signed arithmetic is checked, not narrowing" run good.bc --check overflow --out w10
python3 -c 'import socket, time
s = socket.socket(); s.bind(("127.0.0.1", 0)); s.listen(); print(s.getsockname()[1], flush=True); time.sleep(60)' >port &
holder=$!
while [ ! -s port ]; do sleep 0.05; done
refuse "port $(cat port) of 127.0.0.1 cannot be used: " run good.c --serve "$(cat port)" --out w11
kill $holder

# ---- given up: the product of two numbers is hard to factor
cat >hard.c <<'E'
#include <stdio.h>
#include <tamar.h>
int main(int argc, char **argv) {
    unsigned long a, b, n = 0xd16ba1a5c1bf8f6bul, p;
    tamar_symbolic(&a, sizeof a, "a"), tamar_symbolic(&b, sizeof b, "b"), p = a * b;
    tamar_assume(a > 1 && b > 1 && a < 1ul << 32 && b < 1ul << 32);
    switch (argv[1][0]) {
    case 'b': if (p == n) puts("x"); break;
    case 's': switch (p) { case 0xd16ba1a5c1bf8f6bul: puts("x"); break; case 0xd16ba1a5c1bf8f61ul: puts("y"); break; } break;
    case 'a': tamar_assume(p == n); break;
    case 'c': return (int)(1 / (p - n));
    }
    return 0;
}
E
hard() { check "$1" "$2" run hard.c --solver-timeout 0.02 --out "hard-$3" ${4-} -- "$3"; }
hard 3 'the solver gave no answer: one side of a branch is not explored' b
hard 3 'the solver gave no answer: cases of a switch are not explored' s
hard 3 'the solver gave no answer: a path is not explored' a
hard 3 'the solver gave no answer: a check is not decided' c
rm -r hard-b
hard 3 'the solver gave no answer: a pending path is not explored' b '--feasibility pending'
exit $failed
