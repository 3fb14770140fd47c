// Reads C types from the debug information, for the tables of runtime/entry.h.
#include "front/entry.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

enum {
    TAG_ARRAY = 0x01,
    TAG_ENUMERATION = 0x04,
    TAG_MEMBER = 0x0d,
    TAG_POINTER = 0x0f,
    TAG_STRUCTURE = 0x13,
    TAG_TYPEDEF = 0x16,
    TAG_UNION = 0x17,
    TAG_CONST = 0x26,
};
// Indices of operands of metadata nodes, in LLVM's order.
enum { BASE_TYPE = 3, ELEMENTS = 4, NAME = 2 };

#define MOST_ENUMERATORS 256

static struct entry_type *new_type(struct entry *e, struct entry_type type) {
    struct entry_type *made = ARENA_NEW(e->front->scratch, struct entry_type);
    *made = type;
    made->index = e->all.count;
    vec_push(&e->all, made);
    return made;
}

static void note_type(struct entry *e, LLVMMetadataRef node, const struct entry_type *type) {
    *map_put(&e->types, (uintptr_t)node) = type->index;
}

static struct entry_type *plain(struct entry *e, uint64_t size) {
    return new_type(e, (struct entry_type){.kind = __TAMAR_PLAIN, .size = size});
}

const char *entry_text(struct entry *e, LLVMMetadataRef node, unsigned operand) {
    LLVMValueRef value = NULL;
    unsigned length = 0;
    if (!debug_node_operand(e->front, node, operand, &value) || !value) return "";
    const char *text = LLVMGetMDString(value, &length);
    char *copy = arena_alloc(e->front->scratch, length + 1);
    if (text) memcpy(copy, text, length);
    return copy;
}

static unsigned count_of(struct entry *e, LLVMMetadataRef node) {
    return node ? (unsigned)LLVMGetMDNodeNumOperands(LLVMMetadataAsValue(e->front->context, node)) : 0;
}

static bool is_derived(LLVMMetadataRef node) {
    return node && LLVMGetMetadataKind(node) == LLVMDIDerivedTypeMetadataKind;
}

static bool is_composite(LLVMMetadataRef node) {
    return node && LLVMGetMetadataKind(node) == LLVMDICompositeTypeMetadataKind;
}

// The type without typedefs and qualifiers. Sets *is_const, and *alias to the name of the innermost typedef, if any.
static LLVMMetadataRef strip(struct entry *e, LLVMMetadataRef node, bool *is_const, const char **alias) {
    while (is_derived(node) && LLVMGetDINodeTag(node) != TAG_POINTER) {
        if (LLVMGetDINodeTag(node) == TAG_CONST) *is_const = true;
        if (LLVMGetDINodeTag(node) == TAG_TYPEDEF) *alias = entry_text(e, node, NAME);
        node = debug_node_operand(e->front, node, BASE_TYPE, NULL);
    }
    return node;
}

// ---- scalars

static struct entry_type *basic(struct entry *e, LLVMMetadataRef node) {
    uint64_t size = LLVMDITypeGetSizeInBits(node) / 8;
    const char *name = entry_text(e, node, NAME);
    struct entry_type *type = plain(e, size);
    if (!strcmp(name, "_Bool") || !strcmp(name, "bool")) {
        type->kind = __TAMAR_BOOL;
    } else if (!strcmp(name, "long double") && size == 16) {
        type->kind = __TAMAR_X87;
    } else if (!strcmp(name, "complex") && size == 32) {
        type->kind = __TAMAR_ARRAY;
        type->count = 2;
        type->of = new_type(e, (struct entry_type){.kind = __TAMAR_X87, .size = 16});
    } else {
        bool real = strstr(name, "float") || strstr(name, "Float") || strstr(name, "double") ||
                    !strcmp(name, "complex") || strstr(name, "bf16");
        type->integer = !real && size <= 8;
        type->character = size == 1 && strstr(name, "char");
        type->text = !strcmp(name, "char");
    }
    return type;
}

// Whether the enumerators are flags: each is zero, a single bit, or a union of bits that are enumerators themselves.
static bool are_flags(const int64_t *values, unsigned count, int64_t *all) {
    uint64_t singles = 0, any = 0;
    unsigned bits = 0;
    for (unsigned i = 0; i < count; i++) {
        uint64_t value = (uint64_t)values[i];
        any |= value;
        if (value && !(value & (value - 1))) singles |= value, bits++;
    }
    *all = (int64_t)any;
    // Fewer than three bits may be a sequence: 1, 2 or 0, 1, 2.
    return bits >= 3 && any == singles;
}

