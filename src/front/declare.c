// Writes the functions of a built program, and the types that they mention, as C declarations: from the debug
// information, for `tamar harness`.
#include "front/front_int.h"

#include <llvm-c/DebugInfo.h>
#include <string.h>

enum {
    TAG_ARRAY = 0x01,
    TAG_ENUMERATION = 0x04,
    TAG_MEMBER = 0x0d,
    TAG_POINTER = 0x0f,
    TAG_TYPEDEF = 0x16,
    TAG_UNION = 0x17,
    TAG_CONST = 0x26,
    TAG_VOLATILE = 0x35,
    TAG_RESTRICT = 0x37,
};
// Indices of operands of metadata nodes, in LLVM's order.
enum { NAME = 2, BASE_TYPE = 3, ELEMENTS = 4, SUBPROGRAM_TYPE = 4, SUBROUTINE_TYPES = 3 };

struct declare {
    struct front *front;
    struct text *to;
    struct map done;            // hashes of the names, with their kinds, that have been declared
    struct map named;           // record or enumeration without a name -> its number
    vec(LLVMMetadataRef) later; // records that pointers mention, to be defined
};

// ---- nodes

static LLVMMetadataRef operand(struct declare *d, LLVMMetadataRef node, unsigned index) {
    return node ? debug_node_operand(d->front, node, index, NULL) : NULL;
}

static LLVMMetadataRef base_of(struct declare *d, LLVMMetadataRef node) {
    return operand(d, node, BASE_TYPE);
}

static unsigned operand_count(struct declare *d, LLVMMetadataRef list) {
    return list ? (unsigned)LLVMGetMDNodeNumOperands(LLVMMetadataAsValue(d->front->context, list)) : 0;
}

static const char *text_operand(struct declare *d, LLVMMetadataRef node, unsigned index) {
    LLVMValueRef value = NULL;
    unsigned length = 0;
    if (!debug_node_operand(d->front, node, index, &value) || !value) return "";
    const char *text = LLVMGetMDString(value, &length);
    char *copy = arena_alloc(d->front->scratch, length + 1);
    if (text) memcpy(copy, text, length);
    return copy;
}

static const char *name_of(struct declare *d, LLVMMetadataRef node) { return text_operand(d, node, NAME); }

static bool is_kind(LLVMMetadataRef node, LLVMMetadataKind kind) {
    return node && LLVMGetMetadataKind(node) == kind;
}

static unsigned tag_of(LLVMMetadataRef node) {
    return is_kind(node, LLVMDIDerivedTypeMetadataKind) || is_kind(node, LLVMDICompositeTypeMetadataKind)
               ? LLVMGetDINodeTag(node)
               : 0;
}

static bool is_composite(LLVMMetadataRef node) {
    return is_kind(node, LLVMDICompositeTypeMetadataKind) && tag_of(node) != TAG_ARRAY;
}

static bool is_incomplete(LLVMMetadataRef node) { return LLVMDITypeGetFlags(node) & LLVMDIFlagFwdDecl; }

// Marks the name; returns false if it was marked before.
static bool is_first(struct declare *d, const char *kind, const char *name) {
    uint64_t hash = hash_bytes(name, strlen(name), hash_bytes(kind, strlen(kind), 1)) | 1;
    if (map_get(&d->done, hash)) return false;
    *map_put(&d->done, hash) = 1;
    return true;
}

// Whether the type is from a header that every harness includes.
static bool is_included(struct declare *d, LLVMMetadataRef node) {
    LLVMMetadataRef file = operand(d, node, 0);
    unsigned length = 0;
    if (!is_kind(file, LLVMDIFileMetadataKind)) return false;
    const char *name = LLVMDIFileGetFilename(file, &length), *slash = memrchr(name, '/', length);
    if (slash) length -= (unsigned)(slash + 1 - name), name = slash + 1;
    static const char *const headers[] = {"stdio.h", "stdlib.h", "string.h"};
    for (size_t i = 0; i < COUNT(headers); i++)
        if (length == strlen(headers[i]) && !memcmp(name, headers[i], length)) return true;
    return false;
}

// ---- types and declarators

static const char *word_of(LLVMMetadataRef node) {
    return tag_of(node) == TAG_ENUMERATION ? "enum" : tag_of(node) == TAG_UNION ? "union" : "struct";
}

// The tag of a record or enumeration; one without a name gets one.
static const char *tag_name(struct declare *d, LLVMMetadataRef node) {
    const char *name = name_of(d, node);
    if (*name) return name;
    uint64_t *number = map_get(&d->named, (uintptr_t)node);
    uint32_t count = d->named.count + 1;
    if (!number) *(number = map_put(&d->named, (uintptr_t)node)) = count;
    struct text text = {0};
    text_add(&text, "unnamed_%llu", (unsigned long long)*number);
    name = arena_strdup(d->front->scratch, text.at);
    text_free(&text);
    return name;
}

