# The last line of the summary is a command that helps: run with its placeholders replaced, it covers more.
# RUN: bash %s %t
# REQUIRES: run
set -eu
work=$1
rm -rf "$work" && mkdir "$work" && cd "$work"
PATH=$(dirname "$TAMAR_BINARY"):$PATH
cat >fails.c <<'E'
#include <stdio.h>
#include <stdlib.h>
int main(void) {
    char *p = malloc(8);
    if (!p) return 3;
    int c = getchar();
    free(p);
    return c == 'x';
}
E
cat >serve.c <<'E'
#include <sys/socket.h>
#include <netinet/in.h>
#include <unistd.h>
int main(void) {
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_port = htons(8000)};
    int s = socket(AF_INET, SOCK_STREAM, 0);
    if (bind(s, (struct sockaddr *)&at, sizeof at) || listen(s, 1)) return 1;
    int c = accept(s, 0, 0);
    char b;
    if (c < 0) return 2;
    if (recv(c, &b, 1, 0) != 1) return 3;
    return b == 'x' ? 4 : 5;
}
E
cat >long.c <<'E'
#include <stdio.h>
int main(void) {
    int depth = 0, c;
    while ((c = getchar()) != EOF) depth += c == '(' ? 1 : c == ')' ? -1 : 0;
    return depth == 5;
}
E
cat >assertion.c <<'E'
#include <assert.h>
#include <stdio.h>
int main(void) {
    int c = getchar() & 7;
    assert(c < 8);
    return c;
}
E
covered() { python3 -c 'import json, sys; print(json.load(open(sys.argv[1] + "/summary.json"))["coverage"]["condition"]["covered"])' "$1"; }
advice() { python3 -c 'import json, sys; print(json.load(open(sys.argv[1] + "/summary.json"))["next"])' "$1"; }
follow() { # NAME PATTERN ARGUMENTS...
    local name=$1 pattern=$2 status=0
    shift 2
    tamar run --out $name.first "$@" >log 2>&1 || status=$?
    advice $name.first | grep -q -- "$pattern" || { cat log; exit 1; }
    local before=$(covered $name.first) command=$(advice $name.first)
    bash -c "${command/tamar run/tamar run --out $name.second}" >log 2>&1 || status=$?
    test "$(covered $name.second)" -gt "$before" || { echo "$name: $command: $before"; cat log; exit 1; }
}
follow fails 'fails.c --sym-stdin 1 --fail 1' fails.c --sym-stdin 1
follow serve '--sym-socket 16' serve.c
# The file's name is that of the only argument; more standard input does not help a program that does not read it.
cat >opens.c <<'E'
#include <stdio.h>
int main(int argc, char **argv) {
    FILE *file = argc > 2 ? fopen(argv[2], "rb") : NULL;
    if (file && fgetc(file) == 'x') return 1;
    return 0;
}
E
follow opens '--sym-file a.txt=16 -- -v a.txt' opens.c -- -v a.txt
follow endless 'opens.c --sym-stdin inf --sym-file a.txt=16 -- -v a.txt' opens.c --sym-stdin inf -- -v a.txt
# The number of arguments varies, too.
cat >words.c <<'E'
int main(int argc, char **argv) { return argc > 1 ? argv[1][0] == 'x' : 7; }
E
follow words 'words.c --sym-args 0 2 12' words.c --sym-arg 3
# By default at most two arguments: more of them, not one longer one.
cat >three.c <<'E'
int main(int argc, char **argv) {
    if (argc < 4) return 1;
    return argv[1][0] == argv[3][0] ? 2 : 3;
}
E
follow three 'three.c --sym-args 0 4 8' three.c
# A loop with more rounds than --unwind allows.
cat >rounds.c <<'E'
#include <stdio.h>
int main(void) {
    int count = getchar() & 7, sum = 0;
    for (int i = 0; i < count; i++) sum += i;
    if (sum == 10) return 1;
    return 0;
}
E
follow rounds 'rounds.c --sym-stdin 1 --unwind 8' rounds.c --sym-stdin 1 --unwind 2
status=0
tamar run long.c --sym-stdin 5 --max-paths 1 --out long >log || status=$?
test $status = 3
grep -q 'next: tamar run --resume long --max-paths 0' log
bash -c "$(advice long)" >log
grep -q 'every path was explored' log
tamar run assertion.c --sym-stdin 1 --out proved >log
grep -q 'assertions that did not fail: no test is missing' log
tamar run fails.c --sym-stdin 1 | grep -q 'needs a call to fail'
# Only what --fail can make fail is said to need a failing call; munmap and getrandom never fail.
cat >calls.c <<'E2'
#include <sys/mman.h>
#include <sys/random.h>
#include <unistd.h>
int main(void) {
    char b;
    if (munmap(mmap(0, 1, 1, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), 1) < 0) return 3; // line 6
    if (getrandom(&b, 1, 0) < 0) return 4;
    if (read(0, &b, 1) < 0) return 5; // line 8
    return read(0, &b, 1) == 3;
}
E2
tamar run calls.c --out calls >log
grep -A1 'needs a call to fail' log | tail -1 | grep -qE '^ *calls.c:8 one side never taken$'
tamar run calls.c --fail 1 --out failing >log
if grep -q 'needs a call' log; then exit 1; fi
# A file that the program opens only on a path that was not explored is not suggested.
cat >option.c <<'E2'
#include <stdio.h>
#include <string.h>
int main(int argc, char **argv) {
    if (argc > 1 && !strcmp(argv[1], "--configuration")) {
        FILE *file = fopen("settings", "r");
        return file && fgetc(file) == 'q';
    }
    return getchar() == 'a';
}
E2
tamar run option.c --sym-stdin 1 --out option >log
if grep -q 'sym-file' log; then exit 1; fi
# CBMC's programs read locals that were never set: all their values are suggested, and find the error.
cat >unset.c <<'E2'
int main(void) {
    int y;
    __CPROVER_assert(y != 12345, "y");
}
E2
tamar run unset.c --out unset >log || test $? = 3
grep -q 'next: tamar run unset.c --uninitialised symbolic' log
status 1 bash -c "$(advice unset)" >log
grep -qE "assert +unset.c:3" log
