// Reads declarations from clang's syntax tree in JSON.
#include "driver/harness.h"

#include "base/arena.h"
#include "base/error.h"
#include "base/file.h"
#include "base/process.h"
#include "base/resources.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static uint64_t key_of(const char *name) { return hash_bytes(name, strlen(name), 1) | 1; }

// ---- the compiler

static bool dump_tree(struct harness *harness, struct text *tree) {
    struct text source = {0}, output = {0};
    struct process_command command = {0};
    text_add(&output, "%s/tree.json", process_temporary_folder());
    text_add(&source, "%s", harness->file);
    if (harness->declarations || harness->is_header) {
        text_clear(&source);
        text_add(&source, "%s/harness.c", process_temporary_folder());
    }
    if (harness->declarations) {
        struct text content = {0};
        harness_write_start(harness, &content);
        file_write(source.at, content.at, content.count);
        text_free(&content);
    } else if (harness->is_header) {
        struct text include = {0};
        char path[PATH_MAX];
        bool found = harness->is_here && realpath(harness->file, path);
        text_add(&include, found ? "#include \"%s\"\n" : "#include <%s>\n", found ? path : harness->file);
        file_write(source.at, include.at, include.count);
        text_free(&include);
    }
    const char *const words[] = {
        "sh", "-c", "output=$0; exec \"$@\" >\"$output\"", output.at, resources_binary(), "cc"};
    for (size_t i = 0; i < COUNT(words); i++) process_add(&command, words[i]);
    vec_each (const char *, flag, &harness->flags) process_add(&command, *flag);
    const char *const last[] = {"-w", "-fsyntax-only", "-Xclang", "-ast-dump=json", source.at};
    for (size_t i = 0; i < COUNT(last); i++) process_add(&command, last[i]);
    int status = process_run(&command);
    bool good = status == 0 && file_read(output.at, tree);
    if (!good)
        user_error_at(harness->file, "Give the flags that it is compiled with: -I FOLDER, -D NAME.",
                      "cannot be compiled");
    text_free(&source);
    text_free(&output);
    return good;
}

// ---- declarations

// Updates *file from a location: clang's JSON names the file only if it differs from the previous location's.
static void follow_file(const struct json_value *value, const char **file) {
    if (value->key && !strcmp(value->key, "includedFrom")) return;
    if (value->kind == JSON_STRING && value->key && !strcmp(value->key, "file")) *file = value->text;
    if (value->kind != JSON_OBJECT && value->kind != JSON_ARRAY) return;
    json_each(item, value) follow_file(item, file);
}

static bool is_kind(const struct json_value *node, const char *kind) {
    return !strcmp(json_get_text(node, "kind", ""), kind);
}

static const char *type_of(const struct json_value *node) {
    return json_get_text(json_get(node, "type"), "qualType", "");
}

static void add_tag(struct map *map, const struct json_value *node, const char *word) {
    struct text name = {0};
    text_add(&name, "%s %s", word, json_get_text(node, "name", ""));
    *map_put(map, key_of(name.at)) = (uintptr_t)node;
    // Also by clang's id: a typedef may refer to a declaration without a name.
    *map_put(map, key_of(json_get_text(node, "id", ""))) = (uintptr_t)node;
    text_free(&name);
}

// Adds a typedef. For a typedef T of a struct without a name, types say "struct T": the struct is added under that
// name, too.
static void add_typedef(struct harness *harness, const struct json_value *node) {
    const char *name = json_get_text(node, "name", "");
    *map_put(&harness->typedefs, key_of(name)) = (uintptr_t)type_of(node);
    const struct json_value *inner = json_get(node, "inner");
    const struct json_value *tag = inner && inner->first ? json_get(inner->first, "ownedTagDecl") : NULL;
    const char *id = json_get_text(tag, "id", "");
    uint64_t *record = map_get(&harness->records, key_of(id)), *one = map_get(&harness->enums, key_of(id));
    if (tag && record) *map_put(&harness->records, key_of(type_of(node))) = *record;
    if (tag && one) *map_put(&harness->enums, key_of(type_of(node))) = *one;
    if (tag && !*json_get_text(tag, "name", "")) *map_put(&harness->unnamed, key_of(type_of(node))) = 1;
}

// Whether a declaration of `file` belongs to the library: it is in the header itself.
static bool is_own(const struct harness *harness, const char *file) {
    char one[PATH_MAX], other[PATH_MAX];
    if (harness->declarations) return file && text_ends_with(file, "/harness.c");
    if (file && !harness->is_here) {
        size_t length = strlen(file), size = strlen(harness->file);
        return length > size && file[length - size - 1] == '/' &&
               !strcmp(file + length - size, harness->file);
    }
    return file && realpath(file, one) && realpath(harness->file, other) && !strcmp(one, other);
}

