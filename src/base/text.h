// A string that grows: `struct text t = {0};  text_add(&t, "%d", 3);  t.at;  text_free(&t);`
#ifndef TAMAR_TEXT_H
#define TAMAR_TEXT_H

#include "base/base.h"

#include <stdio.h>

struct text {
    char *at; // NUL-terminated when not NULL
    size_t count, capacity;
};

void text_grow(struct text *text, size_t extra); // room for so many more bytes and a NUL
void text_add(struct text *text, const char *format, ...) PRINTF(2, 3);
void text_add_bytes(struct text *text, const void *bytes, size_t count);
// Room for `count` more bytes at the end: the caller writes them there, and a NUL after them, and adds to text->count.
static inline char *text_room(struct text *text, size_t count) {
    if (text->count + count >= text->capacity) text_grow(text, count);
    return text->at + text->count;
}
// As C writes it: printable bytes stand for themselves, the others become escapes. No quotes around it.
void text_add_escaped(struct text *text, const void *bytes, size_t count);
// For a terminal: printable text in UTF-8, newlines and tabs stand for themselves, everything else becomes an octal escape (\033).
// Text that comes from a program, a file or an option goes through here before it is shown.
void text_add_shown(struct text *text, const void *bytes, size_t count);
// The same on one line: newlines and tabs become escapes, too.
void text_add_line(struct text *text, const void *bytes, size_t count);
// Prints the text as text_add_shown has it.
void text_put_shown(const struct text *text, FILE *to);
// text_add_line into an array, cut where that is full: for messages that must not allocate. Ends with a NUL.
void text_show(char *to, size_t room, const char *string);
bool text_is_utf8(const char *text);
// As JSON writes it, with the quotes; bytes that are no UTF-8 become \u00XX.
void text_add_json(struct text *text, const char *string);
void text_clear(struct text *text);
void text_free(struct text *text);

#endif
