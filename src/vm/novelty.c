#include "vm/novelty.h"

#define FREELY   8192u // while there are fewer live states, all alternatives are kept
#define MOST_NEW 4u    // alternatives kept for a program point and a power of two of its visits

void novelty_free(struct novelty *novelty) {
    map_free(&novelty->index);
    vec_free(&novelty->places);
}

static struct place_novelty *find(struct novelty *novelty, uint64_t place) {
    uint64_t *index = map_put(&novelty->index, place >> 1); // keys have 63 bits
    if (!*index) {
        vec_push(&novelty->places, (struct place_novelty){0});
        *index = novelty->places.count;
    }
    return &novelty->places.at[*index - 1];
}

bool novelty_keeps(struct novelty *novelty, uint64_t place, uint64_t path, uint32_t waiting, bool *first) {
    struct place_novelty *at = find(novelty, place);
    if (at->path != path) at->hits = 0;
    at->path = path;
    unsigned bits = 32 - (unsigned)__builtin_clz(++at->hits | 1);
    *first = false;
    assert(bits < COUNT(at->kept));
    if (at->kept[bits] < MOST_NEW) {
        at->kept[bits]++;
        return true;
    }
    if (waiting < FREELY) return true;
    *first = !at->told;
    at->told = true;
    return false;
}
