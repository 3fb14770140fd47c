#include "output/report.h"

#include "base/bug_kinds.h"
#include "base/sources.h"
#include "base/text.h"
#include "output/results.h"

#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SOURCE_LINES 2 // before and after the location
#define MOST_BYTES   64
#define MOST_INPUT   256
#define MOST_FRAMES  60

// ---- words and bytes

static bool is_plain(const char *bytes, size_t size) {
    for (size_t i = 0; i < size; i++) {
        bool letter = (bytes[i] >= 'a' && bytes[i] <= 'z') || (bytes[i] >= 'A' && bytes[i] <= 'Z');
        if (!letter && !(bytes[i] && strchr("0123456789_-./=+,:@%", bytes[i]))) return false;
    }
    return size > 0;
}

void report_add_word(struct text *to, const char *bytes, size_t size) {
    bool printable = true;
    for (size_t i = 0; i < size; i++) printable &= bytes[i] >= 32 && bytes[i] < 127;
    if (is_plain(bytes, size)) {
        text_add_bytes(to, bytes, size);
    } else if (printable) {
        text_add(to, "'");
        for (size_t i = 0; i < size; i++) text_add(to, bytes[i] == '\'' ? "'\\''" : "%c", bytes[i]);
        text_add(to, "'");
    } else { // $'...' of bash and zsh
        text_add(to, "$'");
        for (size_t i = 0; i < size; i++) {
            if (bytes[i] == '\'' || bytes[i] == '\\')
                text_add(to, "\\%c", bytes[i]);
            else if (bytes[i] >= 32 && bytes[i] < 127)
                text_add(to, "%c", bytes[i]);
            else
                text_add(to, "\\%03o", (unsigned char)bytes[i]);
        }
        text_add(to, "'");
    }
}

// Appends a printf command that prints these bytes.
static void add_printf(struct text *to, const uint8_t *bytes, uint32_t size) {
    text_add(to, "printf '");
    for (uint32_t i = 0; i < size; i++) {
        if (bytes[i] == '%')
            text_add(to, "%%%%");
        else if (bytes[i] == '\\')
            text_add(to, "\\\\");
        else if (bytes[i] >= 32 && bytes[i] < 127 && bytes[i] != '\'')
            text_add(to, "%c", bytes[i]);
        else
            text_add(to, "\\%03o", bytes[i]);
    }
    text_add(to, "'");
}

void report_add_safe(struct text *to, const char *text) { text_add_line(to, text, strlen(text)); }

bool report_is_executable(const struct report_program *program) {
    static const char *const ends[] = {".c", ".i", ".bc", ".ll", ".o"};
    for (size_t i = 0; i < COUNT(ends); i++)
        if (text_ends_with(program->name, ends[i])) return false;
    return true;
}

const char *report_check_of(const char *kind) {
    enum bug_kind number = kind ? bug_kind_by_name(kind) : BUG_COUNT;
    return number == BUG_COUNT ? NULL : bug_check_name(number);
}

static void add_program(struct text *to, const struct test_case *test, const struct report_program *program) {
    if (report_is_executable(program)) {
        if (!strchr(program->name, '/')) text_add(to, "./");
        report_add_word(to, program->name, strlen(program->name));
        return;
    }
    text_add(to, "tamar exec");
    if (program->check) text_add(to, " --check %s", program->check);
    for (uint32_t i = 0; i < program->word_count; i++) {
        text_add(to, " ");
        report_add_word(to, program->words[i], strlen(program->words[i]));
    }
    if (test->argument_count > 1) text_add(to, " --");
}

void report_add_path(struct text *to, const char *path) {
    char here[PATH_MAX];
    size_t length = getcwd(here, sizeof here) ? strlen(here) : 0;
    bool below = length > 1 && !strncmp(path, here, length) && path[length] == '/';
    report_add_safe(to, below ? path + length + 1 : path);
}

// Returns true for a valid variable name of a shell, which can be set before a command.
static bool is_shell_name(const char *name) {
    if (!*name || isdigit((unsigned char)*name)) return false;
    for (; *name; name++)
        if (!isalnum((unsigned char)*name) && *name != '_') return false;
    return true;
}

