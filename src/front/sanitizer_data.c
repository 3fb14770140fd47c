// Reads a call of a sanitizer's handler: its check and types. The layout of the data is that of compiler-rt
// (ubsan_handlers.h). The first field is the source location, which is not needed: the call has a debug location.
#include "front/instrumented.h"

#define PREFIX "__ubsan_handle_"
#define ABORT  "_abort"

const char *sanitizer_handler_name(LLVMValueRef function) {
    size_t length;
    const char *name = LLVMGetValueName2(function, &length);
    return !strncmp(name, PREFIX, strlen(PREFIX)) && LLVMIsDeclaration(function) ? name + strlen(PREFIX)
                                                                                 : NULL;
}

// ---- the data

// A field of the first argument's initial value, or NULL.
static LLVMValueRef field(LLVMValueRef call, unsigned index) {
    LLVMValueRef data = LLVMGetNumArgOperands(call) ? LLVMGetOperand(call, 0) : NULL;
    if (!data || !LLVMIsAGlobalVariable(data)) return NULL;
    LLVMValueRef initial = LLVMGetInitializer(data);
    return initial ? LLVMGetAggregateElement(initial, index) : NULL;
}

static uint64_t number(LLVMValueRef call, unsigned index) {
    LLVMValueRef value = field(call, index);
    return value && LLVMIsAConstantInt(value) ? LLVMConstIntGetZExtValue(value) : 0;
}

struct described_type {
    const char *name; // with quotes, as clang writes it
    bool is_integer, is_signed;
    unsigned width; // width of an integer, in bits
};

static struct described_type type_field(LLVMValueRef call, unsigned index) {
    struct described_type type = {.name = "its type"};
    LLVMValueRef global = field(call, index);
    LLVMValueRef initial = global && LLVMIsAGlobalVariable(global) ? LLVMGetInitializer(global) : NULL;
    LLVMValueRef kind = initial ? LLVMGetAggregateElement(initial, 0) : NULL;
    LLVMValueRef info = initial ? LLVMGetAggregateElement(initial, 1) : NULL;
    LLVMValueRef name = initial ? LLVMGetAggregateElement(initial, 2) : NULL;
    if (!kind || !LLVMIsAConstantInt(kind) || !info || !LLVMIsAConstantInt(info)) return type;
    type.is_integer = LLVMConstIntGetZExtValue(kind) == 0;
    type.width = 1u << (LLVMConstIntGetZExtValue(info) >> 1 & 15);
    type.is_signed = type.is_integer && (LLVMConstIntGetZExtValue(info) & 1);
    size_t length;
    if (name && LLVMIsConstantString(name)) type.name = LLVMGetAsString(name, &length); // NUL-terminated
    return type;
}

// ---- the check

static bool is_conjunction(LLVMValueRef value) {
    return LLVMIsAInstruction(value) && sweep_is_instrumentation(value) &&
           LLVMGetInstructionOpcode(value) == LLVMAnd;
}

static void add_part(struct handler *handler, enum sanitizer sanitizer, LLVMValueRef condition) {
    if (handler->part_count == COUNT(handler->parts)) return;
    handler->parts[handler->part_count++] = (struct handler_part){sanitizer, condition};
}

// Adds the two conjuncts of the condition. If it is not a conjunction, because checks were removed when the bitcode was
// saved, the whole condition counts for both.
static void add_two(struct handler *handler, LLVMValueRef condition, enum sanitizer first,
                    enum sanitizer second) {
    if (is_conjunction(condition)) {
        add_part(handler, first, LLVMGetOperand(condition, 0));
        add_part(handler, second, LLVMGetOperand(condition, 1));
        return;
    }
    add_part(handler, first, condition);
    add_part(handler, second, condition);
}

// Adds the conjuncts that test for null and for alignment. Another one (the size of the object) is left to the VM.
static void add_address_parts(struct handler *handler, LLVMValueRef condition) {
    enum { NONNULL_ASSIGNMENT = 10 }; // clang's TCK_NonnullAssign
    if (is_conjunction(condition)) {
        add_address_parts(handler, LLVMGetOperand(condition, 0));
        add_address_parts(handler, LLVMGetOperand(condition, 1));
        return;
    }
    if (number(handler->call, 3) == NONNULL_ASSIGNMENT) {
        add_part(handler, SANITIZER_NULLABILITY_ASSIGN, condition);
    } else if (LLVMIsConstant(condition)) {
        add_part(handler, SANITIZER_NULL, condition);
        add_part(handler, SANITIZER_ALIGNMENT, condition);
    } else if (LLVMIsAICmpInst(condition) && LLVMGetICmpPredicate(condition) == LLVMIntNE) {
        add_part(handler, SANITIZER_NULL, condition);
    } else if (LLVMIsAICmpInst(condition) && LLVMGetICmpPredicate(condition) == LLVMIntEQ) {
        add_part(handler, SANITIZER_ALIGNMENT, condition);
    }
}

