#include "base/input_id.h"

#include "base/hash.h"
#include "base/text.h"

#include <string.h>

const struct input_kind_info input_kinds[INPUT_KIND_COUNT] = {
#define X(kind, key, has_length, word, place, ktest, ktest_end, term, c, c_end, log, report)                 \
    [INPUT_##kind] = {key, has_length, word, place, ktest, ktest_end, term, c, c_end, log, report},
    INPUT_KINDS(X)
#undef X
};

const struct input_role_info input_roles[] = {[ROLE_NONE] = {"", false, NULL},
#define X(role, name, prefix, variable) [ROLE_##role] = {name, prefix, variable},
                                              INPUT_ROLES(X)
#undef X
};

// ---- identities

// Splits "x#1" into the name "x" and the index 1. A number not in canonical form ("x#01") is part of the name.
static bool split_index(const char *name, uint32_t *length, uint32_t *index) {
    const char *mark = strrchr(name, '#');
    if (!mark || mark[1] < '1' || mark[1] > '9') return false;
    uint64_t value = 0;
    for (const char *digit = mark + 1; *digit; digit++) {
        if (*digit < '0' || *digit > '9') return false;
        value = 10 * value + (uint64_t)(*digit - '0');
        if (value > UINT32_MAX) return false;
    }
    *length = (uint32_t)(mark - name);
    *index = (uint32_t)value;
    return true;
}

struct input_id input_object(const char *name, uint32_t index) {
    struct input_id id = {
        .kind = INPUT_OBJECT, .index = index, .name = name, .name_length = (uint32_t)strlen(name)};
    if (!index) split_index(name, &id.name_length, &id.index);
    return id;
}

struct input_id input_file(const char *path) {
    if (!path) return (struct input_id){.kind = INPUT_STDIN};
    return (struct input_id){.kind = INPUT_FILE, .name = path, .name_length = (uint32_t)strlen(path)};
}

struct input_id input_variable(const char *name) {
    return (struct input_id){.kind = INPUT_ENVIRONMENT, .name = name, .name_length = (uint32_t)strlen(name)};
}

struct input_id input_numbered(enum input_kind kind, uint32_t index) {
    assert(input_kinds[kind].key == KEY_INDEX);
    return (struct input_id){.kind = kind, .index = index};
}

struct input_id input_length(struct input_id file) {
    assert(input_kinds[file.kind].has_length && !file.is_length);
    file.is_length = true;
    return file;
}

bool input_same(struct input_id a, struct input_id b) {
    return a.kind == b.kind && a.is_length == b.is_length && a.index == b.index &&
           a.name_length == b.name_length && (!a.name_length || memcmp(a.name, b.name, a.name_length) == 0);
}

bool input_is_valid(struct input_id id) {
    if (id.kind >= INPUT_KIND_COUNT || (id.is_length && !input_kinds[id.kind].has_length)) return false;
    struct text name = {0};
    input_add_name(&name, id);
    if (id.is_length && id.kind == INPUT_OBJECT && input_role(id.kind, name.at) != ROLE_HARNESS) {
        text_free(&name);
        return false; // the harness input is the only object with a symbolic length
    }
    struct input_id read = input_parse(id.kind, name.at);
    read.is_length = id.is_length;
    bool valid = input_same(id, read);
    text_free(&name);
    return valid;
}

uint64_t input_hash(struct input_id id) {
    uint64_t hash = hash_combine((uint64_t)id.kind << 1 | id.is_length, id.index);
    return id.name_length ? hash_bytes(id.name, id.name_length, hash) : hash;
}

// ---- names

void input_add_name(struct text *to, struct input_id id) {
    enum input_key key = input_kinds[id.kind].key;
    text_add_bytes(to, id.name, id.name_length);
    if (key == KEY_INDEX)
        text_add(to, "%u", id.index);
    else if (id.index)
        text_add(to, "#%u", id.index);
}

static uint32_t number_of(const char *digits) {
    uint64_t value = 0;
    for (; *digits >= '0' && *digits <= '9'; digits++)
        value = MIN(10 * value + (uint64_t)(*digits - '0'), UINT32_MAX);
    return (uint32_t)value;
}

struct input_id input_parse(enum input_kind kind, const char *name) {
    switch (input_kinds[kind].key) {
    case KEY_NAME_INDEX: return input_object(name, 0);
    case KEY_INDEX: return input_numbered(kind, number_of(name));
    case KEY_NAME:
        return (struct input_id){.kind = kind, .name = name, .name_length = (uint32_t)strlen(name)};
    case KEY_NONE: break;
    }
    return (struct input_id){.kind = kind};
}

bool input_find_kind(const char *word, enum input_kind *kind) {
    for (unsigned i = 0; i < INPUT_KIND_COUNT; i++) {
        if (!input_kinds[i].word || strcmp(input_kinds[i].word, word) != 0) continue;
        *kind = (enum input_kind)i;
        return true;
    }
    return false;
}

void input_add_term_name(struct text *to, struct input_id id) {
    text_add(to, "%s%s", id.is_length ? "length:" : "", input_kinds[id.kind].term);
    input_add_name(to, id);
}

void input_add_c_name(struct text *to, struct input_id id) {
    text_add(to, "%s%s", id.is_length ? "sizeof " : "", input_kinds[id.kind].c);
    input_add_name(to, id);
    text_add(to, "%s", input_kinds[id.kind].c_end);
}

// ---- KLEE's names

void input_add_ktest_name(struct text *to, struct input_id id, uint32_t argument) {
    const struct input_kind_info *kind = &input_kinds[id.kind];
    assert(kind->word && !id.is_length);
    text_add(to, "%s", kind->ktest);
    if (kind->key == KEY_INDEX)
        text_add(to, "%02u", argument);
    else
        input_add_name(to, id);
    text_add(to, "%s", kind->ktest_end);
}

// The part of the name between the kind's prefix and end. NULL: the name is not of this kind.
static const char *ktest_part(const struct input_kind_info *kind, const char *name, uint32_t *length) {
    size_t all = strlen(name), start = strlen(kind->ktest), end = strlen(kind->ktest_end);
    if (all < start + end || strncmp(name, kind->ktest, start) != 0) return NULL;
    if (end && (all == start + end || strcmp(name + all - end, kind->ktest_end) != 0)) return NULL;
    *length = (uint32_t)(all - start - end);
    const char *part = name + start;
    if (kind->key == KEY_NONE && *length) return NULL;
    if (kind->key == KEY_INDEX && (!*length || part[strspn(part, "0123456789")])) return NULL;
    return part;
}

struct input_id input_from_ktest(const char *name) {
    for (unsigned i = 0; i < INPUT_KIND_COUNT; i++) {
        const struct input_kind_info *kind = &input_kinds[i];
        uint32_t length;
        const char *part = kind->word && i != INPUT_OBJECT ? ktest_part(kind, name, &length) : NULL;
        if (!part) continue;
        if (kind->key == KEY_INDEX) return input_numbered((enum input_kind)i, number_of(part));
        return (struct input_id){.kind = (enum input_kind)i, .name = part, .name_length = length};
    }
    return input_object(name, 0);
}

// ---- roles

enum input_role input_role(enum input_kind kind, const char *name) {
    for (unsigned i = ROLE_NONE + 1; kind == INPUT_OBJECT && i < COUNT(input_roles); i++) {
        const struct input_role_info *role = &input_roles[i];
        size_t length = strlen(role->name);
        if (!strncmp(name, role->name, length) && (role->is_prefix || !name[length]))
            return (enum input_role)i;
    }
    return ROLE_NONE;
}
