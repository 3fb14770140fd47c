// A bug after a whole configuration has been read: from one valid file it is found at once; without a file, not in ten
// times as many instructions. (The introductory example of Oasis, rewritten.)
// RUN: rm -rf %t && mkdir %t && cd %t && cp %s deep.c
// RUN: for name in colour host user group path mode size depth limit speed theme title; do echo "$name:x"; done >settings
// RUN: %tamar record --into seeds deep.c -- settings 2>&1 | FileCheck --check-prefix=RECORD %s
// RECORD: recorded as seeds/tests/000001
// RUN: status 1 %tamar run -q --seeds seeds --as-recorded --search oasis --relax-checks --max-instructions 1000000 --out with deep.c >with.txt
// RUN: grep -q 'use-after-free: deep.c:[0-9]*' with.txt
// RUN: status 3 %tamar run -q --sym-file settings=81 --search oasis --relax-checks --max-instructions 10000000 --out without deep.c -- settings
// RUN: status 3 %tamar run -q --sym-file settings=81 --search dfs --max-instructions 10000000 --out dfs deep.c -- settings
// RUN: python3 %S/../search/Inputs/summary without 'not bugs' && python3 %S/../search/Inputs/summary dfs 'not bugs'
// REQUIRES: run
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST 40

static char settings[MOST][32];

static int is_valid(const char *line) {
    const char *colon = strchr(line, ':');
    if (!colon || colon - line < 3) return 0;
    for (; line < colon; line++)
        if (*line < 'a' || *line > 'z') return 0;
    return colon[1] != 0;
}

int main(int argc, char **argv) {
    FILE *file = fopen(argv[1], "r");
    int count = 0;
    if (!file) return 2;
    while (count < MOST && fgets(settings[count], sizeof settings[0], file)) {
        settings[count][strcspn(settings[count], "\n")] = 0;
        if (!is_valid(settings[count])) exit(1);
        count++;
    }
    char *buffer = malloc(1024);
    memset(buffer, 'x', 1024);
    free(buffer);
    if (!strcmp(settings[10], "theme:y")) printf("%c\n", buffer[17]); // it is gone
    return 0;
}
