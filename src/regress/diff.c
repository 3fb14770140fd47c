#include "regress/diff.h"

#include "base/alloc.h"
#include "base/arena.h"

#include <string.h>

#define LARGEST 1000000000u // largest line number

struct diff_reader {
    struct arena *arena;
    const char *at, *end;
    uint32_t line; // number of the line in `text`
    const char *text;
    uint32_t length;
    struct diff *diff;
    struct diff_file *file; // NULL: none yet
    uint32_t last_old, last_new;
};

// Reads the next line, without its line end. Returns false at the end.
static bool next_line(struct diff_reader *reader) {
    if (reader->at == reader->end) return false;
    const char *newline = memchr(reader->at, '\n', (size_t)(reader->end - reader->at));
    const char *stop = newline ? newline : reader->end;
    reader->text = reader->at;
    reader->length = (uint32_t)(stop - reader->at);
    reader->at = newline ? newline + 1 : reader->end;
    reader->line++;
    if (reader->length && reader->text[reader->length - 1] == '\r') reader->length--;
    return true;
}

static bool begins(const struct diff_reader *reader, const char *word) {
    size_t length = strlen(word);
    return reader->length >= length && !memcmp(reader->text, word, length);
}

// ---- names

static int octal(const char *at) {
    for (int i = 0; i < 3; i++)
        if (at[i] < '0' || at[i] > '7') return -1;
    return (at[0] - '0') << 6 | (at[1] - '0') << 3 | (at[2] - '0');
}

// Decodes a name quoted by git: in double quotes, with C escapes. Returns NULL if it is malformed.
static char *unquote(struct arena *arena, const char *from, const char *end) {
    static const char letters[] = "abfnrtv\"\\", values[] = "\a\b\f\n\r\t\v\"\\";
    char *name = arena_alloc(arena, (size_t)(end - from) + 1), *to = name;
    for (; from < end && *from != '"'; from++) {
        if (*from != '\\') {
            *to++ = *from;
            continue;
        }
        if (++from == end) return NULL;
        const char *letter = *from ? strchr(letters, *from) : NULL;
        int code = end - from >= 3 ? octal(from) : -1;
        if (letter) {
            *to++ = values[letter - letters];
        } else if (code > 0 && code < 256) {
            *to++ = (char)code;
            from += 2;
        } else {
            return NULL;
        }
    }
    return from < end ? name : NULL;
}

// Reads the rest of a "--- " or "+++ " line: a name, optionally a tab and a date. Returns NULL if it is
// malformed.
static char *read_name(const struct diff_reader *reader) {
    const char *from = reader->text + 4, *end = reader->text + reader->length;
    if (from < end && *from == '"') return unquote(reader->arena, from + 1, end);
    const char *tab = memchr(from, '\t', (size_t)(end - from));
    size_t size = (size_t)((tab ? tab : end) - from);
    if (!size || memchr(from, 0, size)) return NULL;
    char *name = arena_alloc(reader->arena, size + 1);
    memcpy(name, from, size);
    return name;
}

static bool is_nothing(const char *name) { return !strcmp(name, "/dev/null"); }

static bool has_prefix(const char *name, char letter) {
    return name[0] == letter && name[1] == '/' && name[2];
}

// Removes the "a/" and "b/" that git, unlike other tools, writes before names.
static void set_names(struct diff_file *file, const char *old, const char *name) {
    bool git = (has_prefix(old, 'a') || is_nothing(old)) && (has_prefix(name, 'b') || is_nothing(name));
    file->old = is_nothing(old) ? NULL : git ? old + 2 : old;
    file->name = is_nothing(name) ? NULL : git ? name + 2 : name;
}

static const char *read_header(struct diff_reader *reader) {
    const char *old = read_name(reader);
    if (!old) return "the name of the old file is damaged";
    if (!next_line(reader) || !begins(reader, "+++ ")) return "after the line with --- comes one with +++";
    const char *name = read_name(reader);
    if (!name) return "the name of the new file is damaged";
    vec_push(&reader->diff->files, ((struct diff_file){0}));
    reader->file = vec_last(&reader->diff->files);
    set_names(reader->file, old, name);
    if (!reader->file->old && !reader->file->name) return "a file that is in neither version";
    reader->last_old = reader->last_new = 0;
    return NULL;
}

// ---- hunks

struct hunk {
    uint32_t old_left, new_left; // lines still to come
    uint32_t number;             // number of the next line of the new version
    bool taken, added;           // lines removed, lines added since the last common line
};

static bool read_number(const char **at, const char *end, uint32_t *number) {
    const char *start = *at;
    uint64_t value = 0;
    for (; *at < end && **at >= '0' && **at <= '9'; ++*at) {
        value = value * 10 + (uint64_t)(**at - '0');
        if (value > LARGEST) return false;
    }
    *number = (uint32_t)value;
    return *at > start;
}

