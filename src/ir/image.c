// Writing and opening are the same walk over all pointers of a program. Fields are addressed by their offset in the
// image, because its bytes move while it grows.
#include "ir/image.h"

#include "base/text.h"

#include <stddef.h>
#include <string.h>

#define ALIGNMENT 16

struct image {
    struct text *to; // the image that is written; NULL: an image is opened
    size_t start;    // offset of the image in `to`
    char *base;      // the image that is opened
    size_t size;
    bool failed;
};

static char *bytes_at(const struct image *image, size_t at) {
    return image->to ? image->to->at + image->start + at : image->base + at;
}

static size_t append(struct image *image, const void *content, size_t size) {
    size_t end = image->to->count - image->start, at = align_up(end, ALIGNMENT);
    if (at + size > IR_IMAGE_LARGEST) {
        image->failed = true;
        return 0;
    }
    static const char zeros[ALIGNMENT];
    text_add_bytes(image->to, zeros, at - end);
    text_add_bytes(image->to, content, size);
    return at;
}

// Copies the array of the pointer at offset `field` into the image, or relocates the pointer of an opened image.
// Returns the array's offset in the image. 0: a null pointer, or an error.
static size_t array_of_size(struct image *image, size_t field, uint64_t count, size_t size) {
    uintptr_t pointer;
    memcpy(&pointer, bytes_at(image, field), sizeof pointer);
    if (!pointer || image->failed) return 0;
    if (count > IR_IMAGE_LARGEST / size) {
        image->failed = true;
        return 0;
    }
    size_t at;
    if (image->to) {
        at = append(image, (const void *)pointer, count * size);
        pointer = at;
    } else {
        at = pointer;
        if (at % ALIGNMENT || at < sizeof(struct ir_program) || at > image->size ||
            count * size > image->size - at) {
            image->failed = true;
            return 0;
        }
        pointer = (uintptr_t)(image->base + at);
    }
    if (!image->failed) memcpy(bytes_at(image, field), &pointer, sizeof pointer);
    return image->failed ? 0 : at;
}

#define FIELD(at, type, member)      ((at) + offsetof(struct type, member))
#define GET(image, at, type, member) (((const struct type *)(const void *)bytes_at(image, at))->member)
// As array_of_size, for the field `member`, whose length is the field `count`.
#define ARRAY(image, at, type, member, count)                                                                \
    array_of_size(image, FIELD(at, type, member), GET(image, at, type, count),                               \
                  sizeof *((const struct type *)NULL)->member)

static void string(struct image *image, size_t field) {
    uintptr_t pointer;
    memcpy(&pointer, bytes_at(image, field), sizeof pointer);
    if (!pointer || image->failed) return;
    size_t length = 0;
    if (image->to) {
        length = strlen((const char *)pointer);
    } else {
        const char *end =
            pointer < image->size ? memchr(image->base + pointer, 0, image->size - pointer) : NULL;
        if (end) length = (size_t)(end - (image->base + pointer));
        image->failed = !end;
    }
    array_of_size(image, field, length + 1, 1);
}

static void strings(struct image *image, size_t at, uint32_t count) {
    for (uint32_t i = 0; i < count && at && !image->failed; i++) string(image, at + i * sizeof(char *));
}

static void members(struct image *image, size_t at, uint32_t count) {
    for (uint32_t i = 0; i < count && at && !image->failed; i++)
        string(image, FIELD(at + i * sizeof(struct ir_member), ir_member, name));
}

static void types(struct image *image, size_t at, uint32_t count) {
    for (uint32_t i = 0; i < count && at && !image->failed; i++, at += sizeof(struct ir_type))
        members(image, ARRAY(image, at, ir_type, members, member_count),
                GET(image, at, ir_type, member_count));
}

static void globals(struct image *image, size_t at, uint32_t count) {
    for (uint32_t i = 0; i < count && at && !image->failed; i++, at += sizeof(struct ir_global)) {
        string(image, FIELD(at, ir_global, name));
        ARRAY(image, at, ir_global, bytes, size);
    }
}

