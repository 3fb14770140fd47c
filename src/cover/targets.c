#include "cover/targets.h"

#include "base/vec.h"

struct target {
    vec(struct ir_point) points;
    struct distance *distance; // distances to this target alone; NULL: not computed yet
    bool open;
};

struct targets {
    const struct ir_program *program;
    struct graph *graph;
    struct target *at;
    uint32_t count, open_count, version;
    struct distance *all;
    uint32_t all_version; // version of `all`; 0: not computed
    vec(uint32_t) goals;  // functions added by targets_add_goal
    vec(uint32_t) order;
    bool main_called;
};

static void find_places(struct targets *targets) {
    const struct ir_program *program = targets->program;
    for (uint32_t f = 0; f < program->function_count; f++) {
        const struct ir_function *function = &program->functions[f];
        for (uint32_t i = 0; function->code && i < function->code_count;
             i += ir_op_info[function->code[i].op].words) {
            const struct ir_insn *insn = &function->code[i];
            if (insn->op != IR_MARK || insn->a & IR_MARK_ENTRY) continue;
            vec_push(&targets->at[insn->a].points, ((struct ir_point){f, i}));
        }
    }
}

struct targets *targets_new(const struct ir_program *program) {
    struct targets *targets = NEW(struct targets);
    targets->program = program;
    targets->count = targets->open_count = program->mark_count;
    targets->version = 1;
    targets->graph = graph_new(program);
    targets->at = NEW_ARRAY(struct target, targets->count);
    for (uint32_t i = 0; i < targets->count; i++) targets->at[i].open = true;
    find_places(targets);
    return targets;
}

void targets_free(struct targets *targets) {
    if (!targets) return;
    for (uint32_t i = 0; i < targets->count; i++) {
        vec_free(&targets->at[i].points);
        distance_free(targets->at[i].distance);
    }
    DELETE_ARRAY(targets->at, targets->count);
    distance_free(targets->all);
    vec_free(&targets->goals);
    vec_free(&targets->order);
    graph_free(targets->graph);
    DELETE(targets);
}

const struct graph *targets_graph(const struct targets *targets) { return targets->graph; }
uint32_t targets_count(const struct targets *targets) { return targets->count; }
uint32_t targets_open_count(const struct targets *targets) { return targets->open_count; }
uint32_t targets_version(const struct targets *targets) { return targets->version; }

bool targets_is_open(const struct targets *targets, uint32_t target) {
    assert(target < targets->count);
    return targets->at[target].open;
}

void targets_close(struct targets *targets, uint32_t target) {
    assert(targets_is_open(targets, target));
    targets->at[target].open = false;
    targets->open_count--;
    targets->version++;
}

const struct ir_point *targets_points(const struct targets *targets, uint32_t target, uint32_t *count) {
    *count = targets->at[target].points.count;
    return targets->at[target].points.at;
}

static void add_goals(const struct targets *targets, struct ir_point *points, uint32_t *count) {
    vec_each (uint32_t, function, &targets->goals) points[(*count)++] = (struct ir_point){*function, 0};
}

const struct distance *targets_distance(struct targets *targets) {
    if (targets->all_version == targets->version) return targets->all;
    uint32_t total = targets->goals.count, count = 0;
    for (uint32_t i = 0; i < targets->count; i++) total += targets->at[i].points.count;
    struct ir_point *points = NEW_ARRAY(struct ir_point, total);
    add_goals(targets, points, &count);
    for (uint32_t i = 0; i < targets->count; i++)
        vec_each (struct ir_point, point, &targets->at[i].points)
            if (targets->at[i].open) points[count++] = *point;
    if (!targets->all) targets->all = distance_new(targets->graph);
    distance_set(targets->all, points, count);
    DELETE_ARRAY(points, total);
    targets->all_version = targets->version;
    return targets->all;
}

const struct distance *targets_distance_to(struct targets *targets, uint32_t target) {
    struct target *one = &targets->at[target];
    if (!one->distance) {
        one->distance = distance_new(targets->graph);
        distance_set(one->distance, one->points.at, one->points.count);
    }
    return one->distance;
}

void targets_add_goal(struct targets *targets, uint32_t function) {
    vec_push(&targets->goals, function);
    targets->version++;
}

void targets_open_main(struct targets *targets) { targets->main_called = true; }
bool targets_main_is_open(const struct targets *targets) { return targets->main_called; }

void targets_set_order(struct targets *targets, const uint32_t *order, uint32_t count) {
    vec_clear(&targets->order);
    for (uint32_t i = 0; i < count; i++) {
        assert(order[i] < targets->count);
        vec_push(&targets->order, order[i]);
    }
    targets->version++;
}

const uint32_t *targets_order(const struct targets *targets, uint32_t *count) {
    *count = targets->order.count;
    return targets->order.count ? targets->order.at : NULL;
}
