#include "state/heap.h"

#include <string.h>

#define TABLE 0x07000000u // address of the size classes' records, outside of all program objects

_Static_assert(sizeof(struct heap_object) <= HEAP_RECORD, "the record fits in front of the object");

// Two heaps of the same layout: the program's, and the kernel's below it.
struct heap_range {
    uint64_t base, table; // address of the size classes; address of their records
    unsigned class_bits;
};
#define KERNEL_CLASS_BITS 32
#define KERNEL_TABLE      (KERNEL_BASE + ((uint64_t)HEAP_CLASSES << KERNEL_CLASS_BITS))
static const struct heap_range program_range = {HEAP_BASE, TABLE, HEAP_CLASS_BITS};
static const struct heap_range kernel_range = {KERNEL_BASE, KERNEL_TABLE, KERNEL_CLASS_BITS};

_Static_assert(HEAP_BASE + ((uint64_t)HEAP_CLASSES << HEAP_CLASS_BITS) <= (uint64_t)1 << ADDRESS_BITS,
               "classes fit");
_Static_assert(KERNEL_TABLE + ((uint64_t)1 << 20) <= KERNEL_BASE + KERNEL_SIZE, "the kernel's classes fit");

static const struct heap_range *range_of(uint64_t address) {
    return address >= HEAP_BASE ? &program_range : &kernel_range;
}

struct class_record {
    uint64_t used;        // slots ever taken
    uint64_t first, last; // the queue of freed slots
    uint64_t freed;       // its length
};

// Offset of the first slot in the range of a size class. The kernel's classes have other offsets than the
// program's, so that their first pages do not collide (addresses.h).
static uint64_t class_start(const struct heap_range *range, unsigned class) {
    return heap_class_start(class) + ((uint64_t)(range == &kernel_range) * 18 << 11);
}
static uint64_t class_base(const struct heap_range *range, unsigned class) {
    return range->base + ((uint64_t)class << range->class_bits) + class_start(range, class);
}
static uint64_t table_entry(const struct heap_range *range, unsigned class) {
    return range->table + class * sizeof(struct class_record);
}

// Returns a freed slot that has waited long enough, or an unused one; 0 if the class is exhausted.
static uint64_t take_slot(struct memory *memory, const struct heap_range *range, unsigned class) {
    struct class_record record;
    memory_peek(*memory, table_entry(range, class), &record, sizeof record);
    uint64_t slot;
    if (record.freed > HEAP_WAITING && record.freed * heap_slot_size(class) > QUARANTINE) {
        struct heap_object object;
        slot = record.first;
        memory_peek(*memory, slot, &object, sizeof object);
        assert(object.freed);
        record.first = object.next_free;
        record.freed--;
    } else {
        uint64_t room = ((uint64_t)1 << range->class_bits) - class_start(range, class);
        if ((record.used + 1) * heap_slot_size(class) > room) return 0;
        slot = class_base(range, class) + record.used++ * heap_slot_size(class);
    }
    memory_poke(memory, table_entry(range, class), &record, sizeof record);
    return slot;
}

uint64_t heap_alloc(struct memory *memory, uint64_t size, uint64_t align, enum heap_kind kind, uint32_t site,
                    uint64_t identity, uint8_t shadow) {
    assert(align && !(align & (align - 1)));
    if (size > HEAP_BIGGEST || align > HEAP_BIGGEST) return 0;
    if (align < 16) align = 16;
    unsigned class = heap_class(size, align);
    const struct heap_range *range =
        kind == HEAP_KERNEL || kind == HEAP_SHARED ? &kernel_range : &program_range;
    uint64_t slot = take_slot(memory, range, class);
    if (!slot) return 0;
    struct heap_object object = {.size = size, .kind = kind, .allocated_at = site, .identity = identity};
    object.address = align_up(slot + HEAP_RECORD, align);
    uint64_t end = object.address + size, slot_end = slot + heap_slot_size(class);
    assert(end < slot_end); // a red zone follows
    memory_poke(memory, slot, &object, sizeof object);
    memory_set_shadow(memory, slot, HEAP_RECORD, SHADOW_HEADER);
    // A red zone is written only up to the end of its page: absent pages are not addressable anyway.
    uint64_t front = MIN(object.address, align_up(slot + HEAP_RECORD, PAGE_SIZE));
    memory_set_shadow(memory, slot + HEAP_RECORD, front - slot - HEAP_RECORD, SHADOW_RED_ZONE);
    memory_zero(memory, object.address, size, shadow);
    uint64_t back = MIN(slot_end, align_up(end, PAGE_SIZE));
    memory_set_shadow(memory, end, back - end, SHADOW_RED_ZONE);
    return object.address;
}

