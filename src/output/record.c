#include "output/record.h"

#include "base/arena.h"
#include "base/bug_kinds.h"
#include "base/vec.h"
#include "ir/graph.h"

#include <string.h>

struct record {
    const struct ir_program *program;
    struct cover *cover;
    uint8_t *edges, *symbolic, *functions, *positions, *deferred; // per edge, edge, function, position, block
    bool cover_changed;
    struct arena *arena, *latest; // latest: for the current status
    struct run_status status;
    vec(struct finding *) findings;            // by number
    vec(struct incompleteness) incomplete;     // by number
    vec(const struct target_status *) targets; // by number; NULL: no message yet
};

struct record *record_new(const struct ir_program *program) {
    struct record *record = NEW(struct record);
    record->program = program;
    record->cover = cover_new(program);
    record->edges = NEW_ARRAY(uint8_t, program->edge_count);
    record->symbolic = NEW_ARRAY(uint8_t, program->edge_count);
    record->functions = NEW_ARRAY(uint8_t, program->function_count);
    record->positions = NEW_ARRAY(uint8_t, program->position_count + 1);
    record->deferred = NEW_ARRAY(uint8_t, program->block_count);
    record->arena = arena_new();
    record->latest = arena_new();
    return record;
}

void record_free(struct record *record) {
    if (!record) return;
    cover_free(record->cover);
    DELETE_ARRAY(record->edges, record->program->edge_count);
    DELETE_ARRAY(record->symbolic, record->program->edge_count);
    DELETE_ARRAY(record->functions, record->program->function_count);
    DELETE_ARRAY(record->positions, record->program->position_count + 1);
    DELETE_ARRAY(record->deferred, record->program->block_count);
    vec_free(&record->findings);
    vec_free(&record->incomplete);
    vec_free(&record->targets);
    arena_free(record->arena);
    arena_free(record->latest);
    DELETE(record);
}

// ---- messages

static void set_all(uint8_t *bytes, const uint32_t *items, uint32_t count, uint32_t size) {
    for (uint32_t i = 0; i < count; i++)
        if (items[i] < size) bytes[items[i]] = 1;
}

static void take_coverage(struct record *record, const struct coverage_delta *delta) {
    const struct ir_program *program = record->program;
    set_all(record->edges, delta->edges, delta->edge_count, program->edge_count);
    set_all(record->symbolic, delta->symbolic, delta->symbolic_count, program->edge_count);
    set_all(record->functions, delta->functions, delta->function_count, program->function_count);
    set_all(record->positions, delta->positions, delta->position_count, program->position_count + 1);
    memset(record->deferred, 0, program->block_count);
    set_all(record->deferred, delta->deferred, delta->deferred_count, program->block_count);
    record->cover_changed = true;
}

static void take_status(struct record *record, const struct run_status *status) {
    struct arena *latest = arena_new();
    layout_copy(&layout_run_status, latest, status, &record->status);
    arena_free(record->latest);
    record->latest = latest;
}

static void take_finding(struct record *record, const struct finding *finding) {
    struct finding *copy = ARENA_NEW(record->arena, struct finding);
    layout_copy(&layout_finding, record->arena, finding, copy);
    if (record_finding(record, finding->number))
        record->findings.at[finding->number - 1] = copy;
    else if (finding->number == record->findings.count + 1)
        vec_push(&record->findings, copy);
}

static void take_bug(struct record *record, const struct engine_bug *bug) {
    struct finding *finding = record_finding(record, bug->number);
    if (!finding) return;
    finding->paths = bug->paths;
    finding->occurrences = bug->stack_words / 2;
}

static void take_incomplete(struct record *record, const struct incompleteness *entry) {
    if (entry->number && entry->number <= record->incomplete.count) {
        record->incomplete.at[entry->number - 1].count = entry->count;
        return;
    }
    struct incompleteness copy = {0};
    layout_copy(&layout_incompleteness, record->arena, entry, &copy);
    vec_push(&record->incomplete, copy);
}