static const char *basic_name(struct declare *d, LLVMMetadataRef node) {
    const char *name = name_of(d, node);
    uint64_t size = LLVMDITypeGetSizeInBits(node) / 8;
    if (!strcmp(name, "complex"))
        return size == 8 ? "float _Complex" : size == 16 ? "double _Complex" : "long double _Complex";
    return name;
}

static const char *text_kept(struct declare *d, struct text *text) {
    const char *copy = arena_strdup(d->front->scratch, text->at ? text->at : "");
    text_free(text);
    return copy;
}

static void add_typed(struct declare *d, struct text *to, LLVMMetadataRef node, const char *declarator);

static void add_parameters(struct declare *d, struct text *to, LLVMMetadataRef types,
                           const char *const *names) {
    unsigned count = operand_count(d, types);
    text_add(to, "(");
    for (unsigned i = 1; i < count; i++) {
        LLVMMetadataRef type = operand(d, types, i);
        if (i > 1) text_add(to, ", ");
        if (!type)
            text_add(to, "..."); // variable arguments are a missing type
        else
            add_typed(d, to, type, names ? names[i - 1] : "");
    }
    text_add(to, count > 1 ? ")" : "void)");
}

static const char *with_parameters(struct declare *d, LLVMMetadataRef subroutine, const char *declarator) {
    struct text text = {0};
    text_add(&text, "%s", declarator);
    add_parameters(d, &text, operand(d, subroutine, SUBROUTINE_TYPES), NULL);
    return text_kept(d, &text);
}

static uint64_t size_of(struct declare *d, LLVMMetadataRef node) {
    unsigned tag = tag_of(node);
    while (tag == TAG_TYPEDEF || tag == TAG_CONST || tag == TAG_VOLATILE || tag == TAG_RESTRICT)
        tag = tag_of(node = base_of(d, node));
    return !node ? 1 : tag == TAG_POINTER ? 8 : LLVMDITypeGetSizeInBits(node) / 8;
}

static const char *with_elements(struct declare *d, LLVMMetadataRef array, const char *declarator) {
    uint64_t size = LLVMDITypeGetSizeInBits(array) / 8, element = size_of(d, base_of(d, array));
    bool vector = LLVMDITypeGetFlags(array) & LLVMDIFlagVector;
    struct text text = {0};
    text_add(&text, vector ? "%s __attribute__((vector_size(%llu)))" : "%s[%llu]", declarator,
             (unsigned long long)(vector || !element ? size : size / element));
    return text_kept(d, &text);
}

static const char *with_prefix(struct declare *d, const char *prefix, const char *declarator, bool enclosed) {
    struct text text = {0};
    text_add(&text, enclosed ? "(%s%s)" : "%s%s", prefix, declarator);
    return text_kept(d, &text);
}

static void add_derived(struct declare *d, struct text *to, LLVMMetadataRef node, const char *declarator) {
    LLVMMetadataRef base = base_of(d, node);
    unsigned tag = tag_of(node);
    assert(tag && declarator);
    if (tag == TAG_POINTER) {
        bool enclosed = is_kind(base, LLVMDISubroutineTypeMetadataKind) || tag_of(base) == TAG_ARRAY;
        add_typed(d, to, base, with_prefix(d, "*", declarator, enclosed));
    } else if (tag == TAG_CONST || tag == TAG_VOLATILE || tag == TAG_RESTRICT) {
        const char *word = tag == TAG_CONST ? "const " : tag == TAG_VOLATILE ? "volatile " : "restrict ";
        add_typed(d, to, base, with_prefix(d, word, declarator, false));
    } else { // a typedef
        text_add(to, "%s %s", name_of(d, node), declarator);
    }
}

// Appends a declaration of the declarator with this type, without a semicolon; NULL: void.
static void add_typed(struct declare *d, struct text *to, LLVMMetadataRef node, const char *declarator) {
    if (!node)
        text_add(to, "void %s", declarator);
    else if (is_kind(node, LLVMDIBasicTypeMetadataKind))
        text_add(to, "%s %s", basic_name(d, node), declarator);
    else if (is_kind(node, LLVMDISubroutineTypeMetadataKind))
        add_typed(d, to, operand(d, operand(d, node, SUBROUTINE_TYPES), 0),
                  with_parameters(d, node, declarator));
    else if (tag_of(node) == TAG_ARRAY)
        add_typed(d, to, base_of(d, node), with_elements(d, node, declarator));
    else if (is_composite(node))
        text_add(to, "%s %s %s", word_of(node), tag_name(d, node), declarator);
    else
        add_derived(d, to, node, declarator);
}

// ---- definitions: everything that a declaration mentions comes before it

static void need(struct declare *d, LLVMMetadataRef node, bool whole);

