#include "output/gaps.h"

#include "base/arena.h"
#include "base/text.h"
#include "base/vec.h"
#include "output/summary.h"

#include <string.h>

const char *const gap_reason_names[] = {
#define REASON(name, text, help) [GAP_##name] = text,
    GAP_REASONS(REASON)
#undef REASON
};

const char *const gap_reason_helps[] = {
#define REASON(name, text, help) [GAP_##name] = help,
    GAP_REASONS(REASON)
#undef REASON
};

// Returns true if a value or path was skipped at this branch, or on its line.
static bool given_up_at(const struct gap_facts *known, const char *file, const struct cover_side *side) {
    for (uint32_t i = 0; i < known->given_up_count; i++) {
        const struct incompleteness *one = &known->given_up[i];
        bool here = one->block ? one->block == side->block + 1
                               : one->place.line == side->line && !strcmp(one->place.file, file);
        if (one->lost && here) return true;
    }
    return false;
}

static bool anything_lost(const struct gap_facts *known) {
    for (uint32_t i = 0; i < known->given_up_count; i++)
        if (known->given_up[i].lost) return true;
    return false;
}

static enum gap_reason reason_of(const struct gap_facts *known, const char *file,
                                 const struct cover_side *side) {
    if (given_up_at(known, file, side)) return GAP_GIVEN_UP;
    if (side->asserts) return GAP_ASSERTION;
    if (known->deferred && known->deferred[side->block]) return GAP_WAITING;
    if (side->needs_failure && !side->symbolic) return GAP_FAILURE;
    if (known->left) return GAP_NOT_TRIED;
    if (side->needs_success && !side->symbolic) return GAP_SUCCESS;
    if (!side->symbolic) return anything_lost(known) ? GAP_UNDECIDED : GAP_MORE_INPUT;
    // A skipped path might have taken this side: infeasibility is not proved.
    if (anything_lost(known)) return GAP_REFUTED;
    // A bug ends its path: the values that trigger it might take this side once the bug is fixed.
    return known->after_bug && known->after_bug[side->block] ? GAP_AFTER_BUG : GAP_INFEASIBLE;
}

typedef vec(struct gap) gap_list;

static uint32_t sides_of(const struct cover_file *file, uint32_t index) {
    uint32_t count = 0;
    for (uint32_t i = index; i < file->side_count && file->sides[i].block == file->sides[index].block; i++)
        count++;
    for (uint32_t i = index; i > 0 && file->sides[i - 1].block == file->sides[index].block; i--) count++;
    return count;
}

// Lists the first of each group of lines of which a block was entered, but which no path got to.
static void find_ends(gap_list *list, const struct gap_facts *known, const struct cover_file *file) {
    bool before = false;
    for (uint32_t i = 0; i < file->line_count; i++) {
        const struct cover_line *line = &file->lines[i];
        bool ended = line->entered && !line->covered;
        if (ended && !before)
            vec_push(list, ((struct gap){.reason = known->left ? GAP_NOT_TRIED : GAP_ENDED,
                                         .file = file->name,
                                         .line = line->line}));
        before = ended;
    }
}

static void find_in_file(gap_list *list, const struct gap_facts *known, const struct cover_file *file) {
    for (uint32_t i = 0; i < file->function_count; i++) {
        const struct cover_function *function = &file->functions[i];
        if (function->covered) continue;
        struct gap gap = {.reason = known->left ? GAP_NOT_TRIED : GAP_NOT_CALLED,
                          .file = file->name,
                          .line = function->line,
                          .function = function->name};
        vec_push(list, gap);
    }
    for (uint32_t i = 0; i < file->side_count; i++) {
        const struct cover_side *side = &file->sides[i];
        if (side->covered || !side->reached || !side->line) continue;
        struct gap gap = {.reason = reason_of(known, file->name, side),
                          .file = file->name,
                          .line = side->line,
                          .column = side->column,
                          .side = side->side,
                          .sides = sides_of(file, i),
                          .to = side->to};
        vec_push(list, gap);
    }
    find_ends(list, known, file);
}

struct gaps gaps_find(struct arena *arena, const struct cover *cover, const struct gap_facts *facts) {
    gap_list list = {0};
    uint32_t count;
    const struct cover_file *files = cover_files(cover, &count);
    for (uint32_t i = 0; i < count; i++) find_in_file(&list, facts, &files[i]);
    struct gaps gaps = {.count = list.count};
    for (uint32_t i = 0; i < list.count; i++) gaps.by_reason[list.at[i].reason]++;
    if (list.count) gaps.at = arena_memdup(arena, list.at, list.count * sizeof *list.at);
    vec_free(&list);
    return gaps;
}

void gap_add_side(struct text *to, const struct gap *gap) {
    if (gap->function)
        text_add(to, "never called");
    else if (!gap->sides)
        text_add(to, "never executed");
    else if (gap->sides == 2 && gap->to && gap->to != gap->line)
        text_add(to, "never goes to line %u", gap->to);
    else if (gap->sides == 2) // the bitcode does not tell which side of the source it is
        text_add(to, "one side never taken");
    else if (gap->side + 1 < gap->sides)
        text_add(to, "case %u never taken", gap->side + 1);
    else
        text_add(to, "default never taken");
}
