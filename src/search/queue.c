#include "search/queue.h"

static void put(struct number_queue *queue, uint32_t place, uint32_t number) {
    queue->at.at[place] = number;
    queue->places.at[number] = place + 1;
}

static bool before(const struct number_queue *queue, uint32_t a, uint32_t b) {
    return queue->less(queue->context, a, b);
}

static uint32_t sift_up(struct number_queue *queue, uint32_t place, uint32_t number) {
    while (place && before(queue, number, queue->at.at[(place - 1) / 2])) {
        put(queue, place, queue->at.at[(place - 1) / 2]);
        place = (place - 1) / 2;
    }
    return place;
}

static uint32_t sift_down(struct number_queue *queue, uint32_t place, uint32_t number) {
    for (;;) {
        uint32_t child = 2 * place + 1;
        if (child >= queue->at.count) return place;
        if (child + 1 < queue->at.count && before(queue, queue->at.at[child + 1], queue->at.at[child]))
            child++;
        if (!before(queue, queue->at.at[child], number)) return place;
        put(queue, place, queue->at.at[child]);
        place = child;
    }
}

void queue_add(struct number_queue *queue, uint32_t number) {
    assert(!queue_has(queue, number));
    while (queue->places.count <= number) vec_push(&queue->places, 0);
    vec_push(&queue->at, number);
    put(queue, sift_up(queue, queue->at.count - 1, number), number);
}

void queue_update(struct number_queue *queue, uint32_t number) {
    assert(queue_has(queue, number));
    uint32_t place = sift_up(queue, queue->places.at[number] - 1, number);
    put(queue, sift_down(queue, place, number), number);
}

void queue_remove(struct number_queue *queue, uint32_t number) {
    assert(queue_has(queue, number));
    uint32_t place = queue->places.at[number] - 1, last = vec_pop(&queue->at);
    queue->places.at[number] = 0;
    if (last == number) return;
    put(queue, place, last);
    queue_update(queue, last);
}

void queue_free(struct number_queue *queue) {
    vec_free(&queue->at);
    vec_free(&queue->places);
}
