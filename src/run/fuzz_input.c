#include "run/fuzz_input.h"

#include "base/arena.h"
#include "run/seed_files.h"

#include <string.h>

static uint32_t symbolic_words(const struct vm_start_config *environment) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < environment->argument_count; i++)
        count += environment->arguments[i].symbolic > 0;
    return count;
}

// Takes the sizes of the words from the longest command line.
static void find_words(struct fuzz_input *input, const struct program_inputs *program_inputs) {
    const struct vm_start_config *longest = program_inputs->environments.at;
    input->least_words = UINT32_MAX;
    vec_each (struct vm_start_config, environment, &program_inputs->environments) {
        uint32_t count = symbolic_words(environment);
        if (count > symbolic_words(longest)) longest = environment;
        input->least_words = MIN(input->least_words, count);
    }
    input->most_words = symbolic_words(longest);
    input->word_sizes = NEW_ARRAY(uint32_t, input->most_words + 1);
    for (uint32_t i = 0, at = 0; i < longest->argument_count; i++)
        if (longest->arguments[i].symbolic) input->word_sizes[at++] = longest->arguments[i].symbolic;
}

bool fuzz_input_find(struct fuzz_input *input, const struct program_inputs *program_inputs,
                     const struct ir_program *program) {
    struct test_input raw;
    *input = (struct fuzz_input){0};
    bool has_raw = seed_files_raw_input(program_inputs, program, &raw);
    if (has_raw && raw.kind == INPUT_OBJECT) {
        input->kind = FUZZ_HARNESS;
        input->least = program_inputs->input.least;
        input->most = program_inputs->input.most;
        return true;
    }
    vec_each (struct vm_file, file, &program_inputs->files) {
        bool same = has_raw && (file->path ? !strcmp(file->path, raw.name) : raw.kind == INPUT_STDIN);
        if (!same) continue;
        input->kind = file->path ? FUZZ_FILE : FUZZ_STDIN;
        input->file = file->path;
        input->least = file->least;
        input->most = file->most;
    }
    if (has_raw && input->kind == FUZZ_FILE) return true;
    input->has_stdin = has_raw;
    find_words(input, program_inputs);
    if (!input->most_words) return has_raw;
    uint32_t room = has_raw ? input->most + 1 : 0;
    for (uint32_t i = 0; i < input->most_words; i++) room += input->word_sizes[i] + 1;
    input->kind = FUZZ_WORDS;
    input->least = 0;
    input->most = room;
    return true;
}

void fuzz_input_free(struct fuzz_input *input) {
    if (input->word_sizes) DELETE_ARRAY(input->word_sizes, input->most_words + 1);
    input->word_sizes = NULL;
}

void fuzz_input_add_arguments(const struct fuzz_input *input, const struct program_inputs *program_inputs,
                              struct fuzz_words *words) {
    const struct vm_start_config *first = program_inputs->environments.at;
    for (uint32_t i = 1; i < first->argument_count; i++) {
        const struct vm_text *word = &first->arguments[i];
        if (!word->symbolic)
            vec_push(words, word->text);
        else if (input->kind != FUZZ_WORDS)
            vec_push(words, "");
    }
    vec_push(words, NULL);
}

// ---- from a test

static const struct test_input *find(const struct test_case *test, enum input_kind kind, const char *name) {
    for (uint32_t i = 0; i < test->input_count; i++)
        if (test->inputs[i].kind == kind && (!name || !strcmp(test->inputs[i].name, name)))
            return &test->inputs[i];
    return NULL;
}

static void pack_words(const struct fuzz_input *input, const struct test_case *test, struct text *to) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < test->input_count; i++) {
        const struct test_input *word = &test->inputs[i];
        if (word->kind != INPUT_ARGUMENT || count == input->most_words) continue;
        uint32_t size = (uint32_t)strnlen((const char *)word->bytes, word->size);
        if (!size && count >= input->least_words) break; // an empty word would end the list
        text_add_bytes(to, word->bytes, size);
        text_add_bytes(to, "", 1);
        count++;
    }
    if (count < input->most_words) text_add_bytes(to, "", 1);
    const struct test_input *rest = input->has_stdin ? find(test, INPUT_STDIN, NULL) : NULL;
    if (rest) text_add_bytes(to, rest->bytes, rest->size);
}

