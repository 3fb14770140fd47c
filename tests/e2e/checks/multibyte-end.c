// Multibyte strings are read by bytes: bytes past the end of an object are not read.
// RUN: %tamar exec %s | grep "1 1 5 e4 2"
// REQUIRES: exec
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

int main(void) {
    setlocale(LC_ALL, "C.UTF-8");
    char *one = strdup("a"), *more = strdup("abcd\xc3\xa4"), to[8];
    wchar_t wide[8];
    size_t length = mbstowcs(NULL, one, 0), converted = mbstowcs(wide, one, 8);
    const char *at = more;
    mbstate_t state = {0};
    size_t all = mbsrtowcs(wide, &at, 8, &state);
    char *end = memccpy(to, strdup("ab"), 'b', 8);
    printf("%zu %zu %zu %x %d\n", length, converted, all, (unsigned)wide[4], (int)(end - to));
    return 0;
}
