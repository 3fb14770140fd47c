// Reads backtraces of debuggers and sanitizers, and reports of static analysers.
#include "base/arena.h"
#include "base/bug_kinds.h"
#include "base/error.h"
#include "base/file.h"
#include "base/json.h"
#include "run/target_set.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>

static bool read_text(const char *option, const char *path, struct text *content) {
    if (file_read(path, content)) return true;
    user_error_at(option, "Name a file that can be read.", "%s: %s", path, strerror(errno));
    return false;
}

// ---- SARIF

// Converts "file:///a/b%20c.c" to a path.
static const char *trace_uri_path(struct arena *arena, const char *uri) {
    if (!strncmp(uri, "file://", 7)) uri += 7;
    char *path = arena_strdup(arena, uri), *to = path;
    for (const char *at = uri; *at; at++) {
        unsigned value;
        if (*at == '%' && isxdigit((unsigned char)at[1]) && sscanf(at + 1, "%2x", &value) == 1) {
            *to++ = (char)value;
            at += 2;
        } else {
            *to++ = *at;
        }
    }
    *to = 0;
    return path;
}

static bool place_of(struct arena *arena, const struct json_value *location, struct trace_place *place) {
    const struct json_value *physical = json_get(location, "physicalLocation");
    const char *uri = json_get_text(json_get(physical, "artifactLocation"), "uri", NULL);
    uint64_t line = json_get_number(json_get(physical, "region"), "startLine", 0);
    if (!uri || !line) return false;
    *place = (struct trace_place){.file = trace_uri_path(arena, uri), .line = (uint32_t)line};
    return true;
}

static const struct json_value *item(const struct json_value *list) { return list ? list->first : NULL; }

static bool read_code_flow(struct arena *arena, const struct json_value *sarif, struct trace_places *places) {
    json_each(run, json_get(sarif, "runs")) {
        json_each(result, json_get(run, "results")) {
            const struct json_value *flow =
                item(json_get(item(json_get(result, "codeFlows")), "threadFlows"));
            json_each(step, json_get(flow, "locations")) {
                struct trace_place place;
                if (place_of(arena, json_get(step, "location"), &place)) vec_push(places, place);
            }
            if (places->count) return true;
        }
    }
    return false;
}

static const struct json_value *parse_sarif(struct arena *arena, const char *option, const char *path,
                                            struct text *content) {
    const char *error = "";
    size_t place = 0;
    const struct json_value *sarif =
        json_parse(arena, content->at ? content->at : "", content->count, &error, &place);
    if (sarif && json_get(sarif, "runs")) return sarif;
    user_error_at(option, "It must be a SARIF 2.1.0 file.", sarif ? "%s has no \"runs\"" : "%s is not JSON",
                  path);
    return NULL;
}

bool trace_read_sarif(struct arena *arena, const char *path, struct target_set *set) {
    struct text content = {0};
    bool good = read_text("--sarif", path, &content);
    const struct json_value *sarif = good ? parse_sarif(arena, "--sarif", path, &content) : NULL;
    json_each(run, json_get(sarif, "runs")) {
        json_each(result, json_get(run, "results")) {
            struct trace_place place;
            struct target_report report = {.rule = json_get_text(result, "ruleId", "(no rule)"),
                                           .target = UINT32_MAX};
            report.message = json_get_text(json_get(result, "message"), "text", "");
            if (!place_of(arena, item(json_get(result, "locations")), &place)) continue;
            report.file = place.file;
            report.line = place.line;
            enum bug_kind kind = bug_kind_by_rule(report.rule, report.message);
            report.kind = kind == BUG_COUNT ? -1 : (int)kind;
            vec_push(&set->reports, report);
        }
    }
    if (sarif && !set->reports.count)
        user_error_at("--sarif", "There is no location to reach.", "%s has no results with a location", path);
    text_free(&content);
    return sarif && set->reports.count;
}

// ---- backtraces as text

// Parses FILE:LINE or FILE:LINE:COLUMN at the end of a word.
static bool split_place(struct arena *arena, const char *word, size_t length, struct trace_place *place) {
    char *copy = arena_strdup(arena, word);
    copy[length] = 0;
    uint32_t numbers[2], count = 0;
    while (count < 2) {
        char *colon = strrchr(copy, ':'), *end;
        if (!colon || !isdigit((unsigned char)colon[1])) break;
        unsigned long number = strtoul(colon + 1, &end, 10);
        if (*end) break;
        numbers[count++] = (uint32_t)number;
        *colon = 0;
    }
    if (!count || !*copy) return false;
    *place = (struct trace_place){.file = copy, .line = numbers[count - 1]};
    return true;
}

// Parses a frame: "#3  0x401136 in f (x=1) at a.c:7", "    #0 0x55 in f /src/a.c:7:3 (prog+0x12)".
static bool frame_of(struct arena *arena, const char *line, struct trace_place *place) {
    const char *in = strstr(line, " in ");
    bool found = false;
    for (const char *at = line; *at;) {
        at += strspn(at, " \t");
        size_t length = strcspn(at, " \t");
        struct trace_place here;
        if (length && *at != '(' && split_place(arena, at, length, &here)) {
            *place = here;
            found = true;
        }
        at += length;
    }
    if (found && in) {
        in += 4;
        char *name = arena_strdup(arena, in);
        name[strcspn(name, " (")] = 0;
        place->function = name;
    }
    return found;
}

// Reads the first stack: from #0 on, as long as the numbers rise. Without any: "FILE:LINE: runtime error", or plain
// lines FILE:LINE in order.
static void read_frames(struct arena *arena, char *text, struct trace_places *places) {
    struct trace_places inner = {0};
    long last = -1;
    bool over = false;
    char *save = NULL;
    struct trace_place error = {0};
    for (char *line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
        line += strspn(line, " \t");
        struct trace_place place;
        if (*line == '#' && isdigit((unsigned char)line[1])) {
            long number = strtol(line + 1, NULL, 10);
            over |= number <= last;
            last = number;
            if (!over && frame_of(arena, line, &place)) vec_push(&inner, place);
        } else if (strstr(line, "runtime error:")) {
            size_t length = strcspn(line, " ");
            while (length && line[length - 1] == ':') length--;
            if (!error.line) split_place(arena, line, length, &error);
        } else if (last < 0 && split_place(arena, line, strlen(line), &place) &&
                   !strpbrk(place.file, " \t=")) {
            vec_push(places, place);
        }
    }
    if (inner.count || error.line) vec_clear(places);
    if (!inner.count && error.line) vec_push(places, error);
    for (uint32_t i = inner.count; i; i--) vec_push(places, inner.at[i - 1]);
    vec_free(&inner);
}

bool trace_read(struct arena *arena, const char *path, struct trace_places *places) {
    struct text content = {0};
    bool good = read_text("--trace", path, &content);
    const char *start = content.at ? content.at + strspn(content.at, " \t\r\n") : "";
    if (good && *start == '{') {
        const struct json_value *sarif = parse_sarif(arena, "--trace", path, &content);
        good = sarif != NULL;
        if (good && !read_code_flow(arena, sarif, places))
            user_error_at("--trace", "Use --sarif to reach the results themselves.", "%s has no code flow",
                          path);
    } else if (good && content.at) {
        read_frames(arena, content.at, places);
        if (!places->count)
            user_error_at("--trace",
                          "It must be a backtrace of gdb, ASan or UBSan, or SARIF with a code flow.",
                          "%s has no line with a location", path);
    }
    text_free(&content);
    return good && places->count;
}
