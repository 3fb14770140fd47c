#include "run/target_set.h"

#include "base/arena.h"
#include "base/error.h"
#include "base/file.h"
#include "base/log.h"
#include "base/suggest.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>

enum spec_source { WISH_WORD, WISH_UNCOVERED, WISH_TRACE, WISH_REPORT };

// A line, or with line 0 all lines of a function.
struct target_spec {
    enum spec_source source;
    const char *word; // the target, as the user wrote it
    const char *file; // NULL: any
    const char *function;
    uint32_t line;
    int kind;
    const char *found; // the program's file that matches; NULL: none yet
    const char *other; // a second file that matches, so that the target is ambiguous
    uint32_t target;   // UINT32_MAX: none
};

struct target_set *target_set_new(void) {
    struct target_set *set = NEW(struct target_set);
    set->arena = arena_new();
    return set;
}

void target_set_free(struct target_set *set) {
    if (!set) return;
    vec_free(&set->specs);
    vec_free(&set->lines);
    vec_free(&set->reports);
    vec_free(&set->order);
    arena_free(set->arena);
    DELETE(set);
}

bool target_set_is_empty(const struct target_set *set) { return !set->specs.count; }

static struct target_spec *add_spec(struct target_set *set, enum spec_source source, const char *file,
                                    uint32_t line) {
    struct target_spec *spec = ARENA_NEW(set->arena, struct target_spec);
    struct stat status;
    const char *slash = file ? strrchr(file, '/') : NULL;
    if (slash && *file == '/' && stat(file, &status) != 0)
        file = slash + 1; // probably a path of another machine
    *spec =
        (struct target_spec){.source = source, .file = file, .line = line, .kind = -1, .target = UINT32_MAX};
    vec_push(&set->specs, spec);
    return spec;
}

// ---- parsing

bool target_set_add_word(struct target_set *set, const char *word) {
    const char *colon = strrchr(word, ':');
    char *end;
    unsigned long line = colon ? strtoul(colon + 1, &end, 10) : 0;
    char *file = NULL;
    if (colon) {
        file = arena_strdup(set->arena, word);
        file[colon - word] = 0;
    }
    bool number = colon && isdigit((unsigned char)colon[1]) && !*end;
    if ((colon && (!*file || !colon[1])) || !*word || (number && (!line || line > UINT32_MAX))) {
        user_error_at("--target", "Give FILE:LINE, FUNCTION or FILE:FUNCTION.", "'%s' is not a location",
                      word);
        return false;
    }
    struct target_spec *spec = add_spec(set, WISH_WORD, file, number ? (uint32_t)line : 0);
    spec->word = word;
    if (!number) spec->function = colon ? colon + 1 : word;
    return true;
}

bool target_set_add_uncovered(struct target_set *set, const char *path) {
    struct text content = {0};
    if (!file_read(path, &content)) {
        user_error_at("--uncovered-by", "Name a file that lcov or tamar wrote.", "%s: %s", path,
                      strerror(errno));
        return false;
    }
    const char *file = NULL;
    uint32_t before = set->specs.count, files = 0;
    char *save = NULL;
    for (char *line = content.count ? strtok_r(content.at, "\n", &save) : NULL; line;
         line = strtok_r(NULL, "\n", &save)) {
        unsigned number;
        unsigned long long count;
        if (!strncmp(line, "SF:", 3)) {
            file = arena_strdup(set->arena, line + 3);
            files++;
        }
        if (!strncmp(line, "DA:", 3) && file && sscanf(line + 3, "%u,%llu", &number, &count) == 2 && !count)
            add_spec(set, WISH_UNCOVERED, file, number);
    }
    text_free(&content);
    if (!files)
        user_error_at("--uncovered-by", "It must be an lcov file, with SF: and DA: lines.",
                      "%s has no source file", path);
    else if (set->specs.count == before)
        user_error_at("--uncovered-by", "Nothing is left to reach.", "%s has no line that was not executed",
                      path);
    return set->specs.count > before;
}

