#include "state/printed.h"

#include "base/alloc.h"

static size_t size_of(uint32_t count, bool symbolic) {
    return sizeof(struct printed_write) + (symbolic ? count * sizeof(uint32_t) : count);
}

uint32_t printed_room(const struct printed *printed) {
    return PRINTED_MOST - (printed->last ? printed->last->total : 0);
}

struct printed_write *printed_add(struct printed *printed, unsigned stream, uint32_t count, bool symbolic) {
    assert(count && count <= printed_room(printed) && (stream == 1 || stream == 2));
    struct printed_write *write = mem_alloc(size_of(count, symbolic));
    *write = (struct printed_write){.references = 1,
                                    .before = printed->last, // takes over the reference
                                    .total = count + (printed->last ? printed->last->total : 0),
                                    .count = count,
                                    .stream = (uint8_t)stream,
                                    .symbolic = symbolic};
    printed->last = write;
    return write;
}

struct printed printed_fork(struct printed printed) {
    if (printed.last) printed.last->references++;
    return printed;
}

void printed_free(struct printed printed) {
    for (struct printed_write *write = printed.last; write;) {
        struct printed_write *before = write->before;
        assert(write->references);
        if (--write->references) return;
        mem_free(write, size_of(write->count, write->symbolic));
        write = before;
    }
}

void printed_each_term(struct printed printed, uint32_t epoch, void (*each)(void *context, uint32_t term),
                       void *context) {
    for (struct printed_write *write = printed.last; write && write->epoch != epoch; write = write->before) {
        write->epoch = epoch;
        if (write->length) each(context, write->length);
        for (uint32_t i = 0; write->symbolic && i < write->count; i++) each(context, write->terms[i]);
    }
}
