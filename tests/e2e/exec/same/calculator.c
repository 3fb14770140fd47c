// RUN: echo "3 + 4 * (2 - 7) / 2 - -1" | same-as-native %tamar %s
// RUN: echo "1 / (3 - 3)" | same-as-native %tamar %s
// RUN: echo "2 * (3" | same-as-native %tamar %s
// REQUIRES: exec
// A small ordinary program: reads a line, parses, evaluates, prints errors.
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

static char line[200], *at;

static long expression(void);
static void complain(const char *what) {
    printf("column %d: %s\n", (int)(at - line), what);
    exit(3);
}
static void skip(void) {
    while (isspace((unsigned char)*at)) at++;
}
static long factor(void) {
    skip();
    if (*at == '-') return at++, -factor();
    if (*at == '(') {
        at++;
        long value = expression();
        skip();
        if (*at != ')') complain("no )");
        at++;
        return value;
    }
    if (!isdigit((unsigned char)*at)) complain("no number");
    return strtol(at, &at, 10);
}
static long term(void) {
    long value = factor();
    for (skip(); *at == '*' || *at == '/'; skip())
        if (*at++ == '*') {
            value *= factor();
        } else {
            long by = factor();
            if (!by) complain("division by zero");
            value /= by;
        }
    return value;
}
static long expression(void) {
    long value = term();
    for (skip(); *at == '+' || *at == '-'; skip())
        if (*at++ == '+')
            value += term();
        else
            value -= term();
    return value;
}

int main(void) {
    if (!fgets(line, sizeof line, stdin)) return 1;
    at = line;
    printf("%ld\n", expression());
    return 0;
}
