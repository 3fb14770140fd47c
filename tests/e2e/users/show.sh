# A report is short unless --full is given; gdb's script writes the files of the test; the C test of a built program
# starts that program. The problem matcher of docs/howto/ci.md matches the output of a run.
# RUN: bash %s %t %S
# REQUIRES: run, show, cc
set -eu
work=$1 root=$2/../../..
rm -rf "$work" && mkdir "$work" && cd "$work"
tamar=$TAMAR_BINARY
cat >conf.c <<'E'
#include <stdio.h>
static int parse(const char *text, int size) {
    char out[4] = {0};
    int count = 0;
    for (int i = 0; i < size; i++)
        if (text[i] == '=') out[count++] = text[i + 1];
    return out[0] == 'x';
}
int main(void) {
    char text[16] = {0};
    FILE *file = fopen("sub/conf", "r");
    return file ? parse(text, fread(text, 1, 12, file)) : 9;
}
E
! $tamar run conf.c --sym-file sub/conf=12 --out out >log
$tamar show out/bugs/*.txt >short
$tamar show --full out/bugs/*.txt >full
test $(wc -l <short) -le 20 && test $(wc -l <full) -gt 24
grep -q 'input, as test' short && grep -q 'call stack' short && grep -q '^\.\.\. .* more lines: tamar show --full ' short
grep -q 'the path to it is taken when' full && ! grep -q 'the path to it is taken when' short
$tamar show out/bugs/*.txt --as gdb >script
mkdir elsewhere && cd elsewhere
sed -n 's/^shell //p' ../script | sh
cmp sub/conf ../out/tests/000001/files/sub/conf
cd ..
$tamar cc -g -o conf conf.c
! $tamar run ./conf --sym-file sub/conf=12 --max-tests 3 --out built >log
test=$(grep -l '"exit_status": 0' built/tests/*.json | head -n 1)
$tamar show $test --as c-test >test.c
clang-19 -Wall -Werror test.c -o test
./test
sed -i 's/WEXITSTATUS(status) != 0/WEXITSTATUS(status) != 1/' test.c && clang-19 test.c -o test && ! ./test
cat >task.c <<'E'
int __VERIFIER_nondet_int(void);
void reach_error(void) {}
int main(void) {
    if (__VERIFIER_nondet_int() == 7) reach_error();
    return 0;
}
E
! $tamar run task.c --out task >no-column # the entry of a function has no column
python3 - "$root/docs/howto/ci.md" log no-column <<'E'
import json, re, sys
block = re.search(r"```json tasks.json\n(.*?)```", open(sys.argv[1]).read(), re.S)[1]
pattern = json.loads(block)["tasks"][0]["problemMatcher"]["pattern"]
def first(log):
    return next(filter(None, (re.match(pattern["regexp"], line) for line in open(log).read().splitlines())))
match = first(sys.argv[2])
assert match[pattern["code"]] == "out-of-bounds" and match[pattern["file"]].endswith("conf.c"), match
assert match[pattern["line"]] == "6" and "bounds" in match[pattern["message"]], match.groups()
match = first(sys.argv[3])
assert match[pattern["file"]].endswith("task.c") and match[pattern["line"]] == "2" and match[pattern["column"]] is None, match.groups()
E
