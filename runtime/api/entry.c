// Creates the parameters for the function of `--entry`: symbolic values of the parameters' types. The same
// code runs in the engine, in the exact build and in other native builds, where the values come from a test.
//
// Inputs are named like C expressions: n, *p, p->next->value, s.flags, v[2].x.
#include "runtime/entry.h"
#include "runtime/intrinsics.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct __tamar_entry_type type;
typedef struct __tamar_entry_member member;

#define NAME_SIZE    256
#define MOST_OBJECTS 1000
#define X87_BYTES    10

static struct __tamar_entry_limits limits;
static void *objects[MOST_OBJECTS]; // keeps objects reachable, so that they are not leaks
static unsigned long object_count;

// The position of a value: its name, and the number of objects of recursive types that lead to it.
struct position {
    const char *name;
    unsigned long depth;
    int is_parameter;
};

static void fill(char *at, const type *of, const struct position *position);

// ---- names

// Concatenates the parts, cut at NAME_SIZE.
static void join(char to[NAME_SIZE], const char *a, const char *b, const char *c) {
    const char *parts[] = {a, b, c};
    size_t n = 0;
    for (unsigned i = 0; i < 3; i++)
        for (const char *p = parts[i]; *p && n + 1 < NAME_SIZE; p++) to[n++] = *p;
    to[n] = 0;
}

static void join_index(char to[NAME_SIZE], const char *name, unsigned long index) {
    char digits[24], *d = digits + sizeof digits;
    *--d = 0;
    *--d = ']';
    do *--d = (char)('0' + index % 10);
    while (index /= 10);
    join(to, name, "[", d);
}

// ---- single values

// Returns zeroed memory. Drops the path on which the allocation fails (--fail): the program itself does not make this
// call.
static void *allocate(unsigned long size) {
    void *p = malloc(size);
    if (!p) __tamar_stop();
    memset(p, 0, size);
    return p;
}

static void *keep(void *p) {
    if (object_count < MOST_OBJECTS) objects[object_count++] = p;
    return p;
}

static unsigned long read_number(const void *at, unsigned long size) {
    unsigned char byte;
    unsigned short half;
    unsigned int word;
    unsigned long number = 0;
    switch (size) {
    case 1: memcpy(&byte, at, 1); return byte;
    case 2: memcpy(&half, at, 2); return half;
    case 4: memcpy(&word, at, 4); return word;
    default: memcpy(&number, at, sizeof number); return number;
    }
}

static unsigned long mask_of(unsigned long bits) { return bits >= 64 ? ~0ul : (1ul << bits) - 1; }

// Assumes that the value is valid for the type. Has no branches, so that it does not fork.
static void assume_valid(unsigned long value, const type *of, unsigned long bits) {
    const long *values = of->list;
    int valid = 0;
    if (of->kind == __TAMAR_BOOL) {
        valid = value <= 1;
    } else if (of->kind == __TAMAR_FLAGS) {
        valid = (value & mask_of(bits) & ~(unsigned long)values[0]) == 0;
    } else {
        for (unsigned long i = 0; i < of->count; i++)
            valid |= ((value ^ (unsigned long)values[i]) & mask_of(bits)) == 0;
    }
    __tamar_assume(valid);
}

// Assumes that the integer bit is set in all numbers but zero and denormal ones.
static void fill_x87(unsigned char *at, const char *name) {
    __tamar_symbolic(at, X87_BYTES, name);
    unsigned int exponent = at[8] | (at[9] & 0x7fu) << 8;
    __tamar_assume((at[7] >> 7) == (exponent != 0));
}

static void fill_bits(unsigned char *at, const member *m, const char *name) {
    unsigned long value = 0, first = m->offset % 8, bytes = (m->bits + 7) / 8;
    at += m->offset / 8;
    __tamar_symbolic(&value, bytes, name);
    value &= mask_of(m->bits);
    if (m->type->kind == __TAMAR_ENUM || m->type->kind == __TAMAR_FLAGS)
        assume_valid(value, m->type, m->bits);
    for (unsigned long done = 0; done < m->bits; at++) {
        unsigned long room = 8 - first, take = m->bits - done < room ? m->bits - done : room;
        unsigned long mask = mask_of(take) << first;
        *at = (unsigned char)((*at & ~mask) | ((value >> done & mask_of(take)) << first));
        done += take;
        first = 0;
    }
}

// Returns a number below `count`; each number is explored on separate paths.
static unsigned long choose(unsigned long count, const char *name) {
    unsigned char value = 0;
    if (count <= 1) return 0;
    __tamar_symbolic(&value, 1, name);
    __tamar_assume(value < count);
    for (unsigned long i = 0; i + 1 < count; i++)
        if (value == i) return i;
    return count - 1;
}

// ---- structs, unions, arrays

// The number of elements of a pointer or a flexible array: given by another member, by the user, or not at all.
struct extent {
    const member *length;
    char *length_at;
    unsigned long fixed;
};

static char *make_pointer(const type *pointer, const struct position *position, const struct extent *extent);

