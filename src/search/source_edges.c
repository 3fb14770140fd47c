#include "search/source_edges.h"

#include "base/alloc.h"
#include "base/hash.h"

struct source_edges {
    const struct ir_program *program; // NULL: not known
    uint32_t *numbers;                // by edge: number of its source edge
    uint8_t *covered;                 // by number
    uint32_t count;                   // numbers so far
};

static uint64_t location_key(const struct ir_program *program, uint32_t number) {
    const struct ir_location *location = &program->locations[number];
    return hash_combine(location->file, (uint64_t)location->line << 32 | location->column);
}

// The first and the last known location of each block, as keys.
static void find_block_keys(const struct ir_program *program, uint64_t *first, uint64_t *last) {
    for (uint32_t f = 0; f < program->function_count; f++) {
        const struct ir_function *function = &program->functions[f];
        for (uint32_t b = 0; b < function->block_count; b++) {
            uint32_t start = function->blocks[b].start, end = function->blocks[b].end;
            assert(start < end);
            while (start + 1 < end && !function->locations[start]) start++;
            while (end > start + 1 && !function->locations[end - 1]) end--;
            first[function->first_block + b] = location_key(program, function->locations[start]);
            last[function->first_block + b] = location_key(program, function->locations[end - 1]);
        }
    }
}

struct source_edges *source_edges_new(const struct ir_program *program) {
    struct source_edges *edges = NEW(struct source_edges);
    edges->program = program;
    if (!program) return edges;
    uint64_t *first = NEW_ARRAY(uint64_t, program->block_count),
             *last = NEW_ARRAY(uint64_t, program->block_count);
    find_block_keys(program, first, last);
    struct map numbers = {0};
    edges->numbers = NEW_ARRAY(uint32_t, program->edge_count);
    for (uint32_t i = 0; i < program->edge_count; i++) {
        uint64_t *number =
            map_put(&numbers, hash_combine(last[program->edges[i].from], first[program->edges[i].to]));
        if (!*number) *number = ++edges->count;
        edges->numbers[i] = (uint32_t)*number - 1;
    }
    edges->covered = NEW_ARRAY(uint8_t, edges->count);
    map_free(&numbers);
    DELETE_ARRAY(first, program->block_count);
    DELETE_ARRAY(last, program->block_count);
    return edges;
}

void source_edges_free(struct source_edges *edges) {
    if (edges->program) {
        DELETE_ARRAY(edges->numbers, edges->program->edge_count);
        DELETE_ARRAY(edges->covered, edges->count);
    }
    DELETE(edges);
}

bool source_edges_cover(struct source_edges *edges, const struct state *state, uint32_t from) {
    uint32_t count = shared_list_count(state->coverage.fresh);
    assert(from <= count);
    if (!edges->program) return count > from;
    count -= from;
    uint32_t *items = NEW_ARRAY(uint32_t, count);
    shared_list_copy_from(state->coverage.fresh, from, items);
    bool is_new = false;
    for (uint32_t i = 0; i < count; i++) {
        if (items[i] >= edges->program->edge_count) continue; // a function or a position
        uint8_t *covered = &edges->covered[edges->numbers[items[i]]];
        is_new = is_new || !*covered;
        *covered = 1;
    }
    DELETE_ARRAY(items, count);
    return is_new;
}
