// The items (blocks, lines, edges, sides) are listed once; an update marks them. Everything is an index into
// flat arrays, so that an update is a few passes over bytes.
#include "cover/cover.h"
#include "cover/failing_calls.h"

#include "base/arena.h"
#include "base/hash.h"
#include "base/vec.h"
#include "cover/assertions.h"

#include <stdlib.h>
#include <string.h>

struct block_lines {
    uint32_t first, count; // in `block_lines`
    uint32_t start, end;   // positions of its instructions; 0: none
    uint32_t executed;     // positions before this one have been marked
};

struct block_line {
    uint32_t line;     // index of the line item
    uint32_t position; // position of its first instruction in the block
};

struct cover {
    const struct ir_program *program;
    struct arena *arena;
    uint8_t *own_block;         // per block: in user code
    uint8_t *block_seen;        // per block: entered
    uint8_t *block_left;        // per block: left by an edge
    uint8_t *own_edge;          // per edge: 1 in user code, 2 also a side of a branch
    uint8_t *asserting;         // per block: an assertion fails in it
    uint8_t *edge_seen;         // per edge, as of the last update
    struct block_lines *blocks; // per block
    vec(struct block_line) block_lines;
    vec(uint32_t) side_edge;   // per side, over all files: its edge
    vec(uint32_t) function_of; // per function item: index in the program
    // Lines, sides and functions of all files.
    vec(struct cover_line) lines;
    vec(struct cover_side) sides;
    vec(struct cover_function) functions;
    uint32_t block_function; // function whose branches are being listed
    struct cover_file *files;
    uint32_t file_count;
    struct cover_totals totals;
};

// Whether the location is in user code. Code of the runtime and code without a line is not.
static bool cover_is_own(const struct ir_program *program, uint32_t location) {
    const struct ir_location *at = &program->locations[location];
    return at->line && strncmp(program->files[at->file], "<tamar>", 7) != 0;
}

// Whether the function is user code. Inlined code counts where it was written.
static bool function_is_own(const struct ir_program *program, const struct ir_function *function) {
    return function->code && !function->runtime && cover_is_own(program, function->location);
}

// ---- listing, file by file: the lists of one file are contiguous

struct line_item {
    uint32_t file, line, block, position;
};

static int by_file_and_line(const void *a, const void *b) {
    const struct line_item *x = a, *y = b;
    if (x->file != y->file) return x->file < y->file ? -1 : 1;
    if (x->line != y->line) return x->line < y->line ? -1 : 1;
    return x->position < y->position ? -1 : x->position > y->position;
}

static int by_block(const void *a, const void *b) {
    const struct line_item *x = a, *y = b; // `line` is an index into the lines by now
    if (x->block != y->block) return x->block < y->block ? -1 : 1;
    if (x->line != y->line) return x->line < y->line ? -1 : 1;
    return x->position < y->position ? -1 : x->position > y->position;
}

struct line_items {
    struct line_item *at;
    uint32_t count, capacity;
};

static void collect_block(const struct ir_program *program, const struct ir_function *function, uint32_t b,
                          struct line_items *items) {
    uint32_t block = function->first_block + b;
    for (uint32_t i = function->blocks[b].start; i < function->blocks[b].end; i++) {
        uint32_t location = function->locations[i];
        if (!cover_is_own(program, location)) continue;
        const struct ir_location *at = &program->locations[location];
        struct line_item *last = items->count ? vec_last(items) : NULL;
        if (last && last->file == at->file && last->line == at->line && last->block == block) continue;
        vec_push(items, ((struct line_item){at->file, at->line, block, ir_position(function, i)}));
    }
}

static void collect_lines(struct cover *cover, struct line_items *items) {
    const struct ir_program *program = cover->program;
    for (uint32_t f = 0; f < program->function_count; f++) {
        const struct ir_function *function = &program->functions[f];
        if (!function_is_own(program, function)) continue;
        for (uint32_t b = 0; b < function->block_count; b++) {
            struct block_lines *block = &cover->blocks[function->first_block + b];
            block->start = block->executed = ir_position(function, function->blocks[b].start);
            block->end = ir_position(function, function->blocks[b].end);
            collect_block(program, function, b, items);
        }
    }
}