bool fuzz_input_pack(const struct fuzz_input *input, const struct test_case *test, struct text *to) {
    text_clear(to);
    const struct test_input *raw = NULL;
    switch (input->kind) {
    case FUZZ_HARNESS: raw = find(test, INPUT_OBJECT, input_roles[ROLE_HARNESS].name); break;
    case FUZZ_STDIN: raw = find(test, INPUT_STDIN, NULL); break;
    case FUZZ_FILE: raw = find(test, INPUT_FILE, input->file); break;
    case FUZZ_WORDS: pack_words(input, test, to); break;
    }
    if (raw) text_add_bytes(to, raw->bytes, raw->size);
    return to->count > 0;
}

// ---- to a test, in the same way as the wrapper of main in fuzz_build.c

static const struct vm_start_config *environment_of(const struct program_inputs *program_inputs,
                                                    uint32_t words, uint32_t *number) {
    const struct vm_start_config *all = program_inputs->environments.at;
    *number = 0;
    for (uint32_t i = 0; i < program_inputs->environments.count; i++)
        if (symbolic_words(&all[i]) == words) {
            *number = i;
            break;
        }
    return &all[*number];
}

static void unpack_words(const struct fuzz_input *input, const struct program_inputs *program_inputs,
                         const struct text *content, struct fuzz_test *test, size_t *rest) {
    const char **words = ARENA_ARRAY(test->arena, const char *, input->most_words + 1);
    uint32_t count = 0;
    size_t at = 0;
    while (count < input->most_words && at < content->count &&
           (content->at[at] || count < input->least_words)) {
        size_t size = strnlen(content->at + at, content->count - at);
        size_t cut = MIN(size, input->word_sizes[count]);
        char *word = arena_alloc(test->arena, cut + 1);
        memcpy(word, content->at + at, cut);
        words[count++] = word;
        at += size + (at + size < content->count);
    }
    while (count < input->least_words) words[count++] = "";
    if (at < content->count && !content->at[at]) at++;
    *rest = at;
    const struct vm_start_config *environment =
        environment_of(program_inputs, count, &test->test.environment);
    const char **all = ARENA_ARRAY(test->arena, const char *, environment->argument_count + 1);
    for (uint32_t i = 0, next = 0; i < environment->argument_count; i++)
        all[i] = environment->arguments[i].symbolic ? (next < count ? words[next++] : "")
                                                    : environment->arguments[i].text;
    test->test.arguments = all;
    test->test.argument_count = environment->argument_count;
}

void fuzz_input_unpack(const struct fuzz_input *input, const struct program_inputs *program_inputs,
                       const struct text *content, struct fuzz_test *test) {
    size_t rest = 0;
    *test = (struct fuzz_test){.arena = arena_new()};
    if (input->kind == FUZZ_WORDS) unpack_words(input, program_inputs, content, test, &rest);
    uint8_t *bytes = arena_alloc(test->arena, content->count - rest + 1); // a NUL follows
    memcpy(bytes, content->at + rest, content->count - rest);
    test->inputs[0] = (struct test_input){.kind = input->kind == FUZZ_HARNESS ? INPUT_OBJECT
                                                  : input->kind == FUZZ_FILE  ? INPUT_FILE
                                                                              : INPUT_STDIN,
                                          .name = input->kind == FUZZ_HARNESS ? input_roles[ROLE_HARNESS].name
                                                  : input->file               ? input->file
                                                                              : "",
                                          .bytes = bytes,
                                          .size = (uint32_t)(content->count - rest)};
    test->test.inputs = test->inputs;
    test->test.input_count = input->kind != FUZZ_WORDS || input->has_stdin;
}

void fuzz_test_free(struct fuzz_test *test) { arena_free(test->arena); }
