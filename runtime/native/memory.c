// Objects natively: size classes of powers of two, freed blocks reused in the order in which they were freed,
// a header in front that recognises what is no start of an object. There are two heaps of this kind: the
// process' own, and one in memory that all processes share, with its records in it.
#include "runtime/intrinsics.h"
#include "runtime/native/raw.h"

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

#define LIVE 0x6c697665206f626aul
#define DEAD 0x64656164206f626aul

struct block {
    size_t size;
    unsigned int class_, kind;
    unsigned long state; // LIVE or DEAD, right in front of the object
    // `state` is followed by 8 bytes that repeat the block's start, for objects with a large alignment
    struct block *start;
};
_Static_assert(sizeof(struct block) % 16 == 0, "objects behind it are aligned");

struct free_list {
    struct block *first, *last;
};
struct heap {
    struct free_list free_lists[64];
    unsigned char *arena, *arena_end;
};
static struct heap own_heap, *kernel_heap; // the kernel's lies at the start of its memory
#define KERNEL_MOST  (1ul << 30)
#define KERNEL_LEAST (1ul << 26)

static void *map(size_t size, int sharing) {
    int flags = MAP_ANONYMOUS | (sharing == MAP_SHARED ? MAP_SHARED | MAP_NORESERVE : MAP_PRIVATE);
    long at = raw(SYS_mmap, 0, (long)size, PROT_READ | PROT_WRITE, flags, -1, 0);
    return at < 0 && at > -4096 ? NULL : (void *)at;
}

// As much as there is room for: the run's memory may be limited.
static struct heap *make_kernel_heap(void) {
    for (size_t size = KERNEL_MOST; size >= KERNEL_LEAST; size /= 2) {
        unsigned char *at = map(size, MAP_SHARED);
        if (!at) continue;
        struct heap *heap = (struct heap *)at;
        heap->arena = at + ((sizeof *heap + 4095) & ~4095ul);
        heap->arena_end = at + size;
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
    if (heap == &own_heap && size > 1 << 20) return map(size, MAP_PRIVATE);
    if (!heap->arena || (size_t)(heap->arena_end - heap->arena) < size) {
        if (heap != &own_heap) return NULL;
        heap->arena = map(64 << 20, MAP_PRIVATE);
        if (!heap->arena) return NULL;
        heap->arena_end = heap->arena + (64 << 20);
    }
    struct block *block = (struct block *)heap->arena;
    heap->arena += size;
    return block;
}

// Pages that all processes have; they are never given back.
static void *take_pages(size_t size) {
    struct heap *heap = kernel_heap;
    size = (size + 4095) & ~4095ul;
    unsigned char *at = (unsigned char *)(((uintptr_t)heap->arena + 4095) & ~4095ul);
    if (at > heap->arena_end || (size_t)(heap->arena_end - at) < size) return NULL;
    heap->arena = at + size;
    return at;
}

void *__tamar_alloc(size_t size, size_t align, int kind) {
    if (kind == __TAMAR_MAPPED) return map(size, MAP_PRIVATE);
    int kernels = kind == __TAMAR_KERNEL || kind == __TAMAR_SHARED;
    if (kernels && !kernel_heap) kernel_heap = make_kernel_heap();
    if (kind == __TAMAR_SHARED) return take_pages(size);
    size_t wanted;
    if (align < 16) align = 16;
    if (__builtin_add_overflow(size, sizeof(struct block) + 16 + (align > 16 ? align : 0), &wanted))
        return NULL;
    if (wanted > 1ul << 46) return NULL;
    unsigned class_ = 64 - (unsigned)__builtin_clzl((wanted < 64 ? 64 : wanted) - 1);
    struct block *start = take(kernels ? kernel_heap : &own_heap, class_);
    if (!start) return NULL;
    uintptr_t at = ((uintptr_t)(start + 1) + align - 1) & ~(align - 1);
    struct block *block = (struct block *)at - 1;
    *block = (struct block){size, class_, (unsigned)kind, LIVE, start};
    if (kind == __TAMAR_SYSTEM || kernels) memset((void *)at, 0, size);
    return (void *)at;
}

static struct block *block_of(const void *p) {
    struct block *block = (struct block *)p - 1;
    if ((uintptr_t)p % 16 || block->state != LIVE)
        __tamar_report(block->state == DEAD ? "double-free" : "bad-free", "free of what is no live object");
    return block;
}

void __tamar_free(void *p) {
    struct block *block = block_of(p), *start = block->start;
    struct free_list *list = &(is_kernels(start) ? kernel_heap : &own_heap)->free_lists[block->class_];
    block->state = DEAD;
    *(struct block **)(start + 1) = NULL;
    if (list->first)
        *(struct block **)(list->last + 1) = start;
    else
        list->first = start;
    list->last = start;
}

size_t __tamar_object_size(const void *p) { return block_of(p)->size; }

long __tamar_unmap(void *p, size_t size) { return is_kernels(p) ? 0 : RAW3(SYS_munmap, p, size, 0); }
long __tamar_protect(void *p, size_t size, int prot) { return RAW3(SYS_mprotect, p, size, prot); }
long __tamar_map_fixed(void *p, size_t size) {
    long at = raw(SYS_mmap, (long)p, (long)size, PROT_READ | PROT_WRITE,
                  MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
    return at < 0 && at > -4096 ? at : 0;
}