// Makes the lines, and for each block the list of its lines.
static void list_lines(struct cover *cover) {
    struct line_items items = {0};
    collect_lines(cover, &items);
    if (items.count) qsort(items.at, items.count, sizeof *items.at, by_file_and_line);
    uint32_t file = UINT32_MAX, line = 0;
    vec_each (struct line_item, item, &items) {
        if (item->file != file || item->line != line) {
            if (item->file != file) cover->files[item->file].line_count = 0;
            file = item->file;
            line = item->line;
            vec_push(&cover->lines, ((struct cover_line){.line = line}));
            cover->files[file].line_count++;
        }
        item->line = cover->lines.count - 1;
    }
    if (items.count) qsort(items.at, items.count, sizeof *items.at, by_block);
    vec_each (struct line_item, item, &items) {
        struct block_lines *lines = &cover->blocks[item->block];
        if (lines->count && vec_last(&cover->block_lines)->line == item->line) continue;
        if (!lines->count) lines->first = cover->block_lines.count;
        vec_push(&cover->block_lines, ((struct block_line){item->line, item->position}));
        lines->count++;
    }
    vec_free(&items);
}

// Returns the block's line that comes first in the code.
static uint32_t first_line(const struct cover *cover, uint32_t block) {
    const struct ir_program *program = cover->program;
    const struct ir_function *function = &program->functions[cover->block_function];
    assert(block >= function->first_block && block < function->first_block + function->block_count);
    const struct ir_block *range = &function->blocks[block - function->first_block];
    for (uint32_t i = range->start; i < range->end; i += ir_op_info[function->code[i].op].words) {
        uint32_t line = program->locations[function->locations[i]].line;
        if (line) return line;
    }
    return 0;
}

static void add_side(struct cover *cover, const struct ir_location *at, uint32_t block, uint32_t side,
                     uint32_t edge) {
    struct cover_side item = {.line = at->line,
                              .column = at->column,
                              .block = block,
                              .side = side,
                              .to = first_line(cover, cover->program->edges[edge].to)};
    item.asserts = cover->asserting[cover->program->edges[edge].to];
    vec_push(&cover->sides, item);
    vec_push(&cover->side_edge, edge);
    cover->own_edge[edge] = 2;
}

struct failing_call {
    const char *name;
    enum failing_result result;
};

static const struct failing_call failing_calls[] = {
#define CALL(function, system_call, result) {#function, RESULT_##result},
    FAILING_CALLS(CALL)
#undef CALL
};

// Returns NULL if --fail does not make the call fail.
static const struct failing_call *failing_call(const char *name) {
    for (unsigned i = 0; i < COUNT(failing_calls); i++)
        if (!strcmp(name, failing_calls[i].name)) return &failing_calls[i];
    return NULL;
}

// Returns the side that the branch takes for this value of the call, or 2 if that is not known.
static unsigned side_of_value(const struct ir_insn *branch, int64_t value) {
    int64_t with = (int32_t)branch->b;
    if (ir_op_info[branch->op].format == IR_FORMAT_BR) return value ? 0 : 1;
    switch (ir_op_info[branch->op].fn) {
    case IR_FN_EQ: return value == with ? 0 : 1;
    case IR_FN_NE: return value != with ? 0 : 1;
    case IR_FN_SLT: return value < with ? 0 : 1;
    case IR_FN_SLE: return value <= with ? 0 : 1;
    case IR_FN_SGT: return value > with ? 0 : 1;
    case IR_FN_SGE: return value >= with ? 0 : 1;
    default: return 2;
    }
}

// The sides that the branch takes when the call fails, and whenever it succeeds. 2: not known, or it depends on more.
struct sides_of_call {
    unsigned failing, succeeding;
};

static struct sides_of_call sides_of_call(const struct failing_call *call, const struct ir_insn *branch) {
    static const int64_t zero[] = {0}, pointers[] = {4096, 1 << 30}, numbers[] = {0, 1, INT32_MAX};
    const int64_t *values = call->result == RESULT_ZERO     ? zero
                            : call->result == RESULT_NUMBER ? numbers
                                                            : pointers;
    unsigned count = call->result == RESULT_ZERO ? 1 : call->result == RESULT_NUMBER ? 3 : 2;
    unsigned failing = side_of_value(branch, call->result == RESULT_POINTER ? 0 : -1);
    bool differs = failing < 2;
    for (unsigned i = 0; i < count; i++) differs &= side_of_value(branch, values[i]) == 1 - failing;
    return (struct sides_of_call){failing, differs ? 1 - failing : 2};
}

