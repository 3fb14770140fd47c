// An image opens as the same program and contains no pointer of the process that wrote it. A damaged image that opens
// does not point outside of itself.
#include "../check.h"
#include "base/alloc.h"
#include "base/arena.h"
#include "base/random.h"
#include "base/text.h"
#include "ir/image.h"
#include "small_program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A program in which every pointer is set.
static struct ir_program *full_program(void) {
    static const struct ir_member member = {"member", 4, 1}, slot = {"parameter", 0, 2};
    static const struct ir_type types[] = {
        {0}, {IR_TYPE_SCALAR, 4, 0, NULL, 0}, {IR_TYPE_RECORD, 8, 0, NULL, 1}};
    static const struct ir_parameter parameter = {"x", 32, IR_PARAMETER_SIGNED, 1};
    static const struct ir_check check = {.kind = 1, .text = 1};
    static const struct ir_left_pointer left = {IR_DATA_BASE, IR_DATA_BASE + 64};
    struct ir_program *p = small_program();
    p->types = arena_memdup(p->arena, types, sizeof types);
    p->types[2].members = arena_memdup(p->arena, &member, sizeof member);
    p->type_count = COUNT(types);
    p->checks = arena_memdup(p->arena, &check, sizeof check);
    p->check_count = 1;
    p->left_pointers = arena_memdup(p->arena, &left, sizeof left);
    p->left_pointer_count = 1;
    p->constructors = arena_memdup(p->arena, &(uint32_t){0}, sizeof(uint32_t));
    p->destructors = arena_memdup(p->arena, &(uint32_t){1}, sizeof(uint32_t));
    p->constructor_count = p->destructor_count = 1;
    p->functions[0].parameters = arena_memdup(p->arena, &parameter, sizeof parameter);
    p->functions[0].parameter_count = 1;
    p->functions[0].slots = arena_memdup(p->arena, &slot, sizeof slot);
    p->functions[1].signature = "v4";
    return p;
}

static struct text written(const struct ir_program *program) {
    struct text image = {0};
    assert_true(ir_image_write(program, &image));
    return image;
}

static struct ir_program *opened(const struct text *image) {
    struct arena *arena = arena_new();
    struct ir_program *program =
        ir_image_open(arena_memdup(arena, image->at, image->count), image->count, arena);
    if (!program) arena_free(arena);
    return program;
}

static struct text listing(const struct ir_program *program) {
    char *at = NULL;
    size_t size = 0;
    struct text text = {0};
    FILE *out = open_memstream(&at, &size);
    ir_print(out, program);
    fclose(out);
    text_add_bytes(&text, at, size);
    free(at);
    return text;
}

static void test_same(void **state) {
    struct ir_program *program = full_program();
    struct text image = written(program), before = listing(program);
    ir_program_free(program); // the image does not refer to it
    struct ir_program *again = opened(&image);
    assert_non_null(again);
    struct text after = listing(again), second = written(again);
    assert_string_equal(before.at, after.at);
    assert_int_equal(image.count, second.count);
    assert_memory_equal(image.at, second.at, image.count);
    assert_null(ir_verify(again));
    assert_string_equal(again->types[2].members[0].name, "member");
    assert_string_equal(again->functions[0].slots[0].name, "parameter");
    assert_string_equal(again->functions[0].parameters[0].name, "x");
    assert_string_equal(again->functions[1].signature, "v4");
    assert_int_equal(again->left_pointers[0].global, IR_DATA_BASE + 64);
    assert_int_equal(again->checks[0].text, 1);
    assert_int_equal(again->destructors[0], 1);
    ir_program_free(again);
    struct text *all[] = {&image, &before, &after, &second};
    for (size_t i = 0; i < COUNT(all); i++) text_free(all[i]);
}

// Addresses of a process are above 2^32; the program's own numbers are below.
static void test_no_pointers(void **state) {
    struct ir_program *program = full_program();
    struct text image = written(program);
    for (uint32_t i = 0; i < program->function_count; i++) { // instructions are not pointers
        const struct ir_function *f = &program->functions[i];
        size_t size = f->code_count * sizeof *f->code;
        char *at = size ? memmem(image.at, image.count, f->code, size) : NULL;
        if (size) assert_non_null(at);
        if (at) memset(at, 0, size);
    }
    for (size_t at = 0; at + 8 <= image.count; at += 8) {
        uint64_t word;
        memcpy(&word, image.at + at, 8);
        assert_false(word >> 40 && word >> 47 == 0 && word % 8 == 0);
    }
    text_free(&image);
    ir_program_free(program);
}

static void test_damaged(void **state) {
    struct ir_program *program = full_program();
    struct text image = written(program);
    struct random random = {1};
    unsigned refused = 0;
    for (int round = 0; round < 20000; round++) {
        struct text copy = {0};
        text_add_bytes(&copy, image.at, image.count);
        size_t at = random_below(&random, image.count / 8) * 8;
        uint64_t value = random_below(&random, 2) ? random_next(&random) : random_below(&random, 4096);
        memcpy(copy.at + at, &value, 8);
        if (round % 4 == 0) copy.count = random_below(&random, copy.count); // shorter, too
        struct ir_program *again = opened(&copy);
        refused += !again;
        if (again) ir_program_free(again);
        text_free(&copy);
    }
    assert_true(refused > 1000);
    text_free(&image);
    ir_program_free(program);
}

static void test_too_large(void **state) {
    struct ir_program *program = full_program();
    program->globals[0].bytes = arena_alloc(program->arena, IR_IMAGE_LARGEST);
    program->globals[0].size = IR_IMAGE_LARGEST;
    struct text image = {0};
    assert_false(ir_image_write(program, &image));
    text_free(&image);
    ir_program_free(program);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same),
        cmocka_unit_test(test_no_pointers),
        cmocka_unit_test(test_damaged),
        cmocka_unit_test(test_too_large),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
