// A program as one relocatable block of bytes: a copy of its structs in which every pointer is an offset. Opening an
// image costs one pass over the pointers; nothing is parsed. Images are for the same binary only: they have the layout
// of its structs and the numbers of its operations.
#ifndef TAMAR_IR_IMAGE_H
#define TAMAR_IR_IMAGE_H

#include "ir/ir.h"

struct text;

#define IR_IMAGE_LARGEST ((size_t)64 << 20)

// Appends the image of the program. Returns false, with incomplete bytes appended, if it would be larger than
// IR_IMAGE_LARGEST.
bool ir_image_write(const struct ir_program *program, struct text *to);
// Opens an image in place. The block must be aligned to 16 and belong to the arena, which then belongs to the program.
// NULL: an offset is outside of the image. The bytes are then unusable, and the arena still belongs to the caller.
struct ir_program *ir_image_open(void *image, size_t size, struct arena *arena);

#endif
