// Intrinsics of the runtime: allocation.
#include "vm/choice.h"

#include <errno.h>
#include <sys/mman.h>

#define MOST_ALIGNMENT ((uint64_t)1 << 30)
#define MOST_RANGE     ((uint64_t)1 << 32)
#define MOST_SYMBOLIC  ((uint64_t)1 << 32) // a symbolic size up to this limit stays symbolic
#define MOST_INPUTS    ((uint64_t)1 << 16) // the limit if unwritten bytes are inputs (UNSET_SYMBOLIC)

// Allocates an object of the kind and alignment that the call asks for.
static uint64_t new_heap(struct vm *vm, uint64_t size, const struct call *call) {
    enum heap_kind kind = (enum heap_kind)call->arguments[2];
    uint8_t shadow = kind == HEAP_MALLOC ? vm->initial_shadow : SHADOW_OK;
    return object_new_heap(vm->state, size, MAX(call->arguments[1], 1),
                           kind == HEAP_ZEROED ? HEAP_MALLOC : kind, vm_current_site(vm), shadow);
}

// Handles sizes above the limit, which do not stay symbolic: allocations of more than HEAP_BIGGEST bytes fail, other
// sizes are concretized.
static enum step alloc_large(struct vm *vm, struct call *call, Term size, bool *done) {
    bool fails;
    enum step step = vm_part(vm, term_ult(vm->terms, term_const(vm->terms, 64, HEAP_BIGGEST), size), &fails);
    *done = step == STEP_NEXT && fails;
    if (step != STEP_NEXT || fails) return step;
    return vm_concretize(vm, size, "malloc of a large symbolic size: it got one value", &call->arguments[0]);
}

// Allocates the largest feasible size and keeps the symbolic size as the object's bound. Sizes above a limit are a
// separate path. A state that follows its model takes the model's size.
static enum step alloc_symbolic(struct vm *vm, struct call *call, bool *done) {
    struct terms *terms = vm->terms;
    bool inputs = vm->options.unset == UNSET_SYMBOLIC && !uninit_is_checked(vm);
    uint64_t most = inputs ? MOST_INPUTS : MOST_SYMBOLIC, low, high;
    Term size = term_resize(terms, call->terms[0], 64);
    bool small, fixes = false;
    enum step step = uninit_use_value(vm, &size, "the size of an allocation");
    if (step == STEP_NEXT && !term_is_const(terms, size)) step = vm_fixes_values(vm, &fixes);
    if (fixes) return step == STEP_NEXT ? vm_fork_on_value(vm, size, &call->arguments[0]) : step;
    if (step == STEP_NEXT) step = vm_part(vm, term_ule(terms, size, term_const(terms, 64, most)), &small);
    if (step != STEP_NEXT) return step;
    if (!small) return alloc_large(vm, call, size, done);
    step = vm_bounds(vm, size, &low, &high);
    if (step != STEP_NEXT) return step;
    high = MIN(high, most); // the bounds may not be tight
    low = MIN(low, high);
    call->result = new_heap(vm, high, call);
    if (!call->result) // not enough memory for the largest size, but perhaps for smaller ones
        return vm_concretize(vm, size, "malloc of a large symbolic size: it got one value",
                             &call->arguments[0]);
    *done = true;
    if (low < high) heap_set_bound(&vm->state->memory, call->result, low, size);
    return STEP_NEXT;
}

enum step builtin_alloc(struct vm *vm, struct call *call) {
    for (unsigned i = 1; i <= 2; i++) {
        enum step step =
            call->terms[i] ? vm_fork_on_value(vm, call->terms[i], &call->arguments[i]) : STEP_NEXT;
        if (step != STEP_NEXT) return step;
    }
    if ((call->arguments[1] & (call->arguments[1] - 1)) || call->arguments[2] >= HEAP_THREAD_BLOCK)
        return vm_report_bug(vm, BUG_BAD_CALL, "an allocation of kind %llu at a multiple of %llu",
                             (unsigned long long)call->arguments[2], (unsigned long long)call->arguments[1]);
    if (call->arguments[1] > MOST_ALIGNMENT) return STEP_NEXT; // NULL
    if (call->terms[0]) {
        bool done = false;
        enum step step = alloc_symbolic(vm, call, &done);
        if (step != STEP_NEXT || done) return step;
    }
    call->result = new_heap(vm, call->arguments[0], call);
    return STEP_NEXT;
}

