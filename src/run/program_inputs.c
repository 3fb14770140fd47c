#include "run/program_inputs.h"

#include "base/arena.h"
#include "base/error.h"
#include "base/file.h"
#include "run/peers.h"
#include "run/symbolic_files.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#define MOST_BYTES     (1u << 20)
#define MOST_TEXT      "1048576" // MOST_BYTES as text, for `inf`
#define MOST_ARGUMENTS 64u

static bool wrong(const char *option, const char *value, const char *remedy) {
    user_error_at(option, remedy, "'%s' is not a valid value", value);
    return false;
}

static bool parse_number(const char *option, const char *text, uint32_t most, uint32_t *number) {
    char *end;
    unsigned long value = strtoul(text, &end, 10);
    if (!isdigit((unsigned char)*text) || *end || value > most) {
        struct text remedy = {0};
        text_add(&remedy, "Give a number up to %u.", most);
        wrong(option, text, remedy.at);
        text_free(&remedy);
        return false;
    }
    *number = (uint32_t)value;
    return true;
}

// Parses a size: N, or MIN..MAX. A size of zero is an error: nothing would be symbolic.
static bool parse_size(struct arena *arena, const char *option, const char *text, uint32_t *least,
                       uint32_t *most) {
    const char *dots = strstr(text, "..");
    char *first = arena_strdup(arena, text);
    if (dots) first[dots - text] = 0;
    if (!parse_number(option, first, MOST_BYTES, least)) return false;
    *most = *least;
    if (dots && !parse_number(option, dots + 2, MOST_BYTES, most)) return false;
    if (!*most) return wrong(option, text, "Give at least one byte.");
    return *least <= *most || wrong(option, text, "The smaller length comes first.");
}

// Parses NAME=N; the name is copied to the arena.
static bool parse_named(struct arena *arena, const char *option, const char *text, const char **name,
                        uint32_t *least, uint32_t *most) {
    const char *equals = strrchr(text, '=');
    if (!equals || equals == text)
        return wrong(option, text,
                     strcmp(option, "--sym-file")
                         ? "Give it as NAME=N, with N the number of bytes."
                         : "Give it as NAME=N, with N the number of bytes, or as NAME@FROM..TO.");
    char *copy = arena_strdup(arena, text);
    copy[equals - text] = 0;
    *name = copy;
    return parse_size(arena, option, equals + 1, least, most);
}

struct more_arguments {
    unsigned order;
    uint32_t least, most, size;
};

static int by_order(const void *a, const void *b) {
    unsigned x = ((const struct more_arguments *)a)->order, y = ((const struct more_arguments *)b)->order;
    return (x > y) - (x < y);
}

typedef vec(struct more_arguments) more_list;

static bool collect_arguments(const struct symbolic_options *options, more_list *list) {
    for (uint32_t i = 0; i < options->arg->count; i++) {
        struct more_arguments one = {options->arg->at[i].order, 1, 1, 0};
        if (!parse_number("--sym-arg", options->arg->at[i].values[0], MOST_BYTES, &one.size)) return false;
        if (!one.size) return wrong("--sym-arg", "0", "Give at least one byte.");
        vec_push(list, one);
    }
    for (uint32_t i = 0; i < options->args->count; i++) {
        const struct option_use *use = &options->args->at[i];
        struct more_arguments one = {.order = use->order};
        if (!parse_number("--sym-args", use->values[0], MOST_ARGUMENTS, &one.least) ||
            !parse_number("--sym-args", use->values[1], MOST_ARGUMENTS, &one.most) ||
            !parse_number("--sym-args", use->values[2], MOST_BYTES, &one.size))
            return false;
        if (one.least > one.most) return wrong("--sym-args", use->values[0], "MIN is not above MAX.");
        if (!one.size) return wrong("--sym-args", "0", "Give at least one byte.");
        vec_push(list, one);
    }
    if (list->count) qsort(list->at, list->count, sizeof *list->at, by_order);
    return true;
}

static uint32_t count_strings(char *const *strings) {
    uint32_t count = 0;
    while (strings && strings[count]) count++;
    return count;
}

// Adds all combinations of the numbers of further arguments, the smallest first.
static void make_environments(struct program_inputs *s, const more_list *list, const char *program,
                              char *const *arguments, const struct vm_text *variables,
                              uint32_t variable_count) {
    uint32_t fixed = 1 + count_strings(arguments), *numbers = ARENA_ARRAY(s->arena, uint32_t, list->count);
    for (uint32_t i = 0; i < list->count; i++) numbers[i] = list->at[i].least;
    for (;;) {
        uint32_t total = fixed, at = fixed;
        for (uint32_t i = 0; i < list->count; i++) total += numbers[i];
        struct vm_text *all = ARENA_ARRAY(s->arena, struct vm_text, total);
        all[0].text = program;
        for (uint32_t i = 1; i < fixed; i++) all[i].text = arguments[i - 1];
        for (uint32_t i = 0; i < list->count; i++)
            for (uint32_t k = 0; k < numbers[i]; k++) all[at++].symbolic = list->at[i].size;
        vec_push(&s->environments, ((struct vm_start_config){.arguments = all,
                                                             .argument_count = total,
                                                             .variables = variables,
                                                             .variable_count = variable_count}));
        uint32_t digit = 0; // the next combination, as a number counts up
        while (digit < list->count && numbers[digit] == list->at[digit].most) {
            numbers[digit] = list->at[digit].least;
            digit++;
        }
        if (digit == list->count) return;
        numbers[digit]++;
    }
}