static void need_all(struct declare *d, LLVMMetadataRef types) {
    for (unsigned i = 0; i < operand_count(d, types); i++)
        if (operand(d, types, i)) need(d, operand(d, types, i), false);
}

static void define_enumeration(struct declare *d, LLVMMetadataRef node) {
    LLVMMetadataRef list = operand(d, node, ELEMENTS);
    struct text text = {0};
    for (unsigned i = 0; i < operand_count(d, list); i++) {
        LLVMMetadataRef one = operand(d, list, i);
        const char *name = text_operand(d, one, 0);
        if (!*name || !is_first(d, "enumerator", name)) continue; // another enumeration may have it, too
        text_add(&text, "%s%s = %lld", text.count ? ", " : "", name,
                 (long long)debug_enumerator_value(d->front, one));
    }
    if (!text.count) text_add(&text, "%s_none", tag_name(d, node));
    text_add(d->to, "enum %s { %s };\n", tag_name(d, node), text.at);
    text_free(&text);
}

static void add_members(struct declare *d, struct text *to, LLVMMetadataRef record) {
    LLVMMetadataRef list = operand(d, record, ELEMENTS);
    for (unsigned i = 0; i < operand_count(d, list); i++) {
        LLVMMetadataRef member = operand(d, list, i);
        if (tag_of(member) != TAG_MEMBER) continue;
        LLVMMetadataRef type = base_of(d, member);
        const char *name = name_of(d, member);
        if (!*name && is_composite(type)) { // an unnamed struct or union inside
            text_add(to, " %s {", word_of(type));
            add_members(d, to, type);
            text_add(to, " };");
            continue;
        }
        text_add(to, " ");
        add_typed(d, to, type, name);
        if (LLVMDITypeGetFlags(member) & LLVMDIFlagBitField)
            text_add(to, " : %llu", (unsigned long long)LLVMDITypeGetSizeInBits(member));
        text_add(to, ";");
    }
}

static void need_members(struct declare *d, LLVMMetadataRef record) {
    LLVMMetadataRef list = operand(d, record, ELEMENTS);
    for (unsigned i = 0; i < operand_count(d, list); i++) {
        LLVMMetadataRef member = operand(d, list, i), type = base_of(d, member);
        if (tag_of(member) != TAG_MEMBER) continue;
        if (!*name_of(d, member) && is_composite(type))
            need_members(d, type);
        else
            need(d, type, true);
    }
}

static uint64_t alignment_of(struct declare *d, LLVMMetadataRef node);

// Whether the members are closer together than their types allow.
static bool is_packed(struct declare *d, LLVMMetadataRef record, uint64_t *alignment) {
    LLVMMetadataRef list = operand(d, record, ELEMENTS);
    bool packed = false;
    *alignment = 1;
    for (unsigned i = 0; i < operand_count(d, list); i++) {
        LLVMMetadataRef member = operand(d, list, i);
        if (tag_of(member) != TAG_MEMBER) continue;
        uint64_t own = alignment_of(d, base_of(d, member));
        bool bits = LLVMDITypeGetFlags(member) & LLVMDIFlagBitField;
        packed |= !bits && LLVMDITypeGetOffsetInBits(member) % (8 * own) != 0;
        *alignment = MAX(*alignment, own);
    }
    return packed || LLVMDITypeGetSizeInBits(record) % (8 * *alignment) != 0;
}

static uint64_t alignment_of(struct declare *d, LLVMMetadataRef node) {
    unsigned tag = tag_of(node);
    while (tag == TAG_TYPEDEF || tag == TAG_CONST || tag == TAG_VOLATILE || tag == TAG_RESTRICT ||
           tag == TAG_ARRAY)
        tag = tag_of(node = base_of(d, node));
    uint64_t alignment = 1;
    if (is_composite(node) && tag != TAG_ENUMERATION) return is_packed(d, node, &alignment) ? 1 : alignment;
    uint64_t size = size_of(d, node);
    while (alignment < size && alignment < 16) alignment *= 2;
    return alignment;
}

static void define(struct declare *d, LLVMMetadataRef node) {
    if (is_incomplete(node) || is_included(d, node) || !is_first(d, word_of(node), tag_name(d, node))) return;
    if (tag_of(node) == TAG_ENUMERATION) {
        define_enumeration(d, node);
        return;
    }
    need_members(d, node);
    struct text text = {0};
    add_members(d, &text, node);
    uint64_t alignment;
    text_add(d->to, "%s %s {%s }%s;\n", word_of(node), tag_name(d, node), text.at ? text.at : "",
             is_packed(d, node, &alignment) ? " __attribute__((packed))" : "");
    // The debug information has no other attributes: this detects those that change the size.
    text_add(d->to,
             "_Static_assert(sizeof(%s %s) == %llu, \"its declaration has attributes: write it by hand\");\n",
             word_of(node), tag_name(d, node), (unsigned long long)(LLVMDITypeGetSizeInBits(node) / 8));
    text_free(&text);
}

