#include "run/compare_runs.h"

#include "base/arena.h"
#include "base/error.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/json.h"
#include "output/report.h"
#include "run/out_folder.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_RUNS 64u // compared_line has a 64-bit set of runs

// A source line, the runs that have it, and the runs that covered it.
struct compared_line {
    const char *file;
    uint32_t line;
    uint64_t known, covered;
};

struct compared_bug {
    const char *fingerprint, *kind, *file, *message;
    uint32_t line;
    uint64_t runs, confirmed;
};

struct compared_runs {
    struct arena *arena;
    const char *const *names;
    const struct json_value **summaries;
    uint32_t count;
    vec(struct compared_line) lines;
    struct map line_index; // hash of file and line -> index + 1; after a collision the next key is tried
    vec(struct compared_bug) bugs;
};

// ---- reading

static struct compared_line *line_of(struct compared_runs *runs, const char *file, uint32_t line) {
    for (uint64_t key = hash_bytes(file, strlen(file), line) >> 1;; key++) {
        uint64_t *known = map_put(&runs->line_index, key);
        if (!*known) {
            vec_push(&runs->lines, ((struct compared_line){.file = file, .line = line}));
            *known = runs->lines.count;
        }
        struct compared_line *found = &runs->lines.at[*known - 1];
        if (found->line == line && !strcmp(found->file, file)) return found;
    }
}

static void take_lines(struct compared_runs *runs, uint32_t run, const struct json_value *coverage) {
    json_each(file, json_get(coverage, "files")) {
        const char *name = json_get_text(file, "file", "");
        json_each(line, json_get(file, "covered")) {
            struct compared_line *one = line_of(runs, name, (uint32_t)json_number_value(line, 0));
            one->known |= UINT64_C(1) << run;
            one->covered |= UINT64_C(1) << run;
        }
        json_each(line, json_get(file, "missed")) line_of(runs, name, (uint32_t)json_number_value(line, 0))
            ->known |= UINT64_C(1) << run;
    }
}

static void take_bugs(struct compared_runs *runs, uint32_t run, const struct json_value *summary) {
    json_each(bug, json_get(summary, "bugs")) {
        const char *fingerprint = json_get_text(bug, "fingerprint", "");
        struct compared_bug *found = NULL;
        vec_each (struct compared_bug, one, &runs->bugs)
            if (!strcmp(one->fingerprint, fingerprint)) found = one;
        if (!found) {
            vec_push(&runs->bugs, ((struct compared_bug){.fingerprint = fingerprint,
                                                         .kind = json_get_text(bug, "kind", ""),
                                                         .file = json_get_text(bug, "file", ""),
                                                         .message = json_get_text(bug, "message", ""),
                                                         .line = (uint32_t)json_get_number(bug, "line", 0)}));
            found = vec_last(&runs->bugs);
        }
        found->runs |= UINT64_C(1) << run;
        if (json_get_bool(bug, "replayed", false)) found->confirmed |= UINT64_C(1) << run;
    }
}

static int by_place(const void *a, const void *b) {
    const struct compared_line *x = a, *y = b;
    int order = strcmp(x->file, y->file);
    return order ? order : (x->line > y->line) - (x->line < y->line);
}

static bool read_runs(struct compared_runs *runs, const struct operands *operands) {
    *runs = (struct compared_runs){
        .arena = arena_new(), .names = operands->words.at, .count = operands->words.count};
    if (runs->count > MOST_RUNS) {
        user_error_at(NULL, "Name fewer folders.", "%u runs: at most %u can be compared", runs->count,
                      MOST_RUNS);
        return false;
    }
    runs->summaries = ARENA_ARRAY(runs->arena, const struct json_value *, runs->count);
    for (uint32_t i = 0; i < runs->count; i++) {
        runs->summaries[i] = out_read_json(runs->arena, runs->names[i], "summary.json");
        const struct json_value *coverage =
            runs->summaries[i] ? out_read_json(runs->arena, runs->names[i], "coverage.json") : NULL;
        if (!coverage) return false;
        take_lines(runs, i, coverage);
        take_bugs(runs, i, runs->summaries[i]);
    }
    if (runs->lines.count) qsort(runs->lines.at, runs->lines.count, sizeof *runs->lines.at, by_place);
    return true;
}

static void free_runs(struct compared_runs *runs) {
    vec_free(&runs->lines);
    vec_free(&runs->bugs);
    map_free(&runs->line_index);
    arena_free(runs->arena);
}

// ---- rows: one for each figure, as cells

// Columns: the figure's name, one for each run, all of them together.
typedef vec(const char *) cell_list;

static void add_cell(struct compared_runs *runs, cell_list *cells, const char *format, double a, double b) {
    struct text text = {0};
    text_add(&text, format, a, b);
    vec_push(cells, arena_strdup(runs->arena, text.at));
    text_free(&text);
}

