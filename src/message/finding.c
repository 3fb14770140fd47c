#include "message/finding.h"

#include <stdio.h>
#include <string.h>

static const char *base_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
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

const char *finding_hex(const struct finding *finding) {
    static char digits[17];
    snprintf(digits, sizeof digits, "%016llx", (unsigned long long)finding->hash);
    return digits;
}
