// Table look-ups: a table-driven scanner (character classes, then transitions) over 8 symbolic bytes, as lex generates
// it, and a look-up of the tokens in a small hash table.
#include <tamar.h>

#define SIZE 8

enum { BLANK, DIGIT, LETTER, SIGN, QUOTE, OTHER, CLASSES };
enum { START, NUMBER, NAME, OPERATOR, STRING, CLOSED, ERROR, STATES };

static unsigned char class_of[256];
static const unsigned char next_state[STATES][CLASSES] = {
    [START] = {START, NUMBER, NAME, OPERATOR, STRING, ERROR},
    [NUMBER] = {START, NUMBER, ERROR, OPERATOR, ERROR, ERROR},
    [NAME] = {START, NAME, NAME, OPERATOR, ERROR, ERROR},
    [OPERATOR] = {START, NUMBER, NAME, ERROR, STRING, ERROR},
    [STRING] = {STRING, STRING, STRING, STRING, CLOSED, STRING},
    [CLOSED] = {START, ERROR, ERROR, OPERATOR, STRING, ERROR},
    [ERROR] = {ERROR, ERROR, ERROR, ERROR, ERROR, ERROR},
};

static void make_classes(void) {
    for (int c = 0; c < 256; c++) class_of[c] = OTHER;
    class_of[' '] = class_of['\t'] = class_of['\n'] = BLANK;
    for (int c = '0'; c <= '9'; c++) class_of[c] = DIGIT;
    for (int c = 'a'; c <= 'z'; c++) class_of[c] = class_of[c - 'a' + 'A'] = LETTER;
    class_of['+'] = class_of['-'] = class_of['*'] = class_of['='] = SIGN;
    class_of['"'] = QUOTE;
}

int main(void) {
    unsigned char text[SIZE];
    int tokens[STATES] = {0}, state = START;
    make_classes();
    tamar_symbolic(text, sizeof text, "text");
    for (int i = 0; i < SIZE; i++) {
        int next = next_state[state][class_of[text[i]]];
        if (next == ERROR) return 1;
        if (next != state) tokens[next]++;
        state = next;
    }
    if (state == STRING) return 2;
    return tokens[NUMBER] + tokens[NAME] > 3 ? 3 : 0;
}