// Returns the call that can fail, made in the block of the branch, whose result the branch compares with a constant.
static const struct ir_insn *tested_call(const struct ir_program *program, const struct ir_function *function,
                                         const struct ir_block *block, const struct ir_insn *branch) {
    const struct ir_insn *call = NULL;
    for (uint32_t i = block->start; &function->code[i] < branch; i += ir_op_info[function->code[i].op].words)
        if (function->code[i].op == IR_CALL || function->code[i].op == IR_CALL_R) call = &function->code[i];
    if (!call || call->op != IR_CALL || !call->aux || !failing_call(program->functions[call->a].name))
        return NULL;
    enum ir_format format = ir_op_info[branch->op].format;
    bool tests = format == IR_FORMAT_BRI || format == IR_FORMAT_BRJ || format == IR_FORMAT_BR;
    return tests && branch->a == call->dst ? call : NULL;
}

static void list_branch(struct cover *cover, const struct ir_location *at, const struct ir_function *function,
                        uint32_t block, const struct ir_insn *branch) {
    const struct ir_program *program = cover->program;
    const struct ir_insn *call = tested_call(program, function, &function->blocks[block], branch);
    struct sides_of_call sides = {2, 2};
    if (call) sides = sides_of_call(failing_call(program->functions[call->a].name), branch);
    for (unsigned side = 0; side < 2; side++) {
        add_side(cover, at, function->first_block + block, side, branch[1].dst + side);
        vec_last(&cover->sides)->needs_failure = call && (sides.failing == 2 || sides.failing == side);
        vec_last(&cover->sides)->needs_success = sides.succeeding == side;
    }
}

static void list_switch(struct cover *cover, const struct ir_location *at, uint32_t block,
                        const struct ir_switch *table) {
    // Cases that share their target are one side.
    for (uint32_t i = 0; i < table->count; i++)
        if (cover->own_edge[table->edges[i]] != 2) add_side(cover, at, block, i, table->edges[i]);
    if (cover->own_edge[table->default_edge] != 2)
        add_side(cover, at, block, table->count, table->default_edge);
}

static void list_branches(struct cover *cover, const struct ir_function *function) {
    const struct ir_program *program = cover->program;
    for (uint32_t b = 0; b < function->block_count; b++) {
        for (uint32_t i = function->blocks[b].start; i < function->blocks[b].end;) {
            const struct ir_insn *insn = &function->code[i];
            const struct ir_location *at = &program->locations[function->locations[i]];
            uint32_t block = function->first_block + b;
            switch (ir_op_info[insn->op].format) {
            case IR_FORMAT_BR:
            case IR_FORMAT_BRR:
            case IR_FORMAT_BRI:
            case IR_FORMAT_BRJ: list_branch(cover, at, function, b, insn); break;
            case IR_FORMAT_SWITCH: list_switch(cover, at, block, &function->switches[insn->b]); break;
            case IR_FORMAT_GOTO: {
                const struct ir_goto *table = &function->gotos[insn->b];
                for (uint32_t k = 0; k < table->count; k++) add_side(cover, at, block, k, table->edges[k]);
                break;
            }
            default: break;
            }
            i += ir_op_info[insn->op].words;
        }
    }
}

static int by_place(const void *a, const void *b, void *context) {
    const struct ir_program *program = context;
    const struct ir_function *x = &program->functions[*(const uint32_t *)a];
    const struct ir_function *y = &program->functions[*(const uint32_t *)b];
    const struct ir_location *at = &program->locations[x->location], *bt = &program->locations[y->location];
    if (at->file != bt->file) return at->file < bt->file ? -1 : 1;
    if (at->line != bt->line) return at->line < bt->line ? -1 : 1;
    return x->index < y->index ? -1 : x->index > y->index;
}

static void list_functions(struct cover *cover) {
    const struct ir_program *program = cover->program;
    for (uint32_t f = 0; f < program->function_count; f++)
        if (function_is_own(program, &program->functions[f])) vec_push(&cover->function_of, f);
    if (cover->function_of.count)
        qsort_r(cover->function_of.at, cover->function_of.count, sizeof(uint32_t), by_place, (void *)program);
    vec_each (uint32_t, index, &cover->function_of) {
        const struct ir_function *function = &program->functions[*index];
        const struct ir_location *at = &program->locations[function->location];
        struct cover_file *file = &cover->files[at->file];
        uint32_t before = cover->sides.count;
        vec_push(&cover->functions, ((struct cover_function){function->name, at->line, false}));
        file->function_count++;
        for (uint32_t b = 0; b < function->block_count; b++) cover->own_block[function->first_block + b] = 1;
        cover->block_function = *index;
        list_branches(cover, function);
        file->side_count += cover->sides.count - before;
    }
}

