#include "base/suggest.h"

#include "base/alloc.h"

#include <string.h>

unsigned suggest_edit_distance(const char *a, const char *b) {
    size_t rows = strlen(a), columns = strlen(b), width = columns + 1;
    unsigned *table = NEW_ARRAY(unsigned, (rows + 1) * width);
    for (size_t i = 0; i <= rows; i++) table[i * width] = (unsigned)i;
    for (size_t j = 0; j <= columns; j++) table[j] = (unsigned)j;
    for (size_t i = 1; i <= rows; i++)
        for (size_t j = 1; j <= columns; j++) {
            unsigned *cell = &table[i * width + j];
            unsigned least = cell[-1 - (ptrdiff_t)width] + (a[i - 1] != b[j - 1]);
            least = MIN(least, cell[-1] + 1);
            least = MIN(least, cell[-(ptrdiff_t)width] + 1);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                least = MIN(least, cell[-2 - 2 * (ptrdiff_t)width] + 1);
            *cell = least;
        }
    unsigned distance = table[rows * width + columns];
    DELETE_ARRAY(table, (rows + 1) * width);
    return distance;
}

// Up to a third of the letters may be wrong; beyond that a suggestion is noise. A prefix of three letters or more is
// near to its candidate, however much is missing.
void suggest_consider(struct suggestion *suggestion, const char *candidate) {
    size_t length = strlen(suggestion->typed);
    unsigned distance = suggest_edit_distance(suggestion->typed, candidate);
    bool prefix = length >= 3 && strncmp(suggestion->typed, candidate, length) == 0;
    if (prefix) distance = 1;
    if (3 * (size_t)distance > MAX(length, strlen(candidate)) + 1) return;
    if (suggestion->best && suggestion->distance <= distance) return;
    suggestion->best = candidate;
    suggestion->distance = distance;
}
