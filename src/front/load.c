// Runs all stages of a load: see front_int.h.
#include "base/clock.h"
#include "base/error.h"
#include "base/file.h"
#include "base/log.h"
#include "base/resources.h"
#include "base/sources.h"
#include "front/elf_bitcode.h"
#include "front/input.h"
#include "front/program_cache.h"

#include <llvm-c/BitWriter.h>
#include <llvm-c/Error.h>
#include <llvm-c/Linker.h>
#include <llvm-c/Transforms/PassBuilder.h>

#include <stdlib.h>

#define X86_64_LAYOUT "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

static unsigned attribute_kind(const char *name) {
    return LLVMGetEnumAttributeKindForName(name, strlen(name));
}

static void start(struct front *front) {
    front->context = LLVMContextCreate();
    front->layout = LLVMCreateTargetData(X86_64_LAYOUT);
    front->folder = LLVMCreateBuilderInContext(front->context);
    front->arena = arena_new();
    front->program = ARENA_NEW(front->arena, struct ir_program);
    front->program->arena = front->arena;
    front->byval_kind = attribute_kind("byval");
    front->align_kind = attribute_kind("align");
    vec_push(&front->locations, ((struct ir_location){0}));
    vec_push(&front->files, "");
    debug_intern_string(front, "", 0);
}

// Freeing LLVM's data takes a large part of the start-up time of a small program, and the end of the process frees it
// anyway. So the data of one small program is kept until the next one is loaded.
static void leave_context(struct front *front) {
    enum { SMALL = 1000 }; // number of functions of a small program
    static LLVMContextRef kept;
    LLVMContextRef old = kept;
    bool small = front->program && front->program->function_count < SMALL;
    kept = small ? front->context : NULL;
    if (old) LLVMContextDispose(old); // also disposes its modules
    if (!small) LLVMContextDispose(front->context);
}

static void finish(struct front *front) {
    vec_each (struct unit, unit, &front->units)
        if (unit->reader) LLVMDisposePassManager(unit->reader);
    vec_free(&front->units);
    DELETE_ARRAY(front->symbols, front->symbol_capacity);
    struct map *maps[] = {
        &front->unit_of_module, &front->resolved,        &front->functions,    &front->globals,
        &front->visited,        &front->shapes,          &front->sizes,        &front->address,
        &front->labels,         &front->location_of,     &front->scope_names,  &front->file_of,
        &front->string_of,      &front->file_hash,       &front->intrinsic_of, &front->check_calls,
        &front->check_objects,  &front->unset_variables, &front->unchecked};
    for (size_t i = 0; i < COUNT(maps); i++) map_free(maps[i]);
    vec_free(&front->reached);
    vec_free(&front->variables);
    vec_free(&front->held);
    vec_free(&front->pending);
    vec_free(&front->locations);
    vec_free(&front->types);
    map_free(&front->type_of);
    vec_free(&front->files);
    vec_free(&front->strings);
    vec_free(&front->label_list);
    vec_free(&front->edges);
    vec_free(&front->choices);
    vec_free(&front->checks);
    vec_free(&front->left_pointers);
    map_free(&front->local_offsets);
    map_free(&front->missing);
    LLVMDisposeBuilder(front->folder);
    LLVMDisposeTargetData(front->layout);
    leave_context(front);
}

