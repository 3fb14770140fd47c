#include "output/page.h"

#include "base/file.h"
#include "base/json.h"
#include "base/sources.h"
#include "output/database.h"
#include "output/page_parts.h"
#include "output/test_tree.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_SOURCE (4u << 20) // largest source file that is shown, in bytes

static bool read_source(const char *path, struct text *content) {
    char piece[65536];
    size_t got;
    FILE *file = sources_open(path);
    if (!file) return false;
    while (content->count <= MOST_SOURCE && (got = fread(piece, 1, sizeof piece, file)) > 0)
        text_add_bytes(content, piece, got);
    fclose(file);
    return content->count <= MOST_SOURCE;
}

// Adds a string; NULs in it, which json_field cannot represent, become '?'.
static void add_text(struct json *json, const char *key, struct text *content) {
    for (size_t i = 0; i < content->count; i++)
        if (!content->at[i]) content->at[i] = '?';
    json_field(json, string, key, content->at ? content->at : "");
}

static void add_file(struct json *json, const struct json_value *file) {
    struct text source = {0};
    json_open(json, '{');
    json_each(item, file) {
        json_key(json, item->key);
        json_copy(json, item);
    }
    if (read_source(json_get_text(file, "file", ""), &source)) add_text(json, "source", &source);
    json_close(json, '}');
    text_free(&source);
}

static void add_coverage(struct json *json, const struct report_page *page) {
    json_key(json, "files");
    json_open(json, '[');
    json_each(file, json_get(page->coverage, "files")) add_file(json, file);
    json_close(json, ']');
    json_key(json, "gaps");
    if (json_get(page->coverage, "gaps")) {
        json_copy(json, json_get(page->coverage, "gaps"));
    } else {
        json_open(json, '[');
        json_close(json, ']');
    }
}

static void add_reports(struct json *json, const struct report_page *page) {
    json_key(json, "reports");
    json_open(json, '[');
    json_each(bug, json_get(page->summary, "bugs")) {
        const char *name = json_get_text(bug, "report", "");
        struct text path = {0}, content = {0};
        text_add(&path, "%s/%s", page->folder, name);
        bool inside = !strncmp(name, "bugs/", 5) && !strstr(name, "..");
        if (inside && !file_read_kept(path.at, &content))
            json_string(json, content.at ? content.at : "");
        else
            json_string(json, NULL);
        text_free(&path);
        text_free(&content);
    }
    json_close(json, ']');
}

static void add_data(struct text *to, const struct report_page *page) {
    struct json json = {.to = to};
    json_open_flat(&json, '{');
    json_field(&json, string, "folder", page->folder);
    json_field(&json, string, "version", json_get_text(page->program, "version", ""));
    json_key(&json, "summary");
    json_copy(&json, page->summary);
    add_coverage(&json, page);
    add_reports(&json, page);
    database_add_json(&json, page->folder);
    test_tree_add_json(&json, page->tests, page->test_count);
    json_close(&json, '}');
}

// Escapes markup characters, so that nothing in the block looks like markup. In JSON they occur only in strings, where
// an escape is equivalent.
static void add_harmless(struct text *to, const struct text *json) {
    const char *at = json->at, *end = json->at + json->count;
    while (at < end) {
        size_t plain = strcspn(at, "<>&");
        text_add_bytes(to, at, plain);
        at += plain;
        if (at < end) text_add(to, "\\u%04x", (unsigned)*at++);
    }
}

void page_add(struct text *to, const struct report_page *page) {
    struct text data = {0};
    add_data(&data, page);
    text_add(to, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                 "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
                 "style-src 'unsafe-inline'; script-src 'nonce-tamar'\">\n"
                 "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                 "<title>Tamar report</title>\n<style>\n");
    text_add(to, "%s", page_style);
    text_add(to, "</style>\n</head>\n");
    text_add(to, "%s", page_body);
    text_add(to, "<script type=\"application/json\" id=\"data\" nonce=\"tamar\">\n");
    add_harmless(to, &data);
    text_add(to, "</script>\n<script nonce=\"tamar\">\n");
    text_add(to, "%s", page_script);
    text_add(to, "</script>\n</body>\n</html>\n");
    text_free(&data);
}
