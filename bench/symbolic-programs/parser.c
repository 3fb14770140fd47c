// A recursive-descent parser and evaluator of expressions over 8 symbolic bytes: digits, + - * /, parentheses, blanks.
#include <tamar.h>

#include <ctype.h>

#define SIZE 8

static char text[SIZE + 1];
static const char *next;
static int failed;

static int expression(void);

static void blanks(void) {
    while (*next == ' ') next++;
}

static int factor(void) {
    blanks();
    if (*next == '(') {
        next++;
        int value = expression();
        blanks();
        if (*next != ')') {
            failed = 1;
            return 0;
        }
        next++;
        return value;
    }
    if (*next == '-') {
        next++;
        return -factor();
    }
    if (!isdigit((unsigned char)*next)) {
        failed = 1;
        return 0;
    }
    int value = 0;
    while (isdigit((unsigned char)*next)) value = 10 * value + (*next++ - '0');
    return value;
}

static int product(void) {
    int value = factor();
    for (blanks(); !failed && (*next == '*' || *next == '/'); blanks()) {
        char operator = *next++;
        int other = factor();
        if (failed) return 0;
        if (operator == '*')
            value *= other;
        else if (other)
            value /= other;
        else
            failed = 1;
    }
    return value;
}

static int expression(void) {
    int value = product();
    for (blanks(); !failed && (*next == '+' || *next == '-'); blanks()) {
        char operator = *next++;
        int other = product();
        value = operator == '+' ? value + other : value - other;
    }
    return value;
}

int main(void) {
    tamar_symbolic(text, SIZE, "text");
    text[SIZE] = 0;
    next = text;
    expression();
    return failed || *next;
}
