// Takes the changes from git, a tree, a file or a diff, and reports their effects; unusable differences are errors.
// RUN: rm -rf %t && mkdir %t && cd %t && export GIT_CONFIG_GLOBAL=/dev/null GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@b GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@b
// RUN: mkdir project && cd project && git init -q && mkdir src && grep -v '// new' %s >src/sum.c && echo hello >README && git add . && git commit -qm one && git tag v1 && cp -r . ../old && cp ../old/src/sum.c ../sum-old.c
// RUN: %tamar record -q src/sum.c -- 12+30 >/dev/null 2>&1 && cp %s src/sum.c && git diff v1 >../change.diff
//
// All four give the same lines and the same report.
// RUN: status 1 %tamar regress -q src/sum.c --since v1 --max-paths 300 --out ../1 >../1.md && FileCheck %s <../1.md && cmp ../1.md ../1/regress.md
// CHECK: ## What the change does: `src/sum.c`, since `v1`
// CHECK: 3 changed lines have code, 3 reached. 1 recorded input led to
// CHECK: ### Bugs
// CHECK: | **out-of-bounds at sum.c:[[#]]** | {{.*}} | exit 1 | {{.*}} | `tamar show {{.*}}1/tests/{{[0-9]*}}.json` |
// CHECK: ### Behaviour
// CHECK: | {{[0-9]+}} | {{.*}} | exit 1, prints `?` | exit 0, prints {{.*}} |
// CHECK: ### Changed lines
// CHECK: | `src/sum.c:{{[0-9]+}}` | `if (c == '*') names[seen++] = c; // new` | test {{[0-9]+}}{{.*}} | differs |
// RUN: python3 %S/Inputs/regress ../1 'changed_lines == 5' 'len(lines) == 3' 'not_compared == ""' 'any(one.differs and one.output_differs for one in tests)' 'tests[0].seed == 1 and not tests[0].differs' 'seeds == 1'
// RUN: status 1 %tamar regress -q src/sum.c --old ../old --max-paths 300 --out ../2 >../2.md && status 1 %tamar regress -q src/sum.c --old ../sum-old.c --max-paths 300 --out ../3 >../3.md
// RUN: status 1 %tamar regress -q src/sum.c --diff ../change.diff --old-program ../sum-old.c --max-paths 300 --out ../4 >../4.md
// RUN: for i in 2 3 4; do cmp ../1/regress.json ../$i/regress.json || exit 1; done
// RUN: status 3 %tamar regress -q src/sum.c --diff ../change.diff --json --max-paths 3 --out ../5 >../5.json && cmp ../5.json ../5/regress.json && grep -q 'give --old-program' ../5/regress.json
//
// With several processes, the same bug and the same changed lines are found.
// RUN: status 1 %tamar regress -q src/sum.c --since v1 --max-paths 300 --jobs 2 --out ../9 >../9.md && grep -q 'out-of-bounds at sum.c' ../9.md && python3 %S/Inputs/regress ../9 'len(lines) == 3' 'tests[0].seed == 1' 'seeds == 1'
//
// The results folder is like that of `tamar run`: tests replay on the new version as predicted.
// RUN: status 0 %tamar replay --exact ../5 | tail -1 | grep -q 'as predicted'
//
// The run cannot be resumed; its tests are seeds of the next one.
// RUN: status 2 %tamar run --resume ../5 2>../5.txt; grep -q 'a run of `tamar regress` cannot be resumed' ../5.txt && grep -q -e '--seeds can name this folder' ../5.txt
// RUN: status 1 %tamar regress -q src/sum.c --diff ../change.diff --no-compare --seeds ../5 --max-paths 40 --out ../8 >../8.md && python3 %S/Inputs/regress ../8 'seeds > 1' 'paths >= 40'
//
// A program that `tamar cc` built, with a cache of the solver's answers that the next run reuses.
// RUN: %tamar cc -g -o sum src/sum.c && (cd ../old && %tamar cc -g -o sum src/sum.c)
// RUN: status 1 %tamar regress -q ./sum --old ../old --max-paths 300 --solver-cache ../answers --out ../6 >../6.md && python3 %S/Inputs/regress ../6 'not_compared == ""' 'any(one.differs for one in tests)' && test -s ../answers
// RUN: status 1 %tamar regress -q ./sum --old ../old --max-paths 300 --solver-cache ../answers --out ../7 >../7.md
//
// Unusable differences.
// RUN: %S/Inputs/refuses 'the changes are not given' %tamar regress src/sum.c && %S/Inputs/refuses 'exclude each other' %tamar regress src/sum.c --since v1 --old ../old
// RUN: %S/Inputs/refuses "'v9' is not a revision of" %tamar regress src/sum.c --since v9 && (cd .. && export GIT_CEILING_DIRECTORIES=$(dirname $PWD) && %S/Inputs/refuses 'not a git repository' %tamar regress project/src/sum.c --seeds project/tamar-seeds --since v1)
// RUN: %S/Inputs/refuses "the program's files are the same" %tamar regress src/sum.c --old . && %S/Inputs/refuses 'No such file' %tamar regress src/sum.c --old ../nowhere && mkdir ../empty && %S/Inputs/refuses "has none of the program's files" %tamar regress src/sum.c --old ../empty
// RUN: git commit -qam two && %S/Inputs/refuses 'nothing has changed since HEAD' %tamar regress src/sum.c --since HEAD && echo more >>README && %S/Inputs/refuses 'the changed files are not sources of this program: README' %tamar regress src/sum.c --since HEAD
// RUN: %clang -c -emit-llvm -o bare.bc src/sum.c && %S/Inputs/refuses 'Build it with -g' %tamar regress bare.bc --since v1
// RUN: mkdir none && %S/Inputs/refuses 'there are no recorded inputs' %tamar regress src/sum.c --since v1 --seeds none && %S/Inputs/refuses 'there are no recorded inputs' %tamar regress src/sum.c --since v1 --seeds nowhere
// RUN: %S/Inputs/refuses 'there is no difference in it' %tamar regress src/sum.c --diff README && sed 's/names\[seen++\]/other/' ../change.diff >../wrong.diff && %S/Inputs/refuses 'the line differs from the diff, which has' %tamar regress src/sum.c --diff ../wrong.diff
// RUN: head -12 ../change.diff >../short.diff && %S/Inputs/refuses 'short.diff, line 12: the diff ends within a hunk' %tamar regress src/sum.c --diff ../short.diff
// RUN: sed 's/^.. REQUIRES.*/& nothing more/' %s >src/sum.c && %S/Inputs/refuses 'none of the 1 changed lines is code' %tamar regress src/sum.c --since HEAD
// RUN: %S/Inputs/refuses 'tamar record -- PROGRAM ARGS' %tamar regress src/sum.c --since v1 -- 1+1 && %S/Inputs/refuses 'nonsense' %tamar regress src/sum.c --since v1 --check nonsense
// REQUIRES: regress
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    char names[1];
    int sum = 0, number = 0, seen = 0;
    for (const char *p = argv[1]; *p; p++) {
        char c = *p;
        if (c >= '0' && c <= '9') {
            number = number * 10 + c - '0';
        } else if (c == '+') {
            sum += number;
            number = 0;
        } else if (c == '*') {               // new
            if (c == '*') names[seen++] = c; // new
            (void)names[0];                  // new
        } else {
            puts("?");
            return 1;
        }
    }
    printf("%d\n", sum + number);
    return 0;
}