static void add_variables(struct text *to, const struct test_case *test) {
    bool odd = false;
    for (uint32_t i = 0; i < test->input_count; i++)
        odd |= test->inputs[i].kind == INPUT_ENVIRONMENT && !is_shell_name(test->inputs[i].name);
    if (odd) text_add(to, "env ");
    for (uint32_t i = 0; i < test->input_count; i++) {
        const struct test_input *input = &test->inputs[i];
        size_t length = strnlen((const char *)input->bytes, input->size);
        if (input->kind != INPUT_ENVIRONMENT) continue;
        struct text word = {0};
        if (odd)
            text_add(&word, "%s=", input->name);
        else
            text_add(to, "%s=", input->name);
        text_add_bytes(&word, input->bytes, length);
        report_add_word(to, word.at ? word.at : "", word.count);
        text_free(&word);
        text_add(to, " ");
    }
}

void report_add_command(struct text *to, const struct test_case *test, const char *folder,
                        const struct report_program *program) {
    for (uint32_t i = 0; i < test->input_count; i++) {
        if (test->inputs[i].kind != INPUT_OBJECT) continue;
        text_add(to, "tamar replay ");
        report_add_word(to, folder, strlen(folder));
        text_add(to, " %u", test->number);
        return;
    }
    for (uint32_t i = 0; i < test->input_count; i++) {
        const struct test_input *input = &test->inputs[i];
        if (input->kind != INPUT_FILE) continue;
        const char *slash = strrchr(input->name, '/');
        if (slash && slash != input->name) { // the file's folder may not exist
            text_add(to, "mkdir -p ");
            report_add_word(to, input->name, (size_t)(slash - input->name));
            text_add(to, "; ");
        }
        add_printf(to, input->bytes, input->size);
        text_add(to, " >");
        report_add_word(to, input->name, strlen(input->name));
        text_add(to, "; ");
    }
    bool piped = false;
    for (uint32_t i = 0; i < test->input_count; i++)
        if (test->inputs[i].kind == INPUT_STDIN) {
            add_printf(to, test->inputs[i].bytes, test->inputs[i].size);
            text_add(to, " | ");
            piped = true;
        }
    add_variables(to, test);
    add_program(to, test, program);
    for (uint32_t i = 1; i < test->argument_count; i++) {
        text_add(to, " ");
        if (!*test->arguments[i])
            text_add(to, "''");
        else
            report_add_word(to, test->arguments[i], strlen(test->arguments[i]));
    }
    if (piped) return;
    const char *file = program->stdin ? program->stdin : "/dev/null";
    text_add(to, " <");
    report_add_word(to, file, strlen(file));
}

// ---- the source

static void add_source_line(struct text *to, const char *line, size_t length, uint32_t number, bool here) {
    text_add(to, "  %s%5u | ", here ? ">" : " ", number);
    text_add_shown(to, line, length);
    text_add(to, "\n");
}

void report_add_source(struct text *to, const struct finding_frame *place, unsigned around) {
    FILE *file = place->line ? sources_open(place->file) : NULL;
    if (!file) return;
    char *line = NULL;
    size_t capacity = 0;
    ssize_t length;
    for (uint32_t number = 1; (length = getline(&line, &capacity, file)) >= 0; number++) {
        if (number + around < place->line) continue;
        if (number > place->line + around) break;
        while (length && (line[length - 1] == '\n' || line[length - 1] == '\r')) length--;
        add_source_line(to, line, (size_t)length, number, number == place->line);
        if (number != place->line || !place->column) continue;
        text_add(to, "         | ");
        for (uint32_t i = 0; i + 1 < place->column && i < (size_t)length; i++)
            text_add(to, "%c", line[i] == '\t' ? '\t' : ' ');
        text_add(to, "^\n");
    }
    free(line);
    fclose(file);
}

// ---- the report

static void add_place(struct text *to, const struct finding_frame *frame) {
    if (frame->line) {
        report_add_path(to, frame->file);
        text_add(to, ":%u", frame->line);
        if (frame->column) text_add(to, ":%u", frame->column);
    } else {
        text_add(to, "(no line)");
    }
}

// Appends "... the 2 frames above 13 times more".
static void add_repeats(struct text *to, const struct finding_frame *frame) {
    if (!frame->repeats) return;
    if (frame->cycle == 1)
        text_add(to, "      ... the frame above %u times more\n", frame->repeats);
    else
        text_add(to, "      ... the %u frames above %u times more\n", frame->cycle, frame->repeats);
}

