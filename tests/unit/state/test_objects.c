// The table of objects under random traces: allocations, frees, calls, scopes, dynamic allocas, mappings, threads and
// forks. The model is a list of objects with their numbers; the answer for an address is found by looking at all of
// them.
#include "../check.h"

#include "base/random.h"
#include "base/vec.h"
#include "state/objects.h"

#define COPIES    3
#define STEPS     400
#define MOST_DEEP 12

// ---- the program: three globals, four functions

static struct ir_global globals[] = {
    {.name = "constant", .address = IR_DATA_BASE + 64, .size = 24, .readonly = true},
    {.name = "empty", .address = IR_DATA_BASE + 4096 + 64, .size = 0},
    {.name = "array", .address = IR_DATA_BASE + 4096 + 128, .size = 200},
};
static struct ir_alloca allocas[] = {
    {16, 4, 0, 0, false}, {40, 100, 0, 0, true}, {176, 0, 0, 0, true}, {192, 1, 0, 0, false}};
static struct ir_function functions[] = {
    {.name = "none", .index = 0},
    {.name = "one", .index = 1, .frame_size = 48, .frame_align = 16, .allocas = allocas, .alloca_count = 1},
    {.name = "two", .index = 2, .frame_size = 176, .frame_align = 64, .allocas = allocas, .alloca_count = 2},
    {.name = "four", .index = 3, .frame_size = 224, .frame_align = 16, .allocas = allocas, .alloca_count = 4},
};
static const struct ir_program program = {
    .globals = globals,
    .global_count = COUNT(globals),
    .first_thread_local = COUNT(globals),
    .readonly_end = IR_DATA_BASE + 4096,
    .data_end = IR_DATA_BASE + 2 * 4096,
    .functions = functions,
    .function_count = COUNT(functions),
};

// ---- the model

struct known {
    uint64_t start, size, identity;
    enum object_kind kind;
    enum object_life life;
    uint32_t allocated_at, ended_at;
    uint32_t depth; // number of its frame; 0: not on a stack
};

struct model {
    struct state *state;
    vec(struct known) objects;
    vec(uint64_t) saved; // stack pointers of the top frame, to go back to
    uint64_t made;
    uint32_t site;
};

static void add(struct model *model, struct known known) {
    known.identity = ++model->made;
    vec_push(&model->objects, known);
}

static void start_model(struct model *model) {
    *model = (struct model){.state = state_new(&program, STACK_SIZE_DEFAULT)};
    for (unsigned i = 0; i < COUNT(globals); i++)
        add(model,
            (struct known){globals[i].address, globals[i].size, 0, OBJECT_GLOBAL, OBJECT_LIVE, 0, 0, 0});
    add(model, (struct known){model->state->threads.block, 0, 0, OBJECT_THREAD_BLOCK, OBJECT_LIVE, 0, 0, 0});
    uint64_t at = STACK_TOP - STACK_ROOM;
    for (uint64_t size = 1; size < 30; size += 3) {
        at -= size + STRING_GAP;
        memory_zero(&model->state->memory, at, size, SHADOW_OK);
        memory_set_shadow(&model->state->memory, at + size, STRING_GAP, SHADOW_AFTER_BOUND);
        object_add_start(model->state, OBJECT_STRING, at, size);
        add(model, (struct known){at, size, 0, OBJECT_STRING, OBJECT_LIVE, 0, 0, 0});
    }
    at = (at - 80 - START_GAP) & ~(uint64_t)15;
    memory_zero(&model->state->memory, at, 80, SHADOW_OK);
    object_add_start(model->state, OBJECT_START_LIST, at, 80);
    add(model, (struct known){at, 80, 0, OBJECT_START_LIST, OBJECT_LIVE, 0, 0, 0});
    struct frame *frame = state_enter_below(model->state, &functions[0], at - START_GAP);
    assert_non_null(frame);
}

static void free_model(struct model *model) {
    state_free(model->state);
    vec_free(&model->objects);
    vec_free(&model->saved);
}

static void fork_model(struct model *to, const struct model *from) {
    if (to == from) return;
    free_model(to);
    *to = (struct model){.state = state_fork(from->state, 0), .made = from->made, .site = from->site};
    vec_each (struct known, one, &from->objects) vec_push(&to->objects, *one);
    vec_each (uint64_t, one, &from->saved) vec_push(&to->saved, *one);
}

// ---- steps

