// The report, as Markdown for a pull request and as JSON for scripts.
#include "base/error.h"
#include "base/json.h"
#include "output/results.h"
#include "regress/regress.h"
#include "run/out_folder.h"

#include <stdio.h>
#include <string.h>

#define LONGEST   80  // characters of an input, of a source line or an output line
#define MOST_ROWS 20u // most rows in the table of tests that behave differently

// ---- which test reached a line

static void note_covers(struct regress *regress, const struct json_value *covers, uint32_t number) {
    json_each(file, covers) {
        const char *name = json_get_text(file, "file", "");
        json_each(item, json_get(file, "lines")) {
            uint64_t line = json_number_value(item, 0);
            vec_each (struct changed_line, changed, &regress->lines)
                if (!changed->test && changed->line == line && !strcmp(changed->file, name))
                    changed->test = number;
        }
    }
}

static void find_tests_of_lines(struct regress *regress, const char *folder) {
    vec_each (struct regress_test, test, &regress->tests) {
        char name[64];
        snprintf(name, sizeof name, "tests/%06u.json", test->number);
        const struct json_value *json = out_read_json(regress->arena, folder, name);
        if (json) note_covers(regress, json_get(json, "covers"), test->number);
    }
}

// ---- texts

// Appends a character of a table cell: newlines, bars and backquotes are escaped or replaced.
static void add_cell_byte(struct text *to, uint8_t byte) {
    switch (byte) {
    case '\n': text_add(to, "\\n"); break;
    case '\t': text_add(to, "\\t"); break;
    case '\r': text_add(to, "\\r"); break;
    case '`': text_add(to, "'"); break;
    case '|': text_add(to, "\\|"); break;
    default:
        if (byte < 32 || byte == 127)
            text_add(to, "\\%03o", byte);
        else
            text_add_bytes(to, &byte, 1);
    }
}

static bool is_text(const char *bytes, size_t size) {
    for (size_t i = 0; i < size; i++)
        if ((uint8_t)bytes[i] >= 128) return false;
    return true;
}

static void add_cell(struct text *to, const char *text, size_t size) {
    size_t shown = MIN(size, LONGEST);
    text_add(to, "`");
    if (!is_text(text, shown)) {
        struct text safe = {0}; // with invalid bytes escaped
        text_add_escaped(&safe, text, shown);
        text_add(to, "%s", safe.at);
        text_free(&safe);
    } else {
        for (size_t i = 0; i < shown; i++) add_cell_byte(to, (uint8_t)text[i]);
    }
    if (!size) text_add(to, " ");
    text_add(to, "`%s", size > LONGEST ? "..." : "");
}

static void add_text_cell(struct text *to, const char *text) {
    add_cell(to, text ? text : "", text ? strlen(text) : 0);
}

// Appends the first line of this output that differs from the other one.
static void add_output(struct text *to, const struct behaviour *of, const struct behaviour *other) {
    size_t start = 0, at = 0;
    while (at < of->output.count && at < other->output.count && of->output.at[at] == other->output.at[at]) {
        if (of->output.at[at] == '\n') start = at + 1;
        at++;
    }
    if (start >= of->output.count) {
        text_add(to, "prints nothing more");
        return;
    }
    const char *line = of->output.at + start, *end = memchr(line, '\n', of->output.count - start);
    text_add(to, "prints ");
    add_cell(to, line, end ? (size_t)(end - line) : of->output.count - start);
}

static void add_behaviour(struct text *to, const struct regress_test *test, const struct behaviour *of,
                          const struct behaviour *other) {
    bool both_end = strcmp(of->end, other->end) != 0;
    text_add(to, of->bug ? "**%s**" : "%s", of->end);
    if (test->output_differs && !of->bug && !(both_end && other->bug)) {
        text_add(to, ", ");
        add_output(to, of, other);
    }
}

static void add_counted(struct text *to, uint64_t count, const char *one, const char *many) {
    text_add(to, "%llu %s", (unsigned long long)count, count == 1 ? one : many);
}

// ---- Markdown

