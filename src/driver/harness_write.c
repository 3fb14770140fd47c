// Writes the harness: for each function its arguments by their C types, the call, and calls that free the arguments.
#include "driver/harness.h"

#include "base/arena.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { MOST_DEPTH = 3 };

// The harness of one function.
struct harness_writer {
    struct harness *harness;
    const struct harness_function *function; // function whose arguments are being made
    struct text stubs, body,
        ends; // functions before the harness; declarations and statements; statements after the call
    vec(const char *) names; // names of variables
    const char *problem;     // reason why no value can be made; NULL: no problem
    unsigned depth;
};

static const char *keep(struct harness_writer *w, struct text *text) {
    const char *copy = arena_strdup(w->harness->arena, text->at ? text->at : "");
    text_free(text);
    return copy;
}

// ---- questions about types

static bool is_pointer(const char *resolved) {
    size_t length = strlen(resolved);
    return length && resolved[length - 1] == '*';
}

static bool is_function_pointer(const char *resolved) { return strstr(resolved, "(*)(") != NULL; }

static const char *pointee(struct harness_writer *w, const char *resolved) {
    char *copy = arena_strdup(w->harness->arena, resolved);
    copy[strlen(copy) - 1] = 0;
    size_t length = strlen(copy);
    while (length && copy[length - 1] == ' ') copy[--length] = 0;
    return copy;
}

static bool is_one_of(const char *text, const char *const *words, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (!strcmp(text, words[i])) return true;
    return false;
}

static bool is_integer(const char *resolved) {
    static const char *const words[] = {
        "int",       "unsigned int",       "long",     "unsigned long",     "short",         "unsigned short",
        "long long", "unsigned long long", "__int128", "unsigned __int128", "unsigned char", "signed char"};
    return is_one_of(resolved, words, COUNT(words));
}

static bool is_scalar(const char *resolved) {
    static const char *const words[] = {"char", "_Bool", "bool", "float", "double", "long double"};
    return is_integer(resolved) || is_one_of(resolved, words, COUNT(words)) || !strncmp(resolved, "enum ", 5);
}

static bool is_tag(const char *resolved) {
    return !strncmp(resolved, "struct ", 7) || !strncmp(resolved, "union ", 6);
}

static bool contains_any(const char *name, const char *const *words, size_t count) {
    char lower[256];
    size_t length = 0;
    for (; length < sizeof lower - 1 && name[length]; length++)
        lower[length] = (char)tolower((unsigned char)name[length]);
    lower[length] = 0;
    for (size_t i = 0; i < count; i++)
        if (strstr(lower, words[i])) return true;
    return false;
}

// Whether a parameter is a number of elements, by its name or its type.
static bool is_length(const char *name, const char *type, const char *resolved) {
    static const char *const words[] = {"len", "size", "count", "num", "bytes", "nmemb", "cnt"};
    if (!is_integer(resolved) || !strcmp(resolved, "unsigned char") || !strcmp(resolved, "signed char"))
        return false;
    return !strcmp(type, "size_t") || !strcmp(name, "n") || contains_any(name, words, COUNT(words));
}

// ---- parameters

static const struct json_value *first_parameter(const struct json_value *function) {
    const struct json_value *inner = json_get(function, "inner");
    const struct json_value *node = inner ? inner->first : NULL;
    while (node && strcmp(json_get_text(node, "kind", ""), "ParmVarDecl") != 0) node = node->next;
    return node;
}

static const struct json_value *next_parameter(const struct json_value *node) {
    do node = node->next;
    while (node && strcmp(json_get_text(node, "kind", ""), "ParmVarDecl") != 0);
    return node;
}

static const char *type_of(const struct json_value *node) {
    return json_get_text(json_get(node, "type"), "qualType", "");
}

static const char *result_type(struct harness_writer *w, const struct harness_function *function) {
    const char *end = strstr(function->type, " (");
    if (!end) end = strchr(function->type, '(');
    size_t size = end ? (size_t)(end - function->type) : 0;
    char *copy = arena_alloc(w->harness->arena, size + 1);
    memcpy(copy, function->type, size);
    copy[size] = 0;
    return copy;
}

static unsigned count_parameters(const struct harness_function *function) {
    unsigned count = 0;
    for (const struct json_value *node = first_parameter(function->node); node; node = next_parameter(node))
        count++;
    return count;
}

