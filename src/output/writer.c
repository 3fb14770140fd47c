#include "output/writer.h"

#include "base/arena.h"
#include "base/error.h"
#include "base/file.h"
#include "base/json.h"
#include "base/log.h"
#include "base/options.h"
#include "base/sources.h"
#include "output/coverage.h"
#include "output/database.h"
#include "output/record.h"
#include "output/renumber.h"
#include "output/report.h"
#include "output/results.h"
#include "output/sarif.h"
#include "output/tests.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MOST_ENTRIES 10000 // most entries of the start directory that are listed

struct writer {
    struct writer_options options;
    struct results *results;
    const struct ir_program *program;
    struct record *record;
    struct database *database;
    struct arena *arena; // for the findings' commands
    FILE *log;
    bool taken_up; // the messages of the resumed run have been read
    // Coverage by tests: edges, functions and positions, and the lines (of all files, in order) derived from them.
    struct cover *tested;
    uint8_t *tested_items, *tested_lines;
};

// ---- the start

static void add_words(struct json *json, const char *key, const char *const *words, uint32_t count) {
    json_key(json, key);
    json_open(json, '[');
    for (uint32_t i = 0; i < count; i++) json_string(json, words[i]);
    json_close(json, ']');
}

// Adds the words as hexadecimal bytes if JSON strings cannot represent them.
static void add_exact_words(struct json *json, const char *key, const char *const *words, uint32_t count) {
    bool exact = true;
    for (uint32_t i = 0; i < count; i++) exact &= text_is_utf8(words[i]);
    if (exact) return;
    json_key(json, key);
    json_open(json, '[');
    for (uint32_t i = 0; i < count; i++) json_hex(json, words[i], strlen(words[i]));
    json_close(json, ']');
}

// Adds the locations of the program's sources, which reports quote (base/sources.h).
static void add_sources(struct json *json) {
    json_key(json, "sources");
    json_open(json, '[');
    for (uint32_t i = 0; i < sources_count(); i++) json_string(json, sources_folder(i));
    json_close(json, ']');
}

static int not_dots(const struct dirent *entry) {
    return strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
}

// Adds the initial entries of the folder in which the program starts: a replay hides files that appear later. Names are
// escaped as for a terminal, since JSON strings cannot hold arbitrary bytes.
static void add_entries(struct json *json, const char *directory) {
    struct dirent **entries;
    int count = scandir(directory, &entries, not_dots, alphasort);
    if (count < 0) return;
    if (count <= MOST_ENTRIES) {
        json_key(json, "entries");
        json_open(json, '[');
        for (int i = 0; i < count; i++) {
            struct text name = {0};
            text_add_line(&name, entries[i]->d_name, strlen(entries[i]->d_name));
            json_string(json, name.at);
            text_free(&name);
        }
        json_close(json, ']');
    }
    for (int i = 0; i < count; i++) free(entries[i]);
    free(entries);
}

// Writes program.json, which has everything needed to build the program and set up the run again.
static void write_program(struct writer *writer) {
    const struct writer_options *options = &writer->options;
    struct text content = {0};
    struct json json = {.to = &content};
    uint32_t count = 0;
    while (options->command[count]) count++;
    json_open(&json, '{');
    json_field(&json, string, "kind", options->kind);
    json_field(&json, string, "program", options->program);
    if (options->stdin) json_field(&json, string, "stdin", options->stdin);
    json_field(&json, string, "directory", options->directory);
    json_field(&json, string, "bitcode", "program.bc");
    add_words(&json, "words", options->words, options->word_count);
    add_words(&json, "command", options->command, count);
    add_exact_words(&json, "command_hex", options->command, count);
    json_field(&json, string, "version", options->version);
    json_field(&json, number, "format", WRITER_FORMAT);
    add_sources(&json);
    add_entries(&json, options->directory);
    json_close(&json, '}');
    results_write_durably(writer->results, "program.json", content.at, content.count);
    text_free(&content);
}

