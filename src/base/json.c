#include "base/json.h"

#include <math.h>
#include <string.h>

static void begin_value(struct json *json) {
    if (json->keyed) {
        json->keyed = false;
        return;
    }
    if (!json->depth) return;
    if (json->filled) text_add(json->to, ",");
    if (json->flat) {
        if (json->filled) text_add(json->to, " ");
    } else {
        text_add(json->to, "\n%*s", 2 * (int)json->depth, "");
    }
    json->filled = true;
}

void json_open(struct json *json, char bracket) {
    assert(bracket == '{' || bracket == '[');
    begin_value(json);
    text_add(json->to, "%c", bracket);
    json->depth++;
    json->filled = false;
}

void json_open_flat(struct json *json, char bracket) {
    json_open(json, bracket);
    if (!json->flat) json->flat = json->depth;
}

void json_close(struct json *json, char bracket) {
    assert(json->depth && !json->keyed);
    if (json->flat && json->flat == json->depth) {
        json->flat = 0;
        json->depth--;
    } else {
        json->depth--;
        if (json->filled && !json->flat) text_add(json->to, "\n%*s", 2 * (int)json->depth, "");
    }
    text_add(json->to, "%c%s", bracket, json->depth ? "" : "\n");
    json->filled = true;
}

void json_key(struct json *json, const char *key) {
    assert(!json->keyed);
    begin_value(json);
    text_add_json(json->to, key);
    text_add(json->to, ": ");
    json->keyed = true;
}

void json_string(struct json *json, const char *value) {
    begin_value(json);
    if (value)
        text_add_json(json->to, value);
    else
        text_add(json->to, "null");
}

void json_number(struct json *json, uint64_t value) {
    begin_value(json);
    text_add(json->to, "%llu", (unsigned long long)value);
}

void json_integer(struct json *json, int64_t value) {
    begin_value(json);
    text_add(json->to, "%lld", (long long)value);
}

void json_real(struct json *json, double value) {
    begin_value(json);
    if (isfinite(value))
        text_add(json->to, "%.6f", value);
    else
        text_add(json->to, "null");
}

void json_bool(struct json *json, bool value) {
    begin_value(json);
    text_add(json->to, value ? "true" : "false");
}

void json_hex(struct json *json, const void *bytes, size_t size) {
    begin_value(json);
    text_add(json->to, "\"");
    for (size_t i = 0; i < size; i++) text_add(json->to, "%02x", ((const uint8_t *)bytes)[i]);
    text_add(json->to, "\"");
}

void json_printable(struct json *json, const void *bytes, size_t size) {
    struct text escaped = {0};
    text_add_escaped(&escaped, bytes, size);
    json_string(json, escaped.at ? escaped.at : "");
    text_free(&escaped);
}

void json_copy(struct json *json, const struct json_value *value) {
    switch (value->kind) {
    case JSON_NULL: json_string(json, NULL); return;
    case JSON_FALSE:
    case JSON_TRUE: json_bool(json, value->kind == JSON_TRUE); return;
    case JSON_STRING: json_string(json, value->text); return;
    case JSON_NUMBER:
        begin_value(json);
        text_add_bytes(json->to, value->text, value->size);
        return;
    case JSON_ARRAY:
    case JSON_OBJECT: break;
    }
    bool object = value->kind == JSON_OBJECT, flat = false;
    json_each(item, value) flat |= item->kind == JSON_NUMBER;
    flat &= !object; // an array of numbers is written on one line, since it may be long
    flat ? json_open_flat(json, '[') : json_open(json, object ? '{' : '[');
    json_each(item, value) {
        if (object) json_key(json, item->key);
        json_copy(json, item);
    }
    json_close(json, object ? '}' : ']');
}