bool target_set_add_trace(struct target_set *set, const char *path) {
    struct trace_places places = {0};
    bool good = trace_read(set->arena, path, &places);
    vec_each (struct trace_place, place, &places) {
        struct target_spec *spec = add_spec(set, WISH_TRACE, place->file, place->line);
        spec->word = place->function;
    }
    vec_free(&places);
    return good;
}

bool target_set_add_sarif(struct target_set *set, const char *path) {
    if (!trace_read_sarif(set->arena, path, set)) return false;
    vec_each (struct target_report, report, &set->reports)
        add_spec(set, WISH_REPORT, report->file, report->line)->kind = report->kind;
    return true;
}

// ---- marks

// Whether both names may denote the same file: one is a suffix of the other.
static bool same_file(const char *wanted, const char *file) {
    while (!strncmp(wanted, "./", 2)) wanted += 2;
    while (!strncmp(wanted, "../", 3)) wanted += 3;
    size_t a = strlen(wanted), b = strlen(file);
    const char *longer = a > b ? wanted : file, *shorter = a > b ? file : wanted;
    size_t more = a > b ? a - b : b - a;
    return !strcmp(longer + more, shorter) && (!more || longer[more - 1] == '/');
}

static uint32_t line_target(struct target_set *set, const char *file, uint32_t line, const char *function,
                            int kind) {
    for (uint32_t i = 0; i < set->lines.count; i++) {
        struct target_line *known = &set->lines.at[i];
        if (known->line != line || strcmp(known->file, file) != 0) continue;
        if (known->kind < 0) known->kind = kind;
        return i;
    }
    struct target_line made = {.file = arena_strdup(set->arena, file),
                               .function = arena_strdup(set->arena, function),
                               .line = line,
                               .kind = kind};
    vec_push(&set->lines, made);
    return set->lines.count - 1;
}

static uint32_t mark(void *context, const char *file, uint32_t line, const char *function) {
    struct target_set *set = context;
    uint32_t number = 0;
    vec_each (struct target_spec *, spec, &set->specs) {
        struct target_spec *one = *spec;
        if (one->function ? strcmp(one->function, function) != 0 : one->line != line) continue;
        if (one->file && !same_file(one->file, file)) continue;
        if (one->found && strcmp(one->found, file) != 0) one->other = arena_strdup(set->arena, file);
        if (!one->found) one->found = arena_strdup(set->arena, file);
        one->target = line_target(set, file, line, function, one->kind);
        number = one->target + 1;
    }
    return number;
}

void target_set_front(struct target_set *set, struct front_options *options) {
    options->mark = mark;
    options->mark_context = set;
    set->compiler = options->compiler;
}

// ---- targets without code

struct near_lines {
    const struct target_spec *spec;
    uint32_t below, above; // nearest lines with code; 0: none
    const char *file;      // some file of that name
};

static void look_at_place(struct near_lines *near, const char *file, uint32_t line) {
    if (!line || !same_file(near->spec->file, file)) return;
    near->file = file;
    if (line < near->spec->line && line > near->below) near->below = line;
    if (line > near->spec->line && (!near->above || line < near->above)) near->above = line;
}

static void say_nearest(const struct ir_program *program, const struct target_spec *spec) {
    struct near_lines near = {.spec = spec};
    for (uint32_t f = 0; f < program->function_count; f++) {
        const struct ir_function *function = &program->functions[f];
        for (uint32_t i = 0; !function->runtime && i < function->code_count; i++) {
            const struct ir_location *at = &program->locations[function->locations[i]];
            look_at_place(&near, program->files[at->file], at->line);
        }
    }
    struct text remedy = {0};
    if (near.below || near.above) {
        text_add(&remedy, "The nearest lines that have code are ");
        if (near.below) text_add(&remedy, "%u%s", near.below, near.above ? " and " : ".");
        if (near.above) text_add(&remedy, "%u.", near.above);
        user_error_at("--target", remedy.at, "%s: the line has no code", spec->word);
    } else {
        struct suggestion suggestion = {.typed = spec->file};
        for (uint32_t f = 1; f < program->file_count; f++) {
            const char *slash = strrchr(program->files[f], '/');
            if (strncmp(program->files[f], "<tamar>", 7) != 0)
                suggest_consider(&suggestion, slash ? slash + 1 : program->files[f]);
        }
        if (suggestion.best) text_add(&remedy, "Did you mean %s?", suggestion.best);
        user_error_at("--target", remedy.at ? remedy.at : "Name a source file of the program.",
                      "%s: the program has no such file with code", spec->word);
    }
    text_free(&remedy);
}

