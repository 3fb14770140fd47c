// Functions that disable checks: __attribute__((no_sanitize("address"))), no_sanitize_address and similar ones. Clang
// keeps these attributes only if the sanitizer is on. Macros on the compiler's command line (SANITIZER_ATTRIBUTES in
// base/sanitizers.h) add an annotation to each, which is read here.
#include "base/bug_kinds.h"
#include "base/sanitizers.h"
#include "front/front_int.h"

#define PREFIX "tamar.no_sanitize:"

// Kinds that several checks report: the attribute of one check does not disable the others. Clang omits the check of
// subscripts itself.
static const uint64_t of_memory = UINT64_C(1) << BUG_OUT_OF_BOUNDS | UINT64_C(1) << BUG_USE_AFTER_FREE |
                                  UINT64_C(1) << BUG_USE_AFTER_SCOPE | UINT64_C(1) << BUG_OVERLAP;

static uint64_t kinds_of_undefined(void) {
    uint64_t kinds = 0;
    uint64_t sanitizers = sanitizers_wanted(CHECK_BIT(UNDEFINED));
    for (unsigned i = 0; i < SANITIZER_COUNT; i++)
        if (sanitizers >> i & 1) kinds |= UINT64_C(1) << sanitizers_kind((enum sanitizer)i);
    return kinds & ~of_memory;
}

static uint64_t kinds_of(const char *name, size_t length) {
    static const char *const of_address[] = {"address", "kernel-address", "hwaddress", "kernel-hwaddress"};
    for (size_t i = 0; i < COUNT(of_address); i++)
        if (strlen(of_address[i]) == length && !strncmp(of_address[i], name, length)) return of_memory;
    if (length == 3 && !strncmp(name, "all", 3)) return UINT64_MAX;
    if (length == 6 && !strncmp(name, "memory", 6)) return UINT64_C(1) << BUG_UNINITIALISED;
    if (length == 9 && !strncmp(name, "undefined", 9)) return kinds_of_undefined();
    return bug_kinds_of_check(name, length) & ~of_memory;
}

// The set of kinds of the words in quotes.
static uint64_t kinds_of_list(const char *list) {
    uint64_t kinds = 0;
    for (const char *open = strchr(list, '"'); open; open = strchr(open, '"')) {
        const char *name = open + 1, *close = strchr(name, '"');
        if (!close) break;
        kinds |= kinds_of(name, (size_t)(close - name));
        open = close + 1;
    }
    return kinds;
}

static const char *text_of(LLVMValueRef pointer) {
    size_t length;
    LLVMValueRef initial = pointer && LLVMGetValueKind(pointer) == LLVMGlobalVariableValueKind
                               ? LLVMGetInitializer(pointer)
                               : NULL;
    return initial && LLVMIsConstantString(initial) ? LLVMGetAsString(initial, &length) : "";
}

void unchecked_find(struct front *front) {
    vec_each (struct unit, unit, &front->units) {
        LLVMValueRef list = LLVMGetNamedGlobal(unit->module, "llvm.global.annotations");
        LLVMValueRef rows = list ? LLVMGetInitializer(list) : NULL;
        if (!rows || LLVMGetTypeKind(LLVMTypeOf(rows)) != LLVMArrayTypeKind) continue;
        for (unsigned i = 0; i < LLVMGetArrayLength2(LLVMTypeOf(rows)); i++) {
            LLVMValueRef row = LLVMGetAggregateElement(rows, i);
            LLVMValueRef function = row ? LLVMGetAggregateElement(row, 0) : NULL;
            const char *text = row ? text_of(LLVMGetAggregateElement(row, 1)) : "";
            if (!function || LLVMGetValueKind(function) != LLVMFunctionValueKind) continue;
            if (strncmp(text, PREFIX, strlen(PREFIX)) != 0) continue;
            *map_put(&front->unchecked, (uintptr_t)function) |= kinds_of_list(text + strlen(PREFIX));
        }
    }
}

uint64_t unchecked_kinds(struct front *front, LLVMValueRef function) {
    const uint64_t *kinds = map_get(&front->unchecked, (uintptr_t)function);
    return kinds ? *kinds : 0;
}
