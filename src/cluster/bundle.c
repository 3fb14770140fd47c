#include "cluster/bundle.h"

#include "message/stream.h"

struct bundle bundle_of(const void *bytes, size_t size, uint32_t first, uint32_t count) {
    struct bundle bundle = {.first = first, .count = count};
    if (count) text_add_bytes(&bundle.stream, bytes, size);
    return bundle;
}

struct bundle bundle_make(const struct frontier_entry *all, uint32_t count) {
    struct bundle bundle = {.count = count};
    struct message_writer *writer = message_writer_new(&bundle.stream);
    for (uint32_t i = 0; i < count; i++) message_write(writer, MESSAGE_FRONTIER, &all[i]);
    message_writer_end(writer);
    return bundle;
}

void bundle_free(struct bundle *bundle) {
    text_free(&bundle->stream);
    *bundle = (struct bundle){0};
}

void bundle_read(const struct bundle *bundle, struct arena *arena, entries *to) {
    if (!bundle->count) return;
    struct message_reader *reader = message_reader_new(arena, bundle->stream.at, bundle->stream.count);
    struct message message;
    uint32_t seen = 0, before = to->count;
    while (seen < bundle->first + bundle->count && message_read(reader, &message) == MESSAGE_READ) {
        if (message.kind != MESSAGE_FRONTIER) continue;
        if (seen++ >= bundle->first) vec_push(to, *message.frontier_entry);
    }
    assert(to->count - before == bundle->count);
    (void)before;
    message_reader_free(reader);
}

void bundle_deal(const entries *all, uint32_t number, uint32_t parts, entries *part) {
    assert(number < parts);
    vec_clear(part);
    for (uint32_t i = number; i < all->count; i += parts) vec_push(part, all->at[i]);
}