// Sets the files' pointers into the lists, which no longer move, and drops empty files.
static void place_files(struct cover *cover) {
    uint32_t line = 0, side = 0, function = 0, count = 0;
    for (uint32_t f = 0; f < cover->program->file_count; f++) {
        struct cover_file file = cover->files[f];
        file.name = cover->program->files[f];
        // A list without elements may have no memory.
        if (file.line_count) file.lines = cover->lines.at + line;
        if (file.side_count) file.sides = cover->sides.at + side;
        if (file.function_count) file.functions = cover->functions.at + function;
        line += file.line_count;
        side += file.side_count;
        function += file.function_count;
        if (file.line_count || file.function_count) cover->files[count++] = file;
    }
    cover->file_count = count;
    assert(line == cover->lines.count && side == cover->sides.count && function == cover->functions.count);
}

static void count_totals(struct cover *cover) {
    const struct ir_program *program = cover->program;
    cover->totals.line.total = cover->lines.count;
    cover->totals.condition.total = cover->sides.count;
    for (uint32_t b = 0; b < program->block_count; b++) cover->totals.block.total += cover->own_block[b];
    for (uint32_t e = 0; e < program->edge_count; e++) {
        if (!cover->own_edge[e]) cover->own_edge[e] = cover->own_block[program->edges[e].from];
        cover->totals.edge.total += cover->own_edge[e] != 0;
    }
}

struct cover *cover_new(const struct ir_program *program) {
    struct cover *cover = NEW(struct cover);
    cover->program = program;
    cover->arena = arena_new();
    cover->own_block = ARENA_ARRAY(cover->arena, uint8_t, program->block_count);
    cover->block_seen = ARENA_ARRAY(cover->arena, uint8_t, program->block_count);
    cover->block_left = ARENA_ARRAY(cover->arena, uint8_t, program->block_count);
    cover->blocks = ARENA_ARRAY(cover->arena, struct block_lines, program->block_count);
    cover->own_edge = ARENA_ARRAY(cover->arena, uint8_t, program->edge_count);
    cover->asserting = ARENA_ARRAY(cover->arena, uint8_t, program->block_count + 1);
    assertions_blocks(program, cover->asserting);
    cover->edge_seen = ARENA_ARRAY(cover->arena, uint8_t, program->edge_count);
    cover->files = ARENA_ARRAY(cover->arena, struct cover_file, program->file_count);
    list_lines(cover);
    list_functions(cover);
    place_files(cover);
    count_totals(cover);
    return cover;
}

void cover_free(struct cover *cover) {
    if (!cover) return;
    vec_free(&cover->block_lines);
    vec_free(&cover->side_edge);
    vec_free(&cover->function_of);
    vec_free(&cover->lines);
    vec_free(&cover->sides);
    vec_free(&cover->functions);
    arena_free(cover->arena);
    DELETE(cover);
}

// ---- marking

// Marks the block's instructions before this position as executed.
static void mark_executed(struct cover *cover, struct block_lines *block, uint32_t end) {
    if (end <= block->executed) return;
    for (uint32_t i = 0; i < block->count; i++) {
        const struct block_line *at = &cover->block_lines.at[block->first + i];
        struct cover_line *line = &cover->lines.at[at->line];
        if (at->position >= end) continue;
        cover->totals.line.covered += !line->covered;
        line->covered = true;
    }
    block->executed = end;
}

// Marks a block as entered: its first instruction is executed in any case.
static void mark_block(struct cover *cover, uint32_t block) {
    if (!cover->own_block[block] || cover->block_seen[block]) return;
    cover->block_seen[block] = 1;
    cover->totals.block.covered++;
    struct block_lines *lines = &cover->blocks[block];
    for (uint32_t i = 0; i < lines->count; i++)
        cover->lines.at[cover->block_lines.at[lines->first + i].line].entered = true;
    mark_executed(cover, lines, lines->start + 1);
}

