# The covering set under gcov: as `tamar config --prove` runs it, and again without Tamar, with every possible
# configuration.
# RUN: bash %s %t
# REQUIRES: config
set -eu
work=$1 tamar=$TAMAR_BINARY
rm -rf "$work" && mkdir "$work" && cd "$work"
cat >program.c <<'END'
#include <stdio.h>
#include <string.h>
int quiet, level, retries = 3;
static int limit = 10;
static int keyword(const char *file) {
    char line[64] = "";
    FILE *in = fopen(file, "r");
    if (!in)
        return -1;
    while (fgets(line, sizeof line, in))
        if (!strcmp(line, "mode=fast\n")) {
            fclose(in);
            return 1;
        }
    fclose(in);
    return 0;
}
int main(int argc, char **argv) {
    int fast = keyword(argv[argc - 1]), verbose = 0, got = getchar();
    for (int i = 1; i < argc; i++)
        if (!strcmp(argv[i], "-v"))
            verbose = 1;
    if (quiet && verbose)
        puts("both");
    else if (verbose)
        puts("loud");
    if (fast > 0 && level > 5)
        puts("fast and high");
    if (level == 3 && got == 'x' && !quiet)
        puts("three");
    for (int i = 0; i < retries; i++)
        if (limit == 20)
            puts("limit");
    return fast;
}
END
printf 'mode=slow\nother=1\n' >p.conf
printf x >in
printf 'variable quiet bool\nvariable level 0..9\nvariable retries 0|3\nvariable limit 10|20\nflag -v\nkey p.conf mode slow|fast\n' >options
printf 'test plain: p.conf\ntest fed: p.conf < in\ntest missing: nowhere\n' >>options
"$tamar" config -q --prove --out out options program.c >said
grep -q 'Natively, under gcov: these configurations execute .*: the same lines' said
# The written files describe how to set a configuration: arguments, a file for each key's file, and the variables.
grep -qx mode=fast out/configurations/1-p.conf && grep -qx other=1 out/configurations/1-p.conf

# Without Tamar: the variables are set by a constructor, from the environment.
cat >set.c <<'END'
#include <stdlib.h>
#include "program.c"
__attribute__((constructor)) static void set(void) {
    quiet = atoi(getenv("quiet")), level = atoi(getenv("level")), retries = atoi(getenv("retries")), limit = atoi(getenv("limit"));
}
END
clang-19 --coverage -g -O0 -w set.c -o native
run() { # quiet level retries limit flag mode
    sed "s/^mode=.*/mode=$6/" p.conf >native.conf
    for words in "native.conf </dev/null" "native.conf <in" "nowhere </dev/null"; do
        quiet=$1 level=$2 retries=$3 limit=$4 sh -c "./native $5 $words" >/dev/null || true
    done
}
lines() { llvm-cov-19 gcov -i native-set.gcda >/dev/null 2>&1; sed -n '/^file:.*program.c/,/^file:/s/^lcount:\([0-9]*\),[1-9].*/\1/p' ./*.gcov; rm -f ./*.gcda ./*.gcov; }
for quiet in 0 1; do for level in 0 1 2 3 4 5 6 7 8 9; do for retries in 0 3; do for limit in 10 20; do for flag in "" -v; do for mode in slow fast; do
    run $quiet $level $retries $limit "$flag" $mode
done; done; done; done; done; done
lines >every
for file in out/configurations/*.txt; do
    value() { sed -n "s/^$1=//p" "$file"; }
    run "$(value quiet)" "$(value level)" "$(value retries)" "$(value limit)" "$(sed -n 's/^argument //p' "$file")" "$(value mode)"
done
lines >few
test -s every
cmp every few
# The set has enough configurations, but not all of them.
test "$(ls out/configurations/*.txt | wc -l)" -le 4
