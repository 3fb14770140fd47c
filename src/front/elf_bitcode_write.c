#include "front/elf_bitcode_write.h"
#include "base/hash.h"
#include "base/text.h"

#include <elf.h>
#include <string.h>

#define CLANG_SECTION ".llvmbc"

static void pad(struct text *file, size_t align) {
    static const char zeros[16];
    assert(align <= sizeof zeros);
    text_add_bytes(file, zeros, align_up(file->count, align) - file->count);
}

static void add_record(struct text *file, const void *bitcode, size_t size, uint32_t flags) {
    struct elf_bitcode_header header = {
        .size = size, .checksum = hash_bytes(bitcode, size, 0), .flags = flags};
    memcpy(header.magic, ELF_BITCODE_MAGIC, sizeof header.magic);
    text_add_bytes(file, &header, sizeof header);
    text_add_bytes(file, bitcode, size);
    pad(file, 16);
}

// The parts of an object that elf_bitcode_adopt needs; all ranges are checked.
struct elf_object {
    const uint8_t *bytes;
    size_t size;
    Elf64_Ehdr header;
    uint64_t count, names_index;
    Elf64_Shdr names;
};

static bool get_section(const struct elf_object *object, uint64_t index, Elf64_Shdr *section) {
    if (index >= object->count || object->header.e_shoff > object->size) return false;
    if (index >= (object->size - object->header.e_shoff) / sizeof *section) return false;
    memcpy(section, object->bytes + object->header.e_shoff + index * sizeof *section, sizeof *section);
    return true;
}

static bool inside(const struct elf_object *object, const Elf64_Shdr *section) {
    return section->sh_offset <= object->size && section->sh_size <= object->size - section->sh_offset;
}

static bool open_object(struct elf_object *object) {
    Elf64_Ehdr *header = &object->header;
    if (object->size < sizeof *header) return false;
    memcpy(header, object->bytes, sizeof *header);
    if (header->e_ident[EI_CLASS] != ELFCLASS64 || header->e_ident[EI_DATA] != ELFDATA2LSB) return false;
    if (header->e_shentsize != sizeof(Elf64_Shdr) || header->e_shoff == 0) return false;
    object->count = header->e_shnum ? header->e_shnum : 1;
    object->names_index = header->e_shstrndx;
    Elf64_Shdr first;
    if (!get_section(object, 0, &first)) return false;
    if (header->e_shnum == 0) object->count = first.sh_size;
    if (object->names_index == SHN_XINDEX) object->names_index = first.sh_link;
    return get_section(object, object->names_index, &object->names) && inside(object, &object->names);
}

static bool is_clang_section(const struct elf_object *object, const Elf64_Shdr *section) {
    const Elf64_Shdr *names = &object->names;
    size_t length = sizeof CLANG_SECTION; // with the NUL
    if (section->sh_name > names->sh_size || length > names->sh_size - section->sh_name) return false;
    return memcmp(object->bytes + names->sh_offset + section->sh_name, CLANG_SECTION, length) == 0;
}

// The index of clang's section. 0: there is none.
static uint64_t find_clang_section(const struct elf_object *object, Elf64_Shdr *section, bool may_be_empty) {
    for (uint64_t i = 1; i < object->count && get_section(object, i, section); i++)
        if (section->sh_type == SHT_PROGBITS && (section->sh_size || may_be_empty) &&
            inside(object, section) && is_clang_section(object, section))
            return i;
    return 0;
}

// Keeps the old file, except for its header, and appends the record, the longer table of names and the new section
// table. No section covers the old copy of the bitcode any more: objects are a little larger, but written in one pass.
const char *elf_bitcode_adopt(const void *bytes, size_t size, const struct text *bitcode,
                              struct text *result) {
    struct elf_object object = {.bytes = bytes, .size = size};
    if (!elf_bitcode_is_elf(bytes, size)) return NULL;
    if (!open_object(&object)) return "the object file is damaged";
    Elf64_Shdr section;
    uint64_t index = find_clang_section(&object, &section, bitcode != NULL);
    if (!index) return NULL;

    text_add_bytes(result, bytes, size);
    pad(result, 16);
    uint64_t record = result->count;
    if (bitcode)
        add_record(result, bitcode->at, bitcode->count, 0);
    else
        add_record(result, object.bytes + section.sh_offset, section.sh_size, 0);
    section.sh_offset = record;
    section.sh_size = result->count - record;
    section.sh_addralign = 16;
    section.sh_flags = 0;

    Elf64_Shdr names = object.names;
    names.sh_offset = result->count;
    section.sh_name = (Elf64_Word)names.sh_size;
    text_add_bytes(result, object.bytes + object.names.sh_offset, object.names.sh_size);
    text_add_bytes(result, ELF_BITCODE_SECTION, sizeof ELF_BITCODE_SECTION);
    names.sh_size = result->count - names.sh_offset;

    pad(result, 16);
    uint64_t table = result->count;
    for (uint64_t i = 0; i < object.count; i++) {
        Elf64_Shdr old;
        if (!get_section(&object, i, &old)) return "the object file is truncated";
        const Elf64_Shdr *out = i == index ? &section : i == object.names_index ? &names : &old;
        text_add_bytes(result, out, sizeof *out);
    }
    object.header.e_shoff = table;
    memcpy(result->at, &object.header, sizeof object.header);
    return NULL;
}

void elf_bitcode_make_object(const struct elf_bitcode *bitcode, uint32_t flags, struct text *result) {
    static const char names[] = "\0.shstrtab\0" ELF_BITCODE_SECTION "\0.note.GNU-stack";
    enum { NAMES = 1, BITCODE, STACK_NOTE, COUNT_SECTIONS };
    Elf64_Ehdr header = {.e_type = ET_REL,
                         .e_machine = EM_X86_64,
                         .e_version = EV_CURRENT,
                         .e_ehsize = sizeof(Elf64_Ehdr),
                         .e_shentsize = sizeof(Elf64_Shdr),
                         .e_shnum = COUNT_SECTIONS,
                         .e_shstrndx = NAMES};
    memcpy(header.e_ident, ELFMAG, SELFMAG);
    header.e_ident[EI_CLASS] = ELFCLASS64;
    header.e_ident[EI_DATA] = ELFDATA2LSB;
    header.e_ident[EI_VERSION] = EV_CURRENT;

    Elf64_Shdr sections[COUNT_SECTIONS] = {
        [NAMES] = {.sh_name = 1, .sh_type = SHT_STRTAB, .sh_size = sizeof names, .sh_addralign = 1},
        [BITCODE] = {.sh_name = sizeof "\0.shstrtab", .sh_type = SHT_PROGBITS, .sh_addralign = 16},
        [STACK_NOTE] = {.sh_name = sizeof "\0.shstrtab\0" ELF_BITCODE_SECTION,
                        .sh_type = SHT_PROGBITS,
                        .sh_addralign = 1},
    };
    text_add_bytes(result, &header, sizeof header);
    sections[BITCODE].sh_offset = result->count;
    for (uint32_t i = 0; i < bitcode->count; i++)
        add_record(result, bitcode->parts[i].data, bitcode->parts[i].size, bitcode->parts[i].flags | flags);
    sections[BITCODE].sh_size = result->count - sections[BITCODE].sh_offset;
    sections[NAMES].sh_offset = sections[STACK_NOTE].sh_offset = result->count;
    text_add_bytes(result, names, sizeof names);
    pad(result, 16);
    header.e_shoff = result->count;
    text_add_bytes(result, sections, sizeof sections);
    memcpy(result->at, &header, sizeof header);
}