// Returns the first address of the slot. The term of that byte is the object's symbolic size, if it has one:
// the collector of terms finds it there.
static uint64_t slot_of(uint64_t address) {
    const struct heap_range *range = range_of(address);
    unsigned class = (unsigned)((address - range->base) >> range->class_bits);
    uint64_t base = class_base(range, class);
    return base + (address - base) / heap_slot_size(class) * heap_slot_size(class);
}

void heap_set_bound(struct memory *memory, uint64_t address, uint64_t least, uint32_t term) {
    uint64_t slot = slot_of(address);
    struct heap_object object;
    memory_peek(*memory, slot, &object, sizeof object);
    assert(object.address == address && least <= object.size);
    uint8_t fresh = memory_shadow(*memory, address + least) & SHADOW_UNINIT;
    memory_set_shadow(memory, address + least, object.size - least, SHADOW_BOUND | fresh);
    memory_set_term(memory, slot, term);
}

void heap_slot_range(uint64_t address, uint64_t *low, uint64_t *span) {
    const struct heap_range *range = range_of(address);
    unsigned class = (unsigned)((address - range->base) >> range->class_bits);
    assert(address >= KERNEL_BASE && class < HEAP_CLASSES);
    *low = slot_of(address);
    *span = heap_slot_size(class) - 1;
}

bool heap_small_slot(uint64_t address, uint64_t *low, uint64_t *span) {
    uint64_t class = (address - HEAP_BASE) >> HEAP_CLASS_BITS;
    if (class >= HEAP_SMALL_CLASSES) return false;
    uint64_t base = class_base(&program_range, (unsigned)class), size = heap_slot_size((unsigned)class);
    if (address < base) return false;
    // Slots are multiples of the granule, so that a cheap 32-bit division is enough.
    *low = base +
           (uint64_t)((uint32_t)((address - base) / HEAP_GRANULE) / (uint32_t)(size / HEAP_GRANULE)) * size;
    *span = size - 1;
    assert(*low == slot_of(address) && size <= 4096 && size % HEAP_GRANULE == 0 && base % HEAP_GRANULE == 0);
    return true;
}

bool heap_find(struct memory memory, uint64_t address, struct heap_object *object) {
    if (address < KERNEL_BASE) return false;
    const struct heap_range *range = range_of(address);
    uint64_t class = (address - range->base) >> range->class_bits;
    if (class >= HEAP_CLASSES) return false;
    uint64_t base = class_base(range, (unsigned)class),
             index = (address - base) / heap_slot_size((unsigned)class);
    struct class_record record;
    memory_peek(memory, table_entry(range, (unsigned)class), &record, sizeof record);
    if (index >= record.used) return false;
    uint64_t slot = base + index * heap_slot_size((unsigned)class);
    memory_peek(memory, slot, object, sizeof *object);
    object->bound = memory_term(memory, slot);
    return true;
}

void heap_free(struct memory *memory, uint64_t address, uint32_t site) {
    const struct heap_range *range = range_of(address);
    unsigned class = (unsigned)((address - range->base) >> range->class_bits);
    uint64_t slot = slot_of(address);
    struct heap_object freed;
    memory_peek(*memory, slot, &freed, sizeof freed);
    assert(freed.address == address && !freed.freed);
    freed.freed = 1;
    freed.freed_at = site;
    freed.next_free = 0;
    memory_poke(memory, slot, &freed, sizeof freed);
    memory_retire(memory, address, freed.size, SHADOW_FREED);

    struct class_record record;
    memory_peek(*memory, table_entry(range, class), &record, sizeof record);
    assert(record.freed < record.used);
    if (record.freed++) {
        struct heap_object last;
        memory_peek(*memory, record.last, &last, sizeof last);
        last.next_free = slot;
        memory_poke(memory, record.last, &last, sizeof last);
    } else {
        record.first = slot;
    }
    record.last = slot;
    memory_poke(memory, table_entry(range, class), &record, sizeof record);
}

void heap_each(struct memory memory, void (*visit)(void *argument, const struct heap_object *object),
               void *argument) {
    const struct heap_range *range = &program_range;
    for (unsigned class = 0; class < HEAP_CLASSES; class ++) {
        struct class_record record;
        memory_peek(memory, table_entry(range, class), &record, sizeof record);
        for (uint64_t i = 0; i < record.used; i++) {
            struct heap_object object;
            memory_peek(memory, class_base(range, class) + i * heap_slot_size(class), &object, sizeof object);
            if (!object.freed) visit(argument, &object);
        }
    }
}