static void mark_left(struct cover *cover, uint32_t block) {
    cover->block_left[block] = 1;
    mark_executed(cover, &cover->blocks[block], cover->blocks[block].end);
}

// Marks instructions up to the furthest position in each block that was entered and not left.
static bool mark_positions(struct cover *cover, const uint8_t *positions) {
    bool any = false;
    for (uint32_t b = 0; b < cover->program->block_count; b++) {
        struct block_lines *block = &cover->blocks[b];
        if (!cover->block_seen[b] || cover->block_left[b] || !block->start) continue;
        const uint8_t *last = memrchr(positions + block->start, 1, block->end - block->start);
        uint32_t end = last ? (uint32_t)(last - positions) + 1 : 0;
        any |= end > block->executed;
        mark_executed(cover, block, end);
    }
    return any;
}

static void mark_sides(struct cover *cover) {
    for (uint32_t i = 0; i < cover->sides.count; i++) {
        struct cover_side *side = &cover->sides.at[i];
        side->reached = cover->block_left[side->block];
        if (side->covered || !cover->edge_seen[cover->side_edge.at[i]]) continue;
        side->covered = true;
        cover->totals.condition.covered++;
    }
}

bool cover_update(struct cover *cover, const struct cover_seen *seen) {
    const struct ir_program *program = cover->program;
    bool any = false;
    for (uint32_t i = 0; i < cover->function_of.count; i++) {
        const struct ir_function *function = &program->functions[cover->function_of.at[i]];
        if (cover->functions.at[i].covered || !seen->functions[function->index]) continue;
        cover->functions.at[i].covered = any = true;
        mark_block(cover, function->first_block);
    }
    for (uint32_t e = 0; e < program->edge_count; e++) {
        if (!seen->edges[e] || cover->edge_seen[e] || !cover->own_edge[e]) continue;
        cover->edge_seen[e] = 1;
        any = true;
        cover->totals.edge.covered++;
        mark_block(cover, program->edges[e].to);
        mark_left(cover, program->edges[e].from);
    }
    if (mark_positions(cover, seen->positions)) any = true;
    if (any) mark_sides(cover);
    return any;
}

void cover_mark_symbolic(struct cover *cover, const uint8_t *edges) {
    for (uint32_t i = 0; i < cover->sides.count;) {
        struct cover_side *side = &cover->sides.at[i];
        uint32_t end = i;
        bool symbolic = false;
        for (; end < cover->sides.count && cover->sides.at[end].block == side->block; end++)
            symbolic |= edges[cover->side_edge.at[end]] != 0;
        for (; i < end; i++) cover->sides.at[i].symbolic = symbolic;
    }
}

void cover_forget(struct cover *cover) {
    const struct ir_program *program = cover->program;
    memset(cover->block_seen, 0, program->block_count);
    memset(cover->block_left, 0, program->block_count);
    memset(cover->edge_seen, 0, program->edge_count);
    for (uint32_t b = 0; b < program->block_count; b++) cover->blocks[b].executed = cover->blocks[b].start;
    vec_each (struct cover_line, line, &cover->lines) line->covered = line->entered = false;
    vec_each (struct cover_side, side, &cover->sides) side->covered = side->reached = false;
    vec_each (struct cover_function, function, &cover->functions) function->covered = false;
#define KIND(name) cover->totals.name.covered = 0;
    COVER_KINDS(KIND)
#undef KIND
}

void cover_each(const struct cover *cover, enum cover_kind kind, void (*visit)(void *context, bool covered),
                void *context) {
    const struct ir_program *program = cover->program;
    switch (kind) {
    case COVER_line:
        vec_each (struct cover_line, line, &cover->lines) visit(context, line->covered);
        break;
    case COVER_block:
        for (uint32_t i = 0; i < program->block_count; i++)
            if (cover->own_block[i]) visit(context, cover->block_seen[i]);
        break;
    case COVER_edge:
        for (uint32_t i = 0; i < program->edge_count; i++)
            if (cover->own_edge[i]) visit(context, cover->edge_seen[i]);
        break;
    case COVER_condition:
        vec_each (struct cover_side, side, &cover->sides) visit(context, side->covered);
        break;
    case COVER_KIND_COUNT: break;
    }
}

struct cover_totals cover_totals(const struct cover *cover) { return cover->totals; }

const struct cover_file *cover_files(const struct cover *cover, uint32_t *count) {
    *count = cover->file_count;
    return cover->files;
}
