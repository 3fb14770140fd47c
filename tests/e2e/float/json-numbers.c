// A JSON parser with numbers, on ten symbolic bytes: finds two numbers with a given sum.
// RUN: rm -rf %t.out
// RUN: status 1 %tamar run --sym-stdin 10 --max-time 300 --max-tests 1 --emit errors --out %t.out %s | FileCheck %s
// RUN: %tamar replay %t.out | FileCheck --check-prefix=REPLAY %s
// REQUIRES: run, replay
// CHECK: abort {{.*}}json-numbers.c:[[#@LINE+66]]
// REPLAY: as predicted
#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct parser {
    const char *at;
    double sum;
    int numbers, depth;
};

static bool value(struct parser *p);

static bool skip(struct parser *p, char c) {
    if (*p->at != c) return false;
    p->at++;
    return true;
}

static bool number(struct parser *p) {
    char *end;
    if (*p->at != '-' && !isdigit((unsigned char)*p->at)) return false;
    p->sum += strtod(p->at, &end);
    p->at = end;
    p->numbers++;
    return true;
}

static bool string(struct parser *p) {
    if (!skip(p, '"')) return false;
    while (*p->at && *p->at != '"') p->at += *p->at == '\\' && p->at[1] ? 2 : 1;
    return skip(p, '"');
}

static bool list(struct parser *p, char last) {
    bool is_object = last == '}';
    p->at++;
    if (*p->at == last) return p->at++, true;
    for (;; p->at++) {
        if (is_object && (!string(p) || !skip(p, ':'))) return false;
        if (!value(p)) return false;
        if (*p->at != ',') break;
    }
    return skip(p, last);
}

static bool value(struct parser *p) {
    bool good;
    if (++p->depth > 3) return false;
    switch (*p->at) {
    case '[': good = list(p, ']'); break;
    case '{': good = list(p, '}'); break;
    case '"': good = string(p); break;
    default: good = number(p);
    }
    p->depth--;
    return good;
}

int main(void) {
    char text[11] = "";
    struct parser p = {.at = text};
    if (read(0, text, 10) != 10 || !value(&p) || *p.at) return 0;
    if (p.numbers == 2 && p.sum == 4.5) abort();
    return 0;
}
