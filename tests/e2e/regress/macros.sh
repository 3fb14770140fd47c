# A changed macro, in a header without code, changes the lines that use it, also through other macros. A renamed file is
# compared with its old content.
# RUN: bash %s %t %S
# REQUIRES: regress
set -eu
work=$1 inputs=$2/Inputs tamar=$TAMAR_BINARY
rm -rf "$work" && mkdir -p "$work/project" && cd "$work/project"
export GIT_CONFIG_GLOBAL=/dev/null GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@b GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@b
git init -q
cat >limits.h <<'END'
#define MOST 10
#define OTHER 3
#define IS_LARGE(x) \
    ((x) > MOST)
END
cat >main.c <<'END'
#include "limits.h"
#include <stdio.h>
int main(int argc, char **argv) {
    int n = argv[1][0] - '0';
    const char *text = "MOST"; // MOST
    if (n == OTHER) puts(text);
    if (IS_LARGE(n))
        puts("large");
    int most = 4;
    if (n + most == 77) puts("never mind");
    return 0;
}
END
git add . && git commit -qm one && git tag v1 && cp -r . ../old
"$tamar" record -q main.c -- 5 >/dev/null 2>&1
sed -i 's/MOST 10/MOST 12/' limits.h
for how in "--since v1" "--old ../old"; do
    rm -rf ../out
    "$tamar" regress -q main.c $how --no-compare --out ../out >../report.md || test $? = 3
    python3 "$inputs/regress" ../out 'len(lines) == 1' 'lines[0].line == 7' 'paths_by_new_choice > 0'
done
git checkout -q . && git mv main.c program.c && sed -i 's/never mind/other/' program.c && git add .
"$tamar" regress -q program.c --since v1 --no-compare --out ../renamed >../report.md || test $? = 3
python3 "$inputs/regress" ../renamed 'len(lines) == 1' 'lines[0].line == 10'
