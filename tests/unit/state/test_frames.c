// Stacks of frames, forked, grown and cut at random, each compared with a list of the expected frames.
#include "../check.h"

#include "base/random.h"
#include "base/vec.h"
#include "state/frames.h"

#define COPIES 5

struct expected {
    uint32_t function;
    uint64_t mark;
};

struct model {
    struct frames frames;
    vec(struct expected) list;
};

static struct ir_function functions[8];

static void push(struct model *model, struct random *random) {
    uint32_t which = (uint32_t)random_below(random, COUNT(functions));
    struct frame *frame = frames_push(&model->frames, &functions[which]);
    uint64_t mark = random_next(random);
    frame->memory = mark;
    for (uint32_t i = 0; i < functions[which].register_count; i++) frame->registers[i] = mark + i;
    if (mark & 1) {
        frame_add_terms(frame);
        for (uint32_t i = 0; i < functions[which].register_count; i++) {
            assert_int_equal(frame_terms(frame)[i], 0);
            frame_terms(frame)[i] = (uint32_t)mark ^ i;
        }
    }
    vec_push(&model->list, ((struct expected){which, mark}));
}

static void check_frame(const struct frame *frame, struct expected expected) {
    assert_ptr_equal(frame->function, &functions[expected.function]);
    assert_int_equal(frame->memory, expected.mark);
    for (uint32_t i = 0; i < frame->function->register_count; i++) {
        assert_int_equal(frame->registers[i], expected.mark + i);
        if (expected.mark & 1)
            assert_int_equal(frame_terms((struct frame *)frame)[i], (uint32_t)expected.mark ^ i);
    }
}

static void check(const struct model *model) {
    assert_int_equal(model->frames.depth, model->list.count);
    const struct frame_chunk *chunk = model->frames.chunk;
    const struct frame *frame = chunk ? frames_top(&model->frames) : NULL;
    for (uint32_t i = model->list.count; i--; frame = frames_below(&chunk, frame)) {
        assert_non_null(frame);
        check_frame(frame, model->list.at[i]);
    }
    assert_null(frame);
}

static void fork_model(struct model *to, const struct model *from) {
    if (to == from) return;
    frames_free(&to->frames);
    to->frames = frames_fork(&from->frames);
    vec_clear(&to->list);
    vec_each (struct expected, one, &from->list) vec_push(&to->list, *one);
}

static void test_random_traces(void **state) {
    for (unsigned i = 0; i < COUNT(functions); i++) functions[i].register_count = i * i * 17;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        size_t before = mem_in_use();
        struct random random = {seed};
        struct model models[COPIES] = {0};
        for (unsigned i = 0; i < 2000; i++) {
            struct model *model = &models[random_below(&random, COPIES)];
            unsigned what = (unsigned)random_below(&random, 20);
            if (what == 0) {
                fork_model(model, &models[random_below(&random, COPIES)]);
            } else if (what < 12 || !model->list.count) {
                push(model, &random);
            } else {
                frames_pop(&model->frames);
                model->list.count--;
                if (model->list.count) { // the frame that is now on top may be written
                    struct expected *top = vec_last(&model->list);
                    check_frame(frames_top(&model->frames), *top);
                    uint64_t mark = (random_next(&random) & ~(uint64_t)1) | (top->mark & 1);
                    struct frame *frame = frames_top(&model->frames);
                    top->mark = frame->memory = mark;
                    for (uint32_t k = 0; k < frame->function->register_count; k++) {
                        frame->registers[k] = mark + k;
                        if (mark & 1) frame_terms(frame)[k] = (uint32_t)mark ^ k;
                    }
                }
            }
        }
        for (unsigned i = 0; i < COPIES; i++) {
            check(&models[i]);
            frames_free(&models[i].frames);
            vec_free(&models[i].list);
        }
        assert_int_equal(mem_in_use(), before);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_random_traces)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