static void need_composite(struct declare *d, LLVMMetadataRef node, bool whole) {
    assert(is_composite(node));
    if (whole || tag_of(node) == TAG_ENUMERATION) {
        define(d, node);
        return;
    }
    if (!is_first(d, "mentioned", tag_name(d, node))) return;
    text_add(d->to, "%s %s;\n", word_of(node), tag_name(d, node));
    vec_push(&d->later, node);
}

static void need_typedef(struct declare *d, LLVMMetadataRef node, bool whole) {
    const char *name = name_of(d, node);
    LLVMMetadataRef base = base_of(d, node);
    bool builtin =
        !strncmp(name, "__builtin_", 10) || !strcmp(name, "__gnuc_va_list") || !strcmp(name, "va_list");
    if (builtin || is_included(d, node)) return; // the compiler or a header declares it
    need(d, base, whole);
    if (!is_first(d, "typedef", name)) return;
    text_add(d->to, "typedef ");
    add_typed(d, d->to, base, name);
    text_add(d->to, ";\n");
}

// Writes the declarations that a use of the type needs. `whole`: an object of the type is declared, not only a pointer
// to one.
static void need(struct declare *d, LLVMMetadataRef node, bool whole) {
    unsigned tag = tag_of(node);
    if (is_kind(node, LLVMDISubroutineTypeMetadataKind)) {
        need_all(d, operand(d, node, SUBROUTINE_TYPES));
    } else if (is_composite(node)) {
        need_composite(d, node, whole);
    } else if (tag == TAG_TYPEDEF) {
        need_typedef(d, node, whole);
    } else if (tag) {
        LLVMMetadataRef base = base_of(d, node);
        if (base) need(d, base, whole && tag != TAG_POINTER);
    }
}

// ---- functions

// Names of the parameters in the source; "" where the bitcode has none. The calling convention may split a value
// ("s.coerce0", "s.coerce1") and pass the address of the result first.
static const char **parameter_names(struct declare *d, LLVMValueRef function, unsigned count) {
    const char **names = ARENA_ARRAY(d->front->scratch, const char *, count + 1);
    unsigned sret = LLVMGetEnumAttributeKindForName("sret", 4), used = 0;
    for (unsigned i = 0; i <= count; i++) names[i] = "";
    for (unsigned i = 0; i < LLVMCountParams(function) && used < count; i++) {
        size_t length;
        const char *name = LLVMGetValueName2(LLVMGetParam(function, i), &length), *dot = strchr(name, '.');
        if (!i && LLVMGetEnumAttributeAtIndex(function, 1, sret)) continue;
        if (dot) length = (size_t)(dot - name);
        char *copy = arena_alloc(d->front->scratch, length + 1);
        memcpy(copy, name, length);
        if (used && length && !strcmp(names[used - 1], copy)) continue;
        names[used++] = copy;
    }
    return names;
}

static void declare_function(struct declare *d, LLVMValueRef function) {
    const char *name = LLVMGetValueName(function);
    LLVMMetadataRef source = LLVMGetSubprogram(function), type = operand(d, source, SUBPROGRAM_TYPE);
    LLVMMetadataRef types = operand(d, type, SUBROUTINE_TYPES);
    if (!types || !is_first(d, "function", name)) return;
    for (unsigned i = 0; i < operand_count(d, types); i++)
        if (operand(d, types, i)) need(d, operand(d, types, i), true);
    struct text declarator = {0};
    text_add(&declarator, "%s", name);
    add_parameters(d, &declarator, types, parameter_names(d, function, operand_count(d, types)));
    add_typed(d, d->to, operand(d, types, 0), text_kept(d, &declarator));
    text_add(d->to, ";\n");
}

static bool is_declared(LLVMValueRef function) {
    const char *name = LLVMGetValueName(function);
    return !LLVMIsDeclaration(function) && LLVMGetLinkage(function) != LLVMInternalLinkage &&
           strcmp(name, "main") != 0 && strncmp(name, "__", 2) != 0 && !strchr(name, '.');
}

bool declare_functions(struct front *front, struct text *to) {
    struct declare d = {.front = front, .to = to};
    bool any = false;
    vec_each (struct unit, unit, &front->units)
        for (LLVMValueRef one = LLVMGetFirstFunction(unit->module); one; one = LLVMGetNextFunction(one)) {
            if (!is_declared(one)) continue;
            any |= LLVMGetSubprogram(one) != NULL;
            declare_function(&d, one);
        }
    for (uint32_t i = 0; i < d.later.count; i++) define(&d, d.later.at[i]); // the list grows in the loop
    map_free(&d.done);
    map_free(&d.named);
    vec_free(&d.later);
    return any;
}