// After a longjmp, variables in memory have their latest values, and in native code at -O0 all local variables are in
// memory. So the locals of a function that calls setjmp stay in memory here, too.
static void keep_locals_of_setjmp(struct front *front, LLVMModuleRef module) {
    static const char *const names[] = {"setjmp",    "_setjmp",     "__setjmp",
                                        "sigsetjmp", "__sigsetjmp", "__tamar_setjmp"};
    for (size_t i = 0; i < COUNT(names); i++) {
        LLVMValueRef function = LLVMGetNamedFunction(module, names[i]);
        for (LLVMUseRef use = function ? LLVMGetFirstUse(function) : NULL; use; use = LLVMGetNextUse(use)) {
            LLVMValueRef user = LLVMGetUser(use);
            if (LLVMGetValueKind(user) != LLVMInstructionValueKind) continue;
            LLVMValueRef caller = LLVMGetBasicBlockParent(LLVMGetInstructionParent(user));
            static const char *const attributes[] = {"optnone", "noinline"};
            static const char *const contrary[] = {"optsize", "minsize", "alwaysinline"}; // from -Os
            for (size_t k = 0; k < COUNT(contrary); k++)
                LLVMRemoveEnumAttributeAtIndex(caller, LLVMAttributeFunctionIndex,
                                               attribute_kind(contrary[k]));
            for (size_t k = 0; k < COUNT(attributes); k++) {
                unsigned kind = attribute_kind(attributes[k]);
                LLVMAddAttributeAtIndex(caller, LLVMAttributeFunctionIndex,
                                        LLVMCreateEnumAttribute(front->context, kind, 0));
            }
        }
    }
}

// Promotes local variables to registers: mem2reg is the only LLVM pass that runs.
static void promote(struct front *front) {
    LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
    vec_each (struct unit, unit, &front->units) {
        if (unit->reader) continue;
        keep_locals_of_setjmp(front, unit->module);
        const char *passes = check_wanted(front->options->checks, CHECK_UNINIT) ? "" : "function(mem2reg)";
        LLVMErrorRef error = *passes ? LLVMRunPasses(unit->module, passes, NULL, options) : NULL;
        if (error) error_internal("mem2reg: %s", LLVMGetErrorMessage(error));
        LLVMSetIsNewDbgInfoFormat(unit->module,
                                  false); // declarations of variables as calls, which llvm-c can access
    }
    LLVMDisposePassBuilderOptions(options);
}

// ---- entry, constructors and destructors

// Gives a libFuzzer harness, which has no main, the runtime's main that calls it.
static void take_fuzzer_main(struct front *front) {
    LLVMValueRef harness = symbols_named_function(front, "LLVMFuzzerTestOneInput");
    LLVMValueRef feeder = symbols_named_function(front, "__tamar_fuzzer_main");
    if (!symbols_named_function(front, "main") && harness && feeder) symbols_define(front, "main", feeder);
}

static LLVMValueRef find_entry(struct front *front, const char *place) {
    const char *wanted = front->options->start;
    LLVMValueRef entry = symbols_named_function(front, wanted ? wanted : "__tamar_start");
    bool has_main = symbols_named_function(front, "main") != NULL;
    if (!entry && !wanted) entry = symbols_named_function(front, "main");
    if (!entry || !symbols_is_definition(entry) || (!wanted && !has_main)) {
        user_error_at(place, "Name all files of the program, or start elsewhere with --entry FUNCTION.",
                      "the program has no function \"%s\"", wanted ? wanted : "main");
        return NULL;
    }
    return entry;
}

struct constructor {
    uint32_t priority, order, function;
};
struct constructors {
    struct constructor *at;
    uint32_t count, capacity;
};

static void collect(struct front *front, const char *list, struct constructors *result) {
    for (uint32_t u = 0; u < front->units.count; u++) {
        LLVMValueRef variable = LLVMGetNamedGlobal(front->units.at[u].module, list);
        LLVMValueRef initial = variable && !LLVMIsDeclaration(variable) ? LLVMGetInitializer(variable) : NULL;
        if (!initial || LLVMGetTypeKind(LLVMTypeOf(initial)) != LLVMArrayTypeKind) continue;
        for (unsigned i = 0; i < LLVMGetArrayLength2(LLVMTypeOf(initial)); i++) {
            LLVMValueRef row = LLVMGetAggregateElement(initial, i);
            LLVMValueRef value = row ? LLVMGetAggregateElement(row, 1) : NULL;
            LLVMValueKind kind = value ? LLVMGetValueKind(value) : LLVMConstantPointerNullValueKind;
            bool global = kind == LLVMFunctionValueKind || kind == LLVMGlobalAliasValueKind;
            LLVMValueRef function = global ? symbols_alias_target(front, value) : NULL;
            if (!function || LLVMGetValueKind(function) != LLVMFunctionValueKind) continue;
            uint32_t priority = (uint32_t)LLVMConstIntGetZExtValue(LLVMGetAggregateElement(row, 0));
            struct constructor c = {priority, result->count, reachable_function(front, function, NULL)};
            vec_push(result, c);
        }
    }
}