static struct entry_type *enumeration(struct entry *e, LLVMMetadataRef node) {
    LLVMMetadataRef elements = debug_node_operand(e->front, node, ELEMENTS, NULL);
    unsigned count = count_of(e, elements);
    struct entry_type *type = plain(e, LLVMDITypeGetSizeInBits(node) / 8);
    if (!count || count > MOST_ENUMERATORS) return type;
    type->values = ARENA_ARRAY(e->front->scratch, int64_t, count);
    for (unsigned i = 0; i < count; i++)
        type->values[i] = debug_enumerator_value(e->front, debug_node_operand(e->front, elements, i, NULL));
    int64_t all;
    type->kind = __TAMAR_ENUM;
    type->count = count;
    if (are_flags(type->values, count, &all)) {
        type->kind = __TAMAR_FLAGS;
        type->count = 1;
        type->values[0] = all;
    }
    return type;
}

// ---- arrays, structs, unions

static bool is_plain(const struct entry_type *type) {
    if (type->kind == __TAMAR_ARRAY) return is_plain(type->of);
    if (type->kind != __TAMAR_STRUCT) return type->kind == __TAMAR_PLAIN;
    for (uint64_t i = 0; i < type->count; i++)
        if (!is_plain(type->members[i].type)) return false;
    return true;
}

static struct entry_type *array(struct entry *e, LLVMMetadataRef node) {
    struct entry_type *type = plain(e, LLVMDITypeGetSizeInBits(node) / 8);
    bool vector = LLVMDITypeGetFlags(node) & LLVMDIFlagVector;
    struct entry_type *of = entry_describe(e, debug_node_operand(e->front, node, BASE_TYPE, NULL));
    if (vector || e->problem) return type;
    type->kind = __TAMAR_ARRAY;
    type->of = of;
    type->count = of->size ? type->size / of->size : 0;
    return type;
}

static void add_members(struct entry *e, LLVMMetadataRef record, struct entry_type *type) {
    LLVMMetadataRef elements = debug_node_operand(e->front, record, ELEMENTS, NULL);
    unsigned count = count_of(e, elements);
    type->members = ARENA_ARRAY(e->front->scratch, struct entry_member, count + 1);
    for (unsigned i = 0; i < count && !e->problem; i++) {
        LLVMMetadataRef node = debug_node_operand(e->front, elements, i, NULL);
        if (!is_derived(node) || LLVMGetDINodeTag(node) != TAG_MEMBER) continue;
        bool bits = LLVMDITypeGetFlags(node) & LLVMDIFlagBitField;
        uint64_t offset = LLVMDITypeGetOffsetInBits(node), width = LLVMDITypeGetSizeInBits(node);
        const char *name = entry_text(e, node, NAME);
        if (bits && (!width || !*name)) continue; // padding
        type->members[type->count++] = (struct entry_member){
            .name = name,
            .type = entry_describe(e, debug_node_operand(e->front, node, BASE_TYPE, NULL)),
            .offset = bits ? offset : offset / 8,
            .bits = bits ? width : 0};
    }
}

static void finish_record(struct entry *e, LLVMMetadataRef node, struct entry_type *type) {
    add_members(e, node, type);
    if (e->problem) return;
    if (type->kind == __TAMAR_UNION) {
        bool simple = true;
        for (uint64_t i = 0; i < type->count; i++) simple &= is_plain(type->members[i].type);
        if (simple) type->kind = __TAMAR_PLAIN, type->count = 0;
        return;
    }
    const struct entry_member *last = type->count ? &type->members[type->count - 1] : NULL;
    if (last && last->type->kind == __TAMAR_ARRAY && !last->type->count && last->type->of->size)
        type->flags |= __TAMAR_FLEXIBLE;
}

