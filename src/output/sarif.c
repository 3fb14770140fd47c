#include "output/sarif.h"

#include "base/bug_kinds.h"
#include "base/json.h"

#include <stdio.h>
#include <string.h>

#define SCHEMA "https://json.schemastore.org/sarif-2.1.0.json"

// Returns the rule for a kind. Results written by another version of Tamar may have an unknown kind.
static enum bug_kind rule_of(const char *kind) {
    enum bug_kind rule = bug_kind_by_name(kind);
    return rule == BUG_COUNT ? BUG_USER : rule;
}

static void add_message(struct json *json, const char *key, const char *text) {
    json_key(json, key);
    json_open_flat(json, '{');
    json_field(json, string, "text", text);
    json_close(json, '}');
}

// Adds a path as a URI: characters that are not allowed become %XX.
static void add_uri(struct json *json, const char *key, const char *prefix, const char *path,
                    const char *end) {
    struct text uri = {0};
    text_add(&uri, "%s", prefix);
    for (; *path; path++) {
        char c = *path;
        bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
        if (letter || strchr("-._~/", c))
            text_add(&uri, "%c", c);
        else
            text_add(&uri, "%%%02X", (unsigned char)c);
    }
    text_add(&uri, "%s", end);
    json_field(json, string, key, uri.at);
    text_free(&uri);
}

static void add_rules(struct json *json) {
    json_key(json, "rules");
    json_open(json, '[');
    for (unsigned i = 0; i < BUG_COUNT; i++) {
        char tag[40];
        snprintf(tag, sizeof tag, "external/cwe/cwe-%03u", bug_facts[i].cwe);
        json_open(json, '{');
        json_field(json, string, "id", bug_facts[i].name);
        add_message(json, "shortDescription", bug_facts[i].title);
        add_message(json, "fullDescription", bug_facts[i].title);
        add_message(json, "help", bug_facts[i].advice);
        json_key(json, "defaultConfiguration");
        json_open_flat(json, '{');
        json_field(json, string, "level", "error");
        json_close(json, '}');
        json_key(json, "properties");
        json_open_flat(json, '{');
        json_key(json, "tags");
        json_open(json, '[');
        json_string(json, "security");
        json_string(json, tag);
        json_close(json, ']');
        json_field(json, string, "security-severity", "7.0");
        json_close(json, '}');
        json_close(json, '}');
    }
    json_close(json, ']');
}

static void add_physical(struct json *json, const struct finding_frame *frame, const char *directory) {
    size_t length = strlen(directory);
    bool below = length && !strncmp(frame->file, directory, length) && frame->file[length] == '/';
    json_key(json, "physicalLocation");
    json_open(json, '{');
    json_key(json, "artifactLocation");
    json_open_flat(json, '{');
    if (below) {
        add_uri(json, "uri", "", frame->file + length + 1, "");
        json_field(json, string, "uriBaseId", "%SRCROOT%");
    } else {
        add_uri(json, "uri", frame->file[0] == '/' ? "file://" : "", frame->file, "");
    }
    json_close(json, '}');
    json_key(json, "region");
    json_open_flat(json, '{');
    json_field(json, number, "startLine", frame->line);
    if (frame->column) json_field(json, number, "startColumn", frame->column);
    json_close(json, '}');
    json_close(json, '}');
}

static void add_location(struct json *json, const struct finding_frame *frame, const char *directory) {
    if (frame->line) add_physical(json, frame, directory);
    json_key(json, "logicalLocations");
    json_open(json, '[');
    json_open_flat(json, '{');
    json_field(json, string, "name", frame->function);
    json_field(json, string, "kind", "function");
    json_close(json, '}');
    json_close(json, ']');
}

static void add_stack(struct json *json, const char *title, const struct finding_stack *stack,
                      const char *directory) {
    json_open(json, '{');
    add_message(json, "message", title);
    json_key(json, "frames");
    json_open(json, '[');
    for (uint32_t i = 0; i < stack->count; i++) {
        json_open(json, '{');
        json_key(json, "location");
        json_open(json, '{');
        add_location(json, &stack->frames[i], directory);
        json_close(json, '}');
        json_close(json, '}');
    }
    json_close(json, ']');
    json_close(json, '}');
}

static void add_result(struct json *json, const struct finding *finding, const char *directory) {
    enum bug_kind rule = rule_of(finding->kind);
    json_open(json, '{');
    json_field(json, string, "ruleId", bug_facts[rule].name);
    json_field(json, number, "ruleIndex", rule);
    json_field(json, string, "level", "error");
    add_message(json, "message", finding->message);
    if (finding->occurrences) json_field(json, number, "occurrenceCount", finding->occurrences);
    json_key(json, "locations");
    json_open(json, '[');
    json_open(json, '{');
    add_location(json, &finding->place, directory);
    json_close(json, '}');
    json_close(json, ']');
    json_key(json, "partialFingerprints");
    json_open_flat(json, '{');
    json_field(json, string, "tamarBug/v1", finding_hex(finding));
    json_close(json, '}');
    json_key(json, "stacks");
    json_open(json, '[');
    if (finding->stack.count) add_stack(json, "call stack", &finding->stack, directory);
    if (finding->allocated.count) add_stack(json, "allocated by", &finding->allocated, directory);
    if (finding->freed.count) add_stack(json, "freed by", &finding->freed, directory);
    json_close(json, ']');
    if (finding->ignored) {
        json_key(json, "suppressions");
        json_open(json, '[');
        json_open_flat(json, '{');
        json_field(json, string, "kind", "external");
        json_field(json, string, "status", "accepted");
        json_field(json, string, "justification", finding->ignored);
        json_close(json, '}');
        json_close(json, ']');
    }
    json_key(json, "properties");
    json_open_flat(json, '{');
    json_field(json, number, "test", finding->test);
    json_field(json, number, "paths", finding->paths);
    json_close(json, '}');
    json_close(json, '}');
}

void sarif_add(struct text *to, const struct summary *summary, const char *directory, const char *version) {
    struct json json = {.to = to};
    json_open(&json, '{');
    json_field(&json, string, "$schema", SCHEMA);
    json_field(&json, string, "version", "2.1.0");
    json_key(&json, "runs");
    json_open(&json, '[');
    json_open(&json, '{');
    json_key(&json, "tool");
    json_open(&json, '{');
    json_key(&json, "driver");
    json_open(&json, '{');
    json_field(&json, string, "name", "Tamar");
    json_field(&json, string, "version", version);
    add_rules(&json);
    json_close(&json, '}');
    json_close(&json, '}');
    json_key(&json, "originalUriBaseIds");
    json_open(&json, '{');
    json_key(&json, "%SRCROOT%");
    json_open_flat(&json, '{');
    add_uri(&json, "uri", "file://", directory, "/");
    json_close(&json, '}');
    json_close(&json, '}');
    json_field(&json, string, "columnKind", "utf16CodeUnits");
    json_key(&json, "results");
    json_open(&json, '[');
    for (uint32_t i = 0; i < summary->bug_count; i++) add_result(&json, summary->bugs[i], directory);
    for (uint32_t i = 0; i < summary->ignored_count; i++) add_result(&json, summary->ignored[i], directory);
    json_close(&json, ']');
    json_close(&json, '}');
    json_close(&json, ']');
    json_close(&json, '}');
}