static bool is_used(const struct harness_writer *w, const char *name) {
    vec_each (const char *, one, &w->names)
        if (!strcmp(*one, name)) return true;
    return false;
}

// Returns a name that no other variable of the harness has.
static const char *own_name(struct harness_writer *w, const char *wanted, unsigned number) {
    struct text name = {0};
    for (unsigned again = 1;; again++) {
        text_clear(&name);
        text_add(&name, "%s", *wanted ? wanted : "argument");
        if (!*wanted) text_add(&name, "%u", number);
        if (again > 1) text_add(&name, "_%u", again);
        if (!is_used(w, name.at)) break;
    }
    vec_push(&w->names, keep(w, &name));
    return *vec_last(&w->names);
}

// ---- values

static const char *make_value(struct harness_writer *w, const char *type, const char *name);
static const char *make_call(struct harness_writer *w, const struct harness_function *function);

#define MAKE(...) text_add(&w->body, __VA_ARGS__)

static const char *make_scalar(struct harness_writer *w, const char *type, const char *resolved,
                               const char *name) {
    if (!strcmp(resolved, "_Bool") || !strcmp(resolved, "bool")) {
        MAKE("    %s %s = tamar_range(0, 2, \"%s\") != 0;\n", type, name, name);
        return name;
    }
    MAKE("    %s %s;\n    tamar_symbolic(&%s, sizeof %s, \"%s\");\n", type, name, name, name, name);
    const struct json_value *one = harness_enum(w->harness, type);
    const struct json_value *constants = json_get(one, "inner");
    if (!constants || constants->count > 32) return name;
    MAKE("    tamar_assume(");
    json_each(constant, constants) if (!strcmp(json_get_text(constant, "kind", ""), "EnumConstantDecl")) MAKE(
        "%s%s == %s", constant == constants->first ? "" : " || ", name, json_get_text(constant, "name", "0"));
    MAKE(");\n");
    return name;
}

static const char *address_of(struct harness_writer *w, const char *name) {
    struct text text = {0};
    text_add(&text, "&%s", name);
    return keep(w, &text);
}

// Makes a struct: its bytes are symbolic, and its pointers point to new objects.
static void fill_pointers(struct harness_writer *w, const struct json_value *record, const char *path) {
    json_each(field, json_get(record, "inner")) {
        const char *name = json_get_text(field, "name", ""), *type = type_of(field);
        const char *resolved = harness_resolve(w->harness, type);
        if (strcmp(json_get_text(field, "kind", ""), "FieldDecl") != 0 || !*name) continue;
        struct text member = {0};
        text_add(&member, "%s.%s", path, name);
        const char *at = keep(w, &member);
        if (is_pointer(resolved) || is_function_pointer(resolved)) {
            const char *value = w->depth < MOST_DEPTH ? make_value(w, type, own_name(w, name, 0)) : "NULL";
            MAKE("    %s = %s;\n", at, value);
        } else if (strchr(resolved, '*')) {
            MAKE("    memset(&%s, 0, sizeof %s);\n", at, at);
        } else if (harness_record(w->harness, type)) {
            fill_pointers(w, harness_record(w->harness, type), at);
        }
    }
}

static void make_record(struct harness_writer *w, const char *type, const char *name) {
    const struct json_value *record = harness_record(w->harness, type);
    MAKE("    %s %s;\n    tamar_symbolic(&%s, sizeof %s, \"%s\");\n", type, name, name, name, name);
    w->depth++;
    if (strcmp(json_get_text(record, "tagUsed", ""), "union") != 0) fill_pointers(w, record, name);
    w->depth--;
}

// ---- handles: objects that functions of the library make

static bool is_same(struct harness_writer *w, const char *type, const char *resolved) {
    const char *other = harness_resolve(w->harness, type);
    if (!is_pointer(other)) return false;
    return !strcmp(harness_resolve(w->harness, pointee(w, other)), resolved);
}

static bool takes(struct harness_writer *w, const struct harness_function *function, const char *resolved) {
    for (const struct json_value *node = first_parameter(function->node); node; node = next_parameter(node))
        if (is_same(w, type_of(node), resolved)) return true;
    return false;
}

static bool is_only_parameter(struct harness_writer *w, const struct harness_function *function,
                              const char *resolved) {
    return count_parameters(function) == 1 && takes(w, function, resolved);
}