static struct entry_type *composite(struct entry *e, LLVMMetadataRef node) {
    unsigned tag = LLVMGetDINodeTag(node);
    if (tag == TAG_ENUMERATION) return enumeration(e, node);
    if (tag == TAG_ARRAY) return array(e, node);
    struct entry_type *type = plain(e, LLVMDITypeGetSizeInBits(node) / 8);
    if (!strcmp(entry_text(e, node, NAME), "__va_list_tag"))
        e->problem = "a va_list cannot be made outside of a variadic function";
    if ((tag != TAG_STRUCTURE && tag != TAG_UNION) || e->problem) return type;
    type->kind = tag == TAG_STRUCTURE ? __TAMAR_STRUCT : __TAMAR_UNION;
    note_type(e, node, type); // before its members, because they may refer to it
    finish_record(e, node, type);
    return type;
}

// ---- pointers

static bool is_declaration(LLVMMetadataRef node) {
    return is_composite(node) && !LLVMDITypeGetSizeInBits(node) &&
           (LLVMDITypeGetFlags(node) & LLVMDIFlagFwdDecl);
}

static struct entry_type *pointer(struct entry *e, LLVMMetadataRef node) {
    struct entry_type *type = new_type(e, (struct entry_type){.kind = __TAMAR_POINTER, .size = 8});
    note_type(e, node, type);
    bool is_const = false;
    const char *alias = "";
    LLVMMetadataRef target = strip(e, debug_node_operand(e->front, node, BASE_TYPE, NULL), &is_const, &alias);
    type->of = e->unknown;
    if (target && LLVMGetMetadataKind(target) == LLVMDISubroutineTypeMetadataKind) {
        type->kind = __TAMAR_FUNCTION;
        type->subroutine = target;
    } else if (is_composite(target) && !strcmp(entry_text(e, target, NAME), "_IO_FILE")) {
        type->kind = __TAMAR_STREAM;
    } else if (!target || is_declaration(target)) {
        type->count = ENTRY_UNKNOWN_BYTES;
    } else {
        type->of = entry_describe(e, target);
        bool wide = !strcmp(alias, "wchar_t");
        if (type->of->character || wide) {
            type->kind = __TAMAR_STRING;
            type->flags = is_const ? __TAMAR_TIGHT : 0;
        }
        enum __tamar_entry_kind kind = type->of->kind;
        type->count = kind == __TAMAR_STRUCT || kind == __TAMAR_UNION || kind == __TAMAR_POINTER ||
                      kind == __TAMAR_FUNCTION || kind == __TAMAR_STREAM;
    }
    return type;
}

struct entry_type *entry_describe(struct entry *e, LLVMMetadataRef node) {
    bool is_const;
    const char *alias;
    node = strip(e, node, &is_const, &alias);
    if (!node) return e->unknown;
    const uint64_t *known = map_get(&e->types, (uintptr_t)node);
    if (known) return e->all.at[*known];
    struct entry_type *type = e->unknown;
    if (LLVMGetMetadataKind(node) == LLVMDIBasicTypeMetadataKind)
        type = basic(e, node);
    else if (is_derived(node))
        return pointer(e, node);
    else if (is_composite(node))
        type = composite(e, node);
    note_type(e, node, type);
    return type;
}

// ---- lengths

static bool ends_with(const char *name, const char *end) {
    size_t length = strlen(name), own = strlen(end);
    return length >= own && !strcasecmp(name + length - own, end);
}

static bool is_one_of(const char *name, const char *const *words, size_t count, bool as_end) {
    for (size_t i = 0; i < count; i++)
        if (as_end ? ends_with(name, words[i]) : !strcasecmp(name, words[i])) return true;
    return false;
}

// Whether the name suggests the length of a character pointer. The rules are stricter than for other types: most
// character pointers are strings, whatever the adjacent parameter is.
static bool is_length_of_text(const char *name, const char *pointer, bool is_parameter) {
    static const char *const strings[] = {"name", "path", "file",   "str", "string", "key",
                                          "text", "msg",  "format", "fmt", "version"};
    static const char *const whole[] = {"n", "nb", "size", "sz", "bytes", "nbytes"};
    if (strcasestr(name, "len")) return true;
    if (!is_parameter || is_one_of(pointer, strings, COUNT(strings), true)) return false;
    bool own =
        !strncasecmp(name, pointer, strlen(pointer)) && (ends_with(name, "size") || ends_with(name, "sz"));
    return own || is_one_of(name, whole, COUNT(whole), false);
}

