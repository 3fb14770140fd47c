#include "transform/one_unit.h"

#include "base/error.h"
#include "front/strip.h"
#include "transform/module.h"

#include <llvm-c/IRReader.h>

#include <ctype.h>
#include <string.h>

#define UNITS "\n!llvm.dbg.cu = !{"

static size_t number_length(const char *text) { // length of "!12"; 0: there is none
    size_t length = *text == '!';
    while (length && isdigit((unsigned char)text[length])) length++;
    return length > 1 ? length : 0;
}

// llvm-c cannot change the unit of a function, so this edits the textual IR.
static bool change_text(const char *text, struct text *to) {
    const char *units = strstr(text, UNITS), *first = units ? units + strlen(UNITS) : NULL;
    int length = first ? (int)number_length(first) : 0;
    if (!length) return false;
    for (const char *at = text; *at;) {
        const char *end = strchr(at, '\n'), *unit = NULL;
        end = end ? end + 1 : at + strlen(at);
        // A line that defines a function's metadata; string constants of the program are on other lines.
        if (*at == '!' && strstr(at, "!DISubprogram(") && strstr(at, "!DISubprogram(") < end)
            unit = strstr(at, ", unit: ");
        if (at == units + 1) {
            text_add(to, "%s%.*s}\n", &UNITS[1], length, first);
        } else if (unit && unit < end && number_length(unit + 8)) {
            text_add_bytes(to, at, (size_t)(unit + 8 - at));
            text_add(to, "%.*s", length, first);
            unit += 8 + number_length(unit + 8);
            text_add_bytes(to, unit, (size_t)(end - unit));
        } else {
            text_add_bytes(to, at, (size_t)(end - at));
        }
        at = end;
    }
    return true;
}

bool transform_one_unit(const struct text *bitcode, struct text *changed) {
    LLVMContextRef context = LLVMContextCreate();
    LLVMModuleRef module = module_open(context, bitcode);
    front_strip_module(module);
    char *printed = LLVMPrintModuleToString(module), *message = NULL;
    struct text text = {0};
    bool good = change_text(printed, &text);
    LLVMDisposeMessage(printed);
    LLVMDisposeModule(module);
    if (good) {
        LLVMMemoryBufferRef buffer =
            LLVMCreateMemoryBufferWithMemoryRange(text.at, text.count, "program", true);
        if (LLVMParseIRInContext(context, buffer, &module, &message)) // takes the buffer
            error_internal("the changed program cannot be read: %s", message);
        module_write(module, changed);
        LLVMDisposeModule(module);
    }
    LLVMContextDispose(context);
    text_free(&text);
    return good;
}