// Returns the function that makes an object of the type: it returns a pointer to one and takes none as a parameter. The
// one with the fewest parameters is preferred.
static const struct harness_function *find_constructor(struct harness_writer *w, const char *resolved) {
    const struct harness_function *best = NULL;
    vec_each (struct harness_function, one, &w->harness->functions) {
        if (one == w->function || one->hidden || !is_same(w, result_type(w, one), resolved) ||
            takes(w, one, resolved))
            continue;
        if (strstr(one->type, "...") || !strncmp(one->name, "__", 2)) continue;
        if (!best || count_parameters(one) < count_parameters(best)) best = one;
    }
    return best;
}

// Returns a function whose only parameter is the object and whose name contains one of `words`.
static const struct harness_function *find_helper(struct harness_writer *w, const char *resolved,
                                                  const char *const *words, size_t count) {
    vec_each (struct harness_function, one, &w->harness->functions)
        if (one != w->function && !one->hidden && is_only_parameter(w, one, resolved) &&
            contains_any(one->name, words, count))
            return one;
    return NULL;
}

static void end_handle(struct harness_writer *w, const char *resolved, const char *pointer) {
    static const char *const words[] = {"free",    "destroy", "delete", "close",   "release",
                                        "cleanup", "unref",   "finish", "dispose", "fini"};
    const struct harness_function *end = find_helper(w, resolved, words, COUNT(words));
    // The function under test may itself free the object.
    if (end && !(is_only_parameter(w, w->function, resolved) &&
                 contains_any(w->function->name, words, COUNT(words))))
        text_add(&w->ends, "    %s(%s);\n", end->name, pointer);
}

// `element`: the object's type as it is spelled.
static const char *make_handle(struct harness_writer *w, const char *type, const char *element,
                               const char *resolved, const char *name) {
    static const char *const words[] = {"init", "new", "create", "setup", "start", "begin"};
    const struct harness_function *constructor = find_constructor(w, resolved);
    const struct harness_function *start = find_helper(w, resolved, words, COUNT(words));
    if (constructor && w->depth < MOST_DEPTH) {
        w->depth++;
        const char *call = make_call(w, constructor);
        w->depth--;
        MAKE("    %s%s%s = %s;\n    if (!%s) return;\n", type, is_pointer(type) ? "" : " ", name, call, name);
        end_handle(w, resolved, name);
        return name;
    }
    if (!harness_record(w->harness, resolved)) {
        MAKE("    %s %s = NULL; // TODO: %s is an incomplete type here, and no function returns a pointer to "
             "one\n",
             type, name, resolved);
        return name;
    }
    struct text object = {0};
    text_add(&object, "%s_object", name);
    const char *variable = keep(w, &object);
    if (start) {
        MAKE("    %s %s;\n    memset(&%s, 0, sizeof %s);\n    %s(&%s);\n", element, variable, variable,
             variable, start->name, variable);
        end_handle(w, resolved, address_of(w, variable));
    } else {
        make_record(w, element, variable);
    }
    return address_of(w, variable);
}

// ---- pointers

static const char *make_text(struct harness_writer *w, const char *name) {
    uint64_t most = w->harness->elements;
    MAKE("    char %s[%" PRIu64
         "];\n    tamar_symbolic(%s, sizeof %s, \"%s\");\n    %s[sizeof %s - 1] = 0;\n",
         name, most + 1, name, name, name, name, name);
    return name;
}

static const char *make_file(struct harness_writer *w, const char *name) {
    uint64_t most = w->harness->elements;
    MAKE("    char %s_bytes[%" PRIu64 "];\n    tamar_symbolic(%s_bytes, sizeof %s_bytes, \"%s\");\n"
         "    FILE *%s = fmemopen(%s_bytes, sizeof %s_bytes, \"r+\");\n    if (!%s) return;\n",
         name, most, name, name, name, name, name, name, name);
    text_add(&w->ends, "    fclose(%s);\n", name);
    return name;
}

