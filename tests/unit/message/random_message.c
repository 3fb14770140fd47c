#include "random_message.h"

#include <string.h>

static const char *random_text(struct random *random, struct arena *arena) {
    uint32_t length = (uint32_t)random_below(random, 12);
    char *text = arena_alloc(arena, length + 1);
    for (uint32_t i = 0; i < length; i++) text[i] = (char)(1 + random_below(random, 255));
    return text;
}

static uint64_t random_size(struct random *random) { return random_next(random) >> random_below(random, 64); }

static void *random_bytes(struct random *random, struct arena *arena, uint32_t count) {
    uint8_t *bytes = arena_alloc(arena, count + 1);
    for (uint32_t i = 0; i < count; i++) bytes[i] = (uint8_t)random_next(random);
    return bytes;
}

static void *random_numbers(struct random *random, struct arena *arena, uint32_t count, bool ascend) {
    uint32_t *numbers = ARENA_ARRAY(arena, uint32_t, count);
    bool small = random_below(random, 2);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t most = small ? 256 : 1u << 26;
        numbers[i] = (uint32_t)random_below(random, most);
        if (ascend && i) numbers[i] += numbers[i - 1] + 1;
    }
    return numbers;
}

static const void *random_items(struct random *random, struct arena *arena, const struct field *field,
                                uint32_t count) {
    switch (field->kind) {
    case FIELD_BYTES:
    case FIELD_SHARED_BYTES: return random_bytes(random, arena, count);
    case FIELD_TEXTS: {
        const char **texts = ARENA_ARRAY(arena, const char *, count + 1);
        for (uint32_t i = 0; i < count; i++) texts[i] = random_text(random, arena);
        return texts;
    }
    case FIELD_MANY:
    case FIELD_SHARED_MANY: {
        char *structs = arena_alloc(arena, (size_t)count * field->of->size);
        for (uint32_t i = 0; i < count; i++)
            random_struct(random, arena, field->of, NULL, structs + (size_t)i * field->of->size);
        return structs;
    }
    default: return random_numbers(random, arena, count, field->kind == FIELD_SET);
    }
}

static size_t item_size(const struct field *field) {
    switch (field->kind) {
    case FIELD_BYTES:
    case FIELD_SHARED_BYTES: return 1;
    case FIELD_TEXTS: return sizeof(char *);
    case FIELD_MANY:
    case FIELD_SHARED_MANY: return field->of->size;
    default: return sizeof(uint32_t);
    }
}

// Fills a list with random items, some of them copied from `like`: a prefix of its items, or any of them.
static void random_list(struct random *random, struct arena *arena, const struct field *field,
                        const void *like, void *value) {
    uint32_t count = (uint32_t)random_below(random, random_below(random, 8) ? 6 : 40);
    char *items = (char *)random_items(random, arena, field, count);
    uint32_t known = like ? MIN(count, field_count(field, like)) : 0;
    bool begins = random_below(random, 2);
    size_t size = item_size(field);
    for (uint32_t i = 0; i < known && field->kind >= FIELD_SHARED_NUMBERS; i++) {
        bool taken = begins ? i < known / 2 : random_below(random, 3) > 0;
        if (taken) memcpy(items + i * size, (const char *)field_items(field, like) + i * size, size);
    }
    *(const void **)((char *)value + field->at) = items;
    *(uint32_t *)((char *)value + field->count_at) = count;
}

static void random_field(struct random *random, struct arena *arena, const struct field *field,
                         const void *like, void *value) {
    void *at = (char *)value + field->at;
    switch (field->kind) {
    case FIELD_FLAG: *(bool *)at = random_below(random, 2); break;
    case FIELD_NUMBER: *(uint32_t *)at = (uint32_t)random_size(random); break;
    case FIELD_LONG: *(uint64_t *)at = random_size(random); break;
    case FIELD_INTEGER: *(int *)at = (int)(uint32_t)random_size(random); break;
    case FIELD_REAL: *(double *)at = (double)random_size(random) / 3; break;
    case FIELD_ENUM: *(unsigned *)at = (unsigned)random_below(random, field->values); break;
    case FIELD_TEXT: *(const char **)at = random_below(random, 8) ? random_text(random, arena) : NULL; break;
    case FIELD_ONE: random_struct(random, arena, field->of, NULL, at); break;
    default: random_list(random, arena, field, like, value);
    }
}

void random_struct(struct random *random, struct arena *arena, const struct layout *layout, const void *like,
                   void *value) {
    for (uint32_t i = 0; i < layout->field_count; i++)
        random_field(random, arena, &layout->fields[i], like, value);
}

void random_change(struct random *random, struct arena *arena, const struct layout *layout, uint32_t index,
                   void *value) {
    struct layout alone = {layout->name, layout->size, &layout->fields[index], 1};
    void *before = arena_alloc(arena, layout->size);
    layout_copy(&alone, arena, value, before);
    do random_field(random, arena, &layout->fields[index], NULL, value);
    while (layout_equal(&alone, before, value));
}
