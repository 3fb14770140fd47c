// The code that C is lowered to, checked in the listing. The end-to-end tests check that it computes the right results.
#include "../check.h"
#include "base/alloc.h"
#include "loading.h"

#include <stdlib.h>
#include <string.h>

static void expect(const char *text, const char *wanted) {
    if (!strstr(text, wanted)) fail_msg("no \"%s\" in:\n%s", wanted, text);
}

static void refuse(const char *text, const char *unwanted) {
    if (strstr(text, unwanted)) fail_msg("\"%s\" in:\n%s", unwanted, text);
}

static char *lower(const char *source, const char *flag, const char *function) {
    struct ir_program *program = load_text("a.c", source, flag);
    char *text = listing(program, function);
    ir_program_free(program);
    return text;
}

static void test_loop_has_no_copies(void **state) {
    char *text = lower("int f(int n) { int s = 0; for (int i = 0; i < n; i++) s += i * 3; return s; }\n"
                       "int main(void) { return f(3); }",
                       NULL, "f");
    expect(text, "br_slt32 r");
    expect(text, "mul32_i r");
    refuse(text, " mov ");
    free(text);
}

static void test_phi_cycle_is_broken(void **state) {
    char *text = lower("int f(int n, int a, int b) { for (int i = 0; i < n; i++) { int t = a; a = b; b = t; "
                       "} return a * 10 + b; }\n"
                       "int main(void) { return f(3, 1, 2); }",
                       NULL, "f");
    unsigned moves = 0;
    for (const char *at = text; (at = strstr(at, " mov ")); at++) moves++;
    assert_int_equal(moves, 3); // a swap takes three
    free(text);
}

static void test_addresses(void **state) {
    static const char source[] =
        "struct s { int a; short b[4]; long c; }; struct s table[10]; int word; char bytes[64];\n"
        "long field(struct s *p) { return p->c; }\n"
        "void put(struct s *p) { p->b[1] = -2; }\n"
        "int index(struct s *p, long i) { return p->b[i]; }\n"
        "int narrow(int *p, int i) { return p[i]; }\n"
        "int wide(int *p, long i) { return p[i]; }\n"
        "int fixed(void) { return word + table[3].a; }\n"
        "void set(long i) { bytes[i] = 1; }\n"
        "int main(void) { put(table); set(1); return field(table) + index(table, 1) + narrow(&word, 0) + "
        "wide(&word, 0) + fixed(); }";
    struct ir_program *program = load_text("a.c", source, NULL);
    static const char *const wanted[][2] = {{"field", "load64 r0, [r0+16]"},
                                            {"put", "store16_i [r0+6], -2"},
                                            {"index", "leag r0, r0 + r1 * 2"},
                                            {"index", "load16 r0, [r0+4]"},
                                            {"narrow", "loadx32_s32 r0, [r0 + r1 * 4]"},
                                            {"wide", "loadx32 r0, [r0 + r1 * 4]"},
                                            {"fixed", "loada32 r0, [0x"},
                                            {"set", "storeg8 [r"}};
    for (size_t i = 0; i < COUNT(wanted); i++) {
        char *text = listing(program, wanted[i][0]);
        expect(text, wanted[i][1]);
        free(text);
    }
    ir_program_free(program);
}

static void test_unused_load_is_kept(void **state) {
    char *text =
        lower("void f(int *p) { (void)*p; (void)p[3]; } int main(void) { f(0); return 0; }", NULL, "f");
    expect(text, "[r0+0]");
    expect(text, "[r0+12]");
    free(text);
}

static void test_constants_leave_loops(void **state) {
    char *text = lower(
        "double f(int n) { double x = 1; while (n--) x *= 1.5; return x; } int main(void) { return f(3); }",
        NULL, "f");
    const char *loop = strstr(text, "jmp"), *constant = strstr(text, "0x3ff8000000000000");
    assert_non_null(loop);
    assert_non_null(constant);
    assert_true(constant < loop);
    free(text);
}