static int by_priority(const void *a, const void *b) {
    const struct constructor *x = a, *y = b;
    if (x->priority != y->priority) return x->priority < y->priority ? -1 : 1;
    return x->order < y->order ? -1 : x->order > y->order;
}

static uint32_t *order_constructors(struct front *front, struct constructors *list, bool reverse) {
    uint32_t *result = ARENA_ARRAY(front->arena, uint32_t, list->count + 1);
    if (list->count) qsort(list->at, list->count, sizeof *list->at, by_priority);
    for (uint32_t i = 0; i < list->count; i++)
        result[i] = list->at[reverse ? list->count - 1 - i : i].function;
    return result;
}

static void reach_constructors(struct front *front) {
    struct constructors constructors = {0}, destructors = {0};
    struct ir_program *program = front->program;
    collect(front, "llvm.global_ctors", &constructors);
    collect(front, "llvm.global_dtors", &destructors);
    program->constructors = order_constructors(front, &constructors, false);
    program->constructor_count = constructors.count;
    program->destructors = order_constructors(front, &destructors, true);
    program->destructor_count = destructors.count;
    vec_free(&constructors);
    vec_free(&destructors);
}

// ---- undefined functions

static void place_text(struct front *front, LLVMValueRef instruction, char *text, size_t size) {
    text[0] = 0;
    if (!instruction || LLVMGetValueKind(instruction) != LLVMInstructionValueKind) return;
    LLVMValueRef function = LLVMGetBasicBlockParent(LLVMGetInstructionParent(instruction));
    uint32_t location =
        debug_location_of(front, LLVMInstructionGetDebugLoc(instruction)); // may move the list
    const struct ir_location *at = &front->locations.at[location];
    if (at->line)
        snprintf(text, size, "%s:%u", front->files.at[at->file], at->line);
    else
        snprintf(text, size, "%s, in %s", front->units.at[symbols_unit_of(front, function)].name,
                 LLVMGetValueName(function));
}

static bool is_machine_function(const char *name) {
    static const char *const others[] = {"setjmp", "_setjmp", "__setjmp", "sigsetjmp", "__sigsetjmp"};
    if (!strncmp(name, "__tamar_", 8)) return true;
    for (size_t i = 0; i < COUNT(others); i++)
        if (!strcmp(name, others[i])) return true;
    return false;
}

static void report_undefined(const struct front *front, const char *place, const char *name) {
    const char *nearest = undefined_nearest(front, name);
    struct text remedy = {0};
    if (nearest) text_add(&remedy, "Did you mean %s?", nearest);
    user_error_at(place, remedy.at, "undefined function \"%s\"", name);
    text_free(&remedy);
}

// Whether a function of a sanitizer's library is called: the bitcode is instrumented, and no other message would help.
static bool is_instrumented(const struct front *front) {
    static const char *const names[][2] = {{"__asan_", "address"},
                                           {"__hwasan_", "hwaddress"},
                                           {"__msan_", "memory"},
                                           {"__tsan_", "thread"},
                                           {"__sanitizer_cov_", "fuzzer (or -fsanitize-coverage)"}};
    vec_each (struct reached_function, reached, &front->reached) {
        const char *name = LLVMGetValueName(reached->value);
        if (reached->defined) continue;
        for (size_t i = 0; i < COUNT(names); i++) {
            if (strncmp(name, names[i][0], strlen(names[i][0])) != 0) continue;
            user_error_at(
                front->units.at[reached->unit].name,
                "Compile it without, or with `tamar cc`, which ignores it: Tamar has its own checks.",
                "was compiled with -fsanitize=%s: it calls %s", names[i][1], name);
            return true;
        }
    }
    return false;
}

#define MOST_REPORTS 20

