#include "output/coverage.h"

#include "base/json.h"

static void add_totals(struct json *json, const struct cover_totals *totals) {
    json_key(json, "totals");
    json_open(json, '{');
#define KIND(name)                                                                                           \
    json_key(json, #name);                                                                                   \
    json_open_flat(json, '{');                                                                               \
    json_field(json, number, "covered", totals->name.covered);                                               \
    json_field(json, number, "total", totals->name.total);                                                   \
    json_close(json, '}');
    COVER_KINDS(KIND)
#undef KIND
    json_close(json, '}');
}

static void add_lines(struct json *json, const char *key, const struct cover_file *file, bool covered) {
    json_key(json, key);
    json_open_flat(json, '[');
    for (uint32_t i = 0; i < file->line_count; i++)
        if (file->lines[i].covered == covered) json_number(json, file->lines[i].line);
    json_close(json, ']');
}

static void add_sides(struct json *json, const struct cover_file *file) {
    json_key(json, "conditions");
    json_open(json, '[');
    for (uint32_t i = 0; i < file->side_count; i++) {
        const struct cover_side *side = &file->sides[i];
        json_open_flat(json, '{');
        json_field(json, number, "line", side->line);
        json_field(json, number, "column", side->column);
        json_field(json, number, "choice", side->block);
        json_field(json, number, "side", side->side);
        json_field(json, number, "to", side->to);
        json_field(json, bool, "reached", side->reached);
        json_field(json, bool, "covered", side->covered);
        json_field(json, bool, "symbolic", side->symbolic);
        json_close(json, '}');
    }
    json_close(json, ']');
}

static void add_functions(struct json *json, const struct cover_file *file) {
    json_key(json, "functions");
    json_open(json, '[');
    for (uint32_t i = 0; i < file->function_count; i++) {
        json_open_flat(json, '{');
        json_field(json, string, "name", file->functions[i].name);
        json_field(json, number, "line", file->functions[i].line);
        json_field(json, bool, "covered", file->functions[i].covered);
        json_close(json, '}');
    }
    json_close(json, ']');
}

static void add_gaps(struct json *json, const struct gaps *gaps) {
    json_key(json, "gaps");
    json_open(json, '[');
    for (uint32_t i = 0; i < gaps->count; i++) {
        const struct gap *gap = &gaps->at[i];
        struct text what = {0};
        gap_add_side(&what, gap);
        json_open_flat(json, '{');
        json_field(json, string, "file", gap->file);
        json_field(json, number, "line", gap->line);
        json_field(json, number, "column", gap->column);
        if (gap->function) json_field(json, string, "function", gap->function);
        json_field(json, string, "what", what.at);
        json_field(json, string, "reason", gap_reason_names[gap->reason]);
        json_close(json, '}');
        text_free(&what);
    }
    json_close(json, ']');
}

void coverage_add_json(struct text *to, const struct cover *cover, const struct gaps *gaps) {
    struct json json = {.to = to};
    struct cover_totals totals = cover_totals(cover);
    uint32_t count;
    const struct cover_file *files = cover_files(cover, &count);
    json_open(&json, '{');
    add_totals(&json, &totals);
    json_key(&json, "files");
    json_open(&json, '[');
    for (uint32_t i = 0; i < count; i++) {
        json_open(&json, '{');
        json_field(&json, string, "file", files[i].name);
        add_lines(&json, "covered", &files[i], true);
        add_lines(&json, "missed", &files[i], false);
        add_functions(&json, &files[i]);
        add_sides(&json, &files[i]);
        json_close(&json, '}');
    }
    json_close(&json, ']');
    add_gaps(&json, gaps);
    json_close(&json, '}');
}

// Appends a name; a character that would break the line of the record becomes '?'.
static void add_name(struct text *to, const char *name) {
    for (; *name; name++) text_add(to, "%c", (unsigned char)*name < 32 || *name == 127 ? '?' : *name);
}

static void add_file(struct text *to, const struct cover_file *file) {
    uint32_t hit = 0, sides = 0;
    text_add(to, "TN:\nSF:");
    add_name(to, file->name);
    text_add(to, "\n");
    for (uint32_t i = 0; i < file->function_count; i++) {
        text_add(to, "FN:%u,", file->functions[i].line);
        add_name(to, file->functions[i].name);
        text_add(to, "\n");
    }
    for (uint32_t i = 0; i < file->function_count; i++) {
        hit += file->functions[i].covered;
        text_add(to, "FNDA:%u,", file->functions[i].covered);
        add_name(to, file->functions[i].name);
        text_add(to, "\n");
    }
    text_add(to, "FNF:%u\nFNH:%u\n", file->function_count, hit);
    hit = 0;
    for (uint32_t i = 0; i < file->side_count; i++) {
        const struct cover_side *side = &file->sides[i];
        if (!side->line) continue;
        sides++;
        hit += side->covered;
        text_add(to, "BRDA:%u,%u,%u,%s\n", side->line, side->block, side->side,
                 side->covered   ? "1"
                 : side->reached ? "0"
                                 : "-");
    }
    text_add(to, "BRF:%u\nBRH:%u\n", sides, hit);
    hit = 0;
    for (uint32_t i = 0; i < file->line_count; i++) {
        hit += file->lines[i].covered;
        text_add(to, "DA:%u,%u\n", file->lines[i].line, file->lines[i].covered);
    }
    text_add(to, "LF:%u\nLH:%u\nend_of_record\n", file->line_count, hit);
}

void coverage_add_lcov(struct text *to, const struct cover *cover) {
    uint32_t count;
    const struct cover_file *files = cover_files(cover, &count);
    for (uint32_t i = 0; i < count; i++) add_file(to, &files[i]);
}