// Removes incomplete test folders of a killed run, which still have temporary names.
static void remove_unfinished(const struct results *results) {
    struct text folder = results_path(results, "tests");
    DIR *tests = opendir(folder.at);
    for (struct dirent *entry = tests ? readdir(tests) : NULL; entry; entry = readdir(tests)) {
        if (entry->d_name[0] != '.' || entry->d_name[1] < '0' || entry->d_name[1] > '9') continue;
        struct text path = results_path(results, "tests/%s", entry->d_name);
        file_remove_tree(path.at);
        text_free(&path);
    }
    if (tests) closedir(tests);
    text_free(&folder);
}

struct writer *writer_open(const struct writer_options *options) {
    struct results *folder = options->reopen ? results_open(options->out) : results_create(options->out);
    if (!folder) return NULL;
    struct writer *writer = NEW(struct writer);
    writer->options = *options;
    writer->results = folder;
    writer->arena = arena_new();
    struct text path = results_path(folder, "log.txt");
    writer->log = fopen(path.at, options->reopen ? "a" : "w");
    if (!writer->log) results_fail(folder, "log.txt", strerror(errno));
    log_copy_to(writer->log);
    text_free(&path);
    if (options->reopen) {
        remove_unfinished(folder);
        return writer;
    }
    results_make_folder(folder, "tests");
    results_make_folder(folder, "bugs");
    if (options->bitcode->count) writer_put(writer, "program.bc", options->bitcode);
    write_program(writer);
    return writer;
}

void writer_free(struct writer *writer) {
    if (!writer) return;
    log_copy_to(NULL);
    if (writer->log) fclose(writer->log);
    database_free(writer->database);
    record_free(writer->record);
    cover_free(writer->tested);
    arena_free(writer->arena);
    results_free(writer->results);
    DELETE(writer);
}

static uint32_t all_lines(const struct cover *cover) {
    uint32_t count, lines = 0;
    const struct cover_file *files = cover_files(cover, &count);
    for (uint32_t i = 0; i < count; i++) lines += files[i].line_count;
    return lines;
}

void writer_start(struct writer *writer, const struct ir_program *program) {
    writer->program = program;
    writer->record = record_new(program);
    writer->tested = cover_new(program);
    writer->tested_items = arena_alloc(writer->arena, cover_item_count(program));
    writer->tested_lines = arena_alloc(writer->arena, all_lines(writer->tested) + 1);
    if (!writer->options.reopen) writer->database = database_open(writer->results);
}

const struct record *writer_record(const struct writer *writer) { return writer->record; }
const char *writer_folder(const struct writer *writer) { return results_folder(writer->results); }
bool writer_failed(const struct writer *writer) { return results_failed(writer->results); }

void writer_put(struct writer *writer, const char *name, const struct text *content) {
    results_write_durably(writer->results, name, content->at ? content->at : "", content->count);
}

// ---- tests

// Lists the lines that no earlier test has covered.
static uint32_t new_lines(struct writer *writer, const uint32_t *items, uint32_t item_count,
                          struct arena *arena, struct new_lines **list) {
    uint32_t count, used = 0;
    uint8_t *tested = writer->tested_lines, *all = writer->tested_items;
    struct cover_seen seen = {all, all + cover_function_item(writer->program, 0),
                              all + cover_position_item(writer->program, 0)};
    for (uint32_t i = 0; i < item_count; i++) {
        assert(items[i] < cover_item_count(writer->program));
        all[items[i]] = 1;
    }
    if (item_count) cover_update(writer->tested, &seen);
    const struct cover_file *files = cover_files(writer->tested, &count);
    *list = ARENA_ARRAY(arena, struct new_lines, count + 1);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t *lines = ARENA_ARRAY(arena, uint32_t, files[i].line_count + 1), found = 0;
        for (uint32_t k = 0; k < files[i].line_count; k++) {
            if (!files[i].lines[k].covered || tested[k]) continue;
            tested[k] = 1;
            lines[found++] = files[i].lines[k].line;
        }
        tested += files[i].line_count;
        if (found) (*list)[used++] = (struct new_lines){files[i].name, lines, found};
    }
    return used;
}