// Whether the value has the form NAME@FROM..TO.
static bool is_part(const char *text) {
    const char *at = strrchr(text, '@');
    size_t first = at && at > text ? strspn(at + 1, "0123456789") : 0;
    if (!first || strncmp(at + 1 + first, "..", 2) != 0) return false;
    const char *last = at + 1 + first + 2;
    return isdigit((unsigned char)*last) && !last[strspn(last, "0123456789")];
}

// Adds a file of the host, with a range of symbolic bytes.
static bool parse_part(struct arena *arena, const char *text, const char **name, struct vm_file *file) {
    const char *at = strrchr(text, '@'), *dots = strstr(at, "..");
    char *copy = arena_strdup(arena, text);
    copy[at - text] = copy[dots - text] = 0;
    *name = copy;
    struct text content = {0};
    if (!parse_number("--sym-file", copy + (at + 1 - text), MOST_BYTES, &file->from) ||
        !parse_number("--sym-file", dots + 2, MOST_BYTES, &file->to))
        return false;
    bool good = file_read(copy, &content);
    if (!good)
        user_error_at("--sym-file", "Name an existing file, or NAME=N for a symbolic one.", "%s: %s", copy,
                      strerror(errno));
    else if (content.count > MOST_BYTES)
        good = wrong("--sym-file", text, "The limit for files of which a part is symbolic is 1 MB.");
    else if (file->from >= file->to || file->to > content.count) {
        user_error_at("--sym-file",
                      "FROM and TO are offsets from 0, FROM is below TO, and the byte at TO is not symbolic.",
                      "%s: the range is empty or not in %s, which has %llu bytes", text, copy,
                      (unsigned long long)content.count);
        good = false;
    }
    if (good) file->around = arena_memdup(arena, content.at, content.count);
    file->least = file->most = (uint32_t)content.count;
    text_free(&content);
    return good;
}

static bool make_files(struct program_inputs *s, const struct symbolic_options *options) {
    struct vm_file file = {0};
    if (options->stdin_size) {
        file.endless = !strcmp(options->stdin_size, "inf");
        if (!parse_size(s->arena, "--sym-stdin", file.endless ? MOST_TEXT : options->stdin_size, &file.least,
                        &file.most))
            return false;
        vec_push(&s->files, file);
        file.endless = false;
    }
    const char **names = ARENA_ARRAY(s->arena, const char *, options->file->count + 1);
    for (uint32_t i = 0; i < options->file->count; i++) {
        const char *given = options->file->at[i].values[0];
        bool part = is_part(given);
        file.around = NULL;
        if (!(part ? parse_part(s->arena, given, &names[i], &file)
                   : parse_named(s->arena, "--sym-file", given, &names[i], &file.least, &file.most)) ||
            !(names[i] = symbolic_file_name(s->arena, options->directory, names[i])) ||
            !symbolic_file_fits(options->directory, names, i, names[i]))
            return false;
        file.path = names[i];
        vec_push(&s->files, file);
    }
    return true;
}

static bool make_sockets(struct program_inputs *s, const struct symbolic_options *options) {
    for (uint32_t i = 0; i < options->socket->count; i++) {
        struct vm_range range;
        if (!parse_size(s->arena, "--sym-socket", options->socket->at[i].values[0], &range.least,
                        &range.most))
            return false;
        vec_push(&s->sockets, range);
    }
    return true;
}

// Checks that the variable's name has no "=" and is given once.
static bool variable_fits(const struct vm_text *all, uint32_t count, const char *option) {
    const char *name = all[count].text;
    if (strchr(name, '='))
        return wrong("--sym-env", option, "Give it as NAME=N: the name of a variable has no '='.");
    for (uint32_t i = 0; i < count; i++)
        if (all[i].symbolic && !strcmp(all[i].text, name))
            return wrong("--sym-env", option, "Give each variable once.");
    return true;
}

bool program_inputs_make(struct program_inputs *s, const struct symbolic_options *options,
                         const char *program, char *const *arguments, char *const *variables) {
    *s = (struct program_inputs){.arena = arena_new()};
    more_list list = {0};
    uint32_t inherited = count_strings(variables), count = 0;
    struct vm_text *all = ARENA_ARRAY(s->arena, struct vm_text, inherited + options->env->count);
    for (uint32_t i = 0; i < inherited; i++) all[count++].text = variables[i];
    bool good = make_files(s, options) && make_sockets(s, options) && collect_arguments(options, &list) &&
                parse_size(s->arena, "--sym-input", options->input_size, &s->input.least, &s->input.most);
    for (uint32_t i = 0; good && i < options->env->count; i++, count++) {
        uint32_t most;
        good = parse_named(s->arena, "--sym-env", options->env->at[i].values[0], &all[count].text,
                           &all[count].symbolic, &most) &&
               variable_fits(all, count, options->env->at[i].values[0]);
    }
    if (good && options->peers) good = peers_read(options->peers, &s->peers);
    if (good) make_environments(s, &list, program, arguments, all, count);
    vec_free(&list);
    return good;
}

void program_inputs_hide(struct program_inputs *s, const char *folder, const char *directory) {
    char absolute[PATH_MAX];
    struct text link = {0};
    if (realpath(folder, absolute)) vec_push(&s->hidden, arena_strdup(s->arena, absolute));
    text_add(&link, "%s/tamar-last", directory);
    vec_push(&s->hidden, arena_strdup(s->arena, link.at));
    text_free(&link);
}

void program_inputs_free(struct program_inputs *s) {
    vec_free(&s->hidden);
    vec_free(&s->environments);
    vec_free(&s->files);
    vec_free(&s->sockets);
    text_free(&s->peers);
    arena_free(s->arena);
}
