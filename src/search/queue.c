#include "search/queue.h"

static void put(struct number_queue *queue, uint32_t index, uint32_t number) {
    queue->at.at[index] = number;
    queue->indices.at[number] = index + 1;
}

static bool before(const struct number_queue *queue, uint32_t a, uint32_t b) {
    return queue->less(queue->context, a, b);
}

static uint32_t sift_up(struct number_queue *queue, uint32_t index, uint32_t number) {
    while (index && before(queue, number, queue->at.at[(index - 1) / 2])) {
        put(queue, index, queue->at.at[(index - 1) / 2]);
        index = (index - 1) / 2;
    }
    return index;
}

static uint32_t sift_down(struct number_queue *queue, uint32_t index, uint32_t number) {
    for (;;) {
        uint32_t child = 2 * index + 1;
        if (child >= queue->at.count) return index;
        if (child + 1 < queue->at.count && before(queue, queue->at.at[child + 1], queue->at.at[child]))
            child++;
        if (!before(queue, queue->at.at[child], number)) return index;
        put(queue, index, queue->at.at[child]);
        index = child;
    }
}

void queue_add(struct number_queue *queue, uint32_t number) {
    assert(!queue_has(queue, number));
    while (queue->indices.count <= number) vec_push(&queue->indices, 0);
    vec_push(&queue->at, number);
    put(queue, sift_up(queue, queue->at.count - 1, number), number);
}

void queue_update(struct number_queue *queue, uint32_t number) {
    assert(queue_has(queue, number));
    uint32_t index = sift_up(queue, queue->indices.at[number] - 1, number);
    put(queue, sift_down(queue, index, number), number);
}

void queue_remove(struct number_queue *queue, uint32_t number) {
    assert(queue_has(queue, number));
    uint32_t index = queue->indices.at[number] - 1, last = vec_pop(&queue->at);
    queue->indices.at[number] = 0;
    if (last == number) return;
    put(queue, index, last);
    queue_update(queue, last);
}

void queue_free(struct number_queue *queue) {
    vec_free(&queue->at);
    vec_free(&queue->indices);
}
