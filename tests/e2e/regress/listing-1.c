// Oasis' Listing 1, where the change is the `if` and the printf: the text of a setting must equal a word, and each of
// its bytes takes one path. The default order, changed code first over all paths, finds the bug within 20 paths. The
// paper's order, the choices of one path before those of later paths, does not find it within 100.
// RUN: rm -rf %t && mkdir %t && cd %t && cp %s listing-1.c && grep -v '// new' %s >old.c
// RUN: for name in colour host user group path mode size depth limit speed theme title; do echo "$name:abcde"; done >settings
// RUN: %tamar record -q --into seeds listing-1.c -- settings
// RUN: status 1 %tamar regress -q listing-1.c --seeds seeds --old old.c --no-compare --max-paths 20 --out changed >changed.md
// RUN: grep -q 'use-after-free at listing-1.c' changed.md && python3 %S/Inputs/regress changed 'paths <= 20' 'paths_by_new_choice >= 5'
// RUN: status 3 %tamar regress -q listing-1.c --seeds seeds --old old.c --no-compare --max-paths 100 --search oasis-runs --out runs >runs.md
// REQUIRES: regress
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
        memmove(settings[count], strchr(settings[count], ':') + 1, 8);
        count++;
    }
    char *buffer = malloc(1024);
    memset(buffer, 'x', 1024);
    free(buffer);
    if (!strcmp(settings[10], "value")) // new
        printf("%c\n", buffer[17]); // new
    return 0;
}
