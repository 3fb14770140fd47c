#include "run/recorded.h"

#include "base/arena.h"

#include <string.h>

static bool is_wanted(uint64_t symbolic, unsigned what) { return symbolic >> what & 1; }

static const struct test_input *argument_input(const struct test_case *test, uint32_t index) {
    for (uint32_t i = 0; i < test->input_count; i++)
        if (test->inputs[i].kind == INPUT_ARGUMENT &&
            input_parse(INPUT_ARGUMENT, test->inputs[i].name).index == index)
            return &test->inputs[i];
    return NULL;
}

static void add_arguments(struct arena *arena, const struct test_case *test, uint64_t symbolic,
                          struct vm_start_config *environment) {
    struct vm_text *arguments = ARENA_ARRAY(arena, struct vm_text, test->argument_count + 1);
    for (uint32_t i = 0; i < test->argument_count; i++) {
        const struct test_input *input = i ? argument_input(test, i) : NULL;
        arguments[i].text = test->arguments[i];
        if (input && is_wanted(symbolic, RECORDED_ARGS)) arguments[i].symbolic = input->size;
    }
    environment->arguments = arguments;
    environment->argument_count = test->argument_count;
}

static void add_variable(struct arena *arena, const struct test_input *input, uint64_t symbolic,
                         struct vm_text *variable) {
    struct text text = {0};
    bool fixed = !is_wanted(symbolic, RECORDED_ENV) || !input->size;
    text_add(&text, fixed ? "%s=%.*s" : "%s", input->name, (int)input->size, (const char *)input->bytes);
    variable->text = arena_strdup(arena, text.at);
    variable->symbolic = fixed ? 0 : input->size;
    text_free(&text);
}

static void add_inputs(struct arena *arena, const struct test_case *test, uint64_t symbolic,
                       struct vm_start_config *environment) {
    struct vm_file *files = ARENA_ARRAY(arena, struct vm_file, test->input_count + 1);
    struct vm_range *sockets = ARENA_ARRAY(arena, struct vm_range, test->input_count + 1);
    struct vm_text *variables = ARENA_ARRAY(arena, struct vm_text, test->input_count + 1);
    for (uint32_t i = 0; i < test->input_count; i++) {
        const struct test_input *input = &test->inputs[i];
        bool is_stdin = input->kind == INPUT_STDIN;
        if (is_stdin || input->kind == INPUT_FILE)
            files[environment->file_count++] = (struct vm_file){
                .path = is_stdin ? NULL : input->name,
                .least = input->size,
                .most = input->size,
                .content =
                    is_wanted(symbolic, is_stdin ? RECORDED_STDIN : RECORDED_FILES) ? NULL : input->bytes};
        if (input->kind == INPUT_ENVIRONMENT)
            add_variable(arena, input, symbolic, &variables[environment->variable_count++]);
        if (input_role(input->kind, input->name) == ROLE_SOCKET)
            sockets[environment->socket_count++] = (struct vm_range){input->size, input->size};
    }
    environment->own_files = true;
    environment->files = files;
    environment->sockets = sockets;
    environment->variables = variables;
}

static bool same_text(const struct vm_text *a, const struct vm_text *b) {
    return a->symbolic == b->symbolic && (a->symbolic || !strcmp(a->text, b->text));
}

static bool same_file(const struct vm_file *a, const struct vm_file *b) {
    if (!a->path != !b->path || (a->path && strcmp(a->path, b->path) != 0) || a->most != b->most)
        return false;
    return !a->content == !b->content && (!a->content || !memcmp(a->content, b->content, a->most));
}

static bool same_environment(const struct vm_start_config *a, const struct vm_start_config *b) {
    if (a->argument_count != b->argument_count || a->variable_count != b->variable_count ||
        a->file_count != b->file_count || a->socket_count != b->socket_count)
        return false;
    for (uint32_t i = 0; i < a->argument_count; i++)
        if (!same_text(&a->arguments[i], &b->arguments[i])) return false;
    for (uint32_t i = 0; i < a->variable_count; i++)
        if (!same_text(&a->variables[i], &b->variables[i]) ||
            strcmp(a->variables[i].text, b->variables[i].text) != 0)
            return false;
    for (uint32_t i = 0; i < a->file_count; i++)
        if (!same_file(&a->files[i], &b->files[i])) return false;
    for (uint32_t i = 0; i < a->socket_count; i++)
        if (a->sockets[i].most != b->sockets[i].most) return false;
    return true;
}

void recorded_program_inputs(struct program_inputs *program_inputs, struct test_case *tests, uint32_t count,
                             uint64_t symbolic) {
    *program_inputs = (struct program_inputs){.arena = arena_new()};
    for (uint32_t i = 0; i < count; i++) {
        struct vm_start_config environment = {0};
        add_arguments(program_inputs->arena, &tests[i], symbolic, &environment);
        add_inputs(program_inputs->arena, &tests[i], symbolic, &environment);
        uint32_t known = 0;
        while (known < program_inputs->environments.count &&
               !same_environment(&program_inputs->environments.at[known], &environment))
            known++;
        if (known == program_inputs->environments.count) vec_push(&program_inputs->environments, environment);
        tests[i].environment = known;
    }
}
