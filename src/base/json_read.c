// The reader: recursive descent over RFC 8259.
#include "base/arena.h"
#include "base/json.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define DEEPEST 200 // limit of nesting, against hostile files

struct json_reader {
    struct arena *arena;
    const char *start, *at, *end;
    const char *error;
    unsigned depth;
};

static bool fail(struct json_reader *reader, const char *error) {
    if (!reader->error) reader->error = error;
    return false;
}

static void skip_blanks(struct json_reader *reader) {
    while (reader->at < reader->end && memchr(" \t\r\n", *reader->at, 4)) reader->at++;
}

static bool take(struct json_reader *reader, char c) {
    skip_blanks(reader);
    if (reader->at == reader->end || *reader->at != c) return false;
    reader->at++;
    return true;
}

static bool take_word(struct json_reader *reader, const char *word) {
    size_t length = strlen(word);
    if ((size_t)(reader->end - reader->at) < length || memcmp(reader->at, word, length) != 0) return false;
    reader->at += length;
    return true;
}

static int hex_digit(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

static bool read_unit(struct json_reader *reader, uint32_t *unit) {
    *unit = 0;
    if (reader->end - reader->at < 4) return fail(reader, "an escape is cut off");
    for (int i = 0; i < 4; i++) {
        int digit = hex_digit(*reader->at++);
        if (digit < 0) return fail(reader, "\\u needs four hexadecimal digits");
        *unit = *unit << 4 | (uint32_t)digit;
    }
    return true;
}

static char *put_utf8(char *to, uint32_t c) {
    if (c < 0x80) {
        *to++ = (char)c;
    } else if (c < 0x800) {
        *to++ = (char)(0xc0 | c >> 6);
        *to++ = (char)(0x80 | (c & 63));
    } else if (c < 0x10000) {
        *to++ = (char)(0xe0 | c >> 12);
        *to++ = (char)(0x80 | (c >> 6 & 63));
        *to++ = (char)(0x80 | (c & 63));
    } else {
        *to++ = (char)(0xf0 | c >> 18);
        *to++ = (char)(0x80 | (c >> 12 & 63));
        *to++ = (char)(0x80 | (c >> 6 & 63));
        *to++ = (char)(0x80 | (c & 63));
    }
    return to;
}

static bool read_escape(struct json_reader *reader, char **to) {
    static const char from[] = "\"\\/bfnrt", into[] = "\"\\/\b\f\n\r\t";
    if (reader->at == reader->end) return fail(reader, "an escape is cut off");
    char c = *reader->at++;
    const char *known = c ? strchr(from, c) : NULL;
    if (known) {
        *(*to)++ = into[known - from];
        return true;
    }
    uint32_t unit, low;
    if (c != 'u') return fail(reader, "there is no such escape");
    if (!read_unit(reader, &unit)) return false;
    if (unit >= 0xd800 && unit < 0xdc00 && take_word(reader, "\\u")) {
        if (!read_unit(reader, &low)) return false;
        if (low < 0xdc00 || low > 0xdfff) return fail(reader, "half a surrogate pair");
        unit = 0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00);
    }
    *to = put_utf8(*to, unit);
    return true;
}

static bool read_string(struct json_reader *reader, const char **text, size_t *size) {
    if (!take(reader, '"')) return fail(reader, "a string is expected");
    const char *end = reader->at;
    while (end < reader->end && *end != '"') end += *end == '\\' && end + 1 < reader->end ? 2 : 1;
    if (end >= reader->end) return fail(reader, "a string has no end");
    char *copy = arena_alloc(reader->arena, (size_t)(end - reader->at) + 1),
         *to = copy; // decoding escapes never makes the text longer
    while (reader->at < reader->end && *reader->at != '"') {
        if ((unsigned char)*reader->at < 0x20) return fail(reader, "a control character in a string");
        if (*reader->at != '\\') {
            *to++ = *reader->at++;
            continue;
        }
        reader->at++;
        if (!read_escape(reader, &to)) return false;
    }
    reader->at++;
    *to = 0;
    *text = copy;
    *size = (size_t)(to - copy);
    return true;
}

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

static bool read_digits(struct json_reader *reader) {
    if (reader->at == reader->end || !is_digit(*reader->at)) return fail(reader, "a digit is expected");
    while (reader->at < reader->end && is_digit(*reader->at)) reader->at++;
    return true;
}

