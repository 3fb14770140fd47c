// Finds macros whose definition has changed, also in headers without code. A line that uses one counts as changed, and
// so does a macro whose definition uses one. The program's files and the files of the diff are searched for
// definitions.
#include "regress/changed_source.h"

#include <ctype.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

struct macro_file {
    struct changed_source source;
    const struct diff_file *diff; // NULL: not in the diff
    uint32_t file;                // number of the program's file; UINT32_MAX: it has no code
};

struct macro_search {
    struct regress *regress;
    vec(struct macro_file) files;
    vec(const char *) names; // names of changed macros
};

static size_t identifier_length(const char *text) {
    size_t length = 0;
    if (!isalpha((unsigned char)*text) && *text != '_') return 0;
    while (isalnum((unsigned char)text[length]) || text[length] == '_') length++;
    return length;
}

// Returns the name that a line defines, or NULL; *length is the length of the name.
static const char *defined_name(const char *line, size_t *length) {
    line += strspn(line, " \t");
    if (*line++ != '#') return NULL;
    line += strspn(line, " \t");
    if (strncmp(line, "define", 6) != 0 || !strchr(" \t", line[6])) return NULL;
    line += 6 + strspn(line + 6, " \t");
    *length = identifier_length(line);
    return *length ? line : NULL;
}

static bool is_changed_name(const struct macro_search *search, const char *name, size_t length) {
    vec_each (const char *, one, &search->names)
        if (strlen(*one) == length && !memcmp(*one, name, length)) return true;
    return false;
}

static bool add_name(struct macro_search *search, const char *name, size_t length) {
    if (is_changed_name(search, name, length)) return false;
    char *copy = arena_alloc(search->regress->arena, length + 1);
    memcpy(copy, name, length);
    copy[length] = 0;
    vec_push(&search->names, copy);
    return true;
}

// Whether the text names a changed macro outside of strings, character constants and // comments.
static bool uses_changed(const struct macro_search *search, const char *text) {
    while (*text && strncmp(text, "//", 2) != 0) {
        size_t length = identifier_length(text);
        if (length && is_changed_name(search, text, length)) return true;
        if (*text == '"' || *text == '\'') {
            char quote = *text++;
            while (*text && *text != quote) text += *text == '\\' && text[1] ? 2 : 1;
            text += *text != 0;
        } else if (isdigit((unsigned char)*text)) {
            while (isalnum((unsigned char)*text) || *text == '_') text++;
        } else {
            text += length ? length : 1;
        }
    }
    return false;
}

static bool is_continued(const char *line) {
    size_t length = strlen(line);
    return length && line[length - 1] == '\\';
}

// Returns the index of the first of the lines, joined by backslashes, that this line belongs to.
static uint32_t first_line(const struct changed_source *source, uint32_t index) {
    while (index && is_continued(source->lines.at[index - 1])) index--;
    return index;
}

static void note_definitions(struct macro_search *search, const struct macro_file *file) {
    const struct changed_source *source = &file->source;
    for (uint32_t i = 0; file->diff && i < file->diff->changed.count; i++) {
        uint32_t number = file->diff->changed.at[i];
        size_t length;
        if (number > source->lines.count) continue;
        const char *name = defined_name(source->lines.at[first_line(source, number - 1)], &length);
        if (name) add_name(search, name, length);
    }
}

// Adds the macros whose definition uses a changed one. Returns whether there were new ones.
static bool spread(struct macro_search *search, const struct changed_source *source) {
    bool any = false;
    for (uint32_t i = 0; i < source->lines.count; i++) {
        size_t length;
        const char *name = defined_name(source->lines.at[i], &length);
        if (!name) continue;
        bool uses = uses_changed(search, name + length);
        for (; is_continued(source->lines.at[i]) && i + 1 < source->lines.count; i++)
            uses = uses || uses_changed(search, source->lines.at[i + 1]);
        if (uses) any |= add_name(search, name, length);
    }
    return any;
}

static bool is_marked(const struct regress *regress, uint32_t file, uint32_t line) {
    const struct ir_program *program = regress->program;
    for (uint32_t i = 0; i < program->location_count; i++)
        if (program->locations[i].line == line && program->locations[i].file == file && regress->changed[i])
            return true;
    return false;
}

static void mark_uses(struct macro_search *search, const struct macro_file *file) {
    const struct changed_source *source = &file->source;
    for (uint32_t i = 0; i < source->lines.count; i++) {
        const char *first = source->lines.at[first_line(source, i)];
        bool is_directive = first[strspn(first, " \t")] == '#';
        if (is_directive || !uses_changed(search, source->lines.at[i])) continue;
        if (!is_marked(search->regress, file->file, i + 1))
            regress_add_line(search->regress, file->file, i + 1, source);
    }
}

static void add_file(struct macro_search *search, const char *path, const struct diff_file *diff,
                     uint32_t number) {
    struct macro_file file = {.diff = diff, .file = number};
    changed_source_read(path, &file.source);
    vec_push(&search->files, file);
}

// Adds the files of the diff and the files of the program. A file in both is added twice, which is harmless.
static void add_files(struct macro_search *search, const uint8_t *own, const char *root) {
    const struct ir_program *program = search->regress->program;
    vec_each (struct diff_file, diff, &search->regress->diff.files) {
        struct text path = {0};
        if (!diff->name) continue;
        text_add(&path, *diff->name == '/' ? "%s%s" : "%s/%s", *diff->name == '/' ? "" : root, diff->name);
        add_file(search, path.at, diff, UINT32_MAX);
        text_free(&path);
    }
    for (uint32_t f = 0; f < program->file_count; f++)
        if (own[f]) add_file(search, program->files[f], NULL, f);
}

void regress_add_macro_uses(struct regress *regress, const uint8_t *own, const char *root) {
    struct macro_search search = {.regress = regress};
    add_files(&search, own, root);
    vec_each (struct macro_file, file, &search.files) note_definitions(&search, file);
    for (bool again = search.names.count > 0; again;) {
        again = false;
        vec_each (struct macro_file, file, &search.files) again |= spread(&search, &file->source);
    }
    vec_each (struct macro_file, file, &search.files) {
        if (search.names.count && file->file != UINT32_MAX) mark_uses(&search, file);
        changed_source_free(&file->source);
    }
    vec_free(&search.files);
    vec_free(&search.names);
}
