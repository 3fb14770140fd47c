// The writer of the format of elf_bitcode.h, for `tamar cc`.
#ifndef TAMAR_ELF_BITCODE_WRITE_H
#define TAMAR_ELF_BITCODE_WRITE_H

#include "front/elf_bitcode.h"

struct text;

// Replaces the section .llvmbc of clang's -fembed-bitcode, which binutils' plug-ins mistake for an LTO object, by a
// record in ELF_BITCODE_SECTION. The record holds `bitcode`, or if that is NULL the embedded module (with
// -fembed-bitcode=marker there is none). Returns NULL on success, else the cause. `result` receives the new file; it
// stays empty if there was nothing to do.
const char *elf_bitcode_adopt(const void *bytes, size_t size, const struct text *bitcode,
                              struct text *result);

// Makes a relocatable object that holds only these parts, each with `flags` added.
void elf_bitcode_make_object(const struct elf_bitcode *bitcode, uint32_t flags, struct text *result);

#endif
