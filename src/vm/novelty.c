#include "vm/novelty.h"

#define FREELY   8192u // while there are fewer live states, all alternatives are kept
#define MOST_NEW 4u    // alternatives kept for a program point and a power of two of its visits

void novelty_free(struct novelty *novelty) {
    map_free(&novelty->index);
    vec_free(&novelty->points);
}

static struct point_novelty *find(struct novelty *novelty, uint64_t point) {
    uint64_t *index = map_put(&novelty->index, point >> 1); // keys have 63 bits
    if (!*index) {
        vec_push(&novelty->points, (struct point_novelty){0});
        *index = novelty->points.count;
    }
    return &novelty->points.at[*index - 1];
}

bool novelty_keeps(struct novelty *novelty, uint64_t point, uint64_t path, uint32_t waiting, bool *first) {
    struct point_novelty *at = find(novelty, point);
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
    *first = !at->reported;
    at->reported = true;
    return false;
}