static void test_checks_on_request(void **state) {
    const char *words[] = {
        text_file("a.c",
                  "int f(int a, int b, unsigned c) { return a + b * (1 << b) + (int)(c + 1u) + (a << 3); }\n"
                  "int main(void) { return f(1, 2, 3); }"),
        NULL};
    struct ir_program *plain = load(NULL, words);
    char *text = listing(plain, "f");
    refuse(text, "check_");
    refuse(text, "holds");
    refuse(text, "OVERFLOW"); // plain operations, as without checks of clang
    expect(text, "mul32");
    expect(text, "add32");
    free(text);
    ir_program_free(plain);
    struct ir_program *checked =
        load(&(struct front_options){.checks = CHECK_BIT(ARITHMETIC) | CHECK_BIT(SHIFT)}, words);
    text = listing(checked, "f");
    refuse(text, "check_"); // replaced by clang's instrumentation
    expect(text, "signed addition overflows");
    expect(text, "signed multiplication overflows");
    unsigned shifts = 0, blocks = 0;
    for (const char *at = text; (at = strstr(at, "shift of %1 by %2")); at++) shifts++;
    for (const char *at = text; (at = strstr(at, "block ")); at++) blocks++;
    assert_int_equal(shifts, 2);
    assert_int_equal(blocks, 1); // checks are not branches
    free(text);
    ir_program_free(checked);
}

static void test_locals_stay_in_memory(void **state) {
    const char *words[] = {text_file("a.c", "int main(void) { int x; return x; }"), NULL};
    struct ir_program *program = load(&(struct front_options){.checks = CHECK_BIT(UNINIT)}, words);
    char *text = listing(program, "main");
    expect(text, "frame+");
    expect(text, " x");
    expect(text, "load32");
    free(text);
    ir_program_free(program);
    char *sets = lower("int setjmp(long *); long b[8];\n"
                       "int main(void) { int x = 1; if (!setjmp(b)) { x = 2; } return x; }",
                       NULL, "main");
    expect(sets, "__tamar_setjmp(");
    expect(sets, "store32_i [");
    free(sets);
}

static void test_variadic_call(void **state) {
    char *text =
        lower("int f(int n, ...); int f(int n, ...) { __builtin_va_list l; __builtin_va_start(l, n);\n"
              "int r = __builtin_va_arg(l, int); __builtin_va_end(l); return r; }\n"
              "int main(void) { return f(1, 2, 3.0, 4.0L); }",
              NULL, "main");
    expect(text, "frame+48: 32 bytes");
    expect(text, "... r");
    expect(text, "storen [");
    free(text);
}

static void test_constructors_in_order(void **state) {
    struct ir_program *program =
        load_text("a.c",
                  "int n; __attribute__((constructor)) static void late(void) { n = 1; }\n"
                  "__attribute__((constructor(200))) static void second(void) { n = 2; }\n"
                  "__attribute__((constructor(101))) static void first(void) { n = 3; }\n"
                  "__attribute__((destructor)) static void end(void) { n = 4; }\n"
                  "int main(void) { return n; }",
                  NULL);
    assert_int_equal(program->constructor_count, 3);
    static const char *const order[] = {"first", "second", "late"};
    for (int i = 0; i < 3; i++)
        assert_string_equal(program->functions[program->constructors[i]].name, order[i]);
    char *text = listing(program, "__tamar_constructors");
    assert_true(strstr(text, "first(r0, r1, r2)") < strstr(text, "late(r0, r1, r2)"));
    free(text);
    text = listing(program, "__tamar_destructors");
    expect(text, "end()");
    free(text);
    ir_program_free(program);
}

static void test_globals(void **state) {
    struct ir_program *program =
        load_text("a.c",
                  "struct p { const char *name; int (*f)(void); char pad; }; int g(void) { return 1; }\n"
                  "const struct p table[2] = {{\"one\", g, 1}, {\"two\", 0, 2}};\n"
                  "long zero[100]; static _Thread_local int own = 7; extern int weak __attribute__((weak));\n"
                  "int main(void) { return table[0].f() + (int)zero[1] + own + (&weak == 0); }",
                  NULL);
    const struct ir_global *table = ir_find_global(program, "table"), *zero = ir_find_global(program, "zero");
    const struct ir_global *own = ir_find_global(program, "own"), *one = ir_find_global(program, ".str");
    assert_true(table->readonly && !zero->readonly && own->thread_local_ && own->local);
    assert_int_equal(table->size, 48);
    assert_null(zero->bytes);
    assert_int_equal(own->bytes[0], 7);
    uint64_t pointers[2];
    memcpy(pointers, table->bytes, sizeof pointers);
    assert_int_equal(pointers[0], one->address);
    assert_ptr_equal(ir_function_at(program, pointers[1]), ir_find_function(program, "g"));
    assert_int_equal(table->bytes[16], 1);
    assert_null(ir_find_global(program, "weak"));
    assert_int_equal(program->locations[table->location].line, 2);
    ir_program_free(program);
}

