#include "search/weights.h"

#include "base/alloc.h"

static void set_leaf(struct weights *weights, uint32_t index, uint64_t weight) {
    uint32_t node = weights->capacity + index;
    weights->sums[node] = weight;
    while (node >>= 1) weights->sums[node] = weights->sums[2 * node] + weights->sums[2 * node + 1];
}

static void grow(struct weights *weights) {
    uint32_t old = weights->capacity, capacity = old ? 2 * old : 8;
    uint64_t *sums = NEW_ARRAY(uint64_t, 2 * (size_t)capacity);
    for (uint32_t i = 0; i < old; i++) sums[capacity + i] = weights->sums[old + i];
    for (uint32_t i = capacity - 1; i; i--) sums[i] = sums[2 * i] + sums[2 * i + 1];
    DELETE_ARRAY(weights->sums, 2 * (size_t)old);
    weights->sums = sums;
    weights->states =
        mem_realloc(weights->states, old * sizeof(struct state *), capacity * sizeof(struct state *));
    weights->capacity = capacity;
}

static uint32_t index_of(const struct weights *weights, const struct state *state) {
    uint64_t *found = map_get(&weights->indices, state->number);
    assert(found && weights->states[*found] == state);
    return (uint32_t)*found;
}

void weights_add(struct weights *weights, struct state *state, uint64_t weight) {
    assert(weight > 0 && weight <= (uint64_t)1 << 32);
    if (weights->count == weights->capacity) grow(weights);
    *map_put(&weights->indices, state->number) = weights->count;
    weights->states[weights->count] = state;
    set_leaf(weights, weights->count++, weight);
}

void weights_set(struct weights *weights, const struct state *state, uint64_t weight) {
    assert(weight > 0 && weight <= (uint64_t)1 << 32);
    uint32_t index = index_of(weights, state);
    if (weights->sums[weights->capacity + index] != weight) set_leaf(weights, index, weight);
}

void weights_remove(struct weights *weights, const struct state *state) {
    uint32_t index = index_of(weights, state), last = --weights->count;
    if (index != last) {
        struct state *moved = weights->states[last];
        weights->states[index] = moved;
        *map_get(&weights->indices, moved->number) = index;
        set_leaf(weights, index, weights->sums[weights->capacity + last]);
    }
    set_leaf(weights, last, 0);
    map_remove(&weights->indices, state->number);
}

struct state *weights_draw(const struct weights *weights, struct random *random) {
    assert(weights->count);
    uint64_t left = random_below(random, weights->sums[1]);
    uint32_t node = 1;
    while (node < weights->capacity) {
        node *= 2;
        if (left >= weights->sums[node]) left -= weights->sums[node++];
    }
    return weights->states[node - weights->capacity];
}

void weights_free(struct weights *weights) {
    DELETE_ARRAY(weights->sums, 2 * (size_t)weights->capacity);
    mem_free(weights->states, weights->capacity * sizeof(struct state *));
    map_free(&weights->indices);
}
