#include "message/message.h"

LAYOUT_TABLE(test_input, TEST_INPUT_FIELDS)
LAYOUT_TABLE(test_case, TEST_CASE_FIELDS)
LAYOUT_TABLE(finding_frame, FINDING_FRAME_FIELDS)
LAYOUT_TABLE(finding_stack, FINDING_STACK_FIELDS)
LAYOUT_TABLE(finding_byte, FINDING_BYTE_FIELDS)
LAYOUT_TABLE(finding, FINDING_FIELDS)

// Counters have their own tables (base/counters.h).
#define ROW(T, name) {#name, FIELD_LONG, offsetof(struct T, name), 0, 0, NULL},
#define LAYER_ROW(layer, name)                                                                               \
    {#layer " " #name, FIELD_LONG, offsetof(struct solver_counters, layers[LAYER_##layer].name), 0, 0, NULL},
#define TABLE(T) const struct layout layout_##T = {#T, sizeof(struct T), T##_fields, COUNT(T##_fields)};

static const struct field run_counters_fields[] = {
#define PATHS(name, key, meaning) ROW(run_counters, name)
#define COUNTER(name, meaning)    ROW(run_counters, name)
    RUN_COUNTERS(PATHS, COUNTER)
#undef PATHS
#undef COUNTER
};
TABLE(run_counters)

static const struct field symbolic_counters_fields[] = {
#define COUNTER(name, meaning) ROW(symbolic_counters, name)
    SYMBOLIC_COUNTERS(COUNTER)
#undef COUNTER
};
TABLE(symbolic_counters)

static const struct field solver_counters_fields[] = {
#define COUNTER(name, meaning) ROW(solver_counters, name)
    SOLVER_COUNTERS(COUNTER)
#undef COUNTER
#define LAYER(name, ...) LAYER_ROW(name, asked) LAYER_ROW(name, answered) LAYER_ROW(name, nanoseconds)
        LAYER_TABLE(LAYER)
#undef LAYER
            ROW(solver_counters, nanoseconds)};
TABLE(solver_counters)

LAYOUT_TABLE(run_status, RUN_STATUS_FIELDS)
LAYOUT_TABLE(coverage_delta, COVERAGE_DELTA_FIELDS)
LAYOUT_TABLE(incompleteness, INCOMPLETENESS_FIELDS)
LAYOUT_TABLE(engine_bug, ENGINE_BUG_FIELDS)
LAYOUT_TABLE(target_status, TARGET_STATUS_FIELDS)
LAYOUT_TABLE(frontier_input, FRONTIER_INPUT_FIELDS)
LAYOUT_TABLE(frontier_entry, FRONTIER_ENTRY_FIELDS)
LAYOUT_TABLE(work_order, WORK_ORDER_FIELDS)
LAYOUT_TABLE(work_report, WORK_REPORT_FIELDS)
LAYOUT_TABLE(shared_text, SHARED_TEXT_FIELDS)
LAYOUT_TABLE(shared_file, SHARED_FILE_FIELDS)
LAYOUT_TABLE(shared_range, SHARED_RANGE_FIELDS)
LAYOUT_TABLE(shared_target, SHARED_TARGET_FIELDS)
LAYOUT_TABLE(shared_environment, SHARED_ENVIRONMENT_FIELDS)
LAYOUT_TABLE(shared_run, SHARED_RUN_FIELDS)
LAYOUT_TABLE(shared_position, SHARED_POSITION_FIELDS)
LAYOUT_TABLE(solver_answer, SOLVER_ANSWER_FIELDS)

const struct layout *const message_layouts[MESSAGE_KINDS] = {
#define MESSAGE(name, tag) [MESSAGE_##name] = &layout_##tag,
    MESSAGES(MESSAGE)
#undef MESSAGE
};
