#include "message/layout.h"

#include "base/arena.h"
#include "base/hash.h"

#include <string.h>

// ---- comparison

static bool same_text(const char *a, const char *b) { return a && b ? !strcmp(a, b) : a == b; }

static bool same_texts(const char *const *a, const char *const *b, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        if (!same_text(a[i], b[i])) return false;
    return true;
}

static bool same_many(const struct layout *of, const char *a, const char *b, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        if (!layout_equal(of, a + (size_t)i * of->size, b + (size_t)i * of->size)) return false;
    return true;
}

static size_t scalar_size(enum field_kind kind) {
    switch (kind) {
    case FIELD_FLAG: return sizeof(bool);
    case FIELD_NUMBER: return sizeof(uint32_t);
    case FIELD_INTEGER: return sizeof(int);
    case FIELD_ENUM: return sizeof(unsigned);
    case FIELD_LONG: return sizeof(uint64_t);
    case FIELD_REAL: return sizeof(double);
    default: return 0;
    }
}

static bool same_items(const struct field *field, const void *a, const void *b) {
    uint32_t count = field_count(field, a);
    const void *x = field_items(field, a), *y = field_items(field, b);
    if (count != field_count(field, b)) return false;
    switch (field->kind) {
    case FIELD_TEXTS: return same_texts(x, y, count);
    case FIELD_MANY:
    case FIELD_SHARED_MANY: return same_many(field->of, x, y, count);
    case FIELD_BYTES:
    case FIELD_SHARED_BYTES: return !count || !memcmp(x, y, count);
    default: return !count || !memcmp(x, y, count * sizeof(uint32_t));
    }
}

static bool same_field(const struct field *field, const void *a, const void *b) {
    const void *x = field_value(field, a), *y = field_value(field, b);
    if (scalar_size(field->kind)) return !memcmp(x, y, scalar_size(field->kind));
    if (field->kind == FIELD_TEXT) return same_text(*(const char *const *)x, *(const char *const *)y);
    if (field->kind == FIELD_ONE) return layout_equal(field->of, x, y);
    return same_items(field, a, b);
}

bool layout_equal(const struct layout *layout, const void *a, const void *b) {
    for (uint32_t i = 0; i < layout->field_count; i++)
        if (!same_field(&layout->fields[i], a, b)) return false;
    return true;
}

// ---- copies

static const char *copy_text(struct arena *arena, const char *text) {
    return text ? arena_strdup(arena, text) : NULL;
}

static const void *copy_items(const struct field *field, struct arena *arena, const void *from,
                              uint32_t count) {
    switch (field->kind) {
    case FIELD_TEXTS: {
        const char *const *texts = from;
        const char **copies = ARENA_ARRAY(arena, const char *, count + 1);
        for (uint32_t i = 0; i < count; i++) copies[i] = copy_text(arena, texts[i]);
        return copies;
    }
    case FIELD_MANY:
    case FIELD_SHARED_MANY: {
        char *copies = arena_alloc(arena, (size_t)count * field->of->size);
        for (uint32_t i = 0; i < count; i++) {
            size_t at = (size_t)i * field->of->size;
            layout_copy(field->of, arena, (const char *)from + at, copies + at);
        }
        return copies;
    }
    case FIELD_BYTES:
    case FIELD_SHARED_BYTES: {
        uint8_t *bytes = arena_alloc(arena, (size_t)count + 1);
        if (count) memcpy(bytes, from, count);
        return bytes;
    }
    default: return arena_memdup(arena, from, count * sizeof(uint32_t));
    }
}

void layout_copy(const struct layout *layout, struct arena *arena, const void *from, void *to) {
    for (uint32_t i = 0; i < layout->field_count; i++) {
        const struct field *field = &layout->fields[i];
        const void *value = field_value(field, from);
        char *at = (char *)to + field->at;
        if (scalar_size(field->kind)) {
            memcpy(at, value, scalar_size(field->kind));
        } else if (field->kind == FIELD_ONE) {
            layout_copy(field->of, arena, value, at);
        } else if (field->kind == FIELD_TEXT) {
            *(const char **)at = copy_text(arena, *(const char *const *)value);
        } else {
            uint32_t count = field_count(field, from);
            *(uint32_t *)((char *)to + field->count_at) = count;
            *(const void **)at = copy_items(field, arena, field_items(field, from), count);
        }
    }
}

// ---- the table itself

uint64_t layout_hash(const struct layout *layout, uint64_t seed) {
    uint64_t hash = hash_bytes(layout->name, strlen(layout->name), seed);
    for (uint32_t i = 0; i < layout->field_count; i++) {
        const struct field *field = &layout->fields[i];
        hash = hash_bytes(field->name, strlen(field->name), hash);
        hash = hash_combine(hash_combine(hash, field->kind), field->values);
        if (field->of) hash = layout_hash(field->of, hash);
    }
    return hash;
}