static bool is_live_start(struct vm *vm, uint64_t address, struct object *object) {
    return object_find_heap(vm->state, address, object) && object->start == address &&
           object->life == OBJECT_LIVE && object->kind != OBJECT_MAPPING;
}

// Reports a free of an address that is not the start of a heap object, with the name of the variable if it has one.
static enum step report_bad_free(struct vm *vm, uint64_t address) {
    struct object object;
    bool found = object_find(vm->state, address, &object) && object_holds(&object, address);
    const char *name = found && object.kind == OBJECT_GLOBAL  ? object.global->name
                       : found && object.kind == OBJECT_LOCAL ? vm->program->strings[object.local->name]
                                                              : NULL;
    if (name)
        return vm_report_bug(vm, BUG_BAD_FREE, "free of the %s `%s`, which malloc did not return",
                             object.kind == OBJECT_GLOBAL ? "global" : "local variable", name);
    return vm_report_bug(vm, BUG_BAD_FREE, "free of 0x%llx, which malloc did not return",
                         (unsigned long long)address);
}

enum step vm_report_free(struct vm *vm, uint64_t address) {
    struct object object, other;
    bool found = object_find_heap(vm->state, address, &object);
    bool again = found && object.start == address && object.life == OBJECT_FREED;
    enum step step = again ? vm_report_bug(vm, BUG_DOUBLE_FREE, "free of memory that has been freed")
                           : report_bad_free(vm, address);
    if (found) {
        text_add(&vm->outcome.bug.details, "the heap object has %llu bytes%s\n",
                 (unsigned long long)object.size,
                 object.start == address ? "" : "; the address is not its start");
        vm->outcome.bug.allocated_at = object.allocated_at;
        vm->outcome.bug.freed_at = object.ended_at;
    } else if (object_find(vm->state, address, &other) && address - other.start <= other.size) {
        struct text *details = &vm->outcome.bug.details;
        if (address != other.start) vm_print_where(details, address, other.start, other.size);
        text_add(details, address == other.start ? "the address of " : " ");
        vm_describe_object(vm, &other, details);
        text_add(details, "\n");
    }
    return step;
}

// Finds the live object that starts at this address; otherwise reports an invalid free. Forks on a symbolic address.
static enum step find_start(struct vm *vm, struct call *call, struct object *object) {
    enum step step = STEP_NEXT;
    if (call->terms[0]) step = fork_on_block(vm, call->terms[0], &call->arguments[0]);
    if (step != STEP_NEXT) return step;
    return is_live_start(vm, call->arguments[0], object) ? STEP_NEXT : vm_report_free(vm, call->arguments[0]);
}

enum step builtin_free(struct vm *vm, struct call *call) {
    struct object object;
    enum step step = find_start(vm, call, &object);
    if (step == STEP_NEXT) heap_free(&vm->state->memory, object.start, vm_current_site(vm));
    return step;
}

enum step builtin_object_size(struct vm *vm, struct call *call) {
    struct object object;
    enum step step = find_start(vm, call, &object);
    if (step == STEP_NEXT) call->result = object.size;
    if (step == STEP_NEXT && object.bound) call->result_term = object.bound;
    return step;
}

// Sets the bound of an object that already has content, and keeps the content.
static void set_bound_under(struct vm *vm, const struct object *object, uint64_t low, Term bound) {
    uint64_t count = object->size - low;
    Term *bytes = NEW_ARRAY(Term, count);
    for (uint64_t i = 0; i < count; i++) bytes[i] = vm_load_term(vm, object->start + low + i, 1);
    heap_set_bound(&vm->state->memory, object->start, low, bound);
    for (uint64_t i = 0; i < count; i++) vm_store_byte(vm, object->start + low + i, bytes[i]);
    DELETE_ARRAY(bytes, count);
    vm_sync_translations(vm);
}

// Shrinks an object in place: bytes past the new size become inaccessible through its bound, whatever their values.
enum step builtin_shrink(struct vm *vm, struct call *call) {
    struct object object;
    enum step step = find_start(vm, call, &object);
    call->result = call->arguments[0];
    if (step != STEP_NEXT || !vm->terms || object.bound) return step;
    Term size = call->terms[1] ? term_resize(vm->terms, call->terms[1], 64)
                               : term_const(vm->terms, 64, call->arguments[1]);
    uint64_t low = call->arguments[1], high = low;
    if (!term_is_const(vm->terms, size)) step = vm_bounds(vm, size, &low, &high);
    if (step == STEP_NEXT && low < object.size) set_bound_under(vm, &object, low, size);
    return step;
}