static void add_conversion_parts(struct handler *handler, LLVMValueRef condition) {
    enum { UNSIGNED_TRUNCATION = 1, SIGNED_TRUNCATION, SIGN_CHANGE, TRUNCATION_OR_SIGN_CHANGE };
    if (number(handler->call, 4)) { // bits of a bit-field
        add_part(handler, SANITIZER_BITFIELD, condition);
        return;
    }
    switch (number(handler->call, 3)) {
    case UNSIGNED_TRUNCATION: add_part(handler, SANITIZER_UNSIGNED_TRUNCATION, condition); break;
    case SIGN_CHANGE: add_part(handler, SANITIZER_SIGN_CHANGE, condition); break;
    case TRUNCATION_OR_SIGN_CHANGE:
        add_two(handler, condition, SANITIZER_SIGNED_TRUNCATION, SANITIZER_SIGN_CHANGE);
        break;
    default: add_part(handler, SANITIZER_SIGNED_TRUNCATION, condition); break;
    }
}

static void add_shift_parts(struct handler *handler, LLVMValueRef condition) {
    bool is_signed = type_field(handler->call, 1).is_signed;
    enum sanitizer base = is_signed ? SANITIZER_SHIFT_BASE : SANITIZER_UNSIGNED_SHIFT;
    if (is_conjunction(condition)) {
        add_two(handler, condition, SANITIZER_SHIFT_EXPONENT, base);
    } else if (LLVMIsASelectInst(condition)) {
        add_part(handler, base, condition);
    } else {
        add_part(handler, SANITIZER_SHIFT_EXPONENT, condition);
    }
}

// Handlers that belong to one sanitizer.
static const struct {
    const char *name;
    enum sanitizer sanitizer;
} handlers[] = {
    {"out_of_bounds", SANITIZER_BOUNDS},
    {"vla_bound_not_positive", SANITIZER_VLA_BOUND},
    {"float_cast_overflow", SANITIZER_FLOAT_CAST},
    {"load_invalid_value", SANITIZER_BOOL},
    {"invalid_builtin", SANITIZER_BUILTIN},
    {"pointer_overflow", SANITIZER_POINTER_OVERFLOW},
    {"alignment_assumption", SANITIZER_ALIGNMENT},
    {"nonnull_arg", SANITIZER_NONNULL_ATTRIBUTE},
    {"nonnull_return_v1", SANITIZER_RETURNS_NONNULL},
    {"nullability_arg", SANITIZER_NULLABILITY_ARG},
    {"nullability_return_v1", SANITIZER_NULLABILITY_RETURN},
};

// Whether the name is the handler's, or its variant's that does not return.
static bool is_handler(const char *name, const char *wanted) {
    size_t length = strlen(wanted);
    return !strncmp(name, wanted, length) && (!name[length] || !strcmp(name + length, ABORT));
}

static bool is_arithmetic(const char *name) {
    static const char *const names[] = {"add_overflow", "sub_overflow", "mul_overflow", "negate_overflow"};
    for (size_t i = 0; i < COUNT(names); i++)
        if (is_handler(name, names[i])) return true;
    return false;
}

bool sanitizer_handler_read(struct handler *handler, LLVMValueRef call, LLVMValueRef condition) {
    *handler = (struct handler){.call = call};
    const char *name = sanitizer_handler_name(LLVMGetCalledValue(call));
    assert(name);
    size_t length = strlen(name);
    handler->never_returns = length > strlen(ABORT) && !strcmp(name + length - strlen(ABORT), ABORT);
    if (is_arithmetic(name)) {
        bool is_signed = type_field(call, 1).is_signed;
        add_part(handler, is_signed ? SANITIZER_SIGNED_OVERFLOW : SANITIZER_UNSIGNED_OVERFLOW, condition);
    } else if (is_handler(name, "divrem_overflow")) {
        bool integer = type_field(call, 1).is_integer;
        add_part(handler, integer ? SANITIZER_DIVIDE : SANITIZER_FLOAT_DIVIDE, condition);
    } else if (is_handler(name, "shift_out_of_bounds")) {
        add_shift_parts(handler, condition);
    } else if (is_handler(name, "type_mismatch_v1")) {
        add_address_parts(handler, condition);
    } else if (is_handler(name, "implicit_conversion")) {
        add_conversion_parts(handler, condition);
    }
    for (size_t i = 0; i < COUNT(handlers); i++)
        if (is_handler(name, handlers[i].name)) add_part(handler, handlers[i].sanitizer, condition);
    return handler->part_count > 0;
}

// ---- the report

static bool is_zero(LLVMValueRef value) {
    return value && LLVMIsAConstantInt(value) && LLVMConstIntGetZExtValue(value) == 0;
}

static void say_arithmetic(struct text *text, const struct handler *handler, const char *name, bool shown) {
    static const char *const words[][2] = {{"addition", "+"}, {"subtraction", "-"}, {"multiplication", "*"}};
    struct described_type type = type_field(handler->call, 1);
    const char *sign = type.is_signed ? "signed" : "unsigned";
    unsigned which = name[0] == 'a' ? 0 : name[0] == 's' ? 1 : 2;
    if (name[0] == 'n')
        text_add(text, "%s negation overflows", sign);
    else
        text_add(text, "%s %s overflows", sign, words[which][0]);
    if (shown && name[0] == 'n')
        text_add(text, ": -(%%1) cannot be represented in type %s", type.name);
    else if (shown)
        text_add(text, ": %%1 %s %%2 cannot be represented in type %s", words[which][1], type.name);
}

