#include "search/nearest.h"

static bool nearer(const void *context, uint32_t a, uint32_t b) {
    const struct nearest *nearest = context;
    uint32_t x = nearest->distances.at[a], y = nearest->distances.at[b];
    return x != y ? x < y : nearest->held.at[a]->number > nearest->held.at[b]->number;
}

void nearest_start(struct nearest *nearest) {
    *nearest = (struct nearest){.queue = {.less = nearer, .context = nearest}};
}

void nearest_end(struct nearest *nearest) {
    queue_free(&nearest->queue);
    vec_free(&nearest->held);
    vec_free(&nearest->distances);
    vec_free(&nearest->free);
    map_free(&nearest->places);
}

static uint32_t place_of(const struct nearest *nearest, const struct state *state) {
    uint64_t *place = map_get(&nearest->places, state->number);
    assert(place && nearest->held.at[*place] == state);
    return (uint32_t)*place;
}

void nearest_add(struct nearest *nearest, struct state *state, uint32_t distance) {
    uint32_t place = nearest->held.count;
    if (nearest->free.count) {
        place = vec_pop(&nearest->free);
        nearest->held.at[place] = state;
        nearest->distances.at[place] = distance;
    } else {
        vec_push(&nearest->held, state);
        vec_push(&nearest->distances, distance);
    }
    *map_put(&nearest->places, state->number) = place;
    queue_add(&nearest->queue, place);
}

void nearest_set(struct nearest *nearest, const struct state *state, uint32_t distance) {
    uint32_t place = place_of(nearest, state);
    if (nearest->distances.at[place] == distance) return;
    nearest->distances.at[place] = distance;
    queue_update(&nearest->queue, place);
}

void nearest_remove(struct nearest *nearest, const struct state *state) {
    uint32_t place = place_of(nearest, state);
    queue_remove(&nearest->queue, place);
    map_remove(&nearest->places, state->number);
    nearest->held.at[place] = NULL;
    vec_push(&nearest->free, place);
}

struct state *nearest_first(const struct nearest *nearest) {
    return nearest->held.at[queue_first(&nearest->queue)];
}
