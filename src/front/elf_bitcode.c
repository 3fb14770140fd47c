#include "front/elf_bitcode.h"
#include "base/hash.h"
#include "base/vec.h"

#include <elf.h>
#include <stdlib.h>

struct elf_view {
    const uint8_t *bytes;
    size_t size;
};

// Returns a range of the file, or NULL if any byte of it is outside. Every access to the file uses it.
static const void *range(struct elf_view file, uint64_t offset, uint64_t size) {
    if (offset > file.size || size > file.size - offset) return NULL;
    return file.bytes + offset;
}

bool elf_bitcode_is_elf(const void *file, size_t size) {
    return size >= SELFMAG && memcmp(file, ELFMAG, SELFMAG) == 0;
}

bool elf_bitcode_is_linked(const void *file, size_t size) {
    Elf64_Ehdr header;
    if (!elf_bitcode_is_elf(file, size) || size < sizeof header) return false;
    memcpy(&header, file, sizeof header);
    return header.e_type == ET_EXEC || header.e_type == ET_DYN;
}

static const char *check_header(const Elf64_Ehdr *header) {
    if (header->e_ident[EI_CLASS] != ELFCLASS64 || header->e_ident[EI_DATA] != ELFDATA2LSB)
        return "the ELF file is not for a 64-bit little-endian machine";
    if (header->e_machine != EM_X86_64) return "the ELF file is not for x86-64";
    if (header->e_shoff == 0)
        return "the ELF file has no section table (was it stripped of its sections?), so no bitcode";
    if (header->e_shentsize != sizeof(Elf64_Shdr)) return "the ELF file's section table is damaged";
    return NULL;
}

// Copies a section header, because it may be at an unaligned offset.
static bool section_header(struct elf_view file, uint64_t table, uint64_t index, Elf64_Shdr *result) {
    uint64_t offset;
    if (__builtin_mul_overflow(index, sizeof *result, &offset)) return false;
    if (__builtin_add_overflow(offset, table, &offset)) return false;
    const void *at = range(file, offset, sizeof *result);
    if (!at) return false;
    memcpy(result, at, sizeof *result);
    return true;
}

static bool has_name(struct elf_view names, uint32_t offset, const char *wanted) {
    const void *at = range(names, offset, strlen(wanted) + 1);
    return at && memcmp(at, wanted, strlen(wanted) + 1) == 0;
}

typedef vec(struct elf_bitcode_part) part_list;

// Reads the records of one section. The linker may pad between them with zeros.
static const char *read_records(struct elf_view section, part_list *parts) {
    uint64_t at = 0;
    while (at < section.size) {
        struct elf_bitcode_header header;
        const void *start = range(section, at, sizeof header);
        if (!start) return "the bitcode section is truncated";
        memcpy(&header, start, sizeof header);
        if (memcmp(header.magic, ELF_BITCODE_MAGIC, sizeof header.magic) != 0)
            return "the bitcode section is damaged: a record does not start where it should";
        const uint8_t *data = range(section, at + sizeof header, header.size);
        if (!data) return "the bitcode section is truncated";
        if (hash_bytes(data, header.size, 0) != header.checksum)
            return "the bitcode section is damaged: a checksum does not match";
        struct elf_bitcode_part part = {data, header.size, header.flags};
        vec_push(parts, part);
        at = align_up(at + sizeof header + header.size, 16);
        // The linker may align an input section more strictly than requested: zeros follow.
        while (at + 16 <= section.size && memcmp(section.bytes + at, (uint8_t[16]){0}, 16) == 0) at += 16;
    }
    return NULL;
}

static const char *read_sections(struct elf_view file, part_list *parts) {
    const void *start = range(file, 0, sizeof(Elf64_Ehdr));
    if (!start) return "the ELF file is truncated";
    Elf64_Ehdr header;
    memcpy(&header, start, sizeof header);
    const char *wrong = check_header(&header);
    if (wrong) return wrong;

    uint64_t count = header.e_shnum, names_index = header.e_shstrndx;
    Elf64_Shdr first, names_header;
    if (!section_header(file, header.e_shoff, 0, &first)) return "the ELF file is truncated";
    if (count == 0) count = first.sh_size; // more than 65,279 sections
    if (names_index == SHN_XINDEX) names_index = first.sh_link;
    if (names_index >= count || !section_header(file, header.e_shoff, names_index, &names_header))
        return "the ELF file is truncated";
    struct elf_view names = {range(file, names_header.sh_offset, names_header.sh_size), names_header.sh_size};
    if (!names.bytes) return "the ELF file is truncated";

    for (uint64_t i = 0; i < count; i++) {
        Elf64_Shdr section;
        if (!section_header(file, header.e_shoff, i, &section)) return "the ELF file is truncated";
        if (!has_name(names, section.sh_name, ELF_BITCODE_SECTION)) continue;
        if (section.sh_type == SHT_NOBITS)
            return "the bitcode was taken out of the ELF file (objcopy --only-keep-debug?)";
        if (section.sh_flags & SHF_COMPRESSED)
            return "the bitcode section is compressed; it must be left as it is";
        struct elf_view content = {range(file, section.sh_offset, section.sh_size), section.sh_size};
        if (!content.bytes) return "the ELF file is truncated";
        wrong = read_records(content, parts);
        if (wrong) return wrong;
    }
    return parts->count ? NULL : "the ELF file carries no bitcode: it was not built with `tamar cc`";
}