static const char *command_for(struct writer *writer, const struct finding *finding,
                               const struct test_case *test, bool report) {
    const struct writer_options *options = &writer->options;
    struct report_program program = {options->program, options->words, options->word_count,
                                     report_check_of(finding->kind), options->stdin};
    struct text command = {0};
    if (report) report_write(writer->results, finding, test, &program);
    report_add_command(&command, test, results_folder(writer->results), &program);
    const char *copy = arena_strdup(writer->arena, command.at);
    text_free(&command);
    return copy;
}

static const struct finding *take_test(struct writer *writer, const struct test_case *test) {
    struct finding *finding = record_finding(writer->record, test->finding);
    bool shows = finding && finding->test == test->number;
    if (shows) finding->command = command_for(writer, finding, test, !finding->ignored);
    struct arena *arena = arena_new();
    struct new_lines *covers;
    uint32_t count = new_lines(writer, test->fresh, test->fresh_count, arena, &covers);
    test_write(writer->results, test, finding, covers, count);
    if (writer->database) database_test(writer->database, test, finding);
    arena_free(arena);
    return shows && finding->occurrences == 1 && !finding->ignored ? finding : NULL;
}

// ---- a resumed run

// Restores the command of a finding from its test on disk; with `report` also rewrites its report.
static void take_finding_again(struct writer *writer, struct finding *finding, bool report) {
    struct text path = results_path(writer->results, "tests/%06u.json", finding->test);
    struct test_case test;
    struct finding read = {0};
    const char *problem = test_read(writer->arena, path.at, &test, &read);
    if (problem)
        user_warning("%s: %s", path.at, problem);
    else
        finding->command = command_for(writer, finding, &test, report && !finding->ignored);
    text_free(&path);
}

// Called at the first status message of a resumed run: the messages before it restored the findings.
static void take_up(struct writer *writer) {
    writer->database = database_open(writer->results);
    struct finding *finding;
    for (uint32_t i = 1; (finding = record_finding(writer->record, i)); i++)
        take_finding_again(writer, finding, false);
    writer->taken_up = true;
}

const struct finding *writer_take(struct writer *writer, const struct message *message) {
    record_take(writer->record, message);
    if (message->kind == MESSAGE_TEST) return take_test(writer, message->test_case);
    if (message->kind == MESSAGE_COVERAGE && message->coverage_delta->tested_count) {
        struct arena *arena = arena_new();
        struct new_lines *lines;
        new_lines(writer, message->coverage_delta->tested, message->coverage_delta->tested_count, arena,
                  &lines);
        arena_free(arena);
    }
    if (message->kind == MESSAGE_STATUS && writer->options.reopen && !writer->taken_up) take_up(writer);
    return NULL;
}

// ---- the summary

static const char *option_value(struct arena *arena, const struct option *option, const void *values) {
    const char *field = (const char *)values + option->offset;
    struct text text = {0};
    switch (option->kind) {
    case OPTION_FLAG:
    case OPTION_SWITCH: text_add(&text, *(const bool *)field ? "on" : "off"); break;
    case OPTION_NUMBER: text_add(&text, "%llu", (unsigned long long)*(const uint64_t *)field); break;
    case OPTION_SECONDS: text_add(&text, "%g", *(const double *)field); break;
    case OPTION_TEXT:
        text_add(&text, "%s", *(const char *const *)field ? *(const char *const *)field : "");
        break;
    case OPTION_CHOICE: {
        const char *start;
        size_t length = option_choice(option->choices, *(const unsigned *)field, &start);
        text_add_bytes(&text, start, length);
        break;
    }
    case OPTION_SET: {
        const char *start;
        size_t length;
        for (unsigned k = 0; (length = option_choice(option->choices, k, &start)); k++) {
            if (!(*(const uint64_t *)field >> k & 1)) continue;
            if (text.count) text_add(&text, ",");
            text_add_bytes(&text, start, length);
        }
        break;
    }
    case OPTION_LIST: {
        const struct option_list *list = (const struct option_list *)field;
        for (uint32_t i = 0; i < list->count; i++)
            for (unsigned k = 0; k < option_arity(option); k++)
                text_add(&text, "%s%s", text.count ? " " : "", list->at[i].values[k]);
        break;
    }
    }
    const char *copy = arena_strdup(arena, text.at ? text.at : "");
    text_free(&text);
    return copy;
}