static bool check_undefined(struct front *front) {
    if (front->options->allow_undefined) return true;
    if (is_instrumented(front)) return false;
    unsigned count = 0;
    char place[4200];
    vec_each (struct reached_function, reached, &front->reached) {
        if (reached->defined || is_machine_function(LLVMGetValueName(reached->value))) continue;
        if (front->units.at[reached->unit].linked) continue;
        if (count++ >= MOST_REPORTS) continue;
        place_text(front, reached->caller, place, sizeof place);
        report_undefined(front, *place ? place : front->units.at[reached->unit].name,
                         LLVMGetValueName(reached->value));
    }
    vec_each (LLVMValueRef, variable, &front->variables) {
        if (!LLVMIsDeclaration(*variable) || LLVMGetLinkage(*variable) == LLVMExternalWeakLinkage) continue;
        if (front->units.at[symbols_unit_of(front, *variable)].linked) {
            missing_note(front, *variable);
            continue;
        }
        if (count++ >= MOST_REPORTS) continue;
        user_error_at(front->units.at[symbols_unit_of(front, *variable)].name, NULL,
                      "undefined variable \"%s\"", LLVMGetValueName(*variable));
    }
    missing_spread(front);
    if (!count) return true;
    user_error_at(NULL,
                  "Name the files or the library's sources that define them too, or build with \"tamar cc\". "
                  "`--undefined symbolic` lets such functions return any value.",
                  "%u undefined name%s", count, count == 1 ? "" : "s");
    return false;
}

// Intrinsics (runtime/boundary.h) trust their caller, the runtime. A program must not call or replace them.
static bool check_own_names(struct front *front) {
    // Made by transform/variables.c and front/entry.c.
    static const char *const ours[] = {"__tamar_options", "__tamar_entry_begin", "__tamar_entry_global",
                                       "__tamar_entry_result", "__tamar_entry_memory"};
    bool good = true;
    vec_each (struct unit, unit, &front->units)
        for (LLVMValueRef one = LLVMGetFirstFunction(unit->module); one; one = LLVMGetNextFunction(one)) {
            const char *name = LLVMGetValueName(one);
            bool known = LLVMGetLinkage(one) == LLVMInternalLinkage;
            for (size_t i = 0; i < COUNT(ours); i++) known |= !strcmp(name, ours[i]);
            if (known || strncmp(name, "__tamar_", 8) != 0) continue;
            user_error_at(unit->name, "Programs use the functions of <tamar.h> and <klee/klee.h> instead.",
                          "%s belongs to Tamar's own runtime: a program cannot %s it", name,
                          LLVMIsDeclaration(one) ? "call" : "define");
            good = false;
        }
    return good;
}

// ---- lowering

static bool local_linkage(LLVMValueRef value) {
    LLVMLinkage linkage = LLVMGetLinkage(value);
    return linkage == LLVMInternalLinkage || linkage == LLVMPrivateLinkage;
}

static uint32_t generated_function(struct front *front, const char *name) {
    for (uint32_t i = 0; i < front->reached.count; i++) {
        LLVMValueRef value = front->reached.at[i].value;
        if (value && !front->reached.at[i].defined && !strcmp(LLVMGetValueName(value), name)) return i;
    }
    vec_push(&front->reached, ((struct reached_function){0}));
    return front->reached.count - 1;
}

static char class_of(LLVMTypeRef type) {
    switch (LLVMGetTypeKind(type)) {
    case LLVMVoidTypeKind: return 'v';
    case LLVMPointerTypeKind: return 'p';
    case LLVMFloatTypeKind: return 'f';
    case LLVMDoubleTypeKind: return 'd';
    case LLVMIntegerTypeKind: {
        unsigned width = LLVMGetIntTypeWidth(type);
        return width == 8 || width == 16 || width == 32 || width == 64 ? (char)('0' + width / 8) : '?';
    }
    default: return '?';
    }
}

// The signature of a function without a body, for native calls (ir.h).
static const char *signature_of(struct front *front, LLVMValueRef value, LLVMTypeRef type) {
    char *signature = arena_alloc(front->arena, LLVMCountParamTypes(type) + 2), *at = signature;
    *at++ = class_of(LLVMGetReturnType(type));
    for (LLVMValueRef p = LLVMGetFirstParam(value); p; p = LLVMGetNextParam(p))
        *at++ = class_of(LLVMTypeOf(p));
    return signature;
}

