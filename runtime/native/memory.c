// Objects in native builds. Objects of the program have the VM's addresses (slots.c). Objects of
// the kernel model, which no program sees, are in memory that all processes share: size classes of
// powers of two; freed blocks are reused in the order in which they were freed; the records are in
// that memory.
#include "runtime/intrinsics.h"
#include "runtime/native/raw.h"
#include "runtime/native/slots.h"

#include <errno.h>
#include <stdint.h>
#include <sys/mman.h>

void *memcpy(void *restrict to, const void *restrict from, size_t n) {
    void *result = to;
    __asm__ volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(n) : : "memory");
    return result;
}

void *memmove(void *to, const void *from, size_t n) {
    if ((uintptr_t)to - (uintptr_t)from >= n) return memcpy(to, from, n);
    unsigned char *out = to;
    const unsigned char *in = from;
    while (n--) out[n] = in[n];
    return to;
}

void *memset(void *to, int c, size_t n) {
    void *result = to;
    __asm__ volatile("rep stosb" : "+D"(to), "+c"(n) : "a"(c) : "memory");
    return result;
}

struct block {
    size_t size;
    unsigned int class_, unused;
};
_Static_assert(sizeof(struct block) % 16 == 0, "objects behind it are aligned");

struct free_list {
    struct block *first, *last;
};
struct heap {
    struct free_list free_lists[64];
    unsigned char *arena, *arena_end;
};
static struct heap *kernel_heap; // at the start of the shared memory
#define KERNEL_MOST  (1ul << 30)
#define KERNEL_LEAST (1ul << 26)

// Maps as much as the run's memory limit allows.
static struct heap *make_kernel_heap(void) {
    for (size_t size = KERNEL_MOST; size >= KERNEL_LEAST; size /= 2) {
        long at = raw(SYS_mmap, 0, (long)size, PROT_READ | PROT_WRITE,
                      MAP_ANONYMOUS | MAP_SHARED | MAP_NORESERVE, -1, 0);
        if (at < 0 && at > -4096) continue;
        struct heap *heap = (struct heap *)at;
        heap->arena = (unsigned char *)at + ((sizeof *heap + 4095) & ~4095ul);
        heap->arena_end = (unsigned char *)at + size;
        return heap;
    }
    __tamar_native_say("no memory for the kernel's model", "", "");
    __tamar_exit(125);
}

static int is_kernels(const void *p) {
    return kernel_heap && (const unsigned char *)p >= (const unsigned char *)kernel_heap &&
           (const unsigned char *)p < kernel_heap->arena_end;
}

static struct block *take(struct heap *heap, unsigned class_) {
    size_t size = 1ul << class_;
    struct free_list *list = &heap->free_lists[class_];
    if (list->first) {
        struct block *block = list->first;
        list->first = *(struct block **)(block + 1);
        return block;
    }
    if ((size_t)(heap->arena_end - heap->arena) < size) return NULL;
    struct block *block = (struct block *)heap->arena;
    heap->arena += size;
    return block;
}

// Takes pages shared by all processes; they are never returned.
static void *take_pages(size_t size) {
    struct heap *heap = kernel_heap;
    size = (size + 4095) & ~4095ul;
    unsigned char *at = (unsigned char *)(((uintptr_t)heap->arena + 4095) & ~4095ul);
    if (at > heap->arena_end || (size_t)(heap->arena_end - at) < size) return NULL;
    heap->arena = at + size;
    return at;
}

static void *take_block(size_t size) {
    size_t wanted = size + sizeof(struct block);
    if (size > KERNEL_MOST) return NULL;
    unsigned class_ = 64 - (unsigned)__builtin_clzl((wanted < 64 ? 64 : wanted) - 1);
    struct block *block = take(kernel_heap, class_);
    if (!block) return NULL;
    *block = (struct block){size, class_, 0};
    return memset(block + 1, 0, size);
}

static void free_block(struct block *block) {
    struct free_list *list = &kernel_heap->free_lists[block->class_];
    *(struct block **)(block + 1) = NULL;
    if (list->first)
        *(struct block **)(list->last + 1) = block;
    else
        list->first = block;
    list->last = block;
}