static void enter(struct model *model, struct random *random) {
    struct state *state = model->state;
    if (state->frames.depth == MOST_DEEP) return;
    const struct ir_function *function = &functions[random_below(random, COUNT(functions))];
    struct frame *frame = state_enter(state, function);
    assert_non_null(frame);
    uint8_t shadow[256];
    frame_shadow(function, SHADOW_OK, shadow);
    memory_set_shadows(&state->memory, frame->memory, function->frame_size, shadow);
    for (uint32_t i = 0; i < function->alloca_count; i++) {
        bool later = allocas[i].begins_later && allocas[i].size;
        add(model, (struct known){.start = frame->memory + allocas[i].offset,
                                  .size = allocas[i].size,
                                  .kind = OBJECT_LOCAL,
                                  .life = later ? OBJECT_OUT_OF_SCOPE : OBJECT_LIVE,
                                  .depth = state->frames.depth});
    }
    vec_clear(&model->saved);
}

// Objects of this frame that start below the limit end.
static void end_stack_objects(struct model *model, uint32_t depth, uint64_t limit) {
    uint32_t kept = 0;
    vec_each (struct known, one, &model->objects)
        if (one->depth != depth || one->start >= limit) model->objects.at[kept++] = *one;
    model->objects.count = kept;
}

static void leave(struct model *model) {
    struct state *state = model->state;
    if (state->frames.depth == 1) return;
    const struct frame *frame = frames_top(&state->frames);
    end_stack_objects(model, state->frames.depth, UINT64_MAX);
    memory_set_shadow(&state->memory, frame->stack_pointer, frame->stack_entry - frame->stack_pointer,
                      SHADOW_ENDED);
    frames_pop(&state->frames);
    vec_clear(&model->saved);
}

static void allocate(struct model *model, struct random *random) {
    static const enum heap_kind kinds[] = {HEAP_MALLOC, HEAP_SYSTEM, HEAP_KERNEL};
    static const enum object_kind found[] = {OBJECT_HEAP, OBJECT_SYSTEM, OBJECT_KERNEL};
    unsigned kind = (unsigned)random_below(random, COUNT(kinds));
    uint64_t size = random_below(random, 300);
    uint64_t at = object_new_heap(model->state, size, 16, kinds[kind], ++model->site, SHADOW_OK);
    // A slot that is taken again belongs to a new object.
    uint32_t kept = 0;
    vec_each (struct known, one, &model->objects)
        if (one->life != OBJECT_FREED || one->start != at) model->objects.at[kept++] = *one;
    model->objects.count = kept;
    add(model, (struct known){at, size, 0, found[kind], OBJECT_LIVE, model->site, 0, 0});
}

static void release(struct model *model, struct random *random) {
    struct known *one = &model->objects.at[random_below(random, model->objects.count)];
    bool heap = one->kind == OBJECT_HEAP || one->kind == OBJECT_SYSTEM || one->kind == OBJECT_KERNEL;
    if (!heap || one->life != OBJECT_LIVE) return;
    one->life = OBJECT_FREED;
    one->ended_at = ++model->site;
    heap_free(&model->state->memory, one->start, model->site);
}

static void grow_stack(struct model *model, struct random *random) {
    struct state *state = model->state;
    vec_push(&model->saved, frames_top(&state->frames)->stack_pointer);
    uint64_t size = random_below(random, 200);
    uint64_t at = state_alloca(state, size, (uint64_t)1 << random_below(random, 7), ++model->site, SHADOW_OK);
    assert_true(at);
    add(model, (struct known){at, size, 0, OBJECT_ALLOCA, OBJECT_LIVE, model->site, 0, state->frames.depth});
}

static void shrink_stack(struct model *model, struct random *random) {
    if (!model->saved.count) return;
    model->saved.count = (uint32_t)random_below(random, model->saved.count) + 1;
    uint64_t pointer = vec_pop(&model->saved);
    end_stack_objects(model, model->state->frames.depth, pointer);
    state_restore_stack(model->state, pointer);
}

// A scope begins or ends, perhaps once more; what stands in it stays.
static void change_scope(struct model *model, struct random *random) {
    struct known *one = &model->objects.at[random_below(random, model->objects.count)];
    if (one->kind != OBJECT_LOCAL || !one->size) return;
    struct memory *memory = &model->state->memory;
    uint8_t byte = (uint8_t)random_next(random), found;
    memory_poke(memory, one->start, &byte, 1);
    one->life = random_below(random, 2) ? OBJECT_OUT_OF_SCOPE : OBJECT_LIVE;
    if (one->life == OBJECT_LIVE)
        memory_begin_scope(memory, one->start, one->size);
    else
        memory_end_scope(memory, one->start, one->size);
    memory_peek(*memory, one->start, &found, 1);
    assert_int_equal(found, byte);
}

