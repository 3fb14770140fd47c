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
#define LOG_SIZE   8192u // additions that can be read later

// The words of a slot: name (two), kind and size, model, checksum.
struct slot {
    _Atomic uint64_t word[SLOT_WORDS];
};
_Static_assert(3 * 8 + SHARED_MODEL + 8 == SLOT_WORDS * 8, "name, kind and size, model, checksum");

// The slots of the last additions, in a ring.
struct addition_log {
    _Atomic uint64_t count;
    _Atomic uint32_t slots[LOG_SIZE];
};

struct shared_answers {
    struct addition_log *log; // before the slots, in the same mapping
    struct slot *slots;
    uint64_t buckets;
    uint32_t next; // slot that this process replaces next in a full bucket
};

#define KIND_REFUTED 1u
#define KIND_MODEL   2u

static size_t mapped_size(uint64_t buckets) {
    return sizeof(struct addition_log) + buckets * WAYS * sizeof(struct slot);
}

struct shared_answers *shared_new(size_t bytes) {
    uint64_t buckets = MAX(1, bytes / (WAYS * sizeof(struct slot)));
    struct addition_log *log = mmap(NULL, mapped_size(buckets), PROT_READ | PROT_WRITE,
                                    MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (log == MAP_FAILED) return NULL;
    struct shared_answers *shared = NEW(struct shared_answers);
    *shared = (struct shared_answers){log, (struct slot *)(log + 1), buckets, 0};
    return shared;
}

void shared_free(struct shared_answers *shared) {
    if (!shared) return;
    munmap(shared->log, mapped_size(shared->buckets));
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

// Returns false if the slot is empty, is being written, or was left by a killed process.
static bool read_answer(const struct slot *slot, struct shared_answer *answer) {
    uint64_t words[SLOT_WORDS];
    read_slot(slot, words);
    uint32_t kind = (uint32_t)(words[2] >> 32), size = (uint32_t)words[2];
    if (words[SLOT_WORDS - 1] != checksum(words) || size > SHARED_MODEL) return false;
    answer->name = (struct digest){words[0], words[1]};
    answer->refuted = kind == KIND_REFUTED;
    answer->size = size;
    memcpy(answer->model, &words[3], size);
    return kind == KIND_REFUTED || kind == KIND_MODEL;
}

bool shared_find(const struct shared_answers *shared, struct shared_answer *answer) {
    const struct digest name = answer->name;
    const struct slot *bucket = bucket_of(shared, &name);
    for (unsigned i = 0; i < WAYS; i++)
        if (has_name(&bucket[i], &name) && read_answer(&bucket[i], answer) && answer->name.a == name.a &&
            answer->name.b == name.b)
            return true;
    answer->name = name;
    return false;
}

uint32_t shared_since(const struct shared_answers *shared, uint64_t *position, struct shared_answer *to,
                      uint32_t most) {
    uint64_t end = atomic_load_explicit(&shared->log->count, memory_order_acquire);
    uint32_t count = 0;
    if (end - *position > LOG_SIZE) *position = end - LOG_SIZE;
    for (; *position < end && count < most; ++*position) {
        uint32_t slot = atomic_load_explicit(&shared->log->slots[*position % LOG_SIZE], memory_order_relaxed);
        assert(slot < shared->buckets * WAYS);
        count += read_answer(&shared->slots[slot], &to[count]);
    }
    return count;
}

static struct slot *slot_for(struct shared_answers *shared, const struct digest *name) {
    struct slot *bucket = bucket_of(shared, name);
    for (unsigned i = 0; i < WAYS; i++)
        if (has_name(&bucket[i], name) ||
            !atomic_load_explicit(&bucket[i].word[SLOT_WORDS - 1], memory_order_relaxed))
            return &bucket[i];
    return &bucket[shared->next++ % WAYS];
}

static struct slot *add(struct shared_answers *shared, const struct shared_answer *answer) {
    assert(answer->size <= SHARED_MODEL);
    uint64_t words[SLOT_WORDS] = {answer->name.a, answer->name.b};
    words[2] = (uint64_t)(answer->refuted ? KIND_REFUTED : KIND_MODEL) << 32 | answer->size;
    memcpy(&words[3], answer->model, answer->size);
    words[SLOT_WORDS - 1] = checksum(words);
    struct slot *slot = slot_for(shared, &answer->name);
    for (unsigned i = 0; i < SLOT_WORDS; i++)
        atomic_store_explicit(&slot->word[i], words[i], memory_order_relaxed);
    return slot;
}

void shared_add_foreign(struct shared_answers *shared, const struct shared_answer *answer) {
    add(shared, answer);
}

void shared_add(struct shared_answers *shared, const struct shared_answer *answer) {
    uint32_t slot = (uint32_t)(add(shared, answer) - shared->slots);
    uint64_t at = atomic_fetch_add_explicit(&shared->log->count, 1, memory_order_acq_rel);
    atomic_store_explicit(&shared->log->slots[at % LOG_SIZE], slot, memory_order_relaxed);
}
