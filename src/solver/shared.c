// A table of buckets with four slots each. No process locks it: a slot is read and written word by word, and its
// checksum tells whether the words belong together.
#include "solver/shared.h"

#include "base/alloc.h"
#include "base/hash.h"

#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>

#define SLOT_WORDS 15u
#define WAYS       4u

// The words of a slot: name (two), kind and size, model, checksum.
struct slot {
    _Atomic uint64_t word[SLOT_WORDS];
};
_Static_assert(3 * 8 + SHARED_MODEL + 8 == SLOT_WORDS * 8, "name, kind and size, model, checksum");

struct shared_answers {
    struct slot *slots;
    uint64_t buckets;
    uint32_t next; // slot that this process replaces next in a full bucket
};

#define KIND_REFUTED 1u
#define KIND_MODEL   2u

struct shared_answers *shared_new(size_t bytes) {
    uint64_t buckets = MAX(1, bytes / (WAYS * sizeof(struct slot)));
    struct slot *slots = mmap(NULL, buckets * WAYS * sizeof *slots, PROT_READ | PROT_WRITE,
                              MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (slots == MAP_FAILED) return NULL;
    struct shared_answers *shared = NEW(struct shared_answers);
    *shared = (struct shared_answers){slots, buckets, 0};
    return shared;
}

void shared_free(struct shared_answers *shared) {
    if (!shared) return;
    munmap(shared->slots, shared->buckets * WAYS * sizeof *shared->slots);
    DELETE(shared);
}

static uint64_t checksum(const uint64_t words[SLOT_WORDS]) {
    return hash_bytes(words, (SLOT_WORDS - 1) * sizeof *words, words[0]) | 1; // never 0, as in an empty slot
}

static struct slot *bucket_of(const struct shared_answers *shared, const struct digest *name) {
    return &shared->slots[hash_combine(name->a, name->b) % shared->buckets * WAYS];
}

static void read_slot(const struct slot *slot, uint64_t words[SLOT_WORDS]) {
    for (unsigned i = 0; i < SLOT_WORDS; i++)
        words[i] = atomic_load_explicit(&slot->word[i], memory_order_relaxed);
}

static bool has_name(const struct slot *slot, const struct digest *name) {
    return atomic_load_explicit(&slot->word[0], memory_order_relaxed) == name->a &&
           atomic_load_explicit(&slot->word[1], memory_order_relaxed) == name->b;
}

bool shared_find(const struct shared_answers *shared, struct shared_answer *answer) {
    const struct slot *bucket = bucket_of(shared, &answer->name);
    for (unsigned i = 0; i < WAYS; i++) {
        uint64_t words[SLOT_WORDS];
        if (!has_name(&bucket[i], &answer->name)) continue;
        read_slot(&bucket[i], words);
        uint32_t kind = (uint32_t)(words[2] >> 32), size = (uint32_t)words[2];
        if (words[SLOT_WORDS - 1] != checksum(words) || words[0] != answer->name.a ||
            words[1] != answer->name.b || size > SHARED_MODEL)
            continue; // being written, or left by a killed process
        answer->refuted = kind == KIND_REFUTED;
        answer->size = size;
        memcpy(answer->model, &words[3], size);
        return kind == KIND_REFUTED || kind == KIND_MODEL;
    }
    return false;
}

static struct slot *slot_for(struct shared_answers *shared, const struct digest *name) {
    struct slot *bucket = bucket_of(shared, name);
    for (unsigned i = 0; i < WAYS; i++)
        if (has_name(&bucket[i], name) ||
            !atomic_load_explicit(&bucket[i].word[SLOT_WORDS - 1], memory_order_relaxed))
            return &bucket[i];
    return &bucket[shared->next++ % WAYS];
}

void shared_add(struct shared_answers *shared, const struct shared_answer *answer) {
    assert(answer->size <= SHARED_MODEL);
    uint64_t words[SLOT_WORDS] = {answer->name.a, answer->name.b};
    words[2] = (uint64_t)(answer->refuted ? KIND_REFUTED : KIND_MODEL) << 32 | answer->size;
    memcpy(&words[3], answer->model, answer->size);
    words[SLOT_WORDS - 1] = checksum(words);
    struct slot *slot = slot_for(shared, &answer->name);
    for (unsigned i = 0; i < SLOT_WORDS; i++)
        atomic_store_explicit(&slot->word[i], words[i], memory_order_relaxed);
}