static void switches(struct image *image, size_t at, uint32_t count) {
    for (uint32_t i = 0; i < count && at && !image->failed; i++, at += sizeof(struct ir_switch)) {
        ARRAY(image, at, ir_switch, values, count);
        ARRAY(image, at, ir_switch, targets, count);
        ARRAY(image, at, ir_switch, edges, count);
    }
}

static void gotos(struct image *image, size_t at, uint32_t count) {
    for (uint32_t i = 0; i < count && at && !image->failed; i++, at += sizeof(struct ir_goto)) {
        ARRAY(image, at, ir_goto, labels, count);
        ARRAY(image, at, ir_goto, targets, count);
        ARRAY(image, at, ir_goto, edges, count);
    }
}

static void parameters(struct image *image, size_t at, uint32_t count) {
    for (uint32_t i = 0; i < count && at && !image->failed; i++)
        string(image, FIELD(at + i * sizeof(struct ir_parameter), ir_parameter, name));
}

static void functions(struct image *image, size_t at, uint32_t count) {
    for (uint32_t i = 0; i < count && at && !image->failed; i++, at += sizeof(struct ir_function)) {
        string(image, FIELD(at, ir_function, name));
        string(image, FIELD(at, ir_function, signature));
        string(image, FIELD(at, ir_function, native_origin));
        parameters(image, ARRAY(image, at, ir_function, parameters, parameter_count),
                   GET(image, at, ir_function, parameter_count));
        ARRAY(image, at, ir_function, code, code_count);
        ARRAY(image, at, ir_function, locations, code_count);
        ARRAY(image, at, ir_function, allocas, alloca_count);
        ARRAY(image, at, ir_function, blocks, block_count);
        ARRAY(image, at, ir_function, arguments, argument_count);
        ARRAY(image, at, ir_function, constants, constant_count);
        switches(image, ARRAY(image, at, ir_function, switches, switch_count),
                 GET(image, at, ir_function, switch_count));
        gotos(image, ARRAY(image, at, ir_function, gotos, goto_count),
              GET(image, at, ir_function, goto_count));
        members(image, ARRAY(image, at, ir_function, slots, parameter_slots),
                GET(image, at, ir_function, parameter_slots));
    }
}

// The program's struct is at offset 0.
static void walk(struct image *image) {
    functions(image, ARRAY(image, 0, ir_program, functions, function_count),
              GET(image, 0, ir_program, function_count));
    globals(image, ARRAY(image, 0, ir_program, globals, global_count),
            GET(image, 0, ir_program, global_count));
    ARRAY(image, 0, ir_program, left_pointers, left_pointer_count);
    ARRAY(image, 0, ir_program, locations, location_count);
    strings(image, ARRAY(image, 0, ir_program, files, file_count), GET(image, 0, ir_program, file_count));
    strings(image, ARRAY(image, 0, ir_program, strings, string_count),
            GET(image, 0, ir_program, string_count));
    ARRAY(image, 0, ir_program, labels, label_count);
    ARRAY(image, 0, ir_program, edges, edge_count);
    ARRAY(image, 0, ir_program, checks, check_count);
    types(image, ARRAY(image, 0, ir_program, types, type_count), GET(image, 0, ir_program, type_count));
    ARRAY(image, 0, ir_program, constructors, constructor_count);
    ARRAY(image, 0, ir_program, destructors, destructor_count);
}

bool ir_image_write(const struct ir_program *program, struct text *to) {
    struct image image = {.to = to, .start = to->count};
    assert(to->count % ALIGNMENT == 0);
    struct ir_program copy = *program;
    copy.arena = NULL;
    append(&image, &copy, sizeof copy);
    walk(&image);
    return !image.failed;
}

struct ir_program *ir_image_open(void *bytes, size_t size, struct arena *arena) {
    assert((uintptr_t)bytes % ALIGNMENT == 0);
    struct image image = {.base = bytes, .size = size};
    if (size < sizeof(struct ir_program) || size > IR_IMAGE_LARGEST) return NULL;
    walk(&image);
    struct ir_program *program = bytes;
    program->arena = arena;
    return image.failed ? NULL : program;
}
