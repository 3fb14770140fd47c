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
    map_free(&nearest->indices);
}

static uint32_t index_of(const struct nearest *nearest, const struct state *state) {
    uint64_t *found = map_get(&nearest->indices, state->number);
    assert(found && nearest->held.at[*found] == state);
    return (uint32_t)*found;
}

void nearest_add(struct nearest *nearest, struct state *state, uint32_t distance) {
    uint32_t index = nearest->held.count;
    if (nearest->free.count) {
        index = vec_pop(&nearest->free);
        nearest->held.at[index] = state;
        nearest->distances.at[index] = distance;
    } else {
        vec_push(&nearest->held, state);
        vec_push(&nearest->distances, distance);
    }
    *map_put(&nearest->indices, state->number) = index;
    queue_add(&nearest->queue, index);
}

void nearest_set(struct nearest *nearest, const struct state *state, uint32_t distance) {
    uint32_t index = index_of(nearest, state);
    if (nearest->distances.at[index] == distance) return;
    nearest->distances.at[index] = distance;
    queue_update(&nearest->queue, index);
}

void nearest_remove(struct nearest *nearest, const struct state *state) {
    uint32_t index = index_of(nearest, state);
    queue_remove(&nearest->queue, index);
    map_remove(&nearest->indices, state->number);
    nearest->held.at[index] = NULL;
    vec_push(&nearest->free, index);
}

struct state *nearest_first(const struct nearest *nearest) {
    return nearest->held.at[queue_first(&nearest->queue)];
}
