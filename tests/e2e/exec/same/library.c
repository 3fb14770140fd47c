// RUN: same-as-native %tamar %s </dev/null
// REQUIRES: exec
// The C library's everyday functions.
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

int main(int argc, char **argv) {
    int numbers[100];
    unsigned state = 12345;
    for (int i = 0; i < 100; i++)
        state = state * 1103515245u + 12345u, numbers[i] = (int)(state >> 16) % 1000;
    qsort(numbers, 100, sizeof numbers[0], compare);
    for (int i = 0; i < 100; i++) printf("%d%c", numbers[i], i % 20 == 19 ? '\n' : ' ');
    int key = numbers[37], *found = bsearch(&key, numbers, 100, sizeof numbers[0], compare);
    printf("%d\n", *found == key);
    printf("[%5d|%-5d|%05d|%+d|%x|%#o|%c|%10.3s|%-6s|%%|%lld|%zu]\n", 42, 42, 42, 42, 255u, 8u, 'z', "abcdef",
           "ab", LLONG_MIN, sizeof numbers);
    printf("[%f|%.3e|%g|%10.2f|%-8.1f|%G]\n", 3.14159, 31415.9, 0.0001, 2.5, 2.25, 1e20);
    char text[100], *end;
    snprintf(text, sizeof text, "%s-%04d-%s", "begin", 7, "end");
    printf("%s %zu %s %s\n", text, strlen(text), strchr(text, '-'), strstr(text, "07"));
    printf("%ld %ld %lu %g\n", strtol("  -123abc", &end, 10), strtol("0x1f", 0, 0), strtoul("777", 0, 8),
           strtod("2.5e3x", 0));
    printf("%s %d\n", end, (strtol("99999999999999999999", 0, 10), errno == ERANGE));
    char copy[] = "one,two;;three", *save;
    for (char *word = strtok_r(copy, ",;", &save); word; word = strtok_r(0, ",;", &save))
        printf("<%s>", word);
    int a = 0, b = 0;
    char w[10];
    printf(" %d", sscanf("12 abc 0x1A", "%d %9s %i", &a, w, &b));
    printf(" %d %s %d\n", a, w, b);
    for (int c = 0; c < 128; c++)
        putchar('A' + (!!isalpha(c) + 2 * !!isdigit(c) + 4 * !!isspace(c) + 8 * !!ispunct(c))),
            c % 64 == 63 && putchar('\n');
    printf("%d %d %d\n", strcmp("abc", "abd") < 0, strncmp("abc", "abd", 2), memcmp("a\0c", "a\0b", 3) > 0);
    printf("%d %d\n", abs(-5), atoi("42"));
    return 0;
}
