# A C programmer new to symbolic execution: uses no options, reads the output, runs the suggested commands.
# RUN: bash %s %t
# REQUIRES: run, replay, report, show
set -eu
work=$1
rm -rf "$work" && mkdir "$work" && cd "$work"
PATH=$(dirname "$TAMAR_BINARY"):$PATH
says() { grep -q -- "$1" text || { echo "not said: $1"; cat text; exit 1; }; }
cat >split.c <<'END'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
// split KEY=VALUE: prints both
int main(int argc, char **argv) {
    if (argc != 2) {
        fprintf(stderr, "usage: split KEY=VALUE\n");
        return 1;
    }
    char *text = strdup(argv[1]);
    char *equals = strchr(text, '=');
    *equals = 0;
    printf("%s: %s\n", text, equals + 1);
    free(text);
    return 0;
}
END
# The overview.
status 2 tamar >text
says 'tamar run '
says 'tamar help COMMAND'
# A run without options.
status 1 tamar run split.c >text 2>&1
says 'nothing is symbolic: trying --sym-args 0 2 4 --sym-stdin 8'
says 'null: split.c:12:13: write of 1 byte through a null pointer, in main'
says '>   12 |     \*equals = 0;'
says 'every path was explored'
# The printed command shows the bug.
sed -n 's/^ *to see it:  //p' text >paste
test -s paste
status 125 bash ./paste >text 2>&1
says 'null: .*split.c:12'
# The suggested command confirms it.
status 1 tamar run split.c --out again >text 2>&1
suggestion=$(sed -n 's/^next: \(tamar replay [^ ]*\) .*/\1/p' text)
test "$suggestion" = 'tamar replay again'
$suggestion >text
says '1 of 1 that show a bug confirmed'
tamar show again/bugs/null*.txt >text
says 'argv\[1\]\[0\]'
tamar report again >text
test -s "$(cat text)"
# Once fixed, no bug is found.
sed -i 's/    \*equals = 0;/    if (!equals) return 1;\n    *equals = 0;/' split.c
tamar run split.c >text 2>&1
says 'no bug found'
says 'every path was explored'