static void add_head(struct regress *regress, struct text *to, const char *program) {
    const struct explore_result *result = &regress->result;
    uint32_t reached = 0;
    vec_each (struct changed_line, line, &regress->lines) reached += line->test != 0;
    text_add(to, "## What the change does: `%s`", program);
    if (regress->since) text_add(to, ", since `%s`", regress->since);
    text_add(to, "\n\n");
    add_counted(to, regress->lines.count, "changed line has code", "changed lines have code");
    text_add(to, ", %u reached. ", reached);
    add_counted(to, regress->seed_count, "recorded input", "recorded inputs");
    text_add(to, " led to ");
    add_counted(to, result->counts.completed + result->counts.errors, "path", "paths");
    text_add(to, ", %llu of them by a choice in changed code (%s).\n",
             (unsigned long long)result->counts.by_new,
             result->complete ? explore_end_names[END_COMPLETE] : "not every path was explored");
}

// Whether the test is the first one of its bug: only that one is listed.
static bool is_first(const struct regress *regress, const struct regress_test *test) {
    vec_each (struct regress_test, other, &regress->tests) {
        if (other == test) return true;
        if (!other->now.bug) continue;
        bool counted = other->bug && test->bug;
        if (counted ? other->bug == test->bug : !strcmp(other->now.end, test->now.end)) return false;
    }
    return true;
}

// Marks the tests of bugs that are known reports; summary.json lists these bugs, each with the number of one test.
static void mark_ignored(struct regress *regress, const char *folder) {
    const struct json_value *summary = out_read_json(regress->arena, folder, "summary.json");
    if (!summary) return;
    json_each(bug, json_get(summary, "ignored")) {
        uint64_t number = json_get_number(bug, "test", 0);
        vec_each (struct regress_test, test, &regress->tests)
            if (test->bug && regress->result.bugs[test->bug - 1].test == number) test->ignored = true;
    }
}

static void add_bugs(struct regress *regress, struct text *to, const char *folder) {
    uint32_t count = 0, ignored = regress->result.ignored_count;
    vec_each (struct regress_test, test, &regress->tests) count += test->now.bug && !test->ignored;
    text_add(to, "\n### Bugs\n\n");
    if (ignored) {
        add_counted(to, ignored, "known report is", "known reports are");
        text_add(to, " ignored.\n\n");
    }
    if (!count) {
        text_add(to, "None was found.\n");
        return;
    }
    text_add(to,
             "| new version | natively | old version | input | see it |\n| --- | --- | --- | --- | --- |\n");
    vec_each (struct regress_test, test, &regress->tests) {
        if (!test->now.bug || test->ignored || !is_first(regress, test)) continue;
        text_add(to, "| **%s** | %s | %s | ", test->now.end,
                 test->now.natively ? test->now.natively : "not tried",
                 test->compared ? test->old.end : "not compared");
        add_cell(to, test->input, test->input_size);
        text_add(to, " | `tamar show %s/tests/%06u.json` |\n", folder, test->number);
    }
}

static void add_differences(struct regress *regress, struct text *to) {
    uint32_t compared = 0, count = 0, unstable = 0;
    vec_each (struct regress_test, test, &regress->tests) {
        compared += test->compared;
        unstable += test->unstable;
        count += test->differs;
    }
    text_add(to, "\n### Behaviour\n\n");
    if (regress->not_compared) {
        text_add(to, "Not compared with the old version: %s.\n", regress->not_compared);
        return;
    }
    text_add(to, "%u of ", count);
    add_counted(to, compared, "test ends or prints", "tests end or print");
    text_add(to, " something else than in the old version.");
    if (unstable) text_add(to, " %u print something else each time, and were not compared.", unstable);
    text_add(to, "\n");
    if (!count) return;
    text_add(to, "\n| test | input | old version | new version |\n| --- | --- | --- | --- |\n");
    uint32_t shown = 0;
    vec_each (struct regress_test, test, &regress->tests) {
        if (!test->differs || shown++ >= MOST_ROWS) continue;
        text_add(to, test->seed ? "| %u (recorded) | " : "| %u | ", test->number);
        add_cell(to, test->input, test->input_size);
        text_add(to, " | ");
        add_behaviour(to, test, &test->old, &test->now);
        text_add(to, " | ");
        add_behaviour(to, test, &test->now, &test->old);
        text_add(to, " |\n");
    }
    if (count > MOST_ROWS)
        text_add(to, "\n%u more are in `regress.json`; `tamar show OUT/tests/NUMBER.json` shows each.\n",
                 count - MOST_ROWS);
}

static bool is_seed(const struct regress *regress, uint32_t number) {
    vec_each (struct regress_test, test, &regress->tests)
        if (test->number == number) return test->seed;
    return false;
}

