// The input of a native run becomes a seed; the run itself is not changed.
// RUN: rm -rf %t && mkdir %t && cd %t && cp %s record.c && %tamar cc -g -o prog record.c && printf 'of a file' >data
//
// Streams and status are unchanged; arguments, standard input (a file, then a pipe) and files are recorded.
// RUN: printf 'line\n' >in && status 3 %tamar record ./prog -- cat data 3 <in >out 2>err && printf 'of a file|line\n' | cmp - out && grep -q '^complaint$' err
// RUN: FileCheck --check-prefix=FIRST %s <err && FileCheck --check-prefix=JSON %s <tamar-seeds/tests/000001.json
// FIRST: recorded as tamar-seeds/tests/000001
// JSON: "exit_status": 3
// JSON-DAG: {"kind": "file", "name": "data", "size": 9, "text": "of a file"
// JSON-DAG: {"kind": "stdin", "name": "", "size": 5
// JSON-DAG: {"kind": "argument", "name": "1", "size": 3, "text": "cat"
// JSON-DAG: {"kind": "argument", "name": "3", "size": 1, "text": "3"
// JSON-NOT: "name": "2"
// JSON: "decisions": [{{[0-9]}}
// RUN: printf 'piped\n' | status 4 %tamar record -q -- ./prog cat data 4 >out 2>err && printf 'of a file|piped\n' | cmp - out && grep -q '"text": "piped' tamar-seeds/tests/000002.json
// RUN: printf 'line\n' | status 3 %tamar record -- ./prog cat data 3 2>&1 | FileCheck --check-prefix=SAME %s
// SAME: this input was recorded before: tamar-seeds/tests/000001
//
// The seeds have the form of tests.
// RUN: %tamar replay --exact tamar-seeds | FileCheck --check-prefix=REPLAY %s
// REPLAY: test 000001: exit status 3; exact: the same, the same {{[0-9]+}} choices
// REPLAY: 2 tests, 2 as predicted
// RUN: %tamar show tamar-seeds/tests/000002.json | grep -q 'stdin (6 bytes): "piped'
// RUN: %tamar run --follow tamar-seeds/tests/000001.json | tail -1 | grep -q 'ends with status 3'
// RUN: %tamar solve tamar-seeds/tests/000001.smt2 | grep -q '^sat$'
//
// A program that changes its input, creates files and reads them again; one that a signal kills; a variable.
// RUN: cp data work && %tamar record -q --into more -- ./prog update work && grep -q '^changed' work && grep -q '"text": "of a file"' more/tests/000001.json && not grep -q scratch more/tests/000001.json
// RUN: not --crash %tamar record -q --into more -- ./prog die 2>/dev/null; grep -q '"outcome": "\(signal\|bug\)"' more/tests/000002.json
// RUN: MODE=slow %tamar record -q --into more --env MODE -- ./prog mode && grep -q '"kind": "environment", "name": "MODE", "size": 4, "text": "slow"' more/tests/000003.json
//
// Too large an input is not kept, and a message says so.
// RUN: head -c 100000 /dev/zero >large && %tamar record --into big -- ./prog cat large 0 2>&1 </dev/null >/dev/null | FileCheck --check-prefix=LARGE %s && not ls big/tests/000001.json 2>/dev/null
// LARGE: not recorded: 100000 bytes of input; --max-input allows 64 KB
//
// A test suite: a script replaces the program, many parallel runs are each recorded once, and nothing is printed.
// RUN: %tamar record --into suite --install prog 2>&1 | grep -q 'each run of prog is recorded in suite' && %S/Inputs/refuses 'already recorded' %tamar record --into suite --install prog
// RUN: seq 1 24 | xargs -P 6 -I N sh -c 'printf "line N\n" | ./prog cat data $((N %% 4)) >out.N 2>err.N; test $? = $((N %% 4)) && printf "of a file|line N\n" | cmp - out.N && printf "complaint\n" | cmp - err.N' && printf 'line 7\n' | status 3 ./prog cat data 3 >/dev/null
// RUN: ls suite/tests/*.json | wc -l | grep -q '^24$' && %tamar record --uninstall prog 2>&1 | grep -q '24 seeds in' && grep -L '"decisions": \[[0-9]' suite/tests/*.json | count 0
// RUN: printf 'x' | status 1 ./prog cat data 1 2>/dev/null | grep -q 'of a file|x' && not ls prog.native 2>/dev/null
//
// Seeds of an old version on a new one.
// RUN: sed 's/return status/return status + 1/' record.c >new.c && %tamar record --again suite new.c 2>&1 | grep -q '24 seeds followed again' && grep -h exit_status suite/tests/*.json | sort -u | count 4 && grep -q '"exit_status": 4' suite/tests/*.json && not grep -q '"exit_status": 0' suite/tests/*.json
//
// RUN: %S/Inputs/refuses 'tamar record -- PROGRAM' %tamar record && %S/Inputs/refuses 'nowhere: No such file' %tamar record --again nowhere && %S/Inputs/refuses 'its runs are not recorded' %tamar record --uninstall data && %S/Inputs/refuses data %tamar record --install data
// REQUIRES: record
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int cat(const char *name, int status) {
    char bytes[200000], line[64] = "";
    FILE *file = fopen(name, "r");
    if (!file) return 9;
    size_t size = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    if (fgets(line, sizeof line, stdin) && line[0] == '!') abort();
    fwrite(bytes, 1, size, stdout);
    printf("|%s", line);
    fputs("complaint\n", stderr);
    return status;
}

static int update(const char *name) {
    char text[16] = "";
    FILE *file = fopen(name, "r+");
    fread(text, 1, 9, file);
    FILE *scratch = fopen("scratch", "w+");
    fputs(text, scratch);
    rewind(scratch);
    if (fgetc(scratch) != 'o') return 1;
    rewind(file);
    fputs("changed  ", file);
    return fclose(file);
}

int main(int argc, char **argv) {
    if (argc > 3 && !strcmp(argv[1], "cat")) return cat(argv[2], atoi(argv[3]));
    if (argc > 2 && !strcmp(argv[1], "update")) return update(argv[2]);
    if (argc > 1 && !strcmp(argv[1], "die")) abort();
    if (argc > 1 && !strcmp(argv[1], "mode")) return getenv("MODE") && getenv("MODE")[0] == 'f';
    return 8;
}
