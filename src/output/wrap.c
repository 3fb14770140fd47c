#include "output/wrap.h"

#include <string.h>

#define CONTINUED 4u // further indentation of the continuation of a line

// Returns the number of bytes of the escape sequence at `at`; 0: there is none.
static size_t escape_size(const char *at) {
    if (at[0] != '\033' || at[1] != '[') return 0;
    size_t size = 2 + strcspn(at + 2, "m\n");
    return size + (at[size] == 'm');
}

// Whether this byte of UTF-8 is not the first one of its character.
static bool continues(char c) { return ((unsigned char)c & 0xc0) == 0x80; }

static bool is_copied(const char *line, size_t length) {
    static const char *const marks[] = {"next: ", "to see it:", "report: ", " | "};
    for (size_t i = 0; i < COUNT(marks); i++)
        if (memmem(line, length, marks[i], strlen(marks[i]))) return true;
    return false;
}

// Returns the bytes of the line that fit, up to a space: `length` if all do, or if there is no space to break at.
static size_t fitting(const char *line, size_t length, size_t indent, unsigned columns) {
    size_t space = 0;
    unsigned width = 0;
    for (size_t i = 0, escape; i < length; i++) {
        if ((escape = escape_size(line + i))) {
            i += escape - 1;
            continue;
        }
        if (line[i] == ' ' && i > indent) space = i;
        if (!continues(line[i])) width++;
        if (width > columns && space) return space;
    }
    return length;
}

static void add_line(struct text *to, const char *line, size_t length, unsigned columns) {
    size_t indent = strspn(line, " ");
    if (is_copied(line, length) || indent + 2 * CONTINUED > columns) {
        text_add_bytes(to, line, length);
        return;
    }
    size_t part = fitting(line, length, indent, columns);
    text_add_bytes(to, line, part);
    unsigned rest = columns - (unsigned)indent - CONTINUED;
    while (part < length) {
        line += part + 1;
        length -= part + 1;
        part = fitting(line, length, 0, rest);
        text_add(to, "\n%*s", (int)(indent + CONTINUED), "");
        text_add_bytes(to, line, part);
    }
}

void wrap_add(struct text *to, const char *text, unsigned columns) {
    while (*text) {
        size_t length = strcspn(text, "\n");
        add_line(to, text, length, columns);
        text += length;
        if (*text) text_add_bytes(to, text++, 1);
    }
}
