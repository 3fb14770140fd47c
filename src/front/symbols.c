// Resolves names over all modules like a linker: each name has its strongest definition. Names with internal linkage
// are not entered.
#include "base/error.h"
#include "front/front_int.h"

bool symbols_is_definition(LLVMValueRef value) {
    LLVMValueKind kind = LLVMGetValueKind(value);
    if (kind == LLVMGlobalAliasValueKind || kind == LLVMGlobalIFuncValueKind) return true;
    return !LLVMIsDeclaration(value);
}

static bool is_local(LLVMValueRef value) {
    LLVMLinkage linkage = LLVMGetLinkage(value);
    return linkage == LLVMInternalLinkage || linkage == LLVMPrivateLinkage;
}

// The strength of a definition; 0 is the strongest. Within a rank, strong definitions come before weak, inline and
// common ones. Definitions that exist only for inlining (available_externally) come after all others.
static uint8_t strength_of(LLVMValueRef value, enum rank rank) {
    if (!symbols_is_definition(value)) return STRENGTH_NONE;
    switch (LLVMGetLinkage(value)) {
    case LLVMAvailableExternallyLinkage: return 100;
    case LLVMCommonLinkage:
    case LLVMWeakAnyLinkage:
    case LLVMWeakODRLinkage:
    case LLVMLinkOnceAnyLinkage:
    case LLVMLinkOnceODRLinkage: return (uint8_t)(10 * rank + 1);
    default: return (uint8_t)(10 * rank);
    }
}

static struct front_symbol *place_of(struct front *front, const char *name, size_t length, uint64_t hash) {
    for (uint32_t i = (uint32_t)hash;; i++) {
        struct front_symbol *symbol = &front->symbols[i & (front->symbol_capacity - 1)];
        if (!symbol->name ||
            (symbol->hash == hash && symbol->length == length && !memcmp(symbol->name, name, length)))
            return symbol;
    }
}

static void grow(struct front *front) {
    struct front_symbol *old = front->symbols;
    uint32_t old_capacity = front->symbol_capacity;
    front->symbol_capacity = old_capacity ? 2 * old_capacity : 1024;
    front->symbols = NEW_ARRAY(struct front_symbol, front->symbol_capacity);
    for (uint32_t i = 0; i < old_capacity; i++)
        if (old[i].name) *place_of(front, old[i].name, old[i].length, old[i].hash) = old[i];
    DELETE_ARRAY(old, old_capacity);
}

static struct front_symbol *symbol_of(struct front *front, const char *name, size_t length) {
    if (2 * front->symbol_count >= front->symbol_capacity) grow(front);
    uint64_t hash = hash_bytes(name, length, 0);
    struct front_symbol *symbol = place_of(front, name, length, hash);
    if (!symbol->name) {
        front->symbol_count++;
        *symbol = (struct front_symbol){name, length, hash, NULL, STRENGTH_NONE, 0};
    }
    return symbol;
}

static void report_duplicate(struct front *front, const struct front_symbol *symbol, uint32_t unit) {
    user_error_at(front->units.at[unit].name, "Remove or rename one of the two, or make it static.",
                  "\"%.*s\" is defined here and in %s", (int)symbol->length, symbol->name,
                  front->units.at[symbol->unit].name);
    front->failed = true;
}

// Whether both definitions are common and the first one is larger: the larger one is used.
static bool larger_common(struct front *front, LLVMValueRef value, LLVMValueRef than) {
    return LLVMGetLinkage(value) == LLVMCommonLinkage && LLVMGetLinkage(than) == LLVMCommonLinkage &&
           types_size_of(front, LLVMGlobalGetValueType(value)) >
               types_size_of(front, LLVMGlobalGetValueType(than));
}