// Records the size as a kernel choice: a native run does not know the sizes of locals and globals.
static void note_size(struct state *state, uint64_t size) {
    if (size) {
        shared_list_add(&state->history.kernel_choices, state->history.kernel_choice_count);
        shared_list_add(&state->history.kernel_choices, (uint32_t)MIN(size, UINT32_MAX - 1));
    }
    state->history.kernel_choice_count++;
}

enum step builtin_extent(struct vm *vm, struct call *call) {
    uint64_t address = call->arguments[0];
    struct object object;
    if (!object_at(vm->state, address, &object) || object.life != OBJECT_LIVE ||
        address - object.start >= MAX(object.size, 1))
        return vm_report_access(vm, address, 1, false);
    call->result = object.size;
    if (object.bound)
        call->result_term = object.bound;
    else if (!object_find_heap(vm->state, address, &object))
        note_size(vm->state, call->result);
    return STEP_NEXT;
}

enum step builtin_position(struct vm *vm, struct call *call) {
    uint64_t address = call->arguments[0];
    struct object object;
    assert(call->count == 2);
    call->result = UINT64_MAX;
    if (call->arguments[1] > __TAMAR_EVEN_FREED) return STEP_NEXT; // the program called it, not the runtime
    bool found = object_at(vm->state, address, &object) && object.life == OBJECT_LIVE;
    if (!found && call->arguments[1] == __TAMAR_EVEN_FREED)
        found = object_find_heap(vm->state, address, &object) && object.kind == OBJECT_HEAP &&
                address >= object.start;
    found = found && address - object.start <= object.size;
    assert(!found || address >= object.start);
    bool is_heap = found && object.kind == OBJECT_HEAP;
    if (found && (is_heap || call->arguments[1] != __TAMAR_IN_HEAP)) call->result = address - object.start;
    if (found && call->arguments[1] == __TAMAR_TO_END) {
        call->result = object.size - (address - object.start);
        if (object.bound)
            call->result_term =
                term_sub(vm->terms, object.bound, term_const(vm->terms, 64, address - object.start));
    }
    // As builtin_extent: natively only the heap's objects are known.
    if (!object_find_heap(vm->state, address, &object)) note_size(vm->state, call->result + 1);
    return STEP_NEXT;
}

// Finds the mapping, live or unmapped, whose pages or red zones contain the address, even if a thread's stack is there.
static bool find_mapping(const struct vm *vm, uint64_t address, struct object *object) {
    return object_find_heap(vm->state, address, object) && object->kind == OBJECT_MAPPING;
}

// Whether every byte of the range belongs to a mapped object.
static bool all_mapped(struct vm *vm, uint64_t address, uint64_t size) {
    struct object object;
    for (uint64_t end = address + size; address < end; address = object.start + align_up(object.size, 4096))
        if (!find_mapping(vm, address, &object) || address < object.start ||
            address >= object.start + align_up(object.size, 4096))
            return false;
    return true;
}

// Whether the range does not begin at a page, wraps around, or is too large to visit page by page.
static bool is_odd_range(const struct call *call) {
    uint64_t address = call->arguments[0], size = call->arguments[1];
    return size > MOST_RANGE || address % 4096 || address + align_up(size, 4096) < address;
}

// Decides the arguments of munmap and mprotect. Sizes from the symbolic size of the mapping at the address to its
// largest size become the size of the whole mapping: programs mostly pass the size that they passed to mmap. All other
// values are forked on.
static enum step decide_range(struct vm *vm, struct call *call) {
    enum step step = STEP_NEXT;
    for (uint32_t i = 0; i < call->count && step == STEP_NEXT; i++)
        if (call->terms[i] && i != 1) step = vm_fork_on_value(vm, call->terms[i], &call->arguments[i]);
    if (step != STEP_NEXT || !call->terms[1]) return step;
    struct terms *terms = vm->terms;
    struct object mapping;
    Term size = call->terms[1];
    if (find_mapping(vm, call->arguments[0], &mapping) && mapping.start == call->arguments[0] &&
        mapping.bound) {
        bool whole;
        Term most = term_const(terms, 64, mapping.size);
        step = vm_part(vm, term_and(terms, term_ule(terms, mapping.bound, size), term_ule(terms, size, most)),
                       &whole);
        call->arguments[1] = mapping.size;
        if (step != STEP_NEXT || whole) return step;
    }
    return vm_fork_on_value(vm, size, &call->arguments[1]);
}

