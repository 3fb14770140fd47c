// String parsing: a scanner and a recursive-descent parser over generated JSON text, similar to those of real
// programs.
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef SIZE
#define SIZE   1500000
#define ROUNDS 140
#endif

static char *text;
static size_t size, capacity;

static void emit(const char *piece) {
    size_t length = strlen(piece);
    if (size + length + 1 > capacity) text = realloc(text, capacity = 2 * (capacity + length));
    memcpy(text + size, piece, length + 1);
    size += length;
}

static unsigned state = 99;
static unsigned next(unsigned bound) {
    state = state * 1103515245u + 12345u;
    return (state >> 16) % bound;
}

static void generate(int depth) {
    char number[40];
    switch (depth ? next(6) : 2 + next(4)) {
    case 0:
        emit("[");
        for (unsigned i = 0, n = next(8) + 2; i < n; i++) emit(i ? ", " : ""), generate(depth - 1);
        emit("]");
        return;
    case 1:
        emit("{");
        for (unsigned i = 0, n = next(6) + 2; i < n; i++) {
            snprintf(number, sizeof number, "%s\"key%u\": ", i ? ",\n  " : "", next(1000));
            emit(number), generate(depth - 1);
        }
        emit("}");
        return;
    case 2: emit(next(2) ? "true" : "false"); return;
    case 3: emit("\"some \\\"quoted\\\" text\\n\""); return;
    case 4: snprintf(number, sizeof number, "%d", (int)next(60000) - 30000), emit(number); return;
    default:
        snprintf(number, sizeof number, "%u.%ue%u", next(100), next(1000), next(9)), emit(number);
        return;
    }
}

static const char *at;
static unsigned long checksum, nodes;

static void fail(const char *what) {
    printf("%s at %ld\n", what, (long)(at - text));
    exit(1);
}
static void note(unsigned long value) { checksum = checksum * 1099511628211u + value, nodes++; }
static void skip(void) {
    while (isspace((unsigned char)*at)) at++;
}
static void string(void) {
    unsigned long hash = 5381;
    for (at++; *at != '"'; at++) {
        if (*at == 0) fail("open string");
        if (*at == '\\') at++;
        hash = hash * 33 + (unsigned char)*at;
    }
    at++;
    note(hash);
}
static void value(void);
static void members(char end, int keys) {
    at++, skip();
    while (*at != end) {
        if (keys) {
            if (*at != '"') fail("no key");
            string(), skip();
            if (*at++ != ':') fail("no colon");
        }
        value(), skip();
        if (*at == ',') at++, skip();
    }
    at++;
}
static void value(void) {
    char *end;
    skip();
    if (*at == '[')
        members(']', 0);
    else if (*at == '{')
        members('}', 1);
    else if (*at == '"')
        string();
    else if (strncmp(at, "true", 4) == 0)
        at += 4, note(1);
    else if (strncmp(at, "false", 5) == 0)
        at += 5, note(0);
    else {
        double number = strtod(at, &end);
        if (end == at) fail("no value");
        at = end;
        note((unsigned long)(long)number);
    }
}

int main(void) {
    text = malloc(capacity = 1 << 16);
    emit("[");
    while (size < SIZE) generate(6), emit(",\n");
    emit("0]");
    for (int round = 0; round < ROUNDS; round++) at = text, value();
    printf("%zu %lu %lx\n", size, nodes, checksum);
    free(text);
    return 0;
}