static double figure(const struct json_value *summary, const char *group, const char *key) {
    const struct json_value *from = group ? json_get(summary, group) : summary;
    return json_real_value(json_get(from, key), 0);
}

static void add_figures(struct compared_runs *runs, cell_list *cells, const char *title, const char *group,
                        const char *key, const char *format) {
    vec_push(cells, title);
    for (uint32_t i = 0; i < runs->count; i++)
        add_cell(runs, cells, format, figure(runs->summaries[i], group, key), 0);
    vec_push(cells, "");
}

static uint32_t count_lines(const struct compared_runs *runs, uint64_t mask, bool covered) {
    uint32_t count = 0;
    vec_each (struct compared_line, line, &runs->lines)
        count += ((covered ? line->covered : line->known) & mask) != 0;
    return count;
}

static void add_line_row(struct compared_runs *runs, cell_list *cells) {
    vec_push(cells, "lines covered");
    for (uint32_t i = 0; i <= runs->count; i++) {
        uint64_t mask = i < runs->count ? UINT64_C(1) << i : UINT64_MAX;
        add_cell(runs, cells, "%.0f of %.0f", count_lines(runs, mask, true), count_lines(runs, mask, false));
    }
    vec_push(cells, "covered by it alone");
    for (uint32_t i = 0; i < runs->count; i++) {
        uint32_t alone = 0;
        vec_each (struct compared_line, line, &runs->lines) alone += line->covered == UINT64_C(1) << i;
        add_cell(runs, cells, "%.0f", alone, 0);
    }
    vec_push(cells, "");
}

static void add_bug_row(struct compared_runs *runs, cell_list *cells) {
    vec_push(cells, "bugs");
    for (uint32_t i = 0; i < runs->count; i++) {
        uint32_t count = 0;
        vec_each (struct compared_bug, bug, &runs->bugs) count += bug->runs >> i & 1;
        add_cell(runs, cells, "%.0f", count, 0);
    }
    add_cell(runs, cells, "%.0f", runs->bugs.count, 0);
}

static cell_list make_cells(struct compared_runs *runs) {
    cell_list cells = {0};
    vec_push(&cells, "");
    for (uint32_t i = 0; i < runs->count; i++) vec_push(&cells, runs->names[i]);
    vec_push(&cells, "together");
    add_bug_row(runs, &cells);
    add_line_row(runs, &cells);
    add_figures(runs, &cells, "paths completed", "paths", "completed", "%.0f");
    add_figures(runs, &cells, "paths left", "paths", "pending", "%.0f");
    add_figures(runs, &cells, "tests", NULL, "tests", "%.0f");
    add_figures(runs, &cells, "instructions", NULL, "instructions", "%.0f");
    add_figures(runs, &cells, "queries", "queries", "total", "%.0f");
    add_figures(runs, &cells, "seconds", "time", "wall", "%.2f");
    add_figures(runs, &cells, "seconds in the solver", "time", "solver", "%.2f");
    return cells;
}

// Appends the numbers of the runs in the mask, as "1 3", or "all".
static void add_runs(struct text *to, const struct compared_runs *runs, uint64_t mask) {
    if (mask == (UINT64_C(2) << (runs->count - 1)) - 1) {
        text_add(to, "all");
        return;
    }
    const char *separator = "";
    for (uint32_t i = 0; i < runs->count; i++) {
        if (!(mask >> i & 1)) continue;
        text_add(to, "%s", separator);
        report_add_safe(to, runs->names[i]);
        separator = ", ";
    }
}

// ---- text

int compare_print(const struct operands *operands) {
    struct compared_runs runs;
    bool good = read_runs(&runs, operands);
    if (good) {
        struct text text = {0};
        cell_list cells = make_cells(&runs);
        uint32_t columns = runs.count + 2;
        int width = 12;
        for (uint32_t i = 0; i < cells.count; i++)
            if (i % columns) width = MAX(width, (int)strlen(cells.at[i]));
        for (uint32_t i = 0; i < cells.count; i++)
            text_add(&text, i % columns ? "  %*s%s" : "%-*s%s", i % columns ? width : 22, cells.at[i],
                     i % columns == columns - 1 ? "\n" : "");
        vec_each (struct compared_bug, bug, &runs.bugs) {
            text_add(&text, "%s  ", bug->kind);
            report_add_path(&text, bug->file);
            text_add(&text, ":%u  ", bug->line);
            report_add_safe(&text, bug->message);
            text_add(&text, "  (");
            add_runs(&text, &runs, bug->runs);
            text_add(&text, bug->confirmed ? "; confirmed)\n" : ")\n");
        }
        text_put_shown(&text, stdout);
        text_free(&text);
        vec_free(&cells);
    }
    free_runs(&runs);
    return good ? EXIT_OK : EXIT_USAGE;
}

