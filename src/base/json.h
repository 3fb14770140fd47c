// JSON out and in.
//
//     struct text text = {0};
//     struct json json = {.to = &text};
//     json_open(&json, '{');  json_key(&json, "paths");  json_number(&json, 3);  json_close(&json, '}');
//
// The writer puts the commas and the layout; it trusts its caller to open and close in pairs. Strings of any
// bytes come out as valid JSON. The reader makes a tree in an arena and refuses what is not JSON.
#ifndef TAMAR_JSON_H
#define TAMAR_JSON_H

#include "base/text.h"

struct arena;

struct json {
    struct text *to;
    unsigned depth;
    bool filled;   // something stands before, in the innermost brackets
    bool keyed;    // a key was just written: its value follows on the same line
    unsigned flat; // the depth from which on everything stays on one line; 0: nowhere
};

void json_open(struct json *json, char bracket); // '{' or '['
// As json_open, but everything inside stays on one line.
void json_open_flat(struct json *json, char bracket);
void json_close(struct json *json, char bracket); // '}' or ']'
void json_key(struct json *json, const char *key);
void json_string(struct json *json, const char *value); // NULL: null
void json_number(struct json *json, uint64_t value);
void json_integer(struct json *json, int64_t value);
void json_real(struct json *json, double value); // not finite: null
void json_bool(struct json *json, bool value);
// Two lower-case digits for each byte.
void json_hex(struct json *json, const void *bytes, size_t size);
// The printable form: a string in which other bytes are escaped as C writes them.
void json_printable(struct json *json, const void *bytes, size_t size);

// Key and value in one call.
#define json_field(json, kind, key, ...) (json_key(json, key), json_##kind(json, __VA_ARGS__))

enum json_kind { JSON_NULL, JSON_FALSE, JSON_TRUE, JSON_NUMBER, JSON_STRING, JSON_ARRAY, JSON_OBJECT };

struct json_value {
    enum json_kind kind;
    const char *key;  // in an object
    const char *text; // of a string, NUL-terminated; or the digits of a number
    size_t size;      // of the text
    struct json_value *first, *next;
    uint32_t count; // of the items
};

// NULL when the text is no JSON; *error then says what is wrong and *place where (a byte offset).
const struct json_value *json_parse(struct arena *arena, const char *text, size_t size, const char **error,
                                    size_t *place);
// The member of an object, NULL when there is none. A NULL value gives the otherwise of the getters below.
const struct json_value *json_get(const struct json_value *object, const char *key);
const char *json_get_text(const struct json_value *object, const char *key, const char *otherwise);
uint64_t json_get_number(const struct json_value *object, const char *key, uint64_t otherwise);
bool json_get_bool(const struct json_value *object, const char *key, bool otherwise);
double json_real_value(const struct json_value *value, double otherwise);
uint64_t json_number_value(const struct json_value *value, uint64_t otherwise);
// A value as it was read, written again.
void json_copy(struct json *json, const struct json_value *value);

#define json_each(item, list)                                                                                \
    for (const struct json_value *item = (list) ? (list)->first : NULL; item; item = item->next)

#endif