const char *elf_bitcode_read(const void *file, size_t size, struct elf_bitcode *result) {
    if (!elf_bitcode_is_elf(file, size)) return "not an ELF file";
    part_list parts = {0};
    const char *wrong = read_sections((struct elf_view){file, size}, &parts);
    if (!wrong) {
        result->count = parts.count;
        result->parts = NEW_ARRAY(struct elf_bitcode_part, parts.count);
        memcpy(result->parts, parts.at, parts.count * sizeof *parts.at);
    }
    vec_free(&parts);
    return wrong;
}

void elf_bitcode_free(struct elf_bitcode *bitcode) {
    DELETE_ARRAY(bitcode->parts, bitcode->count);
    bitcode->parts = NULL;
    bitcode->count = 0;
}

// ---- native code

static bool defines(const char *file, size_t size, const Elf64_Shdr *symbols, const Elf64_Shdr *names,
                    const char *name) {
    if (symbols->sh_offset > size || symbols->sh_size > size - symbols->sh_offset ||
        names->sh_offset > size || names->sh_size > size - names->sh_offset)
        return false;
    size_t length = strlen(name) + 1;
    for (uint64_t at = 0; at + sizeof(Elf64_Sym) <= symbols->sh_size; at += sizeof(Elf64_Sym)) {
        Elf64_Sym symbol;
        memcpy(&symbol, file + symbols->sh_offset + at, sizeof symbol);
        if (ELF64_ST_TYPE(symbol.st_info) != STT_FUNC || symbol.st_shndx == SHN_UNDEF) continue;
        if (symbol.st_name < names->sh_size && names->sh_size - symbol.st_name >= length &&
            !memcmp(file + names->sh_offset + symbol.st_name, name, length))
            return true;
    }
    return false;
}

bool elf_bitcode_has_function(const void *file, size_t size, const char *name) {
    Elf64_Ehdr header;
    if (!elf_bitcode_is_elf(file, size) || size < sizeof header) return false;
    memcpy(&header, file, sizeof header);
    uint64_t table = (uint64_t)header.e_shnum * sizeof(Elf64_Shdr);
    if (header.e_shentsize != sizeof(Elf64_Shdr) || header.e_shoff > size || table > size - header.e_shoff)
        return false;
    for (unsigned i = 0; i < header.e_shnum; i++) {
        Elf64_Shdr symbols, names;
        memcpy(&symbols, (const char *)file + header.e_shoff + i * sizeof symbols, sizeof symbols);
        if ((symbols.sh_type != SHT_SYMTAB && symbols.sh_type != SHT_DYNSYM) ||
            symbols.sh_link >= header.e_shnum)
            continue;
        memcpy(&names, (const char *)file + header.e_shoff + symbols.sh_link * sizeof names, sizeof names);
        if (defines(file, size, &symbols, &names, name)) return true;
    }
    return false;
}

// The archive's members are searched one by one; an ELF file is its only member.
bool elf_bitcode_member_has_function(const void *file, size_t size, const char *name) {
    enum { HEADER = 60, SIZE_AT = 48, SIZE_DIGITS = 10 };
    const char *bytes = file;
    if (size < 8 || memcmp(bytes, "!<arch>\n", 8) != 0) return elf_bitcode_has_function(file, size, name);
    for (size_t at = 8; at + HEADER <= size;) {
        char digits[SIZE_DIGITS + 1] = {0};
        memcpy(digits, bytes + at + SIZE_AT, SIZE_DIGITS);
        size_t length = strtoul(digits, NULL, 10);
        at += HEADER;
        if (length > size - at) return false;
        if (elf_bitcode_has_function(bytes + at, length, name)) return true;
        at += length + length % 2;
    }
    return false;
}

const char *elf_bitcode_natives(const void *file, size_t size) {
    struct elf_view view = {file, size};
    Elf64_Ehdr header;
    Elf64_Shdr names_header, section;
    if (!elf_bitcode_is_elf(file, size) || size < sizeof header) return NULL;
    memcpy(&header, file, sizeof header);
    if (check_header(&header) || !section_header(view, header.e_shoff, header.e_shstrndx, &names_header))
        return NULL;
    struct elf_view names = {range(view, names_header.sh_offset, names_header.sh_size), names_header.sh_size};
    for (uint64_t i = 0; names.bytes && i < header.e_shnum; i++) {
        if (!section_header(view, header.e_shoff, i, &section)) return NULL;
        if (!has_name(names, section.sh_name, ELF_NATIVES_SECTION) || section.sh_type == SHT_NOBITS) continue;
        const char *list = (const char *)range(view, section.sh_offset, section.sh_size);
        bool ends = list && section.sh_size && !list[section.sh_size - 1];
        return ends ? list : NULL;
    }
    return NULL;
}