static void test_only_what_is_reached(void **state) {
    struct ir_program *program =
        load_text("a.c",
                  "int unused_variable = 3; int helper(void); int unused(void) { return helper(); }\n"
                  "static int used(void) { return 1; } int (*table[])(void) = {used};\n"
                  "int main(void) { return table[0](); }",
                  NULL);
    assert_null(ir_find_function(program, "unused"));
    assert_null(ir_find_function(program, "helper"));
    assert_null(ir_find_global(program, "unused_variable"));
    assert_non_null(ir_find_function(program, "used"));
    ir_program_free(program);
}

static void test_several_modules(void **state) {
    const char *words[] = {
        text_file("a.c", "int common_one[2]; extern int shared; static int own(void) { return 1; }\n"
                         "int other(void); __attribute__((weak)) int twice(void) { return 1; }\n"
                         "int main(void) { return own() + other() + shared + twice() + common_one[0]; }"),
        text_file("b.c", "int common_one[8]; int shared = 5; static int own(void) { return 2; }\n"
                         "int twice(void) { return 2; } int other(void) { return own() + common_one[7]; }"),
        "-fcommon", NULL};
    struct ir_program *program = load(NULL, words);
    assert_non_null(program);
    assert_null(ir_verify(program));
    assert_int_equal(ir_find_global(program, "common_one")->size, 32);
    char *text = listing(program, "twice");
    expect(text, "imm r0, 0x2");
    free(text);
    unsigned owns = 0;
    for (uint32_t i = 0; i < program->function_count; i++) owns += !strcmp(program->functions[i].name, "own");
    assert_int_equal(owns, 2);
    ir_program_free(program);
}

static void test_source_lines(void **state) {
    struct ir_program *program =
        load_text("a.c",
                  "static inline __attribute__((always_inline)) int add(int a) {\n  return a + 1;\n}\n"
                  "int main(int argc, char **argv) {\n  int local[3];\n  local[1] = add(argc);\n  return "
                  "local[1];\n}\n",
                  NULL);
    char *text = listing(program, "main");
    expect(text, "a.c:2:12 in add, inlined at a.c:6:14");
    expect(text, "12 bytes local (line 5)");
    free(text);
    ir_program_free(program);
}

static void test_not_modelled_is_said_when_executed(void **state) {
    char *text = lower("int main(void) { int x = 3; __asm__ volatile(\"\" : \"+r\"(x) : : \"memory\");\n"
                       "__asm__(\"lsl %1, %0\" : \"=r\"(x) : \"r\"(x)); return x; }",
                       NULL, "main");
    expect(text, "not_modelled \"inline assembly \"lsl $1, $0\"; leave it out");
    refuse(text, "assembly \"\"");
    free(text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_loop_has_no_copies),
        cmocka_unit_test(test_phi_cycle_is_broken),
        cmocka_unit_test(test_addresses),
        cmocka_unit_test(test_unused_load_is_kept),
        cmocka_unit_test(test_constants_leave_loops),
        cmocka_unit_test(test_checks_on_request),
        cmocka_unit_test(test_locals_stay_in_memory),
        cmocka_unit_test(test_variadic_call),
        cmocka_unit_test(test_constructors_in_order),
        cmocka_unit_test(test_globals),
        cmocka_unit_test(test_only_what_is_reached),
        cmocka_unit_test(test_several_modules),
        cmocka_unit_test(test_source_lines),
        cmocka_unit_test(test_not_modelled_is_said_when_executed),
    };
    loading_start();
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    loading_end();
    return failed || mem_in_use() != 0;
}