// Returns the file of a list (elf_bitcode_natives) that defines the function, or "".
static const char *find_origin(struct front *front, const char *list, const char *name) {
    for (const char *at = list; at && *at;) {
        size_t length = strcspn(at, "\n");
        char *path = arena_alloc(front->arena, length + 1);
        memcpy(path, at, length);
        path[length] = 0;
        struct text file = {0};
        bool found = file_read(path, &file) && elf_bitcode_member_has_function(file.at, file.count, name);
        text_free(&file);
        if (found) return path;
        at += length + (at[length] != 0);
    }
    return "";
}

// Returns the file without bitcode from which a linked program has the function as native code; "": the file is not
// known; NULL: the program does not have the function.
static const char *native_origin(struct front *front, const char *name) {
    const char *last = NULL, *origin = NULL;
    vec_each (struct unit, unit, &front->units) {
        if (!unit->linked || (last && !strcmp(last, unit->name))) continue;
        last = unit->name;
        struct text file = {0};
        if (file_read(unit->name, &file) && elf_bitcode_has_function(file.at, file.count, name))
            origin = find_origin(front, elf_bitcode_natives(file.at, file.count), name);
        text_free(&file);
    }
    return origin;
}

// Returns true if the location is in a header of Tamar's C library: inline functions such as __isspace of <ctype.h> are
// compiled into user code, but belong to the library.
static bool in_library_header(const struct front *front, uint32_t location) {
    static const char *const folders[] = {"/share/tamar/sysroot/usr/include/", "/share/tamar/include/"};
    const char *file = front->files.at[front->locations.at[location].file];
    for (unsigned i = 0; i < COUNT(folders); i++)
        if (strstr(file, folders[i])) return true;
    return false;
}

static void describe_function(struct front *front, uint32_t index, const char *generated) {
    struct ir_function *function = &front->program->functions[index];
    LLVMValueRef value = front->reached.at[index].value;
    function->index = index;
    function->frame_align = 16;
    function->name = generated;
    function->runtime = !value || front->units.at[front->reached.at[index].unit].rank == RANK_LIBRARY;
    if (!value) return;
    size_t length;
    const char *name = LLVMGetValueName2(value, &length);
    function->name = arena_memdup(front->arena, name, length + 1);
    function->local = local_linkage(value);
    function->unchecked = unchecked_kinds(front, value);
    function->location = debug_location_of_function(front, value);
    function->runtime |= in_library_header(front, function->location);
    LLVMTypeRef type = LLVMGlobalGetValueType(value);
    function->variadic = LLVMIsFunctionVarArg(type);
    function->result_slots = types_shape_of(front, LLVMGetReturnType(type))->slots;
    function->parameter_slots = 0;
    for (LLVMValueRef p = LLVMGetFirstParam(value); p; p = LLVMGetNextParam(p))
        function->parameter_slots += types_shape_of(front, LLVMTypeOf(p))->slots;
    if (front->options->types && !function->runtime) debug_describe_types(front, function, value);
    if (!function->runtime) parameters_describe(front, value, function);
    if (!front->reached.at[index].defined) {
        function->signature = signature_of(front, value, type);
        function->native_origin = native_origin(front, function->name);
    }
}

static void lower_program(struct front *front) {
    struct ir_program *program = front->program;
    uint32_t construct = generated_function(front, "__tamar_constructors");
    uint32_t destruct = generated_function(front, "__tamar_destructors");
    uint32_t count = front->reached.count;
    program->function_count = count;
    program->functions = ARENA_ARRAY(front->arena, struct ir_function, count);
    layout_globals(front);
    for (uint32_t i = 0; i < count; i++)
        describe_function(front, i, i == construct ? "__tamar_constructors" : "__tamar_destructors");
    for (uint32_t i = 0; i < count; i++) {
        if (i == construct)
            lower_generated(front, i, program->constructors, program->constructor_count, 3);
        else if (i == destruct)
            lower_generated(front, i, program->destructors, program->destructor_count, 0);
        else if (front->reached.at[i].defined)
            lower_function(front, i);
    }
    assert(front->reached.count == count);
}