// ---- a page

static const char page_head[] =
    "<!doctype html>\n<html lang=\"en\"><meta charset=\"utf-8\"><title>Tamar: runs compared</title>\n"
    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
    "<style>:root{color-scheme:light dark}body{font:15px/1.5 system-ui,sans-serif;margin:2rem "
    "auto;max-width:75rem;padding:0 1rem}"
    "table{border-collapse:collapse;margin:1rem 0}td,th{padding:.25rem .8rem;border-bottom:1px solid "
    "#8884;text-align:right}"
    "td:first-child,th:first-child,.text{text-align:left}td:first-child{white-space:nowrap}summary{cursor:"
    "pointer}"
    "code{font:13px/1.5 ui-monospace,monospace}.scroll{overflow-x:auto}</style>\n<h1>Runs compared</h1>\n";

static void add_html(struct text *to, const char *plain) {
    struct text safe = {0};
    report_add_safe(&safe, plain);
    for (const char *p = safe.at ? safe.at : ""; *p; p++)
        if (strchr("<>&\"'", *p))
            text_add(to, "&#%d;", *p);
        else
            text_add(to, "%c", *p);
    text_free(&safe);
}

static void add_table(struct text *to, struct compared_runs *runs) {
    cell_list cells = make_cells(runs);
    uint32_t columns = runs->count + 2;
    text_add(to, "<div class=scroll><table>\n");
    for (uint32_t i = 0; i < cells.count; i++) {
        bool head = i < columns;
        if (i % columns == 0) text_add(to, "<tr>");
        text_add(to, head ? "<th>" : "<td>");
        add_html(to, cells.at[i]);
        text_add(to, head ? "</th>" : "</td>");
        if (i % columns == columns - 1) text_add(to, "</tr>\n");
    }
    text_add(to, "</table></div>\n");
    vec_free(&cells);
}

static void add_bug_table(struct text *to, const struct compared_runs *runs) {
    if (!runs->bugs.count) return;
    text_add(to, "<h2>Bugs</h2><div class=scroll><table><tr><th class=text>Kind</th><th class=text>Place</th>"
                 "<th class=text>What</th><th class=text>Found by</th></tr>\n");
    vec_each (struct compared_bug, bug, &runs->bugs) {
        struct text found = {0}, place = {0};
        add_runs(&found, runs, bug->runs);
        report_add_path(&place, bug->file);
        text_add(&place, ":%u", bug->line);
        text_add(to, "<tr><td>");
        add_html(to, bug->kind);
        text_add(to, "</td><td class=text><code>");
        add_html(to, place.at);
        text_add(to, "</code></td><td class=text>");
        add_html(to, bug->message);
        text_add(to, "</td><td class=text>");
        add_html(to, found.at);
        text_add(to, bug->confirmed ? "; confirmed</td></tr>\n" : "</td></tr>\n");
        text_free(&found);
        text_free(&place);
    }
    text_add(to, "</table></div>\n");
}

// Lists lines by the set of runs that cover them, folded; lines that all or none cover come first.
static void add_line_lists(struct text *to, const struct compared_runs *runs) {
    text_add(to, "<h2>Lines</h2>\n");
    for (uint32_t i = 0; i <= runs->count; i++) {
        uint64_t only = i < runs->count ? UINT64_C(1) << i : 0;
        struct text list = {0};
        const char *file = "";
        uint32_t count = 0;
        vec_each (struct compared_line, line, &runs->lines) {
            if (line->covered != only) continue;
            count++;
            if (strcmp(file, line->file) != 0) {
                file = line->file;
                text_add(&list, "<br><code>");
                add_html(&list, file);
                text_add(&list, "</code>: ");
            } else {
                text_add(&list, ", ");
            }
            text_add(&list, "%u", line->line);
        }
        text_add(to, "<details><summary>%u line%s covered by ", count, count == 1 ? "" : "s");
        if (only) add_html(to, runs->names[i]);
        text_add(to, "%s</summary>%s</details>\n", only ? " alone" : "none", list.at ? list.at : "");
        text_free(&list);
    }
}

int compare_write_page(const struct operands *operands, const char *to) {
    struct compared_runs runs;
    bool good = read_runs(&runs, operands);
    if (good) {
        struct text page = {0};
        text_add(&page, "%s", page_head);
        add_table(&page, &runs);
        add_bug_table(&page, &runs);
        add_line_lists(&page, &runs);
        if (!to) to = "tamar-compared.html";
        good = file_put(to, page.at, page.count);
        if (good)
            puts(to);
        else
            user_error_at(to, "Choose another file with --to FILE.", "%s", strerror(errno));
        text_free(&page);
    }
    free_runs(&runs);
    return good ? EXIT_OK : EXIT_USAGE;
}
