// A string that grows: `struct text t = {0};  text_add(&t, "%d", 3);  t.at;  text_free(&t);`
#ifndef TAMAR_TEXT_H
#define TAMAR_TEXT_H

#include "base/base.h"

#include <stdio.h>

struct text {
    char *at; // NUL-terminated when not NULL
    size_t count, capacity;
};

void text_grow(struct text *text, size_t extra); // reserves capacity for `extra` more bytes and a NUL
void text_add(struct text *text, const char *format, ...) PRINTF(2, 3);
void text_add_bytes(struct text *text, const void *bytes, size_t count);
// Reserves `count` more bytes at the end and returns their address. The caller writes them and a NUL, and adds to
// text->count.
static inline char *text_room(struct text *text, size_t count) {
    if (text->count + count >= text->capacity) text_grow(text, count);
    return text->at + text->count;
}
// Appends the bytes as in a C string, without quotes: bytes that are not printable become escapes.
void text_add_escaped(struct text *text, const void *bytes, size_t count);
// Appends text for a terminal: printable UTF-8, newlines and tabs are kept, other bytes become octal escapes (\033).
// Text from a program, a file or an option must pass through here before it is printed.
void text_add_shown(struct text *text, const void *bytes, size_t count);
// Like text_add_shown, but newlines and tabs become escapes, too: the result is one line.
void text_add_line(struct text *text, const void *bytes, size_t count);
// Prints the text, escaped as by text_add_shown.
void text_put_shown(const struct text *text, FILE *to);
// Like text_add_line, but writes to an array of `room` bytes, truncated and NUL-terminated: for code that must not
// allocate.
void text_show(char *to, size_t room, const char *string);
bool text_is_utf8(const char *text);
// Whether the name has this ending, and something before it.
bool text_ends_with(const char *name, const char *end);
// Appends the text as a JSON string with quotes; bytes that are not valid UTF-8 become \u00XX.
void text_add_json(struct text *text, const char *string);
void text_clear(struct text *text);
void text_free(struct text *text);

#endif