static bool is_length_name(const char *name, const char *pointer) {
    static const char *const whole[] = {"n", "num", "nb", "argc", "nmemb", "nelem", "nelems", "nitems"};
    static const char *const ends[] = {"len", "length", "size", "count", "cnt", "sz", "bytes", "_n", "_num"};
    if (is_one_of(name, whole, COUNT(whole), false) || is_one_of(name, ends, COUNT(ends), true)) return true;
    if (!strncasecmp(name, "num_", 4) || !strncasecmp(name, "n_", 2) || !strncasecmp(name, "avail", 5))
        return true;
    return tolower((unsigned char)*name) == 'n' && *pointer &&
           !strcasecmp(name + 1, pointer); // nitems, items
}

// Whether `m` is the number of elements of the pointer: an integer, or a pointer to one, whose name suggests a length.
static bool is_length(const struct entry_member *m, const struct entry_member *pointer, bool is_parameter) {
    const struct entry_type *type = m->type;
    if (type->kind == __TAMAR_POINTER && type->of->integer && !type->of->character) type = type->of;
    if (type->kind != __TAMAR_PLAIN || !type->integer || m->bits) return false;
    bool text = pointer->type->kind == __TAMAR_STRING && pointer->type->of->text;
    return text ? is_length_of_text(m->name, pointer->name, is_parameter)
                : is_length_name(m->name, pointer->name);
}

static bool wants_length(const struct entry_member *m) {
    const struct entry_type *type = m->type;
    if (type->kind == __TAMAR_ARRAY) return !type->count && type->of->size;
    if (type->kind == __TAMAR_STRING) return true;
    // A number next to a list or tree does not count adjacent elements in memory.
    return type->kind == __TAMAR_POINTER && type->of->size && !(type->flags & __TAMAR_RECURSIVE) &&
           !is_length(m, m, true);
}

// The length of a pointer is the next member or parameter, else the previous one, unless that belongs to another
// pointer. A flexible array is the last member: any member may be its length.
void entry_pair_lengths(struct entry_member *members, uint64_t count, bool are_parameters) {
    for (uint64_t i = 0; i + 1 < count; i++)
        if (wants_length(&members[i]) && is_length(&members[i + 1], &members[i], are_parameters))
            members[i].length = (uint32_t)(i + 2);
    for (uint64_t i = 1; i < count; i++) {
        struct entry_member *m = &members[i];
        if (!wants_length(m) || m->length) continue;
        bool taken = i >= 2 && members[i - 2].length == i;
        if (!taken && is_length(&members[i - 1], m, are_parameters)) m->length = (uint32_t)i;
        for (uint64_t k = 0; m->type->kind == __TAMAR_ARRAY && k < i && !m->length; k++)
            if (is_length(&members[k], m, are_parameters)) m->length = (uint32_t)(k + 1);
    }
}

// A character buffer that is a struct member is usually NUL-terminated, and its length does not count the NUL.
void entry_make_buffers(struct entry *e, struct entry_member *members, uint64_t count, bool are_parameters) {
    for (uint64_t i = 0; i < count; i++) {
        if (!members[i].length || members[i].type->kind != __TAMAR_STRING) continue;
        struct entry_type buffer = *members[i].type;
        buffer.kind = __TAMAR_POINTER;
        buffer.flags = buffer.of->text && !are_parameters ? __TAMAR_ENDED : 0;
        buffer.global = NULL;
        members[i].type = new_type(e, buffer);
    }
}

// ---- cycles

static bool leads_to(struct entry_type *from, const struct entry_type *to) {
    if (!from || from->visited) return false;
    from->visited = true;
    if (from->of && (from->of == to || leads_to(from->of, to))) return true;
    for (uint64_t i = 0; from->members && i < from->count; i++)
        if (from->members[i].type == to || leads_to(from->members[i].type, to)) return true;
    return false;
}

static void mark_recursive(struct entry *e) {
    vec_each (struct entry_type *, at, &e->all) {
        if ((*at)->kind != __TAMAR_POINTER) continue;
        vec_each (struct entry_type *, other, &e->all) (*other)->visited = false;
        if (leads_to((*at)->of, (*at)->of)) (*at)->flags |= __TAMAR_RECURSIVE;
    }
}

void entry_finish_types(struct entry *e) {
    mark_recursive(e);
    for (uint32_t i = 0; i < e->all.count; i++) { // the list grows in the loop
        struct entry_type *type = e->all.at[i];
        if (type->kind != __TAMAR_STRUCT || type->paired) continue;
        type->paired = true;
        entry_pair_lengths(type->members, type->count, false);
        entry_make_buffers(e, type->members, type->count, false);
    }
}
