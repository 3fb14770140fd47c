// argp: two parsers in a tree, options with and without arguments, words in any order, help, errors. The code is the
// same natively and in Tamar, so the expected output is written down here.
// RUN: %tamar cc %s -o %t && cd %T
// RUN: %t -v in --level=3 out -c7 --deep x -- -q > %t.out && FileCheck --check-prefix=USED %s < %t.out
// RUN: %tamar exec %t -- -v in --level=3 out -c7 --deep x -- -q > %t.exec && diff %t.out %t.exec
// USED: verbose 1 level 3 colour 7 deep x
// USED-NEXT: argument 0 in
// USED-NEXT: argument 1 out
// USED-NEXT: argument 2 -q
// USED-NEXT: end after 3
// USED-NEXT: index 10 of 10, result 0
// RUN: %t -vv --col --le 9 a > %t.out && FileCheck --check-prefix=SHORT %s < %t.out
// SHORT: verbose 2 level 9 colour none deep -
// RUN: %t --help > %t.help && FileCheck --match-full-lines --strict-whitespace --check-prefix=HELP %s < %t.help
// RUN: %tamar exec %t -- --help | sed 's,[^ ]*/,,' > %t.exec && diff %t.help %t.exec
//      HELP:Usage: argp.c.tmp [OPTION...] FILE...
// HELP-NEXT:Does what it does.
// HELP-EMPTY:
// HELP-NEXT:  -c, --colour[=N], --color[=N]
// HELP-NEXT:                             in colours
// HELP-NEXT:  -l, --level=N              how far it goes, told in a description that is
// HELP-NEXT:                             longer than one line
// HELP-NEXT:  -v                         say more
// HELP-EMPTY:
// HELP-NEXT: Deeper:
// HELP-NEXT:      --deep=X               an option of the child
// HELP-EMPTY:
// HELP-NEXT:  -?, --help                 Give this help list
// HELP-NEXT:      --usage                Give a short usage message
// HELP-NEXT:  -V, --version              Print program version
// HELP-EMPTY:
// HELP-NEXT:Mandatory or optional arguments to long options are also mandatory or optional
// HELP-NEXT:for any corresponding short options.
// HELP-EMPTY:
// HELP-NEXT:More at the end.
// HELP-EMPTY:
// HELP-NEXT:Report bugs to nobody@example.net.
// RUN: %t --usage | FileCheck --check-prefix=USAGE %s
// USAGE: Usage: argp.c.tmp [-v?V] [-c[N]] [-l N] [--colour[=N]] [--level=N] [--deep=X]
// USAGE-NEXT: [--help] [--usage] [--version] FILE...
// RUN: %t -V | FileCheck --check-prefix=VERSION %s
// VERSION: argp test 1
// RUN: status 64 %tamar exec %t -- --nosuch 2>&1 | FileCheck --check-prefix=UNKNOWN %s
// UNKNOWN: unrecognized option '--nosuch'
// UNKNOWN-NEXT: Try `argp.c.tmp --help' or `argp.c.tmp --usage' for more information.
// RUN: status 64 %t -l 2>&1 | FileCheck --check-prefix=MISSING %s
// MISSING: option requires an argument -- 'l'
// RUN: status 64 %t -x 2>&1 | FileCheck --check-prefix=LETTER %s
// LETTER: invalid option -- 'x'
// RUN: status 64 %t 2>&1 | FileCheck --check-prefix=NOTHING %s
// NOTHING: Usage: argp.c.tmp [OPTION...] FILE...
// RUN: status 3 %t --level=x a 2>&1 | FileCheck --check-prefix=FAILED %s
// FAILED: argp.c.tmp: level x: Invalid argument
#include <argp.h>
#include <stdlib.h>
#include <string.h>

const char *argp_program_version = "argp test 1";
const char *argp_program_bug_address = "nobody@example.net";

struct settings {
    int verbose, level;
    const char *colour, *deep;
    int count;
    char *arguments[8];
};

static error_t parse_deep(int key, char *argument, struct argp_state *state) {
    if (key != 1000) return ARGP_ERR_UNKNOWN;
    *(const char **)state->input = argument;
    return 0;
}
static const struct argp_option deep_options[] = {{"deep", 1000, "X", 0, "an option of the child", 0}, {0}};
static const struct argp deep = {deep_options, parse_deep, NULL, NULL, NULL, NULL, NULL};

static error_t parse(int key, char *argument, struct argp_state *state) {
    struct settings *settings = state->input;
    switch (key) {
    case ARGP_KEY_INIT: state->child_inputs[0] = &settings->deep; return 0;
    case 'v': settings->verbose++; return 0;
    case 'c': settings->colour = argument ? argument : "none"; return 0;
    case 'l':
        if (!strtol(argument, NULL, 10)) argp_failure(state, 3, EINVAL, "level %s", argument);
        settings->level = atoi(argument);
        return 0;
    case ARGP_KEY_ARG:
        if (state->arg_num >= 8) return ARGP_ERR_UNKNOWN;
        settings->arguments[state->arg_num] = argument;
        settings->count = (int)state->arg_num + 1;
        return 0;
    case ARGP_KEY_NO_ARGS: argp_usage(state); return 0;
    case ARGP_KEY_END:
        printf("verbose %d level %d colour %s deep %s\n", settings->verbose, settings->level, settings->colour,
               settings->deep);
        for (int i = 0; i < settings->count; i++) printf("argument %d %s\n", i, settings->arguments[i]);
        printf("end after %u\n", state->arg_num);
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

int main(int argc, char **argv) {
    static const struct argp_option options[] = {
        {"level", 'l', "N", 0, "how far it goes, told in a description that is longer than one line", 0},
        {NULL, 'v', NULL, 0, "say more", 0},
        {"colour", 'c', "N", OPTION_ARG_OPTIONAL, "in colours", 0},
        {"color", 0, NULL, OPTION_ALIAS, NULL, 0},
        {"secret", 's', NULL, OPTION_HIDDEN, NULL, 0},
        {0}};
    static const struct argp_child children[] = {{&deep, 0, "Deeper:", 0}, {0}};
    static const struct argp argp = {options, parse, "FILE...", "Does what it does.\vMore at the end.", children, NULL, NULL};
    struct settings settings = {.colour = "-", .deep = "-"};
    int index;
    error_t result = argp_parse(&argp, argc, argv, 0, &index, &settings);
    printf("index %d of %d, result %d\n", index, argc, result);
    return 0;
}
