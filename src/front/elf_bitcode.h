// Bitcode embedded in native ELF files: the format in which `tamar cc` stores it, and its reader.
//
// An object file made by `tamar cc` has one section named ELF_BITCODE_SECTION. It holds records: a header of
// 32 bytes (struct elf_bitcode_header), the bitcode, zeros up to a multiple of 16. Linkers concatenate sections of the
// same name, so an executable's section holds one record for each linked object and archive member.
#ifndef TAMAR_ELF_BITCODE_H
#define TAMAR_ELF_BITCODE_H

#include "base/base.h"

#define ELF_BITCODE_SECTION ".tamar.bitcode"
#define ELF_NATIVES_SECTION ".tamar.native" // elf_bitcode_natives
#define ELF_BITCODE_MAGIC   "TAMARBC1"

struct elf_bitcode_header {
    char magic[8];
    uint64_t size;     // bytes of the bitcode, without header and padding
    uint64_t checksum; // hash_bytes of the bitcode, seed 0
    uint32_t flags;
    uint32_t reserved;
};
_Static_assert(sizeof(struct elf_bitcode_header) == 32, "the format of objects on disk");

enum elf_bitcode_flag {
    // The record comes from a shared library that the executable is linked with: other definitions have priority.
    ELF_BITCODE_SHARED = 1,
};

struct elf_bitcode_part {
    const uint8_t *data; // points into the file's bytes
    size_t size;
    uint32_t flags;
};

struct elf_bitcode {
    struct elf_bitcode_part *parts; // in the linker's order
    uint32_t count;
};

// Whether the bytes begin like an ELF file of any kind.
bool elf_bitcode_is_elf(const void *file, size_t size);
// Whether the file is an executable or a shared library: a linker has then resolved every name that its code needs.
bool elf_bitcode_is_linked(const void *file, size_t size);

// Whether the file's symbol table defines a function of this name.
bool elf_bitcode_has_function(const void *file, size_t size, const char *name);
// The same of a file that may be an archive: of any of its members.
bool elf_bitcode_member_has_function(const void *file, size_t size, const char *name);
// The paths of the files without bitcode that the program was linked from, each followed by a newline. NULL: none.
const char *elf_bitcode_natives(const void *file, size_t size);

// Reads all records of an ELF file in memory. Returns NULL on success, else the cause as static text: truncated or
// foreign file, no bitcode, damaged record. `result` is set only on success; free it with elf_bitcode_free. The parts
// point into `file`.
const char *elf_bitcode_read(const void *file, size_t size, struct elf_bitcode *result);
void elf_bitcode_free(struct elf_bitcode *bitcode);

#endif
