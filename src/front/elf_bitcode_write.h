// The writing side of elf_bitcode.h, for `tamar cc`.
#ifndef TAMAR_ELF_BITCODE_WRITE_H
#define TAMAR_ELF_BITCODE_WRITE_H

#include "front/elf_bitcode.h"

struct text;

// clang's -fembed-bitcode leaves the module, or with =marker nothing, in a section named .llvmbc, which binutils' plug-ins
// mistake for an LTO object. Rewrites such an object so that a module is a record in our section instead: `bitcode`, or where
// that is NULL the embedded one. Returns NULL on success (`result` gets the new file; it stays empty when there was nothing to
// do), else the cause.
const char *elf_bitcode_adopt(const void *bytes, size_t size, const struct text *bitcode,
                              struct text *result);

// A relocatable object that holds nothing but these parts, each with `flags` added.
void elf_bitcode_make_object(const struct elf_bitcode *bitcode, uint32_t flags, struct text *result);

#endif
