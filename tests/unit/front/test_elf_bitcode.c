// Round trips of the bitcode section, and damage: every truncation and every flipped byte must be rejected or
// give the same parts, and nothing outside of the file may be read (checked in builds with AddressSanitizer).
#include "base/alloc.h"
#include "base/text.h"
#include "front/elf_bitcode.h"
#include "front/elf_bitcode_write.h"

#include <elf.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static const char first[] = "BC first module";
static const char second[] = "BC the second, somewhat longer module of the two";

static void make_two(struct text *file) {
    struct elf_bitcode_part parts[] = {{(const uint8_t *)first, sizeof first, 0},
                                       {(const uint8_t *)second, sizeof second, ELF_BITCODE_SHARED}};
    elf_bitcode_make_object(&(struct elf_bitcode){parts, 2}, 0, file);
}

static void test_round_trip(void **state) {
    struct text file = {0};
    make_two(&file);
    struct elf_bitcode read;
    assert_null(elf_bitcode_read(file.at, file.count, &read));
    assert_int_equal(read.count, 2);
    assert_int_equal(read.parts[0].size, sizeof first);
    assert_memory_equal(read.parts[0].data, first, sizeof first);
    assert_int_equal(read.parts[0].flags, 0);
    assert_memory_equal(read.parts[1].data, second, sizeof second);
    assert_int_equal(read.parts[1].flags, ELF_BITCODE_SHARED);
    elf_bitcode_free(&read);
    text_free(&file);
    assert_int_equal(mem_in_use(), 0);
}

static void test_truncated(void **state) {
    struct text file = {0};
    make_two(&file);
    for (size_t size = 0; size < file.count; size++) {
        char *copy = mem_alloc(size); // exact size: the sanitizer reports any access past the end
        memcpy(copy, file.at, size);
        struct elf_bitcode read;
        assert_non_null(elf_bitcode_read(copy, size, &read));
        mem_free(copy, size);
    }
    text_free(&file);
}

static void test_flipped_bytes(void **state) {
    struct text file = {0};
    make_two(&file);
    char *copy = mem_alloc(file.count);
    for (size_t at = 0; at < file.count; at++)
        for (int bit = 0; bit < 8; bit += 7) {
            memcpy(copy, file.at, file.count);
            copy[at] ^= (char)(1 << bit);
            struct elf_bitcode read;
            if (elf_bitcode_read(copy, file.count, &read)) continue;
            for (uint32_t i = 0; i < read.count; i++) {
                const char *expected = read.parts[i].size == sizeof first ? first : second;
                assert_memory_equal(read.parts[i].data, expected, read.parts[i].size);
            }
            elf_bitcode_free(&read);
        }
    mem_free(copy, file.count);
    text_free(&file);
}

static void test_foreign(void **state) {
    struct elf_bitcode read;
    assert_string_equal(elf_bitcode_read("BC\xc0\xde", 4, &read), "not an ELF file");
    assert_false(elf_bitcode_is_elf("\177EL", 3));
    Elf64_Ehdr header = {.e_ident = {0x7f, 'E', 'L', 'F', ELFCLASS32, ELFDATA2LSB}};
    assert_non_null(strstr(elf_bitcode_read(&header, sizeof header, &read), "64-bit"));
    header.e_ident[EI_CLASS] = ELFCLASS64;
    header.e_machine = EM_AARCH64;
    assert_non_null(strstr(elf_bitcode_read(&header, sizeof header, &read), "x86-64"));
    header.e_machine = EM_X86_64;
    assert_non_null(strstr(elf_bitcode_read(&header, sizeof header, &read), "section table"));
    struct text file = {0};
    elf_bitcode_make_object(&(struct elf_bitcode){NULL, 0}, 0, &file);
    assert_non_null(strstr(elf_bitcode_read(file.at, file.count, &read), "tamar cc"));
    text_free(&file);
}

// Makes an object as clang writes it, by renaming the section of one of Tamar's.
static void test_adopt(void **state) {
    struct text ours = {0}, adopted = {0};
    elf_bitcode_make_object(&(struct elf_bitcode){NULL, 0}, 0, &ours);
    Elf64_Ehdr header;
    memcpy(&header, ours.at, sizeof header);
    Elf64_Shdr *sections = (Elf64_Shdr *)(ours.at + header.e_shoff);
    assert_null(elf_bitcode_adopt(ours.at, ours.count, NULL, &adopted));
    assert_int_equal(adopted.count, 0); // nothing to do

    char *name = ours.at + sections[1].sh_offset + sections[2].sh_name;
    memcpy(name, ".llvmbc", sizeof ".llvmbc");
    uint64_t end = ours.count;
    text_add_bytes(&ours, first, sizeof first);
    sections = (Elf64_Shdr *)(ours.at + header.e_shoff); // the buffer may have been reallocated
    sections[2].sh_offset = end;
    sections[2].sh_size = sizeof first;
    assert_null(elf_bitcode_adopt(ours.at, ours.count, NULL, &adopted));
    assert_true(adopted.count > ours.count);

    struct elf_bitcode read;
    assert_null(elf_bitcode_read(adopted.at, adopted.count, &read));
    assert_int_equal(read.count, 1);
    assert_int_equal(read.parts[0].size, sizeof first);
    assert_memory_equal(read.parts[0].data, first, sizeof first);
    elf_bitcode_free(&read);
    text_free(&ours);
    text_free(&adopted);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trip), cmocka_unit_test(test_truncated),
        cmocka_unit_test(test_foreign),    cmocka_unit_test(test_flipped_bytes),
        cmocka_unit_test(test_adopt),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