#define HAND_OVER(list, count_field)                                                                         \
    (program->list = arena_memdup(front->arena, front->list.at, front->list.count * sizeof *front->list.at), \
     program->count_field = front->list.count)

static void hand_over(struct front *front) {
    struct ir_program *program = front->program;
    HAND_OVER(types, type_count);
    HAND_OVER(locations, location_count);
    HAND_OVER(files, file_count);
    HAND_OVER(strings, string_count);
    HAND_OVER(edges, edge_count);
    HAND_OVER(checks, check_count);
    HAND_OVER(left_pointers, left_pointer_count);
    program->block_count = front->block_count;
    program->position_count = front->position_count;
    program->label_count = front->label_list.count;
    vec_each (struct ir_label, label, &front->label_list)
        if (label->target == NO_TARGET) label->target = 0;
    program->labels = arena_memdup(front->arena, front->label_list.at,
                                   front->label_list.count * sizeof *front->label_list.at);
}

// Reaches the functions for setjmp, which only lowered code calls.
static void reach_machine(struct front *front) {
    for (uint32_t i = 0; i < front->reached.count; i++) {
        LLVMValueRef value = front->reached.at[i].value;
        if (front->reached.at[i].defined) continue;
        const char *name = LLVMGetValueName(value);
        if (strstr(name, "setjmp") && strncmp(name, "__tamar_", 8) != 0) {
            LLVMModuleRef module = front->units.at[front->reached.at[i].unit].module;
            LLVMValueRef own = LLVMGetNamedFunction(module, "__tamar_setjmp");
            if (!own) own = LLVMAddFunction(module, "__tamar_setjmp", LLVMGlobalGetValueType(value));
            front->machine_setjmp = reachable_function(front, symbols_resolve(front, own), NULL) + 1;
            LLVMValueRef prepare = symbols_named_function(front, "__tamar_sigsetjmp_prepare");
            if (prepare) front->prepare_sigsetjmp = reachable_function(front, prepare, NULL) + 1;
            return;
        }
    }
}

static bool link_program(struct front *front, const char *runtime, const char *place) {
    if (runtime) input_read_library(front, runtime, "lib/runtime.bc");
    for (uint32_t i = 0; i < front->units.count; i++) symbols_add_unit(front, i);
    if (front->failed) return false;
    take_fuzzer_main(front);
    if (front->options->whole) {
        reachable_definitions(front);
    } else {
        LLVMValueRef entry = find_entry(front, place);
        if (!entry) return false;
        reachable_function(front, entry, NULL);
    }
    reach_constructors(front);
    reachable_all(front);
    reach_machine(front);
    reachable_all(front);
    return check_undefined(front);
}

static void verify_in_debug_builds(const struct ir_program *program) {
#ifndef NDEBUG
    const char *problem = ir_verify(program);
    if (problem) error_internal("the IR is not sound: %s", problem);
#else
    (void)program;
#endif
}

static void note_link_error(LLVMDiagnosticInfoRef info, void *argument) {
    if (LLVMGetDiagInfoSeverity(info) != LLVMDSError) return;
    char *description = LLVMGetDiagInfoDescription(info);
    text_add(argument, "%s%s", ((struct text *)argument)->count ? "; " : "", description);
    LLVMDisposeMessage(description);
}

// Keeps the bodies of inline functions whose definition is not part of the program, because optimised code needed no
// call of it. The VM executes these bodies, so native builds must have them, too.
static void keep_inline_bodies(LLVMModuleRef module) {
    for (LLVMValueRef one = LLVMGetFirstFunction(module); one; one = LLVMGetNextFunction(one))
        if (LLVMGetLinkage(one) == LLVMAvailableExternallyLinkage)
            LLVMSetLinkage(one, LLVMLinkOnceODRLinkage);
}

// Consecutive units, linked into one module.
struct load_part {
    LLVMModuleRef module;
    uint32_t units;
};
typedef vec(struct load_part) parts;

