// Knuth, Morris and Pratt: a symbolic pattern of four characters in a text of 24 known ones.
// paths: 74
// options: --sym-stdin 4
#include <stdio.h>
#include <string.h>
#include <tamar.h>

int main(void) {
    static const char text[] = "abacababacabacababababca";
    char pattern[4];
    int failure[5] = {-1};
    if (fread(pattern, 1, sizeof pattern, stdin) != sizeof pattern) return 1;
    for (int i = 0, k = -1; i < 4; failure[++i] = ++k)
        while (k >= 0 && pattern[i] != pattern[k]) k = failure[k];
    for (int i = 0, k = 0; text[i]; i++) {
        while (k >= 0 && text[i] != pattern[k]) k = failure[k];
        if (++k == 4) return 2;
    }
    return 0;
}