// Replaces the status of a target. Old versions stay in the arena: these messages are rare, and mostly come at the end
// of a run.
static void take_target(struct record *record, const struct target_status *target) {
    while (record->targets.count <= target->number) vec_push(&record->targets, NULL);
    const struct target_status *known = record->targets.at[target->number];
    if (known && layout_equal(&layout_target_status, known, target)) return;
    struct target_status *copy = ARENA_NEW(record->arena, struct target_status);
    layout_copy(&layout_target_status, record->arena, target, copy);
    record->targets.at[target->number] = copy;
}

void record_take(struct record *record, const struct message *message) {
    switch (message->kind) {
    case MESSAGE_COVERAGE: take_coverage(record, message->coverage_delta); break;
    case MESSAGE_STATUS: take_status(record, message->run_status); break;
    case MESSAGE_FINDING: take_finding(record, message->finding); break;
    case MESSAGE_ENGINE_BUG: take_bug(record, message->engine_bug); break;
    case MESSAGE_INCOMPLETE: take_incomplete(record, message->incompleteness); break;
    case MESSAGE_TARGET: take_target(record, message->target_status); break;
    case MESSAGE_TEST:     // handled by the writer
    case MESSAGE_FRONTIER: // used by checkpoints
    case MESSAGE_ORDER:    // sent between processes
    case MESSAGE_REPORT:
    case MESSAGE_RUN:
    case MESSAGE_POSITION:
    case MESSAGE_ANSWER:
    case MESSAGE_KINDS: break;
    }
}

// ---- accumulated data

struct finding *record_finding(struct record *record, uint32_t number) {
    return number && number <= record->findings.count ? record->findings.at[number - 1] : NULL;
}

const struct target_status *record_target(const struct record *record, uint32_t number) {
    return number < record->targets.count ? record->targets.at[number] : NULL;
}

const struct cover *record_cover(struct record *record) {
    if (record->cover_changed) {
        cover_update(record->cover,
                     &(struct cover_seen){record->edges, record->functions, record->positions});
        cover_mark_symbolic(record->cover, record->symbolic);
        record->cover_changed = false;
    }
    return record->cover;
}

// ---- the summary

static bool is_at(const struct ir_program *program, uint32_t location, const struct finding_frame *place) {
    const struct ir_location *at = &program->locations[location];
    return at->line == place->line && !strcmp(program->files[at->file], place->file);
}

// Marks the locations of the findings' lines; of failed assertions, only those of the same column.
static void mark_findings(const struct record *record, bool only_assertions, uint8_t *marks) {
    const struct ir_program *program = record->program;
    vec_each (struct finding *, finding, &record->findings) {
        const struct finding_frame *place = &(*finding)->place;
        if (only_assertions && strcmp((*finding)->kind, bug_facts[BUG_ASSERT].name) != 0) continue;
        for (uint32_t i = 1; i < program->location_count; i++)
            if (is_at(program, i, place) &&
                (!only_assertions || program->locations[i].column == place->column))
                marks[i] = 1;
    }
}

// Counts assertions. A branch with a skipped or pending side leaves its assertion undecided. Unless every path was
// explored, nothing is proved: another path may reach the assertion.
static struct assertion_counts assertions(const struct record *record, bool complete) {
    const struct ir_program *program = record->program;
    uint8_t *undecided = NEW_ARRAY(uint8_t, program->block_count);
    memcpy(undecided, record->deferred, program->block_count);
    for (uint32_t i = 0; i < record->incomplete.count; i++) {
        uint32_t block = record->incomplete.at[i].block;
        if (record->incomplete.at[i].lost && block && block <= program->block_count) undecided[block - 1] = 1;
    }
    uint8_t *failed = NEW_ARRAY(uint8_t, program->location_count + 1);
    mark_findings(record, true, failed);
    struct assertion_facts facts = {.program = program,
                                    .seen = {record->edges, record->functions, record->positions},
                                    .undecided = undecided,
                                    .failed = failed,
                                    .complete = complete};
    struct assertion_counts counts = assertions_count(&facts);
    DELETE_ARRAY(undecided, program->block_count);
    DELETE_ARRAY(failed, program->location_count + 1);
    return counts;
}

