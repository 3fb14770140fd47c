// Messages are plain structs. The fields of each struct are one table, written as an X-macro. The struct and its layout
// are generated from it; encoder, decoder, comparison and copy use the layout (layout.c, encode.c, decode.c). So none
// of them can miss a field.
//
//     #define POINT_FIELDS(X, T)                                                  \
//         X(T, NUMBER, line, "source line; 0: none")                              \
//         X(T, NUMBERS, columns, column_count, "in their order")
//     LAYOUT_STRUCT(point, POINT_FIELDS)    struct point { uint32_t line; const uint32_t *columns; ... };
//     LAYOUT_TABLE(point, POINT_FIELDS)     const struct layout layout_point = ...
//
// Columns after the kind (the last column describes the field):
//     FLAG NUMBER LONG INTEGER REAL   name              bool, uint32_t, uint64_t, int, double
//     ENUM                            name, tag, count  enum tag, below count
//     TEXT                            name              const char *, or NULL
//     BYTES                           name, size        const uint8_t *, with a NUL after the last one when decoded
//     NUMBERS SET                     name, count       const uint32_t *; a SET ascends
//     TEXTS                           name, count       const char *const *, with a NULL after the last one
//     ONE                             name, tag         struct tag
//     MANY                            name, count, tag  const struct tag *
//     SHARED_NUMBERS SHARED_BYTES SHARED_MANY           as above, encoded as the difference from the same field of the
//                                                       previous message of this kind in the stream
#ifndef TAMAR_MESSAGE_LAYOUT_H
#define TAMAR_MESSAGE_LAYOUT_H

#include "base/base.h"

struct arena;

enum field_kind {
    FIELD_FLAG,
    FIELD_NUMBER,
    FIELD_LONG,
    FIELD_INTEGER,
    FIELD_REAL,
    FIELD_ENUM,
    FIELD_TEXT,
    FIELD_BYTES,
    FIELD_NUMBERS,
    FIELD_SET,
    FIELD_TEXTS,
    FIELD_ONE,
    FIELD_MANY,
    FIELD_SHARED_NUMBERS,
    FIELD_SHARED_BYTES,
    FIELD_SHARED_MANY,
};

struct field {
    const char *name;
    enum field_kind kind;
    uint32_t at;             // offset of the value in the struct
    uint32_t count_at;       // offset of the number of items, for kinds with several items
    uint32_t values;         // number of values of an ENUM
    const struct layout *of; // layout of the struct of ONE and MANY
};

struct layout {
    const char *name;
    uint32_t size; // bytes of the struct
    const struct field *fields;
    uint32_t field_count;
};

// Whether two structs have equal contents.
bool layout_equal(const struct layout *layout, const void *a, const void *b);
// Makes a deep copy in the arena.
void layout_copy(const struct layout *layout, struct arena *arena, const void *from, void *to);
// Returns a hash of the names and kinds of all fields, which distinguishes versions of a table.
uint64_t layout_hash(const struct layout *layout, uint64_t seed);

static inline const void *field_value(const struct field *field, const void *value) {
    return (const char *)value + field->at;
}
static inline uint32_t field_count(const struct field *field, const void *value) {
    return *(const uint32_t *)((const char *)value + field->count_at);
}
static inline const void *field_items(const struct field *field, const void *value) {
    return *(const void *const *)((const char *)value + field->at);
}

#define LAYOUT_STRUCT(T, TABLE)                                                                              \
    struct T {                                                                                               \
        TABLE(LAYOUT_MEMBER, T)                                                                              \
    };                                                                                                       \
    extern const struct layout layout_##T;
#define LAYOUT_TABLE(T, TABLE)                                                                               \
    static const struct field T##_fields[] = {TABLE(LAYOUT_ROW, T)};                                         \
    const struct layout layout_##T = {#T, sizeof(struct T), T##_fields, COUNT(T##_fields)};

