#include "base/text.h"

#include "base/alloc.h"

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

#define USUAL_LENGTH 64u // formatted text is seldom longer

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

bool text_ends_with(const char *name, const char *end) {
    size_t length = strlen(name), own = strlen(end);
    return length > own && !strcmp(name + length - own, end);
}

bool text_is_utf8(const char *text) {
    const unsigned char *p = (const unsigned char *)text;
    while (*p) {
        unsigned length = utf8_length(p);
        if (!length) return false;
        p += length;
    }
    return true;
}

// Whether a well-formed sequence must not reach a terminal: control characters (C0, C1), bidirectional controls.
static bool is_control(const unsigned char *p, unsigned length) {
    if (length == 1) return p[0] < 32 || p[0] == 127;
    if (length == 2) return p[0] == 0xc2 && p[1] < 0xa0;
    if (length != 3 || p[0] != 0xe2) return false;
    return (p[1] == 0x80 && ((p[2] >= 0xaa && p[2] <= 0xae) || p[2] == 0x8e || p[2] == 0x8f)) ||
           (p[1] == 0x81 && p[2] >= 0xa6 && p[2] <= 0xa9);
}

// Writes one character, escaped if necessary, to `shown`. Returns how many of the `left` bytes it consumed.
static unsigned show_one(const unsigned char *p, size_t left, bool lines, char shown[8]) {
    unsigned char at[4] = {0};
    memcpy(at, p, MIN(left, sizeof at));
    unsigned length = utf8_length(at);
    if (!length || length > left || (is_control(at, length) && !(lines && (*p == '\n' || *p == '\t')))) {
        const char *named = *p && length == 1 ? strchr("\nn\tt\rr", *p) : NULL;
        if (named)
            snprintf(shown, 8, "\\%c", named[1]);
        else
            snprintf(shown, 8, "\\%03o", *p);
        return 1;
    }
    memcpy(shown, at, length);
    shown[length] = 0;
    return length;
}

static void add_shown(struct text *text, const void *bytes, size_t count, bool lines) {
    const unsigned char *p = bytes, *end = count ? p + count : p; // NULL if there are none
    char shown[8];
    while (p < end) {
        p += show_one(p, (size_t)(end - p), lines, shown);
        text_add_bytes(text, shown, strlen(shown));
    }
}

void text_add_shown(struct text *text, const void *bytes, size_t count) {
    add_shown(text, bytes, count, true);
}
void text_add_line(struct text *text, const void *bytes, size_t count) {
    add_shown(text, bytes, count, false);
}

void text_put_shown(const struct text *text, FILE *to) {
    struct text shown = {0};
    text_add_shown(&shown, text->at, text->count);
    fwrite(shown.at ? shown.at : "", 1, shown.count, to);
    text_free(&shown);
}

void text_show(char *to, size_t room, const char *string) {
    const unsigned char *p = (const unsigned char *)string, *end = p + strlen(string);
    char shown[8];
    size_t used = 0;
    assert(room);
    while (p < end) {
        p += show_one(p, (size_t)(end - p), false, shown);
        if (used + strlen(shown) >= room) break;
        memcpy(to + used, shown, strlen(shown));
        used += strlen(shown);
    }
    to[used] = 0;
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