// Appends the parameters of a function type, "(const char *, int (*)(void))", with names.
static void add_named_parameters(struct text *to, const char *list) {
    unsigned depth = 0, number = 0;
    const char *start = ++list;
    for (;; list++) {
        depth += *list == '(';
        bool end = *list == ')' && !depth;
        if (*list == ')' && depth) depth--;
        if (!end && !(*list == ',' && !depth)) continue;
        char part[512];
        snprintf(part, sizeof part, "%.*s", (int)(list - start), start);
        char *inside = strstr(part, "(*)");
        number++;
        if (inside)
            text_add(to, "%.*s(*a%u%s", (int)(inside - part), part, number, inside + 2);
        else if (!strcmp(part, "void") || !*part)
            text_add(to, "void");
        else
            text_add(to, "%s%sa%u", part, part[strlen(part) - 1] == '*' ? "" : " ", number);
        text_add(to, end ? ")" : ", ");
        if (end) break;
        start = list + 1 + (list[1] == ' ');
    }
}

// Writes a callback with a symbolic result.
static const char *make_callback(struct harness_writer *w, const char *resolved, const char *name) {
    const char *star = strstr(resolved, "(*)(");
    const char *result = arena_strdup(w->harness->arena, resolved);
    ((char *)result)[star - resolved - (star > resolved && star[-1] == ' ')] = 0;
    struct text stub = {0};
    text_add(&stub, "%s_%s", w->function->name, name);
    const char *called = keep(w, &stub);
    bool is_void = !strcmp(harness_resolve(w->harness, result), "void");
    text_add(&w->stubs, "static %s %s(", result, called);
    add_named_parameters(&w->stubs, star + strlen("(*)"));
    text_add(&w->stubs, " {\n");
    if (!is_void)
        text_add(&w->stubs, "    %s result;\n    %s;\n    return result;\n", result,
                 is_pointer(harness_resolve(w->harness, result))
                     ? "result = NULL"
                     : "tamar_symbolic(&result, sizeof result, \"callback\")");
    text_add(&w->stubs, "}\n\n");
    return called;
}

static const char *make_array(struct harness_writer *w, const char *element, const char *name) {
    bool is_void = !strcmp(harness_resolve(w->harness, element), "void");
    const char *plain = is_void ? "unsigned char" : harness_plain(w->harness, element);
    MAKE("    %s %s[%" PRIu64 "];\n    tamar_symbolic(%s, sizeof %s, \"%s\");\n", plain, name,
         w->harness->elements, name, name, name);
    return name;
}

static const char *make_pointer(struct harness_writer *w, const char *type, const char *resolved,
                                const char *name) {
    const char *element = pointee(w, resolved), *to = harness_resolve(w->harness, element);
    if (!strcmp(element, "FILE") || !strcmp(to, "struct _IO_FILE")) return make_file(w, name);
    if (!strcmp(to, "char")) return make_text(w, name);
    if (is_tag(to)) return make_handle(w, type, harness_plain(w->harness, element), to, name);
    if (is_scalar(to) || !strcmp(to, "void")) return make_array(w, element, name);
    if (is_pointer(to)) {
        MAKE("    %s %s = NULL;\n", harness_plain(w->harness, element), name);
        return address_of(w, name);
    }
    w->problem = type;
    return "0";
}

static const char *make_value(struct harness_writer *w, const char *type, const char *name) {
    const char *resolved = harness_resolve(w->harness, type);
    if (is_function_pointer(resolved)) return make_callback(w, resolved, name);
    if (strchr(resolved, '[') || strchr(resolved, '(') || strstr(resolved, "va_list")) {
        w->problem = type;
        return "0";
    }
    if (is_pointer(resolved)) return make_pointer(w, type, resolved, name);
    if (harness_record(w->harness, type)) {
        make_record(w, harness_plain(w->harness, type), name);
        return name;
    }
    if (!is_scalar(resolved)) {
        w->problem = type;
        return "0";
    }
    return make_scalar(w, strncmp(type, "const ", 6) ? type : resolved, resolved, name);
}

// ---- calls

// Makes a buffer of exactly the given length, so that accesses past its end are reported.
static void make_buffer(struct harness_writer *w, const char *element, const char *name,
                        const char *length_type, const char *length) {
    const char *to = harness_resolve(w->harness, element);
    bool is_void = !strcmp(to, "void");
    const char *plain = is_void ? "unsigned char" : harness_plain(w->harness, element);
    uint64_t most = w->harness->elements;
    MAKE("    %s %s_bytes[%" PRIu64 "];\n    tamar_symbolic(%s_bytes, sizeof %s_bytes, \"%s\");\n", plain,
         name, most, name, name, name);
    MAKE("    %s %s = (%s)tamar_range(0, %" PRIu64 ", \"%s\");\n", length_type, length, length_type, most + 1,
         length);
    MAKE("    %s *%s = malloc((size_t)%s * sizeof *%s); // exactly as long: accesses past its end are "
         "reported\n",
         plain, name, length, name);
    MAKE("    if (!%s) return;\n    memcpy(%s, %s_bytes, (size_t)%s * sizeof *%s);\n", name, name, name,
         length, name);
    text_add(&w->ends, "    free(%s);\n", name);
}