static void fill_options(struct writer *writer, struct arena *arena, struct summary *summary) {
    const struct option_table *table = writer->options.table;
    struct summary_option *options = ARENA_ARRAY(arena, struct summary_option, table->count);
    for (unsigned i = 0; i < table->count; i++) {
        char *name = arena_strdup(arena, table->at[i].name);
        for (char *p = name; *p; p++)
            if (*p == '_') *p = '-';
        options[i] =
            (struct summary_option){name, option_value(arena, &table->at[i], writer->options.values)};
    }
    summary->options = options;
    summary->option_count = table->count;
}

struct summary writer_summary(struct writer *writer, struct arena *arena, bool ended) {
    struct summary summary = record_summary(writer->record, arena, ended);
    summary.folder = results_folder(writer->results);
    summary.program = writer->options.program;
    summary.kind = writer->options.kind;
    summary.command = writer->options.command;
    fill_options(writer, arena, &summary);
    return summary;
}

static void put_and_clear(struct writer *writer, const char *name, struct text *content) {
    writer_put(writer, name, content);
    text_clear(content);
}

void writer_progress(struct writer *writer, const struct summary *summary, bool coverage) {
    struct text content = {0};
    if (coverage) {
        coverage_add_json(&content, record_cover(writer->record), &summary->gaps);
        results_write(writer->results, "coverage.json", content.at, content.count);
        text_clear(&content);
    }
    summary_add_json(&content, summary);
    results_write(writer->results, "summary.json", content.at, content.count);
    text_free(&content);
    if (writer->database) database_progress(writer->database, summary);
}

void writer_renumber(struct writer *writer, const uint32_t *numbers, uint32_t count) {
    struct finding *finding;
    if (!renumber_files(writer->results, numbers, count)) return;
    if (writer->database) database_renumber(writer->database, numbers, count);
    for (uint32_t i = 1; (finding = record_finding(writer->record, i)); i++) {
        if (finding->test && finding->test <= count) finding->test = numbers[finding->test];
        take_finding_again(writer, finding, true);
    }
}

// Rewrites the reports of bugs that were found on several call paths, with the number of call paths.
static void finish_reports(struct writer *writer) {
    struct finding *finding;
    for (uint32_t i = 1; (finding = record_finding(writer->record, i)); i++)
        if (finding->occurrences > 1) take_finding_again(writer, finding, true);
}

void writer_finish(struct writer *writer, const struct summary *summary, struct text *json) {
    finish_reports(writer);
    struct text content = {0};
    const struct cover *cover = record_cover(writer->record);
    coverage_add_json(&content, cover, &summary->gaps);
    put_and_clear(writer, "coverage.json", &content);
    coverage_add_lcov(&content, cover);
    put_and_clear(writer, "coverage.info", &content);
    sarif_add(&content, summary, writer->options.directory, writer->options.version);
    put_and_clear(writer, "bugs.sarif", &content);
    if (writer->database) {
        database_progress(writer->database, summary);
        database_finish(writer->database, summary);
    }
    for (uint32_t i = 0; i < summary->gave_up_count; i++) {
        const struct incompleteness *one = &summary->gave_up[i];
        text_add(&content, "%s: %s at %s:%u, %llu time%s", one->lost ? "given up" : "slower", one->what,
                 one->place.file, one->place.line, (unsigned long long)one->count,
                 one->count == 1 ? "" : "s");
        log_copy(content.at);
        text_clear(&content);
    }
    summary_add_json(&content, summary);
    if (json) text_add_bytes(json, content.at, content.count);
    put_and_clear(writer, "summary.json", &content);
    text_free(&content);
}