static void say_address(struct text *text, const struct handler *handler, bool shown) {
    static const char *const uses[] = {"load of", "store to", "reference to", "member access in",
                                       "call on", "call on",  "cast of",      "cast of",
                                       "cast of", "cast of",  "null for"};
    uint64_t use = number(handler->call, 3), align = UINT64_C(1) << (number(handler->call, 2) & 63);
    const char *verb = use < COUNT(uses) ? uses[use] : "use of", *type = type_field(handler->call, 1).name;
    if (handler->parts[0].sanitizer == SANITIZER_ALIGNMENT && shown)
        text_add(text, "%s %s at %%1, which is not aligned to %llu bytes", verb, type,
                 (unsigned long long)align);
    else if (shown)
        text_add(text, "%s %s through the pointer %%1", verb, type);
    else
        text_add(text, "%s %s through a null or misaligned pointer", verb, type);
}

static void say(struct text *text, const struct handler *handler, LLVMValueRef values[2]) {
    LLVMValueRef call = handler->call;
    const char *name = sanitizer_handler_name(LLVMGetCalledValue(call));
    bool first = values[0] != NULL, both = first && values[1];
    if (is_arithmetic(name))
        say_arithmetic(text, handler, name, name[0] == 'n' ? first : both);
    else if (is_handler(name, "divrem_overflow"))
        text_add(text, is_zero(values[1]) || !type_field(call, 1).is_integer
                           ? "division by zero"
                           : "division of the smallest number by -1 overflows");
    else if (is_handler(name, "shift_out_of_bounds"))
        text_add(text,
                 both ? "shift of %%1 by %%2 is not defined for type %s"
                      : "shift that is not defined for type %s",
                 type_field(call, 1).name);
    else if (is_handler(name, "out_of_bounds"))
        text_add(text, first ? "index %%1 is out of bounds for type %s" : "index out of bounds for type %s",
                 type_field(call, 1).name);
    else if (is_handler(name, "type_mismatch_v1"))
        say_address(text, handler, first);
    else if (is_handler(name, "implicit_conversion"))
        text_add(text, "implicit conversion from %s to %s changes the value%s", type_field(call, 1).name,
                 type_field(call, 2).name, both ? " %1 to %2" : "");
    else if (is_handler(name, "float_cast_overflow"))
        text_add(text, "a value of %s that the type %s cannot hold", type_field(call, 1).name,
                 type_field(call, 2).name);
    else if (is_handler(name, "load_invalid_value"))
        text_add(text, first ? "%%1 is not a value of type %s" : "not a value of type %s",
                 type_field(call, 1).name);
    else if (is_handler(name, "vla_bound_not_positive"))
        text_add(text, first ? "a variable-length array of %%1 elements"
                             : "a variable-length array without elements");
    else if (is_handler(name, "invalid_builtin"))
        text_add(text, "%s of zero", number(call, 1) ? "__builtin_clz" : "__builtin_ctz");
    else if (is_handler(name, "pointer_overflow"))
        text_add(text, both ? "pointer arithmetic from %%1 comes to %%2"
                            : "pointer arithmetic wraps around, or begins at null");
    else if (is_handler(name, "alignment_assumption"))
        text_add(text, "a pointer is not aligned as the program says");
    else
        text_add(text, "a null pointer where the declaration says that there is none");
}

uint32_t sanitizer_handler_check(struct front *front, const struct handler *handler, LLVMValueRef values[2]) {
    struct text text = {0};
    say(&text, handler, values);
    struct ir_check check = {.kind = sanitizers_kind(handler->parts[0].sanitizer),
                             .text = debug_intern_string(front, text.at, text.count)};
    text_free(&text);
    const char *name = sanitizer_handler_name(LLVMGetCalledValue(handler->call));
    bool conversion = is_handler(name, "implicit_conversion"),
         shift = is_handler(name, "shift_out_of_bounds");
    bool bounds = is_handler(name, "out_of_bounds");
    for (unsigned i = 0; i < COUNT(check.values); i++) {
        if (!values[i]) continue;
        LLVMTypeRef type = LLVMTypeOf(values[i]);
        bool pointer = LLVMGetTypeKind(type) == LLVMPointerTypeKind;
        unsigned described = bounds ? 2 : (conversion || shift) && i ? 2 : 1;
        struct described_type shown = type_field(handler->call, described);
        unsigned width = pointer ? 64 : LLVMGetIntTypeWidth(type); // constants are converted to words
        check.values[i].width = (uint8_t)(shown.is_integer ? MIN(width, shown.width) : width);
        check.values[i].is_signed = shown.is_signed;
        check.values[i].is_address = pointer || is_handler(name, "pointer_overflow");
    }
    vec_push(&front->checks, check);
    return front->checks.count - 1;
}