// Returns the number of elements, assumed to be at most `most`.
static unsigned long length_of(const struct extent *extent, unsigned long most) {
    const type *of = extent->length->type;
    const char *at = extent->length_at;
    if (of->kind == __TAMAR_POINTER) { // in and out parameter: *length
        at = *(char *const *)at;
        of = of->of;
    }
    unsigned long length = read_number(at, of->size);
    __tamar_assume(length <= most);
    return length;
}

static void fill_elements(char *at, const type *of, unsigned long count, const struct position *position) {
    if (of->kind == __TAMAR_PLAIN) {
        if (count * of->size) __tamar_symbolic(at, count * of->size, position->name);
        return;
    }
    for (unsigned long i = 0; i < count; i++) {
        char name[NAME_SIZE];
        join_index(name, position->name, i);
        fill(at + i * of->size, of, &(struct position){name, position->depth, 0});
    }
}

// `tail`: number of elements for which a flexible array has memory.
static void fill_member(char *block, const member *list, const member *m, const struct position *position,
                        const char *joint, unsigned long tail) {
    char name[NAME_SIZE];
    join(name, position->name, joint, m->name);
    struct position own = {name, position->depth, !*joint};
    struct extent extent = {NULL, NULL, m->fixed};
    if (m->length) {
        extent.length = &list[m->length - 1];
        extent.length_at = block + extent.length->offset;
    }
    char *at = block + m->offset;
    if (m->bits) {
        fill_bits((unsigned char *)block, m, name);
    } else if (m->type->kind == __TAMAR_POINTER || m->type->kind == __TAMAR_STRING) {
        *(char **)at = make_pointer(m->type, &own, &extent);
    } else if (m->type->kind == __TAMAR_ARRAY && !m->type->count) {
        if (extent.length) length_of(&extent, tail);
        fill_elements(at, m->type->of, tail, &own);
    } else {
        fill(at, m->type, &own);
    }
}

// Fills in the independent members first, then those with a length.
static void fill_struct(char *at, const type *of, const struct position *position, const char *joint,
                        unsigned long tail) {
    const member *list = of->list;
    for (int with_length = 0; with_length < 2; with_length++)
        for (unsigned long i = 0; i < of->count; i++)
            if ((list[i].length != 0) == with_length) fill_member(at, list, &list[i], position, joint, tail);
}

static void fill_union(char *at, const type *of, const struct position *position) {
    const member *list = of->list;
    char name[NAME_SIZE];
    join(name, position->name, ".", "member");
    const member *m = &list[choose(of->count, name)];
    join(name, position->name, ".", m->name);
    if (m->bits)
        fill_bits((unsigned char *)at, m, name);
    else
        fill(at, m->type, &(struct position){name, position->depth, 0});
}

// ---- pointer targets

static char *make_string(const type *pointer, const struct position *position, const struct extent *extent) {
    char name[NAME_SIZE];
    unsigned long element = pointer->of->size, most = extent->fixed ? extent->fixed : limits.elements;
    join(name, "*", position->name, "");
    char *all = allocate((most + 1) * element);
    if (most) __tamar_symbolic(all, most * element, name); // the rest is zero
    if (!(pointer->flags & __TAMAR_TIGHT) || element != 1) return keep(all);
    unsigned long size = most + 1; // without branches: nothing forks
    for (unsigned long i = most; i-- > 0;) size = all[i] ? size : i + 1;
    return keep(__tamar_shrink(all, size));
}

// Creates exactly as many elements as the value of the length.
static char *make_plain_array(const type *pointer, unsigned long most, const struct extent *extent,
                              const char *name) {
    unsigned long length = length_of(extent, most), element = pointer->of->size, ended = 0;
    if (pointer->flags & __TAMAR_ENDED) ended = 1;
    char *all = allocate((most + ended) * element);
    if (most * element) __tamar_symbolic(all, most * element, name);
    int valid = 1;
    for (unsigned long i = 0; ended && i < most; i++) valid &= (i != length) | !all[i];
    __tamar_assume(valid);
    return keep(__tamar_shrink(all, (length + ended) * element));
}

// Creates strings and a terminating NULL; without a length, at least one string.
static char *make_string_list(const type *strings, unsigned long most, const struct position *position,
                              const struct extent *extent) {
    char **list = keep(allocate((most + 1) * sizeof *list));
    unsigned long length = extent->length ? length_of(extent, most) : most;
    for (unsigned long i = 0; i < most; i++) {
        char name[NAME_SIZE], presence[NAME_SIZE];
        unsigned char there = 1;
        join_index(name, position->name, i);
        char *string =
            make_string(strings, &(struct position){name, position->depth, 0}, &(struct extent){0});
        if (!extent->length && !extent->fixed && i) {
            join(presence, name, " != NULL", "");
            __tamar_symbolic(&there, 1, presence);
            __tamar_assume(there <= 1);
        }
        list[i] = ((there != 0) & (i < length)) ? string : NULL;
    }
    return (char *)list;
}