static bool is_compared(const struct regress *regress, uint32_t number) {
    vec_each (struct regress_test, test, &regress->tests)
        if (test->number == number) return test->compared && !test->unstable;
    return false;
}

static void add_lines(struct regress *regress, struct text *to) {
    text_add(
        to, "\n### Changed lines\n\n| line | source | reached by | behaviour |\n| --- | --- | --- | --- |\n");
    vec_each (struct changed_line, line, &regress->lines) {
        text_add(to, "| `%s:%u` | ", line->name, line->line);
        add_text_cell(to, line->source);
        if (!line->test)
            text_add(to, " | **nothing** | |\n");
        else
            text_add(to, " | test %u%s | %s |\n", line->test,
                     is_seed(regress, line->test) ? " (recorded)" : "",
                     line->differs                                                ? "differs"
                     : regress->not_compared || !is_compared(regress, line->test) ? ""
                                                                                  : "the same");
    }
}

// ---- JSON

static void add_json_behaviour(struct json *json, const char *key, const struct behaviour *behaviour) {
    json_key(json, key);
    json_open(json, '{');
    json_field(json, string, "end", behaviour->end);
    json_field(json, bool, "bug", behaviour->bug);
    json_close(json, '}');
}

static void add_json_tests(struct regress *regress, struct json *json) {
    json_key(json, "tests");
    json_open(json, '[');
    vec_each (struct regress_test, test, &regress->tests) {
        json_open(json, '{');
        json_field(json, number, "test", test->number);
        json_field(json, number, "seed", test->seed);
        json_field(json, bool, "ignored", test->ignored);
        json_field(json, number, "line", test->line);
        json_field(json, bool, "new_choice", test->forked_by &CHOICE_CHANGED);
        json_field(json, bool, "dangerous_choice", (test->forked_by & CHOICE_DANGEROUS) != 0);
        json_field(json, bool, "compared", test->compared);
        json_field(json, bool, "differs", test->differs);
        json_field(json, bool, "output_differs", test->output_differs);
        if (test->compared) add_json_behaviour(json, "old", &test->old);
        if (test->now.end) add_json_behaviour(json, "new", &test->now);
        json_close(json, '}');
    }
    json_close(json, ']');
}

static void add_json_lines(struct regress *regress, struct json *json) {
    json_key(json, "lines");
    json_open(json, '[');
    vec_each (struct changed_line, line, &regress->lines) {
        json_open(json, '{');
        json_field(json, string, "file", line->file);
        json_field(json, number, "line", line->line);
        json_field(json, number, "test", line->test);
        json_field(json, bool, "differs", line->differs);
        json_close(json, '}');
    }
    json_close(json, ']');
}

static void add_json(struct regress *regress, struct text *to) {
    const struct explore_result *result = &regress->result;
    struct json json = {.to = to};
    json_open(&json, '{');
    json_field(&json, number, "changed_lines", regress->changed_count);
    json_field(&json, number, "seeds", regress->seed_count);
    json_field(&json, number, "paths", result->counts.completed + result->counts.errors);
    json_field(&json, number, "paths_by_new_choice", result->counts.by_new);
    json_field(&json, number, "paths_by_dangerous_choice", result->counts.by_dangerous);
    json_field(&json, number, "instructions", result->counts.instructions);
    json_field(&json, number, "queries", regress->queries);
    json_field(&json, number, "queries_cached", regress->cached);
    json_field(&json, bool, "complete", regress->result.complete);
    json_field(&json, string, "not_compared", regress->not_compared ? regress->not_compared : "");
    add_json_lines(regress, &json);
    add_json_tests(regress, &json);
    json_close(&json, '}');
}

void regress_report(struct regress *regress, const char *folder) {
    find_tests_of_lines(regress, folder);
    struct text markdown = {0}, json = {0};
    const char *program = "program";
    for (uint32_t i = regress->word_count; i--;)
        if (regress->words[i][0] != '-') program = regress->words[i];
    mark_ignored(regress, folder);
    add_head(regress, &markdown, program);
    add_bugs(regress, &markdown, folder);
    add_differences(regress, &markdown);
    add_lines(regress, &markdown);
    add_json(regress, &json);
    struct results *results = results_open(folder);
    results_write(results, "regress.md", markdown.at, markdown.count);
    results_write(results, "regress.json", json.at, json.count);
    results_free(results);
    text_put_shown(regress->json ? &json : &markdown, stdout);
    text_free(&markdown);
    text_free(&json);
}