static void add_function(struct harness *harness, const struct json_value *node, const char *file) {
    struct harness_function function = {.name = json_get_text(node, "name", ""),
                                        .type = type_of(node),
                                        .node = node,
                                        .own = is_own(harness, file),
                                        .hidden = !strcmp(json_get_text(node, "storageClass", ""), "static")};
    vec_each (struct harness_function, before, &harness->functions) {
        if (strcmp(before->name, function.name) != 0) continue;
        before->own |= function.own; // declared earlier, perhaps without names of parameters
        before->node = node;
        return;
    }
    vec_push(&harness->functions, function);
}

static void add_declaration(struct harness *harness, const struct json_value *node, const char **file) {
    const struct json_value *place = json_get(node, "loc");
    if (place) follow_file(place, file);
    const char *own_file = *file;
    if (is_kind(node, "FunctionDecl")) add_function(harness, node, own_file);
    if (is_kind(node, "TypedefDecl")) add_typedef(harness, node);
    if (is_kind(node, "RecordDecl") && json_get_bool(node, "completeDefinition", false))
        add_tag(&harness->records, node, json_get_text(node, "tagUsed", "struct"));
    if (is_kind(node, "EnumDecl")) add_tag(&harness->enums, node, "enum");
    json_each(item, node) if (item != place) follow_file(item, file);
}

void harness_free(struct harness *harness) {
    vec_free(&harness->flags);
    vec_free(&harness->functions);
    map_free(&harness->typedefs);
    map_free(&harness->records);
    map_free(&harness->enums);
    map_free(&harness->unnamed);
    arena_free(harness->arena);
}

bool harness_read(struct harness *harness) {
    harness->is_here = access(harness->file, R_OK) == 0;
    struct text tree = {0};
    const char *error, *file = NULL;
    size_t at;
    if (!dump_tree(harness, &tree)) return false;
    const struct json_value *whole = json_parse(harness->arena, tree.at, tree.count, &error, &at);
    if (!whole) user_error_at(harness->file, NULL, "clang's syntax tree cannot be read: %s", error);
    json_each(node, json_get(whole, "inner")) add_declaration(harness, node, &file);
    text_free(&tree);
    return whole;
}

// ---- types

static const char *copy_part(const struct harness *harness, const char *from, size_t size) {
    char *copy = arena_alloc(harness->arena, size + 1);
    memcpy(copy, from, size);
    copy[size] = 0;
    return copy;
}

static bool ends_with(const char *text, size_t length, const char *end) {
    size_t size = strlen(end);
    return length >= size && !memcmp(text + length - size, end, size);
}

// Removes the outermost qualifiers: before a type that is not a pointer, or after the last star.
static const char *unqualified(const struct harness *harness, const char *type) {
    static const char *const words[] = {"const", "volatile", "restrict", "__restrict"};
    size_t length = strlen(type);
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = 0; i < COUNT(words); i++) {
            size_t size = strlen(words[i]);
            if (ends_with(type, length, words[i])) {
                length -= size;
                changed = true;
            } else if (!memchr(type, '*', length) && length > size && !strncmp(type, words[i], size) &&
                       type[size] == ' ') {
                type += size + 1;
                length -= size + 1;
                changed = true;
            }
        }
        while (length && type[length - 1] == ' ') length--;
    }
    return copy_part(harness, type, length);
}

// The text of a type as the compiler accepts it: "struct T", in which T is the typedef of a struct without a name, is T.
static const char *accepted(const struct harness *harness, const char *type) {
    const char *name = strchr(type, ' ');
    if (!name) return type;
    const char *tag = copy_part(harness, type, (size_t)(name - type) + 1 + strcspn(name + 1, " *"));
    return map_get(&harness->unnamed, key_of(tag)) ? name + 1 : type;
}

const char *harness_plain(const struct harness *harness, const char *type) {
    return accepted(harness, unqualified(harness, type));
}

const char *harness_resolve(const struct harness *harness, const char *type) {
    for (int depth = 0; depth < 32; depth++) {
        type = unqualified(harness, type);
        uint64_t *alias = map_get(&harness->typedefs, key_of(type));
        if (!alias || !strcmp((const char *)(uintptr_t)*alias, type)) break;
        type = (const char *)(uintptr_t)*alias;
    }
    return type;
}

const struct json_value *harness_record(const struct harness *harness, const char *type) {
    uint64_t *found = map_get(&harness->records, key_of(harness_resolve(harness, type)));
    return found ? (const struct json_value *)(uintptr_t)*found : NULL;
}

const struct json_value *harness_enum(const struct harness *harness, const char *type) {
    uint64_t *found = map_get(&harness->enums, key_of(harness_resolve(harness, type)));
    return found ? (const struct json_value *)(uintptr_t)*found : NULL;
}

const struct harness_function *harness_find(const struct harness *harness, const char *name) {
    vec_each (struct harness_function, function, &harness->functions)
        if (!strcmp(function->name, name)) return function;
    return NULL;
}