// Reads "-12,3" or "-12": the first line and the number of lines.
static bool read_range(const char **at, const char *end, char sign, uint32_t *first, uint32_t *count) {
    *count = 1;
    if (*at == end || **at != sign) return false;
    ++*at;
    if (!read_number(at, end, first)) return false;
    if (*at == end || **at != ',') return true;
    ++*at;
    return read_number(at, end, count);
}

static bool read_ranges(const struct diff_reader *reader, struct hunk *hunk, uint32_t *old_first) {
    const char *at = reader->text + 3, *end = reader->text + reader->length;
    uint32_t first;
    if (!read_range(&at, end, '-', old_first, &hunk->old_left) || at == end || *at != ' ') return false;
    at++;
    if (!read_range(&at, end, '+', &first, &hunk->new_left) || end - at < 3 || memcmp(at, " @@", 3) != 0)
        return false;
    // A range without lines gives the line before it.
    hunk->number = hunk->new_left ? first : first + 1;
    return hunk->number && (*old_first || !hunk->old_left);
}

static void add_changed(struct diff_file *file, uint32_t number) {
    if (!file->changed.count || *vec_last(&file->changed) < number) vec_push(&file->changed, number);
}

static void quote(struct diff_reader *reader, uint32_t number, bool changed) {
    uint32_t skip = reader->length ? 1 : 0;
    char *text = arena_alloc(reader->arena, reader->length + 1);
    memcpy(text, reader->text + skip, reader->length - skip);
    vec_push(&reader->file->quoted, ((struct diff_line){number, changed, reader->length - skip, text}));
}

// Ends a change, at a line common to both versions or at the end.
static void end_change(struct diff_reader *reader, struct hunk *hunk) {
    if (hunk->taken && !hunk->added) add_changed(reader->file, hunk->number);
    hunk->taken = hunk->added = false;
}

static const char *read_body_line(struct diff_reader *reader, struct hunk *hunk) {
    char sign = reader->length ? reader->text[0] : ' '; // editors strip trailing spaces
    switch (sign) {
    case '+':
        if (!hunk->new_left) return "the hunk has more new lines than it says";
        hunk->new_left--;
        hunk->added = true;
        add_changed(reader->file, hunk->number);
        quote(reader, hunk->number++, true);
        return NULL;
    case '-':
        if (!hunk->old_left) return "the hunk has more old lines than it says";
        hunk->old_left--;
        hunk->taken = true;
        return NULL;
    case ' ':
        if (!hunk->old_left || !hunk->new_left) return "the hunk has more lines than it says";
        hunk->old_left--;
        hunk->new_left--;
        end_change(reader, hunk);
        quote(reader, hunk->number++, false);
        return NULL;
    case '\\': return NULL; // no newline at the end of the file
    default: return "a line of a hunk begins with a space, + or -";
    }
}

static const char *read_hunk(struct diff_reader *reader) {
    struct hunk hunk = {0};
    uint32_t old_first;
    if (!reader->file) return "a hunk before any file";
    if (!read_ranges(reader, &hunk, &old_first)) return "a hunk begins with @@ -LINE,COUNT +LINE,COUNT @@";
    if (old_first < reader->last_old || hunk.number < reader->last_new)
        return "the hunks are not in the order of their lines";
    reader->last_old = old_first + hunk.old_left;
    reader->last_new = hunk.number + hunk.new_left;
    while (hunk.old_left || hunk.new_left) {
        if (!next_line(reader)) return "the diff ends within a hunk";
        const char *wrong = read_body_line(reader, &hunk);
        if (wrong) return wrong;
    }
    end_change(reader, &hunk);
    return NULL;
}

const char *diff_parse(struct arena *arena, const char *text, size_t size, struct diff *diff,
                       uint32_t *line) {
    *diff = (struct diff){0};
    struct diff_reader reader = {.arena = arena, .at = text, .end = text + size, .diff = diff};
    const char *wrong = NULL;
    while (!wrong && next_line(&reader)) {
        if (begins(&reader, "--- ") && reader.length > 4)
            wrong = read_header(&reader);
        else if (begins(&reader, "@@ "))
            wrong = read_hunk(&reader);
        else if (begins(&reader, "@@@"))
            wrong = "the diff of a merge: compare with one of its parents";
        else if (begins(&reader, "*** ") && !reader.file)
            wrong = "a context diff: use diff -u";
        else if (begins(&reader, "Binary files ") || begins(&reader, "GIT binary patch"))
            diff->binary++;
    }
    *line = reader.line;
    return wrong;
}

void diff_free(struct diff *diff) {
    vec_each (struct diff_file, file, &diff->files) {
        vec_free(&file->quoted);
        vec_free(&file->changed);
    }
    vec_free(&diff->files);
}
