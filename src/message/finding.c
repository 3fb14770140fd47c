#include "message/finding.h"

#include "base/hash.h"

#include <stdio.h>
#include <string.h>

static const char *base_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static uint64_t hash_text(const char *text, uint64_t seed) { return hash_bytes(text, strlen(text), seed); }

uint64_t finding_hash(const struct finding *finding) {
    uint64_t hash = hash_text(finding->kind, 7);
    for (uint32_t i = 0; i < finding->stack.count; i++) {
        const struct finding_frame *frame = &finding->stack.frames[i];
        hash = hash_text(frame->function, hash);
        if (!frame->own) continue; // lines of the library change with its version
        hash = hash_combine(hash_text(base_name(frame->file), hash), frame->line);
    }
    return hash;
}

const char *finding_name(const struct finding *finding) {
    static char name[256];
    char file[120];
    size_t length = 0;
    const char *from = *finding->place.file ? base_name(finding->place.file) : "unknown";
    for (; *from && length < sizeof file - 1; from++) {
        bool plain = (*from >= 'a' && *from <= 'z') || (*from >= 'A' && *from <= 'Z') ||
                     (*from >= '0' && *from <= '9') || *from == '.' || *from == '_';
        file[length++] = plain ? *from : '_';
    }
    file[length] = 0;
    snprintf(name, sizeof name, "%s-%s-%u-%08x", finding->kind, file, finding->place.line,
             (unsigned)(finding->hash ^ finding->hash >> 32));
    return name;
}
