#include "search/uncovered.h"

#include "base/vec.h"
#include "ir/distance.h"

struct uncovered {
    const struct search_options *options;
    struct graph *graph; // NULL without a program
    struct distance *distance;
    uint8_t *covered; // by block
};

struct uncovered *uncovered_new(const struct search_options *options) {
    struct uncovered *uncovered = NEW(struct uncovered);
    uncovered->options = options;
    if (!options->program || !options->edges_seen) return uncovered;
    uncovered->graph = graph_new(options->program);
    uncovered->distance = distance_new(uncovered->graph);
    uncovered->covered = NEW_ARRAY(uint8_t, options->program->block_count);
    uncovered_update(uncovered);
    return uncovered;
}

void uncovered_free(struct uncovered *uncovered) {
    if (uncovered->graph) {
        DELETE_ARRAY(uncovered->covered, uncovered->options->program->block_count);
        distance_free(uncovered->distance);
        graph_free(uncovered->graph);
    }
    DELETE(uncovered);
}

bool uncovered_update(struct uncovered *uncovered) {
    if (!uncovered->graph) return false;
    const struct ir_program *program = uncovered->options->program;
    for (uint32_t e = 0; e < program->edge_count; e++)
        if (uncovered->options->edges_seen[e]) uncovered->covered[program->edges[e].to] = 1;
    vec(struct ir_point) targets = {0};
    for (uint32_t f = 0; f < program->function_count; f++) {
        const struct ir_function *function = &program->functions[f];
        if (function->runtime || !function->code) continue;
        if (uncovered->options->functions_seen[f]) uncovered->covered[function->first_block] = 1;
        for (uint32_t b = 0; b < function->block_count; b++)
            if (!uncovered->covered[function->first_block + b])
                vec_push(&targets, ((struct ir_point){f, function->blocks[b].start}));
    }
    distance_set(uncovered->distance, targets.at, targets.count);
    vec_free(&targets);
    return true;
}

uint32_t uncovered_distance(const struct uncovered *uncovered, const struct state *state) {
    if (!uncovered->graph || !state->frames.chunk) return UNCOVERED_NONE;
    const struct frame_chunk *chunk = state->frames.chunk;
    const struct frame *frame = frames_top(&state->frames);
    struct distance_walk walk =
        distance_walk(uncovered->distance, (struct ir_point){frame->function->index, frame->instruction});
    while ((frame = frames_below(&chunk, frame)) &&
           distance_return(uncovered->distance, &walk,
                           (struct ir_point){frame->function->index, frame->instruction})) {}
    return walk.best == DISTANCE_NONE ? UNCOVERED_NONE : walk.best;
}