static void say_no_function(const struct ir_program *program, const struct target_spec *spec) {
    struct suggestion suggestion = {.typed = spec->function};
    for (uint32_t f = 0; f < program->function_count; f++)
        if (!program->functions[f].runtime) suggest_consider(&suggestion, program->functions[f].name);
    struct text remedy = {0};
    if (suggestion.best) text_add(&remedy, "Did you mean %s?", suggestion.best);
    user_error_at("--target", remedy.at ? remedy.at : "Name a function of the program, or FILE:LINE.",
                  "%s: the program has no such function", spec->word);
    text_free(&remedy);
}

// Looks for the targets in the whole program, including functions that nothing refers to.
static bool is_in_whole(struct target_set *set, const struct front_input *input) {
    struct front_options options = {.whole = true, .allow_undefined = true, .compiler = set->compiler};
    target_set_front(set, &options);
    struct ir_program *whole = front_load(input, &options, NULL);
    ir_program_free(whole);
    return whole != NULL;
}

static bool says_too_little(const struct target_spec *spec) {
    if (!spec->other || spec->source != WISH_WORD || !spec->file) return false;
    struct text remedy = {0};
    text_add(&remedy, "Write more of the path: %s or %s.", spec->found, spec->other);
    user_error_at("--target", remedy.at, "%s: several files have this name", spec->word);
    text_free(&remedy);
    return true;
}

// Targets of the command line must exist; those from files may be missing in the program.
static bool check_words(struct target_set *set, const struct ir_program *program,
                        const struct front_input *input, bool *unreachable) {
    bool missing = false, good = true;
    vec_each (struct target_spec *, spec, &set->specs) {
        if (says_too_little(*spec)) good = false;
        missing |= (*spec)->source == WISH_WORD && !(*spec)->found;
    }
    if (!missing || !good) return good;
    uint32_t before = set->lines.count;
    bool whole = is_in_whole(set, input);
    vec_each (struct target_spec *, spec, &set->specs) {
        if ((*spec)->source != WISH_WORD ||
            (whole && (*spec)->target >= before && (*spec)->target != UINT32_MAX))
            continue;
        if ((*spec)->found) continue;
        good = false;
        if ((*spec)->function)
            say_no_function(program, *spec);
        else
            say_nearest(program, *spec);
    }
    if (good) *unreachable = true; // the remaining targets are in code that nothing refers to
    return good;
}

bool target_set_resolve(struct target_set *set, const struct ir_program *program,
                        const struct front_input *input, bool *unreachable) {
    *unreachable = false;
    if (!check_words(set, program, input, unreachable)) return false;
    uint32_t report = 0, outside = 0;
    vec_each (struct target_spec *, spec, &set->specs) {
        if ((*spec)->source == WISH_REPORT) set->reports.at[report++].target = (*spec)->target;
        if ((*spec)->source == WISH_TRACE && (*spec)->target != UINT32_MAX)
            vec_push(&set->order, (*spec)->target);
        if ((*spec)->source != WISH_WORD && (*spec)->target == UINT32_MAX) outside++;
    }
    if (set->lines.count) {
        if (outside) log_line("%u of the given locations are not code of this program", outside);
        return true;
    }
    user_error_at("target", "Was the file made for this program?",
                  "none of the given locations is code of the program");
    return false;
}

struct targets *target_set_targets(const struct target_set *set, const struct ir_program *program) {
    struct targets *targets = targets_new(program);
    assert(program->mark_count <= set->lines.count);
    if (set->order.count) targets_set_order(targets, set->order.at, set->order.count);
    return targets;
}