struct address_range {
    uint64_t start, end;
    vec(uint64_t) found;
};

static void note_mapped(void *context, const struct heap_object *object) {
    struct address_range *range = context;
    if (heap_is_mapped(object->kind) && object->address >= range->start && object->address < range->end)
        vec_push(&range->found, object->address);
}

// Unmaps every mapping that begins in a range of any size.
static enum step unmap_large(struct vm *vm, struct call *call) {
    struct address_range range = {.start = call->arguments[0],
                                  .end = call->arguments[0] + call->arguments[1]};
    if (range.end < range.start) range.end = UINT64_MAX;
    heap_each(vm->state->memory, note_mapped, &range);
    vec_each (uint64_t, address, &range.found) heap_free(&vm->state->memory, *address, vm_current_site(vm));
    vec_free(&range.found);
    return STEP_NEXT;
}

enum step builtin_unmap(struct vm *vm, struct call *call) {
    enum step step = decide_range(vm, call);
    if (step != STEP_NEXT) return step;
    if (call->arguments[0] % 4096) {
        call->result = (uint64_t)-EINVAL;
        return STEP_NEXT;
    }
    if (is_odd_range(call)) return unmap_large(vm, call);
    uint64_t address = call->arguments[0], size = align_up(call->arguments[1], 4096);
    for (uint64_t at = address, end = address + size, next; at < end; at = next) {
        struct object object;
        next = at + 4096;
        if (!find_mapping(vm, at, &object) || at - object.start >= object.size) continue;
        next = object.start + align_up(object.size, 4096);
        if (object.life != OBJECT_LIVE) continue;
        if (at == object.start && next <= end)
            heap_free(&vm->state->memory, at, vm_current_site(vm));
        else
            memory_retire(&vm->state->memory, at, MIN(next, end) - at, SHADOW_FREED);
    }
    return STEP_NEXT;
}

enum step builtin_protect(struct vm *vm, struct call *call) {
    enum step step = decide_range(vm, call);
    if (step != STEP_NEXT) return step;
    uint64_t address = call->arguments[0], size = align_up(call->arguments[1], 4096);
    if (is_odd_range(call) || !all_mapped(vm, address, size)) {
        call->result = (uint64_t)-ENOMEM;
        return STEP_NEXT;
    }
    for (uint64_t at = address; at < address + size; at += PAGE_SIZE) {
        struct page *page = memory_own_page(&vm->state->memory, at);
        page->readonly = !(call->arguments[2] & PROT_WRITE);
        for (uint32_t i = 0; i < PAGE_SIZE; i++) {
            if (call->arguments[2] & PROT_READ) {
                if (page->shadow[i] == SHADOW_PROTECTED) page->shadow[i] = memory_page_term(page, i) != 0;
            } else if (!(page->shadow[i] & SHADOW_NO_ACCESS)) {
                page->shadow[i] = SHADOW_PROTECTED;
            }
        }
    }
    vm_forget_translations(vm);
    return STEP_NEXT;
}

// Makes an object at an address that the program chose. The addresses of functions and labels, and those that are in
// use, are refused.
enum step builtin_fixed_object(struct vm *vm, struct call *call) {
    uint64_t start = call->arguments[0], size = call->arguments[1], end = start + size;
    bool free = size && size <= MOST_RANGE && end > start && end <= STACK_TOP &&
                (end <= IR_CODE_BASE || start >= IR_DATA_BASE);
    for (uint64_t at = start; free && at < end; at++)
        free = memory_shadow(vm->state->memory, at) == SHADOW_UNMAPPED;
    call->result = free ? 0 : (uint64_t)-ENOMEM;
    if (free) object_add_fixed(vm->state, start, size);
    vm_forget_translations(vm);
    vm_charge(vm, size);
    return STEP_NEXT;
}

enum step builtin_map_fixed(struct vm *vm, struct call *call) {
    uint64_t address = call->arguments[0], size = align_up(call->arguments[1], 4096);
    if (is_odd_range(call) || !all_mapped(vm, address, size))
        call->result = (uint64_t)-ENOMEM;
    else
        memory_zero(&vm->state->memory, address, size, SHADOW_OK);
    return STEP_NEXT;
}