static void add_stack(struct text *to, const char *title, const struct finding_stack *stack) {
    if (!stack->count) return;
    text_add(to, "\n%s:\n", title);
    for (uint32_t i = 0; i < stack->count && i < MOST_FRAMES; i++) {
        text_add(to, "  #%-2u ", i);
        report_add_safe(to, stack->frames[i].function);
        if (stack->frames[i].arguments) {
            text_add(to, "(");
            report_add_safe(to, stack->frames[i].arguments);
            text_add(to, ")");
        }
        text_add(to, "  ");
        add_place(to, &stack->frames[i]);
        text_add(to, "\n");
        add_repeats(to, &stack->frames[i]);
    }
    if (stack->count > MOST_FRAMES) text_add(to, "  ... %u more\n", stack->count - MOST_FRAMES);
}

static void add_inputs(struct text *to, const struct test_case *test) {
    text_add(to, "\ninput, as test %06u has it:\n", test->number);
    for (uint32_t i = 0; i < test->input_count; i++) {
        const struct test_input *input = &test->inputs[i];
        text_add(to, "  %s", input_kinds[input->kind].report);
        report_add_safe(to, input->name);
        text_add(to, " (%u byte%s): \"", input->size, input->size == 1 ? "" : "s");
        text_add_escaped(to, input->bytes, input->size < MOST_INPUT ? input->size : MOST_INPUT);
        text_add(to, "\"%s\n", input->size > MOST_INPUT ? "..." : "");
    }
    if (!test->input_count) text_add(to, "  none: it happens for every input\n");
}

static void add_bytes(struct text *to, const struct finding *finding) {
    if (!finding->byte_count) return;
    text_add(to, "\nthe bytes that matter; the others are free:\n");
    for (uint32_t i = 0; i < finding->byte_count && i < MOST_BYTES; i++) {
        const struct finding_byte *byte = &finding->bytes[i];
        text_add(to, "  ");
        report_add_safe(to, byte->input);
        text_add(to, "[%u] = %u", byte->offset, byte->value);
        if (byte->value >= 32 && byte->value < 127) text_add(to, " ('%c')", byte->value);
        if (byte->low == byte->high)
            text_add(to, ", nothing else\n");
        else if (byte->low == 0 && byte->high == 255)
            text_add(to, ", together with others\n");
        else
            text_add(to, ", from %u to %u\n", byte->low, byte->high);
    }
    if (finding->byte_count > MOST_BYTES) text_add(to, "  ... %u more\n", finding->byte_count - MOST_BYTES);
}

static void add_events(struct text *to, const struct finding *finding) {
    if (!finding->event_count) return;
    text_add(to, "\nwhat happened on the way:\n");
    for (uint32_t i = 0; i < finding->event_count; i++) {
        text_add(to, "     ");
        report_add_safe(to, finding->events[i]);
        text_add(to, "\n");
    }
}

static void add_stream(struct text *to, const char *name, const uint8_t *bytes, uint32_t size) {
    if (!size) return;
    uint32_t from = size > MOST_INPUT ? size - MOST_INPUT : 0;
    text_add(to, "  %s (%u byte%s): %s\"", name, size, size == 1 ? "" : "s", from ? "..." : "");
    text_add_escaped(to, bytes + from, size - from);
    text_add(to, "\"\n");
}

void report_add_output(struct text *to, const struct test_case *test) {
    add_stream(to, "standard output", test->standard_output, test->standard_output_size);
    add_stream(to, "standard error", test->standard_error, test->standard_error_size);
    if (test->output_cut) text_add(to, "  more was written; only the first bytes are kept\n");
}

static void add_conditions(struct text *to, const struct finding *finding) {
    if (!finding->condition_count) return;
    text_add(to, "\nthe path to it is taken when all of this holds:\n");
    for (uint32_t i = 0; i < finding->condition_count; i++) {
        text_add(to, i ? "  && " : "     ");
        text_add_shown(to, finding->conditions[i], strlen(finding->conditions[i]));
        text_add(to, "\n");
    }
}

void report_add_headline(struct text *to, const struct finding *finding) {
    text_add(to, "%s: ", finding->kind);
    add_place(to, &finding->place);
    text_add(to, ": ");
    report_add_safe(to, finding->message);
    text_add(to, ", in ");
    report_add_safe(to, finding->place.function);
    text_add(to, "\n");
}

void report_add_others(struct text *to, const struct finding *finding, const char *indent) {
    uint32_t others = finding->occurrences ? finding->occurrences - 1 : 0;
    if (others) text_add(to, "%sand %u other call path%s\n", indent, others, others == 1 ? "" : "s");
}

