// Fingerprints of findings. They use the text of the source line, so that they survive edits of other lines.
#include "base/hash.h"
#include "base/text.h"
#include "base/vec.h"
#include "message/finding.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define LARGEST_SOURCE (64 << 20) // bytes

static uint64_t hash_text(const char *text, uint64_t seed) { return hash_bytes(text, strlen(text), seed); }

// ---- normalised lines

// Returns the length of the blank or comment that begins here; 0: none.
static size_t skipped(const char *at, size_t left) {
    if (*at == ' ' || (*at >= '\t' && *at <= '\r')) return 1;
    if (left < 2 || at[0] != '/') return 0;
    if (at[1] == '/') return left;
    if (at[1] != '*') return 0;
    const char *end = left > 3 ? memmem(at + 2, left - 2, "*/", 2) : NULL;
    return end ? (size_t)(end + 2 - at) : left;
}

// Appends the line without blanks and comments. Returns the number of appended bytes that precede the column (from 1).
static size_t add_normalized(struct text *to, const char *line, size_t length, uint32_t column) {
    size_t start = to->count, before = 0;
    char quote = 0;
    for (size_t i = 0; i < length; i++) {
        if (i + 1 == column) before = to->count - start;
        size_t skip = quote ? 0 : skipped(line + i, length - i);
        if (skip) {
            i += skip - 1;
            continue;
        }
        if (quote && line[i] == '\\' && i + 1 < length)
            text_add_bytes(to, &line[i++], 1);
        else if (quote ? line[i] == quote : line[i] == '"' || line[i] == '\'')
            quote = quote ? 0 : line[i];
        text_add_bytes(to, &line[i], 1);
    }
    return before;
}

// ---- the source

// Opens the source. Returns NULL if it cannot be read, or is not a regular file of at most LARGEST_SOURCE bytes.
static FILE *open_source(const char *path) {
    int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
    struct stat status;
    if (fd < 0) return NULL;
    bool good = fstat(fd, &status) == 0 && S_ISREG(status.st_mode) && status.st_size <= LARGEST_SOURCE;
    FILE *file = good ? fdopen(fd, "r") : NULL;
    if (!file) close(fd);
    return file;
}

// Hashes the text of the finding's line, the position in it, and the number of equal lines before it in its function.
// Returns false if there is no such line.
static bool hash_line(FILE *file, const struct finding *finding, uint64_t *hash) {
    uint32_t wanted = finding->place.line, first = finding->function_line, equal = 0;
    vec(uint64_t) lines = {0}; // hashes of the lines, from the function's first line on
    struct text text = {0};
    char *line = NULL;
    size_t capacity = 0, before = 0;
    ssize_t length;
    bool found = false;
    if (!first || first > wanted) first = wanted;
    for (uint32_t number = 1; !found && (length = getline(&line, &capacity, file)) >= 0; number++) {
        if (number < first) continue;
        found = number == wanted;
        text_clear(&text);
        before = add_normalized(&text, line, (size_t)length, found ? finding->place.column : 0);
        vec_push(&lines, hash_bytes(text.at ? text.at : "", text.count, 1));
    }
    for (uint32_t i = 0; found && i + 1 < lines.count; i++) equal += lines.at[i] == *vec_last(&lines);
    if (found) *hash = hash_combine(hash_combine(hash_combine(*hash, *vec_last(&lines)), before), equal);
    free(line);
    text_free(&text);
    vec_free(&lines);
    return found;
}

uint64_t finding_fingerprint(const struct finding *finding) {
    const struct finding_frame *place = &finding->place;
    const char *slash = strrchr(place->file, '/');
    uint64_t hash = hash_text(finding->fault, hash_text(finding->kind, 7));
    hash = hash_text(place->function, hash_text(slash ? slash + 1 : place->file, hash));
    FILE *file = place->line ? open_source(place->file) : NULL;
    if (!file || !hash_line(file, finding, &hash))
        hash = hash_combine(hash_combine(hash, place->line), place->column);
    if (file) fclose(file);
    return hash_combine(hash, finding->ordinal);
}
