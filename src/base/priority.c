#include "base/priority.h"

static bool before(struct priority_item a, struct priority_item b) {
    return a.key != b.key ? a.key < b.key : a.value < b.value;
}

void priority_push(struct priority *queue, uint32_t key, uint32_t value) {
    struct priority_item item = {key, value};
    vec_push(queue, item);
    uint32_t i = queue->count - 1;
    for (; i && before(item, queue->at[(i - 1) / 2]); i = (i - 1) / 2) queue->at[i] = queue->at[(i - 1) / 2];
    queue->at[i] = item;
}

struct priority_item priority_pop(struct priority *queue) {
    assert(queue->count);
    struct priority_item first = queue->at[0], item = vec_pop(queue);
    uint32_t i = 0, count = queue->count;
    for (uint32_t child; (child = 2 * i + 1) < count; i = child) {
        if (child + 1 < count && before(queue->at[child + 1], queue->at[child])) child++;
        if (!before(queue->at[child], item)) break;
        queue->at[i] = queue->at[child];
    }
    if (count) queue->at[i] = item;
    return first;
}
