// A bug as a person reads it.
#include "vm/vm_int.h"

#include <stdio.h>
#include <stdlib.h>

#define MOST_FRAMES 40

static const struct ir_location *location_of(const struct ir_program *program, struct site site) {
    const struct ir_function *function = &program->functions[site.function];
    return &program->locations[function->code ? function->locations[site.instruction] : 0];
}

// The innermost call that is in the program's own source: where a person looks first.
uint32_t bug_place(const struct vm *vm, const struct bug *bug) {
    for (uint32_t number = bug->site; number;) {
        struct site site = site_get(vm->sites, number);
        if (!vm->program->functions[site.function].runtime) return number;
        number = site.caller;
    }
    return bug->site;
}

// The source line with a caret, when the file can be read.
static void print_source_line(struct text *text, const struct ir_program *program,
                              const struct ir_location *at) {
    FILE *file = at->line ? fopen(program->files[at->file], "r") : NULL;
    if (!file) return;
    char *line = NULL;
    size_t capacity = 0;
    ssize_t length = -1;
    for (uint32_t i = 0; i < at->line; i++)
        if ((length = getline(&line, &capacity, file)) < 0) break;
    if (length >= 0) {
        while (length && (line[length - 1] == '\n' || line[length - 1] == '\r')) length--;
        text_add(text, "  %5u | ", at->line);
        for (ssize_t i = 0; i < length; i++) // control characters could play tricks with a terminal
            text_add(text, "%c", (unsigned char)line[i] < 32 && line[i] != '\t' ? '?' : line[i]);
        text_add(text, "\n        | ");
        for (ssize_t i = 0; i + 1 < at->column && i < length; i++)
            text_add(text, "%c", line[i] == '\t' ? '\t' : ' ');
        text_add(text, "%s\n", at->column ? "^" : "");
    }
    free(line);
    fclose(file);
}

static void print_location(struct text *text, const struct ir_program *program,
                           const struct ir_location *at) {
    if (at->line)
        text_add(text, "%s:%u:%u", program->files[at->file], at->line, at->column);
    else
        text_add(text, "(no line)");
}

static bool is_runtime(const struct vm *vm, uint32_t number) {
    return number && vm->program->functions[site_get(vm->sites, number).function].runtime;
}

// Of the library only the function that the program called is shown: what it did inside concerns nobody.
void stack_print(struct text *text, const struct vm *vm, uint32_t number) {
    for (unsigned depth = 0; number; depth++) {
        struct site site = site_get(vm->sites, number);
        while (is_runtime(vm, number) && is_runtime(vm, site.caller))
            site = site_get(vm->sites, number = site.caller);
        if (is_runtime(vm, number) && !site.caller) return;
        if (depth == MOST_FRAMES) {
            text_add(text, "    ...\n");
            return;
        }
        const struct ir_location *at = location_of(vm->program, site);
        text_add(text, "    #%u %s ", depth, vm->program->functions[site.function].name);
        print_location(text, vm->program, at);
        text_add(text, "\n");
        number = site.caller;
    }
}

void bug_print(struct text *text, const struct vm *vm, const struct bug *bug) {
    uint32_t place = bug_place(vm, bug);
    bool modelled = vm->event != VM_NOT_MODELLED;
    text_add(text, "tamar: %s: ", modelled ? bug_facts[bug->kind].name : "gave up");
    if (place) {
        struct site site = site_get(vm->sites, place);
        const struct ir_location *at = location_of(vm->program, site);
        print_location(text, vm->program, at);
        text_add(text, ": %s, in %s\n", bug->message.at, vm->program->functions[site.function].name);
        print_source_line(text, vm->program, at);
    } else {
        text_add(text, "%s\n", bug->message.at);
    }
    if (bug->details.count) text_add(text, "  %s", bug->details.at);
    if (bug->site) text_add(text, "  call stack:\n");
    stack_print(text, vm, bug->site);
    if (bug->allocated_at) text_add(text, "  allocated by:\n");
    stack_print(text, vm, bug->allocated_at);
    if (bug->freed_at) text_add(text, "  freed by:\n");
    stack_print(text, vm, bug->freed_at);
}
