// Several targets at once: reached, with a test that executes the line natively; proved unreachable, because every path
// was explored or no path of the graph leads there; or not found, with the condition that was not satisfied.
// RUN: rm -rf %t && mkdir %t && cd %t && %tamar reach verdicts.c:32 verdicts.c:34 %s --sym-arg 3 --out both | FileCheck --check-prefix=BOTH %s
// RUN: cd %t && status 1 %tamar reach verdicts.c:36 verdicts.c:38 %s --sym-arg 3 --out none | FileCheck --check-prefix=NONE %s
// RUN: cd %t && status 1 %tamar reach unused %s --out unused | FileCheck --check-prefix=UNUSED %s
// RUN: cd %t && status 3 %tamar reach verdicts.c:32 %s --sym-arg 3 --max-instructions 1 --out limit | FileCheck --check-prefix=LIMIT %s
// RUN: cd %t && status 1 %tamar reach check %s --sym-arg 3 --out all --json | python3 -c 'import json,sys; t = json.load(sys.stdin)["targets"]; assert sorted(x["line"] for x in t if x["reached"]) == [30, 31, 32, 33, 34, 35, 37, 39], t; assert all(x["proved"] == x["reached"] for x in t), t; assert all(x["test"] > 0 for x in t if x["reached"])'
// RUN: cd %t && %tamar replay both >/dev/null
// REQUIRES: reach, replay
// BOTH: reached {{.*}}verdicts.c:32 {{.*}} and natively
// BOTH: reached {{.*}}verdicts.c:34 {{.*}} and natively
// NONE: unreachable {{.*}}verdicts.c:36 every path {{.*}} at {{.*}}verdicts.c:35:{{[0-9]+}} in check, the condition to reach it was never satisfiable: {{.*}}arg:1[2]
// NONE: unreachable {{.*}}verdicts.c:38
// UNUSED: unreachable {{.*}}verdicts.c:23 no way in the program leads there
// LIMIT: not found {{.*}}verdicts.c:32
#include <stdio.h>
#include <stdlib.h>

static int half(int x) { return x / 2; }

int called_by_nobody(int x);

int unused(int x) { return x; }

static int argument_count;


// Paths end in different ways, the second of which gcov cannot count.

static void check(const char *s) {
    if (s[0] == 'q')
        puts("q");
    if (s[1] == '7')
        abort();
    if (s[2] > 'a' && s[2] < 'b')
        puts("between");
    if (half(s[0]) * 2 > 300)
        puts("large");
}

int main(int argc, char **argv) {
    argument_count = argc;
    if (argc > 1 && argv[1][0] && argv[1][1] && argv[1][2]) check(argv[1]);
    return 0;
}