// ---- the intrinsics

void *__tamar_alloc(size_t size, size_t align, int kind) {
    if (kind != __TAMAR_KERNEL && kind != __TAMAR_SHARED) return __tamar_native_slot_take(size, align, kind);
    if (!kernel_heap) kernel_heap = make_kernel_heap();
    return kind == __TAMAR_SHARED ? take_pages(size) : take_block(size);
}

static struct slot *live_slot(const void *p) {
    struct slot *slot = __tamar_native_slot_of(p);
    int starts = slot && slot->at == p;
    if (!starts || slot->freed || slot->kind == __TAMAR_MAPPED)
        __tamar_report(starts && slot->freed ? "double-free" : "bad-free",
                       "free of an address that is not a live object");
    return slot;
}

void __tamar_free(void *p) {
    if (is_kernels(p))
        free_block((struct block *)p - 1);
    else
        __tamar_native_slot_free(live_slot(p));
}

size_t __tamar_object_size(const void *p) {
    return is_kernels(p) ? ((const struct block *)p - 1)->size : live_slot(p)->size;
}

void *__tamar_shrink(void *p, size_t size) {
    if (!is_kernels(p)) live_slot(p)->size = size;
    return p;
}

// The sizes of locals and globals are not known here: the test has them as choices, which the VM records.
size_t __tamar_extent(const void *p) {
    const struct slot *slot = __tamar_native_slot_of(p);
    return slot ? slot->size : __tamar_choose(~0u);
}

long __tamar_position(const void *p, int what) {
    const struct slot *slot = __tamar_native_slot_of(p);
    if (!slot) return (long)__tamar_choose(~0u) - 1;
    const unsigned char *at = p, *start = slot->at;
    if ((slot->freed && what != __TAMAR_EVEN_FREED) || at < start || at > start + slot->size) return -1;
    if (what == __TAMAR_IN_HEAP && slot->kind != __TAMAR_HEAP && slot->kind != __TAMAR_ZEROED) return -1;
    return what == __TAMAR_TO_END ? start + slot->size - at : at - start;
}

// These check only in the VM: the test has the errors that it found.
int __tamar_may_overlap(const void *a, const void *b) { return 0; }
void __tamar_check_apart(const void *to, size_t to_size, const void *from, size_t from_size,
                         const char *name) {}
void __tamar_check_read(const void *p, size_t size) {}

static struct slot *mapped_slot(const unsigned char *at) {
    struct slot *slot = __tamar_native_slot_of(at);
    return slot && slot->kind == __TAMAR_MAPPED && at >= slot->at && at < slot->at + slot->size ? slot : NULL;
}

// Whether every page of the range belongs to a mapped object.
static int all_mapped(const unsigned char *at, size_t size) {
    for (const unsigned char *end = at + size; at < end; at += 4096)
        if (!is_kernels(at) && !mapped_slot(at)) return 0;
    return 1;
}

long __tamar_unmap(void *p, size_t size) {
    unsigned char *start = p;
    if (is_kernels(p)) return 0;
    size = (size + 4095) & ~4095ul;
    for (unsigned char *at = start; at < start + size; at += 4096) {
        struct slot *slot = mapped_slot(at);
        if (!slot) continue;
        if (at == slot->at && size >= slot->size && !slot->freed) {
            __tamar_native_slot_free(slot);
            at += (slot->size - 1) & ~4095ul;
        } else {
            raw(SYS_mmap, (long)at, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
        }
    }
    return 0;
}

long __tamar_protect(void *p, size_t size, int prot) {
    return all_mapped(p, size) ? RAW3(SYS_mprotect, p, size, prot) : -ENOMEM;
}

long __tamar_map_fixed(void *p, size_t size) {
    if (!all_mapped(p, size)) return -ENOMEM;
    long at = raw(SYS_mmap, (long)p, (long)size, PROT_READ | PROT_WRITE,
                  MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
    return at < 0 && at > -4096 ? at : 0;
}