static bool read_number(struct json_reader *reader, struct json_value *value) {
    const char *start = reader->at;
    value->kind = JSON_NUMBER;
    take_word(reader, "-");
    if (!take_word(reader, "0") && !read_digits(reader)) return false;
    if (take_word(reader, ".") && !read_digits(reader)) return false;
    if (take_word(reader, "e") || take_word(reader, "E")) {
        if (!take_word(reader, "+")) take_word(reader, "-");
        if (!read_digits(reader)) return false;
    }
    value->size = (size_t)(reader->at - start);
    char *copy = arena_alloc(reader->arena, value->size + 1);
    memcpy(copy, start, value->size);
    value->text = copy;
    return true;
}

static bool read_value(struct json_reader *reader, struct json_value *value);

static bool read_items(struct json_reader *reader, struct json_value *list, char close) {
    struct json_value **last = &list->first;
    if (take(reader, close)) return true;
    do {
        struct json_value *item = ARENA_NEW(reader->arena, struct json_value);
        const char *key = NULL;
        size_t size;
        if (close == '}') {
            if (!read_string(reader, &key, &size)) return false;
            if (!take(reader, ':')) return fail(reader, "':' is expected");
        }
        if (!read_value(reader, item)) return false;
        item->key = key;
        *last = item;
        last = &item->next;
        list->count++;
    } while (take(reader, ','));
    return take(reader, close) ||
           fail(reader, close == '}' ? "',' or '}' is expected" : "',' or ']' is expected");
}

static bool read_value(struct json_reader *reader, struct json_value *value) {
    skip_blanks(reader);
    if (reader->at == reader->end) return fail(reader, "a value is expected");
    char c = *reader->at;
    if (c == '{' || c == '[') {
        if (++reader->depth > DEEPEST) return fail(reader, "too deep");
        reader->at++;
        value->kind = c == '{' ? JSON_OBJECT : JSON_ARRAY;
        bool good = read_items(reader, value, c == '{' ? '}' : ']');
        reader->depth--;
        return good;
    }
    if (c == '"') {
        value->kind = JSON_STRING;
        return read_string(reader, &value->text, &value->size);
    }
    if (take_word(reader, "true")) return value->kind = JSON_TRUE, true;
    if (take_word(reader, "false")) return value->kind = JSON_FALSE, true;
    if (take_word(reader, "null")) return value->kind = JSON_NULL, true;
    if (c == '-' || is_digit(c)) return read_number(reader, value);
    return fail(reader, "a value is expected");
}

const struct json_value *json_parse(struct arena *arena, const char *text, size_t size, const char **error,
                                    size_t *offset) {
    struct json_reader reader = {.arena = arena, .start = text, .at = text, .end = text + size};
    struct json_value *value = ARENA_NEW(arena, struct json_value);
    bool good = read_value(&reader, value);
    skip_blanks(&reader);
    if (good && reader.at != reader.end) good = fail(&reader, "something follows the value");
    *error = reader.error;
    *offset = (size_t)(reader.at - text);
    return good ? value : NULL;
}

const struct json_value *json_get(const struct json_value *object, const char *key) {
    if (!object || object->kind != JSON_OBJECT) return NULL;
    json_each(item, object) if (!strcmp(item->key, key)) return item;
    return NULL;
}

const char *json_get_text(const struct json_value *object, const char *key, const char *otherwise) {
    const struct json_value *value = json_get(object, key);
    return value && value->kind == JSON_STRING ? value->text : otherwise;
}

uint64_t json_number_value(const struct json_value *value, uint64_t otherwise) {
    if (!value || value->kind != JSON_NUMBER || value->text[0] == '-') return otherwise;
    errno = 0;
    char *end;
    uint64_t number = strtoull(value->text, &end, 10);
    return errno || *end ? otherwise : number;
}

uint64_t json_get_number(const struct json_value *object, const char *key, uint64_t otherwise) {
    return json_number_value(json_get(object, key), otherwise);
}

bool json_get_bool(const struct json_value *object, const char *key, bool otherwise) {
    const struct json_value *value = json_get(object, key);
    if (!value || (value->kind != JSON_TRUE && value->kind != JSON_FALSE)) return otherwise;
    return value->kind == JSON_TRUE;
}

double json_real_value(const struct json_value *value, double otherwise) {
    return value && value->kind == JSON_NUMBER ? strtod(value->text, NULL) : otherwise;
}