#define LAYOUT_MEMBER(T, kind, ...)                 LAYOUT_MEMBER_##kind(__VA_ARGS__)
#define LAYOUT_MEMBER_FLAG(name, what)              bool name;
#define LAYOUT_MEMBER_NUMBER(name, what)            uint32_t name;
#define LAYOUT_MEMBER_LONG(name, what)              uint64_t name;
#define LAYOUT_MEMBER_INTEGER(name, what)           int name;
#define LAYOUT_MEMBER_REAL(name, what)              double name;
#define LAYOUT_MEMBER_ENUM(name, tag, values, what) enum tag name;
#define LAYOUT_MEMBER_TEXT(name, what)              const char *name;
#define LAYOUT_MEMBER_BYTES(name, size, what)                                                                \
    const uint8_t *name;                                                                                     \
    uint32_t size;
#define LAYOUT_MEMBER_NUMBERS(name, count, what)                                                             \
    const uint32_t *name;                                                                                    \
    uint32_t count;
#define LAYOUT_MEMBER_SET(name, count, what)                                                                 \
    const uint32_t *name;                                                                                    \
    uint32_t count;
#define LAYOUT_MEMBER_TEXTS(name, count, what)                                                               \
    const char *const *name;                                                                                 \
    uint32_t count;
#define LAYOUT_MEMBER_ONE(name, tag, what) struct tag name;
#define LAYOUT_MEMBER_MANY(name, count, tag, what)                                                           \
    const struct tag *name;                                                                                  \
    uint32_t count;
#define LAYOUT_MEMBER_SHARED_NUMBERS(name, count, what)                                                      \
    const uint32_t *name;                                                                                    \
    uint32_t count;
#define LAYOUT_MEMBER_SHARED_BYTES(name, size, what)                                                         \
    const uint8_t *name;                                                                                     \
    uint32_t size;
#define LAYOUT_MEMBER_SHARED_MANY(name, count, tag, what)                                                    \
    const struct tag *name;                                                                                  \
    uint32_t count;

#define LAYOUT_ROW(T, K, name, ...)                                                                          \
    {#name, FIELD_##K, offsetof(struct T, name) LAYOUT_ROW_##K(T, __VA_ARGS__)},
#define LAYOUT_ROW_FLAG(T, what)                    , 0, 0, NULL
#define LAYOUT_ROW_NUMBER(T, what)                  , 0, 0, NULL
#define LAYOUT_ROW_LONG(T, what)                    , 0, 0, NULL
#define LAYOUT_ROW_INTEGER(T, what)                 , 0, 0, NULL
#define LAYOUT_ROW_REAL(T, what)                    , 0, 0, NULL
#define LAYOUT_ROW_ENUM(T, tag, values, what)       , 0, values, NULL
#define LAYOUT_ROW_TEXT(T, what)                    , 0, 0, NULL
#define LAYOUT_ROW_BYTES(T, size, what)             , offsetof(struct T, size), 0, NULL
#define LAYOUT_ROW_NUMBERS(T, count, what)          , offsetof(struct T, count), 0, NULL
#define LAYOUT_ROW_SET(T, count, what)              , offsetof(struct T, count), 0, NULL
#define LAYOUT_ROW_TEXTS(T, count, what)            , offsetof(struct T, count), 0, NULL
#define LAYOUT_ROW_ONE(T, tag, what)                , 0, 0, &layout_##tag
#define LAYOUT_ROW_MANY(T, count, tag, what)        , offsetof(struct T, count), 0, &layout_##tag
#define LAYOUT_ROW_SHARED_NUMBERS(T, count, what)   , offsetof(struct T, count), 0, NULL
#define LAYOUT_ROW_SHARED_BYTES(T, size, what)      , offsetof(struct T, size), 0, NULL
#define LAYOUT_ROW_SHARED_MANY(T, count, tag, what) , offsetof(struct T, count), 0, &layout_##tag

#endif
