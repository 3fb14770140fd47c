// A writer and a reader of JSON.
//
//     struct text text = {0};
//     struct json json = {.to = &text};
//     json_open(&json, '{');  json_key(&json, "paths");  json_number(&json, 3);  json_close(&json, '}');
//
// The writer adds commas and layout; the caller must open and close in pairs. Strings of any bytes are written as valid
// JSON. The reader builds a tree in an arena and rejects invalid JSON.
#ifndef TAMAR_JSON_H
#define TAMAR_JSON_H

#include "base/text.h"

struct arena;

struct json {
    struct text *to;
    unsigned depth;
    bool filled;   // the innermost brackets already have an item
    bool keyed;    // a key was just written: its value follows on the same line
    unsigned flat; // depth from which on everything is written on one line; 0: none
};

void json_open(struct json *json, char bracket); // '{' or '['
// As json_open, but everything inside is written on one line.
void json_open_flat(struct json *json, char bracket);
void json_close(struct json *json, char bracket); // '}' or ']'
void json_key(struct json *json, const char *key);
void json_string(struct json *json, const char *value); // NULL: null
void json_number(struct json *json, uint64_t value);
void json_integer(struct json *json, int64_t value);
void json_real(struct json *json, double value); // not finite: null
void json_bool(struct json *json, bool value);
// A string with two lower-case hexadecimal digits for each byte.
void json_hex(struct json *json, const void *bytes, size_t size);
// A string in which bytes that are not printable are escaped as in C.
void json_printable(struct json *json, const void *bytes, size_t size);

// Key and value in one call.
#define json_field(json, kind, key, ...) (json_key(json, key), json_##kind(json, __VA_ARGS__))

enum json_kind { JSON_NULL, JSON_FALSE, JSON_TRUE, JSON_NUMBER, JSON_STRING, JSON_ARRAY, JSON_OBJECT };

struct json_value {
    enum json_kind kind;
    const char *key;  // name of this member of an object; NULL: not a member
    const char *text; // the characters of a string, NUL-terminated, or the digits of a number
    size_t size;      // length of `text`
    struct json_value *first, *next;
    uint32_t count; // number of items
};

// Parses the text into the arena. NULL: not valid JSON; *error is then the cause and *offset the byte offset.
const struct json_value *json_parse(struct arena *arena, const char *text, size_t size, const char **error,
                                    size_t *offset);
// The member of an object, or NULL if there is none. The getters below return `otherwise` for a NULL value, or for one
// of another kind.
const struct json_value *json_get(const struct json_value *object, const char *key);
const char *json_get_text(const struct json_value *object, const char *key, const char *otherwise);
uint64_t json_get_number(const struct json_value *object, const char *key, uint64_t otherwise);
bool json_get_bool(const struct json_value *object, const char *key, bool otherwise);
double json_real_value(const struct json_value *value, double otherwise);
uint64_t json_number_value(const struct json_value *value, uint64_t otherwise);
// Writes a value that was read.
void json_copy(struct json *json, const struct json_value *value);

#define json_each(item, list)                                                                                \
    for (const struct json_value *item = (list) ? (list)->first : NULL; item; item = item->next)

#endif
