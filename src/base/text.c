#include "base/text.h"

#include "base/memory.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void text_grow(struct text *text, size_t extra) {
    size_t wanted = text->count + extra + 1;
    if (wanted <= text->capacity) return;
    size_t size = MAX(wanted, 2 * text->capacity);
    text->at = mem_realloc(text->at, text->capacity, size);
    text->capacity = size;
}

#define USUAL_LENGTH 64u // what is formatted is seldom longer

void text_add(struct text *text, const char *format, ...) {
    if (!strchr(format, '%')) {
        text_add_bytes(text, format, strlen(format));
        return;
    }
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    text_grow(text, USUAL_LENGTH);
    size_t room = text->capacity - text->count;
    int length = vsnprintf(text->at + text->count, room, format, args);
    assert(length >= 0);
    if ((size_t)length >= room) {
        text_grow(text, (size_t)length);
        vsnprintf(text->at + text->count, (size_t)length + 1, format, again);
    }
    text->count += (size_t)length;
    va_end(again);
    va_end(args);
}

void text_add_bytes(struct text *text, const void *bytes, size_t count) {
    text_grow(text, count);
    if (count) memcpy(text->at + text->count, bytes, count);
    text->count += count;
    text->at[text->count] = 0;
}

void text_add_escaped(struct text *text, const void *bytes, size_t count) {
    static const char named[] = "abtnvfr";
    const unsigned char *p = bytes;
    for (size_t i = 0; i < count; i++) {
        if (p[i] == '"' || p[i] == '\\')
            text_add(text, "\\%c", p[i]);
        else if (p[i] >= 7 && p[i] <= 13)
            text_add(text, "\\%c", named[p[i] - 7]);
        else if (p[i] >= 32 && p[i] < 127)
            text_add_bytes(text, &p[i], 1);
        else // three octal digits: unlike \x, they end by themselves
            text_add(text, "\\%03o", p[i]);
    }
}

// The length of the well-formed UTF-8 sequence at p, or 0.
static unsigned utf8_length(const unsigned char *p) {
    unsigned length = p[0] < 0x80                   ? 1
                      : p[0] >= 0xc2 && p[0] < 0xe0 ? 2
                      : p[0] >= 0xe0 && p[0] < 0xf0 ? 3
                      : p[0] >= 0xf0 && p[0] < 0xf5 ? 4
                                                    : 0;
    for (unsigned i = 1; i < length; i++)
        if ((p[i] & 0xc0) != 0x80) return 0;
    if (length == 3 && ((p[0] == 0xe0 && p[1] < 0xa0) || (p[0] == 0xed && p[1] >= 0xa0))) return 0;
    if (length == 4 && ((p[0] == 0xf0 && p[1] < 0x90) || (p[0] == 0xf4 && p[1] >= 0x90))) return 0;
    return length;
}

void text_add_json(struct text *text, const char *string) {
    text_add(text, "\"");
    for (const unsigned char *p = (const unsigned char *)string; *p;) {
        unsigned length = utf8_length(p);
        if (*p == '"' || *p == '\\')
            text_add(text, "\\%c", *p);
        else if (*p == '\n')
            text_add(text, "\\n");
        else if (*p < 32 || *p == 127 || !length)
            text_add(text, "\\u%04x", *p);
        else
            text_add_bytes(text, p, length);
        p += length ? length : 1;
    }
    text_add(text, "\"");
}

void text_clear(struct text *text) {
    text->count = 0;
    if (text->at) text->at[0] = 0;
}

void text_free(struct text *text) {
    mem_free(text->at, text->capacity);
    *text = (struct text){0};
}