// Whether a pointer is a buffer whose length the next parameter gives.
static bool is_paired(struct harness_writer *w, const struct json_value *node,
                      const struct json_value *next) {
    const char *resolved = harness_resolve(w->harness, type_of(node));
    if (!next || !is_pointer(resolved) || is_function_pointer(resolved)) return false;
    const char *to = harness_resolve(w->harness, pointee(w, resolved));
    const char *type = type_of(next);
    return (is_scalar(to) || !strcmp(to, "void")) &&
           is_length(json_get_text(next, "name", ""), type, harness_resolve(w->harness, type));
}

// Makes the arguments, and returns the call as an expression.
static const char *make_call(struct harness_writer *w, const struct harness_function *function) {
    struct text call = {0};
    unsigned number = 0;
    text_add(&call, "%s(", function->name);
    for (const struct json_value *node = first_parameter(function->node); node && !w->problem;
         node = next_parameter(node)) {
        const struct json_value *next = next_parameter(node);
        const char *name = own_name(w, json_get_text(node, "name", ""), ++number);
        const char *comma = number == 1 ? "" : ", ";
        if (is_paired(w, node, next)) {
            const char *length = own_name(w, json_get_text(next, "name", ""), ++number);
            const char *resolved = harness_resolve(w->harness, type_of(node));
            make_buffer(w, pointee(w, resolved), name, harness_resolve(w->harness, type_of(next)), length);
            text_add(&call, "%s%s, %s", comma, name, length);
            node = next;
        } else {
            text_add(&call, "%s%s", comma, make_value(w, type_of(node), name));
        }
    }
    text_add(&call, ")");
    return keep(w, &call);
}

static bool write_function(struct harness *harness, const struct harness_function *function, struct text *to,
                           struct text *skipped) {
    struct harness_writer w = {.harness = harness, .function = function};
    const char *call = make_call(&w, function);
    if (w.problem) {
        text_add(skipped, "%s: no value of type `%s` can be made\n", function->name, w.problem);
    } else {
        text_add_bytes(to, w.stubs.at, w.stubs.count);
        text_add(to, "static void harness_%s(void) {\n", function->name);
        text_add_bytes(to, w.body.at, w.body.count);
        text_add(to, "    (void)%s;\n", call);
        text_add_bytes(to, w.ends.at, w.ends.count);
        text_add(to, "}\n\n");
    }
    text_free(&w.stubs);
    text_free(&w.body);
    text_free(&w.ends);
    vec_free(&w.names);
    return !w.problem;
}

void harness_write_start(const struct harness *harness, struct text *to) {
    text_add(to, "// Written by `tamar harness`, to start from: say what callers guarantee (tamar_assume) "
                 "and what must hold afterwards (tamar_assert).\n"
                 "#define _GNU_SOURCE\n#include <stdio.h>\n#include <stdlib.h>\n#include "
                 "<string.h>\n#include <tamar.h>\n\n");
    if (harness->declarations)
        text_add(to, "%s\n", harness->declarations);
    else if (harness->is_header)
        text_add(to, harness->is_here ? "#include \"%s\"\n\n" : "#include <%s>\n\n", harness->file);
    else
        text_add(to, "#define main program_main\n#include \"%s\"\n#undef main\n\n", harness->file);
}

void harness_write(struct harness *harness, const struct harness_function *const *functions, uint32_t count,
                   struct text *to, struct text *skipped) {
    const char *first = NULL;
    harness_write_start(harness, to);
    for (uint32_t i = 0; i < count; i++)
        if (write_function(harness, functions[i], to, skipped) && !first) first = functions[i]->name;
    if (!first) {
        text_clear(to);
        return;
    }
    if (count > 1) text_add(to, "// Another one: -DHARNESS=harness_NAME\n");
    text_add(to,
             "#ifndef HARNESS\n#define HARNESS harness_%s\n#endif\nint main(void) {\n    HARNESS();\n    "
             "return 0;\n}\n",
             first);
}
