// A shell for system() and popen(): `sh -c "PROGRAM WORD..."`, without quotes.
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char **argv) {
    char *words[20], *state = NULL;
    int count = 0;
    if (argc > 3 && !strcmp(argv[2], "--")) argv++; // musl's popen and system
    if (argc < 3 || strcmp(argv[1], "-c") != 0) return 2;
    for (char *word = strtok_r(argv[2], " ", &state); word; word = strtok_r(NULL, " ", &state))
        words[count++] = word;
    words[count] = NULL;
    execvp(words[0], words);
    return errno == ENOENT ? 127 : 126;
}