static void step(struct model *model, struct random *random) {
    switch (random_below(random, 10)) {
    case 8:
    case 9: change_scope(model, random); break;
    case 0:
    case 1: enter(model, random); break;
    case 2: leave(model); break;
    case 3: allocate(model, random); break;
    case 4: release(model, random); break;
    case 5:
    case 6: grow_stack(model, random); break;
    default: shrink_stack(model, random); break;
    }
}

// ---- checks

static const struct known *look_up(const struct model *model, uint64_t address) {
    vec_each (struct known, one, &model->objects)
        if (address - one->start < MAX(one->size, 1)) return one;
    return NULL;
}

static void check_same(const struct known *known, const struct object *object) {
    assert_int_equal(object->start, known->start);
    assert_int_equal(object->size, known->size);
    assert_int_equal(object->identity, known->identity);
    assert_int_equal(object->kind, known->kind);
    assert_int_equal(object->life, known->life);
    assert_int_equal(object->allocated_at, known->allocated_at);
    assert_int_equal(object->ended_at, known->ended_at);
    assert_int_equal(object->readonly, known->start == globals[0].address);
}

// Every byte of the object, the one before and the one after it.
static void check_around(const struct model *model, const struct known *known, struct random *random) {
    struct object object;
    for (uint64_t i = 0; i <= known->size; i += 1 + random_below(random, 8)) {
        uint64_t address = known->start + i;
        assert_true(object_find(model->state, address, &object));
        check_same(known, &object);
        bool live = object_at(model->state, address, &object);
        assert_int_equal(live, known->life == OBJECT_LIVE);
        if (live) check_same(known, &object);
        bool accessible = !(memory_shadow(model->state->memory, address) & SHADOW_NO_ACCESS);
        assert_int_equal(accessible, live && i < known->size);
    }
    if (known->start > IR_DATA_BASE) assert_false(object_at(model->state, known->start - 1, &object));
}

// A stack address outside of all objects of the model is in no object, and is not accessible. This detects records and
// bytes that outlive their object.
static void check_stack(const struct model *model, struct random *random) {
    uint64_t low = frames_top(&model->state->frames)->stack_pointer - 600;
    for (unsigned i = 0; i < 60; i++) {
        uint64_t address = low + random_below(random, STACK_TOP - low);
        struct object object;
        const struct known *known = look_up(model, address);
        bool found = object_at(model->state, address, &object);
        if (!known) assert_true(memory_shadow(model->state->memory, address) & SHADOW_NO_ACCESS);
        if (known && known->life == OBJECT_OUT_OF_SCOPE) {
            assert_false(found);
        } else if (known) {
            assert_true(found);
            check_same(known, &object);
        } else if (found) { // just past its end
            known = look_up(model, object.start);
            assert_non_null(known);
            check_same(known, &object);
            assert_int_equal(address, object.start + object.size);
        }
    }
}

static void check_model(const struct model *model, struct random *random) {
    assert_int_equal(model->state->objects.made, model->made);
    vec_each (struct known, known, &model->objects) check_around(model, known, random);
    check_stack(model, random);
}

static void test_random_traces(void **state) {
    for (uint64_t seed = 1; seed <= 10; seed++) {
        size_t before = mem_in_use();
        struct random random = {seed};
        struct model models[COPIES];
        for (unsigned i = 0; i < COPIES; i++) start_model(&models[i]);
        for (unsigned i = 0; i < STEPS; i++) {
            struct model *model = &models[random_below(&random, COPIES)];
            if (random_below(&random, 20) == 0)
                fork_model(model, &models[random_below(&random, COPIES)]);
            else
                step(model, &random);
            if (i % 20 == 0) check_model(&models[random_below(&random, COPIES)], &random);
        }
        for (unsigned i = 0; i < COPIES; i++) {
            check_model(&models[i], &random);
            free_model(&models[i]);
        }
        assert_int_equal(mem_in_use(), before);
    }
}