static char *make_objects(const type *pointer, const struct position *position, const struct extent *extent) {
    const type *of = pointer->of;
    char name[NAME_SIZE];
    unsigned long most = extent->fixed    ? extent->fixed
                         : extent->length ? limits.elements
                         : pointer->count ? pointer->count
                                          : limits.elements;
    struct position own = {name, position->depth + !!(pointer->flags & __TAMAR_RECURSIVE), 0};
    join(name, "*", position->name, "");
    if (of->kind == __TAMAR_STRING && !pointer->count) return make_string_list(of, most, position, extent);
    if (of->kind == __TAMAR_PLAIN && extent->length) return make_plain_array(pointer, most, extent, name);
    if (extent->length) length_of(extent, most);
    unsigned long tail = most == 1 && of->flags & __TAMAR_FLEXIBLE ? limits.elements : 0, more = 0;
    if (tail) more = tail * ((const member *)of->list)[of->count - 1].type->of->size;
    char *at = keep(allocate(most * of->size + more));
    if (most == 1 && of->kind == __TAMAR_STRUCT) {
        own.name = position->name;
        fill_struct(at, of, &own, "->", tail);
    } else if (most == 1) {
        fill(at, of, &own);
    } else {
        own.name = of->kind == __TAMAR_PLAIN ? name : position->name;
        fill_elements(at, of, most, &own);
    }
    return at;
}

// Chooses one of the program's functions here, because a call needs a concrete target.
static char *make_function(const type *pointer, const struct position *position) {
    char *const *functions = (char *const *)pointer->list;
    return functions[choose(pointer->count, position->name)];
}

// Returns a stream with symbolic bytes, at most as many as a string has.
static FILE *make_stream(const struct position *position) {
    char name[NAME_SIZE], length_name[NAME_SIZE];
    join(name, "*", position->name, "");
    join(length_name, "length of ", name, "");
    unsigned long length = choose(limits.elements + 1 < 256 ? limits.elements + 1 : 256, length_name);
    char *content = allocate(length + 1);
    if (length) __tamar_symbolic(content, length, name);
    FILE *stream = tmpfile();
    if (!stream || fwrite(content, 1, length, stream) != length) __tamar_stop();
    rewind(stream);
    free(content);
    return keep(stream);
}

static char *make_pointer(const type *pointer, const struct position *position, const struct extent *extent) {
    char name[NAME_SIZE];
    unsigned char there = 1;
    int recursive = (pointer->flags & __TAMAR_RECURSIVE) != 0 && !position->is_parameter;
    if (recursive && position->depth >= limits.depth) return NULL;
    if (object_count >= MOST_OBJECTS) {
        __tamar_gave_up(
            "--entry: more than 1,000 objects lead from the parameters; further pointers are NULL");
        return NULL;
    }
    char *object = pointer->kind == __TAMAR_STRING ? make_string(pointer, position, extent)
                                                   : make_objects(pointer, position, extent);
    if (!recursive && !limits.null) return object;
    join(name, position->name, " != NULL", "");
    __tamar_symbolic(&there, 1, name);
    __tamar_assume(there <= 1);
    return there ? object : NULL;
}

static void fill(char *at, const type *of, const struct position *position) {
    static const struct extent none;
    switch (of->kind) {
    case __TAMAR_PLAIN:
        if (of->size) __tamar_symbolic(at, of->size, position->name);
        break;
    case __TAMAR_BOOL:
    case __TAMAR_ENUM:
    case __TAMAR_FLAGS:
        __tamar_symbolic(at, of->size, position->name);
        assume_valid(read_number(at, of->size), of, 8 * of->size);
        break;
    case __TAMAR_X87: fill_x87((unsigned char *)at, position->name); break;
    case __TAMAR_ARRAY: fill_elements(at, of->of, of->count, position); break;
    case __TAMAR_STRUCT: fill_struct(at, of, position, ".", 0); break;
    case __TAMAR_UNION: fill_union(at, of, position); break;
    case __TAMAR_POINTER:
    case __TAMAR_STRING: *(char **)at = make_pointer(of, position, &none); break;
    case __TAMAR_FUNCTION: *(char **)at = make_function(of, position); break;
    case __TAMAR_STREAM: *(FILE **)at = make_stream(position); break;
    default: __tamar_stop();
    }
}

// ---- called by the generated driver

void __tamar_entry_begin(void *block, const type *parameters, const struct __tamar_entry_limits *wanted) {
    limits = *wanted;
    memset(block, 0, parameters->size);
    fill_struct(block, parameters, &(struct position){"", 0, 0}, "", 0);
}

void __tamar_entry_global(void *at, const type *of, const char *name) {
    fill(at, of, &(struct position){name, 0, 0});
}

void *__tamar_entry_result(const type *of, const char *name) {
    void *at = keep(allocate(of->size));
    fill(at, of, &(struct position){name, 0, 1});
    return at;
}

void *__tamar_entry_memory(unsigned long size) { return malloc(size); }