// Links the last two parts.
static void join(parts *list) {
    struct load_part last = vec_pop(list);
    LLVMLinkModules2(vec_last(list)->module, last.module); // consumes the last one; errors are recorded
    vec_last(list)->units += last.units;
}

// Links all units. Each link visits its whole destination, so adjacent parts of similar size are linked first: a unit
// is visited a logarithmic number of times.
static LLVMModuleRef link_units(struct front *front, const struct text *cause) {
    parts list = {0};
    vec_each (struct unit, unit, &front->units) {
        struct load_part one = {LLVMCloneModule(unit->module), 1};
        vec_push(&list, one);
        while (list.count > 1 && list.at[list.count - 2].units <= vec_last(&list)->units && !cause->count)
            join(&list);
    }
    while (list.count > 1 && !cause->count) join(&list);
    while (list.count > 1) LLVMDisposeModule(vec_pop(&list).module);
    LLVMModuleRef whole = list.at[0].module;
    vec_free(&list);
    return whole;
}

// Saves the program as one module, as clang compiled it. If the units cannot be linked (the same name twice), this is
// reported: such a program can be explored, but has no exact build for replay.
static void save_bitcode(struct front *front, struct text *to) {
    struct text cause = {0};
    LLVMContextSetDiagnosticHandler(front->context, note_link_error, &cause);
    LLVMModuleRef whole = link_units(front, &cause);
    LLVMContextSetDiagnosticHandler(front->context, NULL, NULL);
    if (cause.count) {
        user_warning("the program is not kept for replay: %.300s", cause.at);
    } else {
        keep_inline_bodies(whole);
        LLVMMemoryBufferRef buffer = LLVMWriteBitcodeToMemoryBuffer(whole);
        text_add_bytes(to, LLVMGetBufferStart(buffer), LLVMGetBufferSize(buffer));
        LLVMDisposeMemoryBuffer(buffer);
    }
    LLVMDisposeModule(whole);
    text_free(&cause);
}

// Allows quoting sources from the folders in which the units were compiled, and from the folders of their files.
static void allow_sources(struct front *front, const char *folder) {
    sources_allow(folder);
    text_add_bytes(&front->folders, folder, strlen(folder) + 1);
}

static void note_source_folders(struct front *front) {
    vec_each (struct unit, unit, &front->units) {
        unsigned count = LLVMGetNamedMetadataNumOperands(unit->module, "llvm.dbg.cu");
        LLVMValueRef *parts = NEW_ARRAY(LLVMValueRef, count + 1);
        LLVMGetNamedMetadataOperands(unit->module, "llvm.dbg.cu", parts);
        for (unsigned i = 0; i < count; i++) {
            LLVMMetadataRef file = LLVMDIScopeGetFile(LLVMValueAsMetadata(parts[i]));
            if (!file) continue;
            unsigned folder_length, name_length;
            const char *folder = LLVMDIFileGetDirectory(file, &folder_length);
            const char *name = LLVMDIFileGetFilename(file, &name_length);
            struct text path = {0};
            text_add_bytes(&path, folder, folder_length);
            if (path.count) allow_sources(front, path.at);
            if (name_length && *name == '/') text_clear(&path);
            text_add(&path, "/");
            text_add_bytes(&path, name, name_length);
            *strrchr(path.at, '/') = 0;
            if (*path.at) allow_sources(front, path.at);
            text_free(&path);
        }
        DELETE_ARRAY(parts, count + 1);
    }
}

// The number of functions of user code that are never referenced.
static uint32_t count_unlinked(struct front *front) {
    uint32_t count = 0;
    vec_each (struct unit, unit, &front->units) {
        if (unit->rank == RANK_LIBRARY) continue;
        for (LLVMValueRef one = LLVMGetFirstFunction(unit->module); one; one = LLVMGetNextFunction(one))
            count += !LLVMIsDeclaration(one) && !map_get(&front->functions, (uintptr_t)one) &&
                     LLVMGetLinkage(one) != LLVMAvailableExternallyLinkage;
    }
    return count;
}