// The same steps give the same identities, whatever other states do in between.
static void test_rebuilt(void **state) {
    struct model models[2];
    struct random randoms[2] = {{7}, {7}}, other = {8};
    for (unsigned i = 0; i < 2; i++) start_model(&models[i]);
    for (unsigned k = 0; k < STEPS; k++) step(&models[0], &randoms[0]);
    for (unsigned k = 0; k < STEPS; k++) {
        struct state *fork = state_fork(models[1].state, 1);
        object_new_heap(fork, random_below(&other, 100), 16, HEAP_MALLOC, 1, SHADOW_OK);
        state_free(fork);
        step(&models[1], &randoms[1]);
    }
    assert_int_equal(models[0].objects.count, models[1].objects.count);
    vec_each (struct known, known, &models[0].objects) {
        struct object object;
        assert_true(object_find(models[1].state, known->start, &object));
        check_same(known, &object);
    }
    for (unsigned i = 0; i < 2; i++) free_model(&models[i]);
}

// ---- mappings: whole as records, in accessible parts for an access

static void test_mappings(void **state) {
    struct state *one = state_new(&program, STACK_SIZE_DEFAULT);
    uint64_t size = 64 * 4096, at = object_new_heap(one, size, 4096, HEAP_MAPPED, 5, SHADOW_OK);
    struct object object;
    assert_true(object_at(one, at + 1000, &object));
    assert_true(object.start == at && object.size == size && object.kind == OBJECT_MAPPING);
    memory_retire(&one->memory, at + 8 * 4096, 4096, SHADOW_FREED); // a hole
    memory_make_readonly(&one->memory, at, 4096);
    assert_true(object_at(one, at + 1000, &object));
    assert_true(object.start == at && object.size == 4096 && object.readonly);
    assert_true(object_at(one, at + 4096, &object)); // writable bytes are another part
    assert_true(object.start == at + 4096 && object.size == 7 * 4096 && !object.readonly);
    assert_true(object_at(one, at + 8 * 4096, &object)); // just past the part
    assert_true(object.start == at + 4096);
    assert_false(object_at(one, at + 8 * 4096 + 1, &object));
    assert_true(object_at(one, at + 9 * 4096 + 77, &object));
    assert_true(object.start == at + 9 * 4096 && object.size == 55 * 4096 && !object.readonly);
    assert_true(object_find(one, at + 8 * 4096 + 1, &object));
    assert_true(object.start == at && object.size == size && object.life == OBJECT_LIVE);
    heap_free(&one->memory, at, 6);
    assert_false(object_at(one, at + 1000, &object));
    assert_true(object_find(one, at + 1000, &object));
    assert_true(object.life == OBJECT_FREED && object.allocated_at == 5 && object.ended_at == 6);
    state_free(one);
}

// ---- threads: the locals of a thread that waits are found, those of another process are not

static void test_tasks(void **state) {
    struct state *one = state_new(&program, STACK_SIZE_DEFAULT);
    struct frame *frame = state_enter_below(one, &functions[1], STACK_TOP - 4096);
    uint64_t local = frame->memory + allocas[0].offset;
    uint64_t stack = object_new_heap(one, 16 * 4096, 4096, HEAP_MAPPED, 0, SHADOW_OK);
    struct frames running = one->frames;
    one->frames = (struct frames){0};
    uint64_t limit = one->threads.stack_limit;
    one->threads.stack_limit = stack;
    frame = state_enter_below(one, &functions[2], stack + 16 * 4096);
    uint64_t other = frame->memory + allocas[1].offset, identity = frame->first_object + 1;
    uint64_t dynamic = state_alloca(one, 10, 16, 3, SHADOW_OK);
    struct frames frames = one->frames;
    one->frames = running;
    one->threads.stack_limit = limit;
    tasks_add_thread(one, frames, stack, one->threads.block, 0);
    struct object object;
    assert_true(object_at(one, other + 50, &object));
    assert_true(object.kind == OBJECT_LOCAL && object.start == other && object.identity == identity);
    assert_true(object_at(one, dynamic + 10, &object));
    assert_true(object.kind == OBJECT_ALLOCA && object.start == dynamic && object.allocated_at == 3);
    assert_true(object_at(one, local, &object) && object.start == local);
    uint32_t process = tasks_add_process(one, frames_fork(&one->frames));
    assert_true(tasks_switch(one, process, false));
    assert_true(object_at(one, local, &object) && object.start == local);
    assert_false(object_at(one, other + 50, &object) && object.kind == OBJECT_LOCAL);
    state_free(one);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_traces),
        cmocka_unit_test(test_rebuilt),
        cmocka_unit_test(test_mappings),
        cmocka_unit_test(test_tasks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