void report_add(struct text *to, const struct finding *finding, const struct test_case *test,
                const char *folder, const struct report_program *program) {
    enum bug_kind kind = bug_kind_by_name(finding->kind);
    report_add_headline(to, finding);
    text_add(to, "\n");
    report_add_source(to, &finding->place, SOURCE_LINES);
    if (*finding->details) {
        text_add(to, "\n  ");
        text_add_shown(to, finding->details, strlen(finding->details));
    }
    if (kind != BUG_COUNT) text_add(to, "\n%s\n", bug_facts[kind].advice);
    add_stack(to, "call stack", &finding->stack);
    report_add_others(to, finding, "  ");
    add_stack(to, "allocated by", &finding->allocated);
    add_stack(to, "freed by", &finding->freed);
    add_inputs(to, test);
    add_bytes(to, finding);
    add_events(to, finding);
    if (test->standard_output_size || test->standard_error_size || test->output_cut)
        text_add(to, "\noutput before it:\n");
    report_add_output(to, test);
    add_conditions(to, finding);
    text_add(to, "\nto see it natively:  tamar replay ");
    report_add_word(to, folder, strlen(folder));
    text_add(to, " %u\nas a command:        ", test->number);
    report_add_command(to, test, folder, program);
    text_add(to, "\nas a C test:         tamar show ");
    report_add_word(to, folder, strlen(folder));
    text_add(to, "/bugs/%s.txt --as c-test\n", finding_name(finding));
}

bool report_write(struct results *results, const struct finding *finding, const struct test_case *test,
                  const struct report_program *program) {
    struct text content = {0}, name = {0};
    report_add(&content, finding, test, results_folder(results), program);
    text_add(&name, "bugs/%s.txt", finding_name(finding));
    bool good = results_write(results, name.at, content.at, content.count);
    text_free(&content);
    text_free(&name);
    return good;
}

// ---- for a console

#define MOST_SHORT_FRAMES 40

// Appends the source line with a caret if the file can be read.
static void add_short_source(struct text *to, const struct finding_frame *place) {
    FILE *file = place->line ? sources_open(place->file) : NULL;
    if (!file) return;
    char *line = NULL;
    size_t capacity = 0;
    ssize_t length = -1;
    for (uint32_t i = 0; i < place->line; i++)
        if ((length = getline(&line, &capacity, file)) < 0) break;
    if (length >= 0) {
        while (length && (line[length - 1] == '\n' || line[length - 1] == '\r')) length--;
        text_add(to, "  %5u | ", place->line);
        text_add_shown(to, line, (size_t)length);
        text_add(to, "\n        | ");
        for (ssize_t i = 0; i + 1 < place->column && i < length; i++)
            text_add(to, "%c", line[i] == '\t' ? '\t' : ' ');
        text_add(to, "%s\n", place->column ? "^" : "");
    }
    free(line);
    fclose(file);
}

static void add_short_place(struct text *to, const struct finding_frame *frame) {
    if (frame->line)
        text_add(to, "%s:%u:%u", frame->file, frame->line, frame->column);
    else
        text_add(to, "(no line)");
}

static void add_short_stack(struct text *to, const char *title, const struct finding_stack *stack) {
    if (!stack->count) return;
    text_add(to, "  %s:\n", title);
    for (uint32_t i = 0; i < stack->count && i < MOST_SHORT_FRAMES; i++) {
        text_add(to, "    #%u %s ", i, stack->frames[i].function);
        add_short_place(to, &stack->frames[i]);
        text_add(to, "\n");
        add_repeats(to, &stack->frames[i]);
    }
    if (stack->count > MOST_SHORT_FRAMES) text_add(to, "    ...\n");
}

static void add_short(struct text *to, const struct finding *finding, bool gave_up) {
    text_add(to, "tamar: %s: ", gave_up ? "gave up" : finding->kind);
    if (*finding->place.function) {
        add_short_place(to, &finding->place);
        text_add(to, ": %s, in %s\n", finding->message, finding->place.function);
        add_short_source(to, &finding->place);
    } else {
        text_add(to, "%s\n", finding->message);
    }
    if (*finding->details) text_add(to, "  %s", finding->details);
    add_short_stack(to, "call stack", &finding->stack);
    add_short_stack(to, "allocated by", &finding->allocated);
    add_short_stack(to, "freed by", &finding->freed);
}

void report_add_short(struct text *to, const struct finding *finding, bool gave_up) {
    struct text raw = {0};
    add_short(&raw, finding, gave_up);
    text_add_shown(to, raw.at, raw.count);
    text_free(&raw);
}