// Returns true for functions with which a program marks its symbolic inputs.
static bool is_marking(const char *name) {
    static const char *const prefixes[] = {"tamar_", "klee_", "__VERIFIER_nondet", "__tamar_symbolic"};
    for (unsigned i = 0; i < COUNT(prefixes); i++)
        if (!strncmp(name, prefixes[i], strlen(prefixes[i]))) return true;
    return false;
}

// Returns one byte per block: 1 if a path entered it.
static uint8_t *entered_blocks(const struct record *record) {
    const struct ir_program *program = record->program;
    uint8_t *entered = NEW_ARRAY(uint8_t, program->block_count);
    for (uint32_t f = 0; f < program->function_count; f++)
        if (program->functions[f].block_count && record->functions[f])
            entered[program->functions[f].first_block] = 1;
    for (uint32_t e = 0; e < program->edge_count; e++)
        if (record->edges[e]) entered[program->edges[e].to] = 1;
    return entered;
}

// Finds the kinds of input that user code requests, in blocks that a path entered.
static void find_reads(const struct record *record, struct summary_reads *reads) {
    const struct ir_program *program = record->program;
    static const struct {
        const char *name;
        size_t what;
    } calls[] = {
#define READS(kind, name) {name, offsetof(struct summary_reads, kind)}
        READS(stdin, "getchar"),
        READS(stdin, "scanf"),
        READS(stream, "fread"),
        READS(stream, "fgets"),
        READS(stdin, "gets"),
        READS(stream, "getline"),
        READS(stream, "fgetc"),
        READS(stream, "getc"),
        READS(stream, "read"),
        READS(stream, "getdelim"),
        READS(stream, "fscanf"),
        READS(file, "fopen"),
        READS(file, "open"),
        READS(file, "openat"),
        READS(file, "opendir"),
        READS(socket, "accept"),
        READS(socket, "connect"),
        READS(socket, "recv"),
        READS(socket, "recvfrom"),
        READS(variable, "getenv"),
        READS(variable, "secure_getenv")
#undef READS
    };
    uint8_t *entered = entered_blocks(record);
    for (uint32_t f = 0; f < program->function_count; f++) {
        const struct ir_function *function = &program->functions[f];
        for (uint32_t i = 0; !function->runtime && i < function->code_count;
             i += ir_op_info[function->code[i].op].words) {
            if (function->code[i].op != IR_CALL) continue;
            const struct ir_function *callee = &program->functions[function->code[i].a];
            reads->marks |= is_marking(callee->name);
            if (!callee->runtime || !entered[function->first_block + ir_block_at(function, i)]) continue;
            for (unsigned k = 0; k < COUNT(calls); k++)
                if (!strcmp(callee->name, calls[k].name)) *((bool *)reads + calls[k].what) = true;
        }
    }
    DELETE_ARRAY(entered, program->block_count);
    const struct ir_function *main = ir_find_function(program, "main");
    reads->stdin |= reads->stream && !reads->file && !reads->socket;
    reads->driver = ir_is_file_driver(program);
    reads->harness = ir_is_harness(program);
    reads->arguments = main && !main->runtime && main->parameter_slots > 0;
}

// Separates known reports from the other bugs.
static void part_findings(const struct record *record, struct arena *arena, struct summary *summary) {
    uint32_t count = record->findings.count;
    const struct finding **bugs = ARENA_ARRAY(arena, const struct finding *, count + 1);
    const struct finding **ignored = ARENA_ARRAY(arena, const struct finding *, count + 1);
    vec_each (struct finding *, finding, &record->findings)
        if ((*finding)->ignored)
            ignored[summary->ignored_count++] = *finding;
        else
            bugs[summary->bug_count++] = *finding;
    summary->bugs = bugs;
    summary->ignored = ignored;
}