static void add_symbol(struct front *front, LLVMValueRef value, uint32_t unit) {
    if (is_local(value) || LLVMGetLinkage(value) == LLVMAppendingLinkage) return;
    size_t length;
    const char *name = LLVMGetValueName2(value, &length);
    if (length > 5 && !memcmp(name, "llvm.", 5)) return;
    enum rank rank = front->units.at[unit].rank;
    uint8_t strength = strength_of(value, rank);
    if (strength == STRENGTH_NONE) return; // a declaration is entered when it is resolved
    if (name[0] == '\1') name++, length--; // "\1name": not mangled
    struct front_symbol *symbol = symbol_of(front, name, length);
    if (strength < symbol->strength ||
        (strength == symbol->strength && larger_common(front, value, symbol->value))) {
        symbol->value = value;
        symbol->strength = strength;
        symbol->unit = unit;
    } else if (strength == symbol->strength && strength == 0) {
        report_duplicate(front, symbol, unit);
    }
}

void symbols_add_unit(struct front *front, uint32_t unit) {
    LLVMModuleRef module = front->units.at[unit].module;
    *map_put(&front->unit_of_module, (uintptr_t)module) = unit + 1;
    for (LLVMValueRef v = LLVMGetFirstFunction(module); v; v = LLVMGetNextFunction(v))
        add_symbol(front, v, unit);
    for (LLVMValueRef v = LLVMGetFirstGlobal(module); v; v = LLVMGetNextGlobal(v)) add_symbol(front, v, unit);
    for (LLVMValueRef v = LLVMGetFirstGlobalAlias(module); v; v = LLVMGetNextGlobalAlias(v))
        add_symbol(front, v, unit);
    for (LLVMValueRef v = LLVMGetFirstGlobalIFunc(module); v; v = LLVMGetNextGlobalIFunc(v))
        add_symbol(front, v, unit);
}

uint32_t symbols_unit_of(struct front *front, LLVMValueRef global) {
    uint64_t *unit = map_get(&front->unit_of_module, (uintptr_t)LLVMGetGlobalParent(global));
    assert(unit);
    return (uint32_t)*unit - 1;
}

// The definition of a name; NULL: none.
static LLVMValueRef symbols_find(struct front *front, const char *name, size_t length) {
    if (!front->symbol_capacity) return NULL;
    struct front_symbol *symbol = place_of(front, name, length, hash_bytes(name, length, 0));
    return symbol->name && symbol->strength != STRENGTH_NONE ? symbol->value : NULL;
}

void symbols_define(struct front *front, const char *name, LLVMValueRef value) {
    struct front_symbol *symbol = symbol_of(front, name, strlen(name));
    symbol->value = value;
    symbol->strength = strength_of(value, RANK_LIBRARY);
    symbol->unit = symbols_unit_of(front, value);
}

LLVMValueRef symbols_resolve(struct front *front, LLVMValueRef value) {
    uint64_t *known = map_get(&front->resolved, (uintptr_t)value);
    if (known) return (LLVMValueRef)(uintptr_t)*known;
    LLVMValueRef result = value;
    if (!is_local(value)) {
        size_t length;
        const char *name = LLVMGetValueName2(value, &length);
        if (length && name[0] == '\1') name++, length--;
        struct front_symbol *symbol = symbol_of(front, name, length);
        if (!symbol->value) {
            symbol->value = value; // the first declaration represents all of them
            symbol->unit = symbols_unit_of(front, value);
        } else if (symbol->strength == STRENGTH_NONE &&
                   LLVMGetLinkage(symbol->value) == LLVMExternalWeakLinkage &&
                   LLVMGetLinkage(value) != LLVMExternalWeakLinkage) {
            // A name that is weak in one module and required in another is required.
            LLVMSetLinkage(symbol->value, LLVMExternalLinkage);
        }
        result = symbol->value;
    }
    *map_put(&front->resolved, (uintptr_t)value) = (uintptr_t)result;
    return result;
}

LLVMValueRef symbols_declare(LLVMModuleRef module, const char *name, LLVMTypeRef type) {
    LLVMValueRef known = LLVMGetNamedFunction(module, name);
    return known ? known : LLVMAddFunction(module, name, type);
}

LLVMValueRef symbols_named_function(struct front *front, const char *name) {
    LLVMValueRef value = symbols_find(front, name, strlen(name));
    return value ? symbols_alias_target(front, value) : NULL;
}
