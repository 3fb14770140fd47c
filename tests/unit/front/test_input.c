// Every kind of unusable input is rejected with its message; nothing crashes.
#include "../check.h"
#include "base/alloc.h"
#include "front/elf_bitcode_write.h"
#include "front/input.h"
#include "loading.h"

#include "base/text.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static void refuse(const char *const *words, const char *cause, const char *remedy) {
    char *text = failure(NULL, words);
    if (!strstr(text, cause) || (remedy && !strstr(text, remedy)))
        fail_msg("%s: \"%s\" instead of \"%s\", \"%s\"", words[0] ? words[0] : "nothing", text, cause,
                 remedy ? remedy : "");
    free(text);
}

static void refuse_file(const char *path, const char *cause, const char *remedy) {
    const char *words[] = {path, NULL};
    refuse(words, cause, remedy);
}

static void test_files(void **state) {
    refuse((const char *[]){NULL}, "no program given", "Name a C file");
    refuse((const char *[]){"-O2", "-I", "x.c", NULL}, "no program given", "Name a C file");
    refuse_file("/nowhere/a.c", "/nowhere/a.c: No such file", "Check the name");
    refuse_file("/nowhere/a.bc", "/nowhere/a.bc: No such file", "Check the name");
    refuse_file("/tmp", "is a directory", NULL);
    refuse_file("/dev/zero", "not a regular file", NULL);
    refuse_file(text_file("note.txt", "hello"), "neither C, nor bitcode", "tamar cc");
    refuse_file(text_file("empty.bc", ""), "is not bitcode", "clang-19 -c -emit-llvm");
    refuse_file(text_file("lib.a", "!<arch>\n"), "is a library", "Link it");
}

static void test_c_that_does_not_compile(void **state) {
    const char *path = text_file("bad.c", "int main(void) { return nothing; }\n");
    char *text = failure(NULL, (const char *[]){path, NULL});
    assert_non_null(strstr(text, "bad.c:1:25: error: use of undeclared identifier 'nothing'"));
    assert_non_null(strstr(text, "does not compile"));
    free(text);
    refuse((const char *[]){text_file("fine.c", "int main(void) { return 0; }"), "--no-such-flag", NULL},
           "does not compile", NULL);
    refuse((const char *[]){text_file("fine.c", "int main(void) { return 0; }"), "-m32", NULL},
           "is compiled for i386", "x86-64");
}

static void test_names(void **state) {
    refuse_file(text_file("nomain.c", "int x(void) { return 1; }"), "no function \"main\"", "--entry");
    refuse_file(
        text_file("undefined.c", "int f(void);\nextern int v;\nint main(void) {\n  return f() + v;\n}"),
        "undefined.c:4: undefined function \"f\"", "Name the files");
    refuse_file(text_file("undefined.c", "extern int v; int main(void) { return v; }"),
                "undefined variable \"v\"", NULL);
    refuse((const char *[]){text_file("a.c", "int f(void) { return 1; } int main(void) { return f(); }"),
                            text_file("b.c", "int f(void) { return 2; }"), NULL},
           "\"f\" is defined here and in", "static");
    char *text = failure(&(struct front_options){.start = "start"},
                         (const char *[]){text_file("a.c", "int main(void) { return 1; }"), NULL});
    assert_non_null(strstr(text, "no function \"start\""));
    free(text);
    struct ir_program *program =
        load(&(struct front_options){.allow_undefined = true},
             (const char *[]){text_file("undefined.c", "int f(void); int main(void) { return f(); }"), NULL});
    assert_non_null(program);
    assert_null(ir_find_function(program, "f")->code);
    ir_program_free(program);
}

// ---- bitcode

static char *bitcode;
static size_t bitcode_size;

static void make_bitcode(void) {
    const char *source = text_file("whole.c", "int table[4] = {1, 2, 3, 4};\n"
                                              "int main(int argc, char **argv) { int s = 0; for (int i = 0; "
                                              "i < argc; i++) s += table[i & 3]; return s; }");
    char command[700], path[300];
    snprintf(path, sizeof path, "%s.bc", source);
    snprintf(command, sizeof command, "clang-19 -c -emit-llvm -g %s -o %s", source, path);
    assert_int_equal(system(command), 0);
    int file = open(path, O_RDONLY);
    if (file < 0) abort();
    struct stat status;
    assert_int_equal(fstat(file, &status), 0);
    bitcode_size = (size_t)status.st_size;
    bitcode = malloc(bitcode_size);
    assert_int_equal(read(file, bitcode, bitcode_size), bitcode_size);
    close(file);
}

static void test_bitcode(void **state) {
    const char *path = file_with("good.bc", bitcode, bitcode_size);
    struct ir_program *program = load(NULL, (const char *[]){path, NULL});
    assert_non_null(program);
    ir_program_free(program);
    refuse_file(file_with("cut.bc", bitcode, bitcode_size / 2), "not bitcode that LLVM 19 can read",
                "clang 19");
    refuse_file(file_with("head.bc", bitcode, 4), "not bitcode that LLVM 19 can read", NULL);
    refuse_file(text_file("bad.ll", "define i32 @main() { ret i32 %nobody }"), "not valid LLVM assembly",
                NULL);
    refuse_file(text_file("unsound.ll", "define i32 @main() { entry: br label %entry }"),
                "not valid LLVM assembly", NULL);
    refuse_file(
        text_file("arm.ll", "target triple = \"aarch64-linux-gnu\"\ndefine i32 @main() { ret i32 0 }"),
        "aarch64", "x86-64");
}

static void test_elf(void **state) {
    struct elf_bitcode_part part = {(const uint8_t *)bitcode, bitcode_size, 0};
    struct text object = {0};
    elf_bitcode_make_object(&(struct elf_bitcode){&part, 1}, 0, &object);
    struct ir_program *program =
        load(NULL, (const char *[]){file_with("good.o", object.at, object.count), NULL});
    assert_non_null(program);
    ir_program_free(program);
    refuse_file(file_with("cut.o", object.at, object.count / 2), "cut.o: ", "tamar cc");
    refuse_file("/bin/sh", "carries no bitcode", "tamar cc");
    text_free(&object);
}

// A process that uses gigabytes, as after a long run, can load a program.
static void test_large_process(void **state) {
    size_t size = (size_t)3 << 30;
    void *data = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    assert_true(data != MAP_FAILED);
    guard_on("again.bc", bitcode_size);
    void *block = malloc((size_t)64 << 20); // as LLVM's reader may need
    guard_off();
    assert_non_null(block);
    free(block);
    munmap(data, size);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_files), cmocka_unit_test(test_c_that_does_not_compile),
        cmocka_unit_test(test_names), cmocka_unit_test(test_bitcode),
        cmocka_unit_test(test_elf),   cmocka_unit_test(test_large_process)};
    loading_start();
    make_bitcode();
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    free(bitcode);
    loading_end();
    return failed || mem_in_use() != 0;
}
