// The heap of native builds, by the algorithm of src/state/heap.c: the same requests give the
// same addresses. Only objects of symbolic size can differ, because the VM reserves the largest size.
#include "runtime/native/slots.h"

#include "runtime/addresses.h"
#include "runtime/intrinsics.h"
#include "runtime/native/raw.h"

#include <stdint.h>
#include <sys/mman.h>

#define PAGE       4096ul
#define CHUNK      (64ul << 10)  // least number of bytes mapped at once
#define GIVEN_BACK (128ul << 10) // larger freed objects do not keep their pages
#ifndef MAP_FIXED_NOREPLACE
#define MAP_FIXED_NOREPLACE 0x100000
#endif

void *memset(void *to, int c, size_t n);

static struct heap_class {
    uint64_t used;             // slots taken so far
    struct slot *first, *last; // the queue of freed slots
    uint64_t freed;            // length of the queue
    uint64_t mapped;           // end of the mapped part
} classes[HEAP_CLASSES];

_Static_assert(sizeof(struct slot) <= HEAP_RECORD, "the record fits in front of the object");

static uint64_t class_base(unsigned class_) {
    return HEAP_BASE + ((uint64_t)class_ << HEAP_CLASS_BITS) + heap_class_start(class_);
}

static uint64_t align_up(uint64_t value, uint64_t align) { return (value + align - 1) & ~(align - 1); }

static int map_up_to(unsigned class_, uint64_t end) {
    struct heap_class *own = &classes[class_];
    if (!own->mapped) own->mapped = class_base(class_) & ~(PAGE - 1);
    if (end <= own->mapped) return 1;
    uint64_t size = align_up(end - own->mapped, CHUNK);
    long at = raw(SYS_mmap, (long)own->mapped, (long)size, PROT_READ | PROT_WRITE,
                  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
    if (at != (long)own->mapped) return 0;
    own->mapped += size;
    return 1;
}

static struct slot *take_waiting(struct heap_class *own) {
    struct slot *slot = own->first;
    own->first = slot->next;
    own->freed--;
    if (slot->kind == __TAMAR_MAPPED) // parts of it may be unmapped or protected
        raw(SYS_mmap, (long)slot->at, (long)align_up(slot->size, PAGE), PROT_READ | PROT_WRITE,
            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
    return slot;
}

// Returns HEAP_QUARANTINE, or the number in TAMAR_QUARANTINE if the VM was built with another one.
static uint64_t quarantine(void) {
    static uint64_t bytes;
    const char *given = bytes ? NULL : __tamar_native_variable("TAMAR_QUARANTINE");
    for (; given && *given; given++) bytes = 10 * bytes + (uint64_t)(*given - '0');
    if (!bytes) bytes = HEAP_QUARANTINE;
    return bytes;
}

void *__tamar_native_slot_take(size_t size, size_t align, int kind) {
    if (size > HEAP_BIGGEST || align > HEAP_BIGGEST) return NULL;
    if (align < 16) align = 16;
    unsigned class_ = heap_class(size, align);
    if (class_ >= HEAP_CLASSES) return NULL;
    struct heap_class *own = &classes[class_];
    int again = own->freed > HEAP_WAITING && own->freed * heap_slot_size(class_) > quarantine();
    uint64_t room = ((uint64_t)1 << HEAP_CLASS_BITS) - heap_class_start(class_);
    if (!again && (own->used + 1) * heap_slot_size(class_) > room) return NULL;
    struct slot *slot =
        again ? take_waiting(own) : (struct slot *)(class_base(class_) + own->used * heap_slot_size(class_));
    unsigned char *at = (unsigned char *)align_up((uint64_t)slot + HEAP_RECORD, align);
    if (!map_up_to(class_, (uint64_t)at + size)) return NULL; // the slot from the queue is lost
    own->used += !again;
    *slot = (struct slot){at, size, kind, 0, NULL};
    if (again) memset(at, 0, size);
    return at;
}

struct slot *__tamar_native_slot_of(const void *p) {
    uint64_t address = (uint64_t)p;
    if (address < HEAP_BASE) return NULL;
    uint64_t class_ = (address - HEAP_BASE) >> HEAP_CLASS_BITS;
    if (class_ >= HEAP_CLASSES || address < class_base((unsigned)class_)) return NULL;
    uint64_t index = (address - class_base((unsigned)class_)) / heap_slot_size((unsigned)class_);
    if (index >= classes[class_].used) return NULL;
    return (struct slot *)(class_base((unsigned)class_) + index * heap_slot_size((unsigned)class_));
}

void __tamar_native_slot_free(struct slot *slot) {
    struct heap_class *own = &classes[((uint64_t)slot - HEAP_BASE) >> HEAP_CLASS_BITS];
    slot->freed = 1;
    slot->next = NULL;
    if (own->freed++)
        own->last->next = slot;
    else
        own->first = slot;
    own->last = slot;
    uint64_t from = align_up((uint64_t)slot->at, PAGE), to = ((uint64_t)slot->at + slot->size) & ~(PAGE - 1);
    if (slot->kind == __TAMAR_MAPPED) {
        to = align_up((uint64_t)slot->at + slot->size, PAGE);
        raw(SYS_mmap, (long)from, (long)(to - from), PROT_NONE,
            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
    } else if (slot->size >= GIVEN_BACK) {
        RAW3(SYS_madvise, from, to - from, MADV_DONTNEED);
    }
}