// Applies all stages after the files have been read. NULL: an error has been reported.
static struct ir_program *translate(struct front *front, const char *runtime, struct front_times *times) {
    const struct front_options *options = front->options;
    if (!input_add_modules(front, times) || !programs_separate(front) ||
        (!options->intrinsics && !check_own_names(front)) || !entry_drive(front))
        return NULL;
    rewrite_main(front);
    note_source_folders(front);
    rewrite_indirect_functions(front);
    scopes_believe(front);
    instrumented_strip(front);
    rewrite_constant_questions(front);
    rewrite_alloca(front);
    rewrite_undeclared(front);
    rewrite_frame_addresses(front);
    function_alias_route(front);
    undefined_define(front, options->no_libc ? NULL : runtime);
    rewrite_assembly(front, true);
    join_conditions(front);
    if (options->bitcode) save_bitcode(front, options->bitcode);
    unwind_limit(front);
    double at = clock_processor_seconds();
    instrumented_rewrite(front);
    rewrite_jumps(front);
    rewrite_contexts(front);
    rewrite_assembly(front, false);
    if (options->unset && !check_wanted(options->checks, CHECK_UNINIT)) unset_mark(front);
    scopes_simplify(front);
    unchecked_find(front);
    promote(front);
    scopes_release(front);
    unset_sweep(front);
    double promoted = clock_processor_seconds();
    times->passes += promoted - at;
    bool linked = link_program(front, options->no_libc ? NULL : runtime, front->units.at[0].name);
    double ready = clock_processor_seconds();
    times->link += ready - promoted;
    if (!linked) return NULL;
    front->program->unlinked = count_unlinked(front);
    lower_program(front);
    if (options->traced) trace_add(front, options->traced);
    hand_over(front);
    verify_in_debug_builds(front->program);
    times->lower += clock_processor_seconds() - ready;
    return front->program;
}

// Translates the program, and keeps the result under this key. A load with a warning is not kept, because the next load
// would not print it. LLVM's data is freed before the image is made.
static struct ir_program *translate_and_keep(struct front *front, const char *runtime, const char *key,
                                             struct front_times *times) {
    struct text *bitcode = front->options->bitcode;
    size_t before = bitcode ? bitcode->count : 0;
    unsigned warnings = user_warning_count();
    start(front);
    struct ir_program *program = translate(front, runtime, times);
    finish(front);
    if (!program) {
        arena_free(front->arena);
    } else if (key && warnings == user_warning_count() && !before) {
        program_cache_keep(key, program, bitcode, &front->folders);
    }
    return program;
}

struct ir_program *front_load(const struct front_input *input, const struct front_options *options,
                              struct front_times *times) {
    struct front front = {.options = options, .scratch = arena_new()};
    struct front_times own = {0};
    if (!times) times = &own;
    const char *runtime = options->runtime ? options->runtime : resources_find();
    struct ir_program *program = NULL;
    if (input_read(&front, input, runtime, times)) {
        char key[CACHE_KEY];
        bool keyed = program_cache_key(options, runtime, &front.contents, key);
        program = keyed ? program_cache_find(key, options->bitcode) : NULL;
        if (program)
            log_detail("the program was loaded before: it is taken from the program cache");
        else
            program = translate_and_keep(&front, runtime, keyed ? key : NULL, times);
    }
    input_free(&front);
    text_free(&front.folders);
    arena_free(front.scratch);
    return program;
}

bool front_declarations(const struct front_input *input, struct text *to) {
    static const struct front_entry any; // so that a library may be the program
    struct front_options options = {.driver = &any};
    struct front front = {.options = &options, .scratch = arena_new()};
    struct front_times times = {0};
    bool good = input_read(&front, input, resources_find(), &times);
    if (good) {
        start(&front);
        good = input_add_modules(&front, &times);
        if (good && !declare_functions(&front, to)) {
            user_error_at(input->words[0],
                          "Build it with -g, or name the header that declares the functions.",
                          "has no debug information about functions that can be called");
            good = false;
        }
        finish(&front);
        arena_free(front.arena);
    }
    input_free(&front);
    text_free(&front.folders);
    arena_free(front.scratch);
    return good;
}