static bool is_same_entry(const struct incompleteness *a, const struct incompleteness *b) {
    return a->lost == b->lost && a->place.line == b->place.line && !strcmp(a->what, b->what) &&
           !strcmp(a->place.file, b->place.file);
}

// Merges entries of incompleteness that have the same text and line: the engine distinguishes their call stacks, users
// do not.
static void merge_incomplete(const struct record *record, struct arena *arena, struct summary *summary) {
    struct incompleteness *merged = ARENA_ARRAY(arena, struct incompleteness, record->incomplete.count + 1);
    uint32_t count = 0;
    vec_each (struct incompleteness, entry, &record->incomplete) {
        uint32_t at = 0;
        while (at < count && !is_same_entry(&merged[at], entry)) at++;
        if (at < count)
            merged[at].count += entry->count;
        else
            merged[count++] = *entry;
    }
    summary->gave_up = merged;
    summary->gave_up_count = count;
}

// Marks the blocks with code of a finding's line: all blocks if a finding has no line.
static void mark_blocks(const struct record *record, uint8_t *blocks) {
    const struct ir_program *program = record->program;
    uint8_t *marks = NEW_ARRAY(uint8_t, program->location_count + 1);
    mark_findings(record, false, marks);
    vec_each (struct finding *, finding, &record->findings)
        if (!(*finding)->place.line) memset(blocks, 1, program->block_count);
    for (uint32_t f = 0; f < program->function_count; f++) {
        const struct ir_function *function = &program->functions[f];
        for (uint32_t b = 0; b < function->block_count; b++)
            for (uint32_t i = function->blocks[b].start; i < function->blocks[b].end; i++)
                if (marks[function->locations[i]]) blocks[function->first_block + b] = 1;
    }
    DELETE_ARRAY(marks, program->location_count + 1);
}

// Returns, for each block, whether it may be executed after a bug of the run. NULL: there is none.
static const uint8_t *find_after_bugs(const struct record *record, struct arena *arena) {
    const struct ir_program *program = record->program;
    if (!record->findings.count) return NULL;
    uint8_t *blocks = ARENA_ARRAY(arena, uint8_t, program->block_count + 1);
    struct graph *graph = graph_new(program);
    mark_blocks(record, blocks);
    graph_mark_after(graph, blocks);
    graph_free(graph);
    return blocks;
}

struct summary record_summary(struct record *record, struct arena *arena, bool ended) {
    const struct run_status *run = &record->status;
    struct summary summary = {
        .counts = run->counts,
        .symbolic = run->symbolic,
        .solver = run->solver,
        .time = {.wall = run->seconds,
                 .solver = run->solver_seconds,
                 .execute = run->work_seconds - run->solver_seconds - run->search_seconds,
                 .work = run->work_seconds,
                 .search = run->search_seconds,
                 .infeasible = run->infeasible_seconds},
        .peak_memory = run->peak_memory,
        .coverage = cover_totals(record_cover(record)),
        .assertions = assertions(record, ended && run->complete),
        .complete = ended && run->complete,
        .explored = ended && run->explored,
        .running = !ended,
        .end = ended && run->end ? run->end : "",
    };
    part_findings(record, arena, &summary);
    merge_incomplete(record, arena, &summary);
    if (summary.explored && !summary.complete)
        summary.end = "every path was explored except what was given up";
    summary.unlinked = record->program->unlinked;
    find_reads(record, &summary.reads);
    struct gap_facts facts = {.left = run->counts.states || run->counts.killed,
                              .deferred = record->deferred,
                              .given_up = record->incomplete.at,
                              .given_up_count = record->incomplete.count,
                              .after_bug = summary.complete ? find_after_bugs(record, arena) : NULL};
    summary.gaps = gaps_find(arena, record->cover, &facts);
    return summary;
}
