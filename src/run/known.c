#include "run/known.h"

#include "base/alloc.h"
#include "base/bug_kinds.h"
#include "base/error.h"
#include "base/file.h"
#include "base/suggest.h"
#include "base/text.h"
#include "base/vec.h"

#include <ctype.h>
#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define MOST_WORDS 5

struct known_report {
    const char *kind;     // NULL: any
    const char *file;     // a pattern for the path or a suffix of it; NULL: the fingerprint decides
    uint32_t line;        // 0: any
    const char *function; // a pattern; NULL: any
    uint64_t fingerprint; // 0: any
    char *text;           // "FILE:LINE: the entry"
};

struct known_reports {
    vec(struct known_report) at;
    struct text content;
    struct text words; // the content, cut into words; entries point to them
    struct text name;
    vec(uint32_t) expired; // lines
};

// ---- reading

struct known_reader {
    struct known_reports *to;
    const char *path;
    uint32_t line;
    char today[11]; // YYYY-MM-DD; empty: no entry expires
};

static bool refuse(const struct known_reader *reader, const char *remedy, const char *cause,
                   const char *word) {
    struct text place = {0};
    text_add(&place, "%s:%u", reader->path, reader->line);
    user_error_at(place.at, remedy, cause, word);
    text_free(&place);
    return false;
}

static bool is_date(const char *word) {
    static const char form[] = "dddd-dd-dd";
    if (strlen(word) != sizeof form - 1) return false;
    for (size_t i = 0; form[i]; i++)
        if (form[i] == 'd' ? !isdigit((unsigned char)word[i]) : word[i] != form[i]) return false;
    static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    int year = atoi(word), month = atoi(word + 5), day = atoi(word + 8);
    if (month < 1 || month > 12) return false;
    bool leap = month == 2 && year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    return day >= 1 && day <= days[month - 1] + leap;
}

// Parses until=YYYY-MM-DD: the entry is valid up to and including that day. *expired: the day has passed.
static bool read_expiry(const struct known_reader *reader, const char *date, bool *expired) {
    if (!is_date(date))
        return refuse(reader, "Write a day as until=2030-12-31.", "until=%s is not a day", date);
    *expired = strcmp(date, reader->today) < 0;
    return true;
}

static bool read_fingerprint(const struct known_reader *reader, const char *hex, struct known_report *entry) {
    size_t digits = strspn(hex, "0123456789abcdefABCDEF");
    entry->fingerprint = strtoull(hex, NULL, 16);
    if (digits == 16 && !hex[digits] && entry->fingerprint) return true;
    return refuse(reader, "Copy the 16 digits from `fingerprint` of summary.json or from the report.",
                  "fingerprint:%s is not a fingerprint", hex);
}

static bool read_kind(const struct known_reader *reader, const char *word, struct known_report *entry) {
    if (!strcmp(word, "any")) return true;
    entry->kind = word;
    if (bug_kind_by_name(word) != BUG_COUNT) return true;
    struct suggestion nearest = {.typed = word};
    for (unsigned i = 0; i < BUG_COUNT; i++) suggest_consider(&nearest, bug_facts[i].name);
    struct text remedy = {0};
    if (nearest.best) text_add(&remedy, "Did you mean '%s'? ", nearest.best);
    text_add(&remedy, "Reports begin with the kind; `any` stands for all.");
    refuse(reader, remedy.at, "%s is not a kind of bug", word);
    text_free(&remedy);
    return false;
}

// Parses FILE[:LINE].
static bool read_place(const struct known_reader *reader, char *word, struct known_report *entry) {
    char *colon = strrchr(word, ':');
    entry->file = word;
    if (!colon) return true;
    char *end;
    unsigned long line = strtoul(colon + 1, &end, 10);
    if (!isdigit((unsigned char)colon[1]) || *end || !line || line > UINT32_MAX)
        return refuse(reader, "Write FILE or FILE:LINE, for example src/parse.c:120.", "%s is not a location",
                      word);
    *colon = 0;
    entry->line = (uint32_t)line;
    return true;
}

static bool read_words(const struct known_reader *reader, char **words, unsigned count,
                       struct known_report *entry, bool *expired) {
    static const char form[] =
        "Write KIND FILE[:LINE] [FUNCTION], or fingerprint:HEX; until=YYYY-MM-DD may follow.";
    unsigned plain = 0;
    char *places[3] = {NULL};
    for (unsigned i = 0; i < count; i++) {
        bool last = i + 1 == count;
        if (!strncmp(words[i], "until=", 6)) {
            if (!last) return refuse(reader, form, "%s must be the last word", words[i]);
            if (!read_expiry(reader, words[i] + 6, expired)) return false;
        } else if (!strncmp(words[i], "fingerprint:", 12) && !plain) {
            if (!read_fingerprint(reader, words[i] + 12, entry)) return false;
        } else if (plain == COUNT(places) || entry->fingerprint) {
            return refuse(reader, form, "%s is an unexpected word", words[i]);
        } else {
            places[plain++] = words[i];
        }
    }
    if (entry->fingerprint) return true;
    if (plain < 2)
        return refuse(reader, form, plain ? "%s is only a part of an entry" : "this is not an entry",
                      places[0]);
    entry->function = places[2];
    return read_kind(reader, places[0], entry) && read_place(reader, places[1], entry);
}

static bool read_line(struct known_reader *reader, char *line) {
    char *words[MOST_WORDS];
    unsigned count = 0;
    struct text whole = {0};
    for (char *save, *word = strtok_r(line, " \t\r", &save); word && *word != '#';
         word = strtok_r(NULL, " \t\r", &save)) {
        if (count == MOST_WORDS)
            return refuse(reader, "Write one entry per line.", "%s is an unexpected word", word);
        words[count++] = word;
        text_add(&whole, " %s", word);
    }
    if (!count) return true;
    struct known_report entry = {0};
    bool expired = false, good = read_words(reader, words, count, &entry, &expired);
    struct text text = {0};
    text_add(&text, "%s:%u:%s", reader->path, reader->line, whole.at);
    if (expired) {
        user_warning("%s: the entry has expired, so the bug is reported again", text.at);
        vec_push(&reader->to->expired, reader->line);
    }
    if (good && !expired) {
        entry.text = mem_strdup(text.at);
        vec_push(&reader->to->at, entry);
    }
    text_free(&text);
    text_free(&whole);
    return good;
}

static void find_today(struct known_reader *reader) {
    time_t now = time(NULL);
    struct tm day;
    gmtime_r(&now, &day);
    strftime(reader->today, sizeof reader->today, "%Y-%m-%d", &day);
}

static bool read_lines(struct known_reports *known, const char *path, bool expires) {
    struct known_reader reader = {.to = known, .path = path};
    bool good = true;
    text_add(&known->words, "%s", known->content.at ? known->content.at : "");
    text_add(&known->name, "%s", path);
    if (expires) find_today(&reader);
    for (char *at = known->words.at; at && good;) {
        char *end = strchr(at, '\n');
        if (end) *end = 0;
        reader.line++;
        good = read_line(&reader, at);
        at = end ? end + 1 : NULL;
    }
    return good;
}

static struct known_reports *read_known(const char *path, const char *name, bool *good) {
    struct known_reports *known = NEW(struct known_reports);
    *good = file_read(path, &known->content);
    if (*good) {
        *good = read_lines(known, name, true);
    } else {
        user_error_at(path, "Name the file with the known reports.", "cannot be read: %s", strerror(errno));
    }
    if (*good && known->at.count) return known;
    known_free(known);
    return NULL;
}

struct known_reports *known_open(const char *path, const char *resumed, bool *good) {
    const char *name = path ? path : KNOWN_DEFAULT_FILE;
    struct known_reports *known = NULL;
    struct text kept = {0};
    *good = true;
    if (resumed) text_add(&kept, "%s/%s", resumed, KNOWN_KEPT_FILE);
    const char *file = resumed ? kept.at : name;
    bool must = path && !resumed;
    if (must || access(file, F_OK) == 0) known = read_known(file, name, good);
    text_free(&kept);
    return known;
}

struct known_reports *known_parse(const char *name, const char *text) {
    struct known_reports *known = NEW(struct known_reports);
    text_add(&known->content, "%s", text);
    if (read_lines(known, name, false)) return known;
    known_free(known);
    return NULL;
}

void known_sent(const struct known_reports *known, struct text *to, const char **name) {
    uint32_t line = 1, expired = 0;
    for (const char *at = known->content.at; at && *at; line++) { // lines keep their numbers
        const char *end = strchr(at, '\n');
        bool skip = expired < known->expired.count && known->expired.at[expired] == line;
        if (skip)
            expired++;
        else
            text_add_bytes(to, at, end ? (size_t)(end - at) : strlen(at));
        text_add(to, "\n");
        at = end ? end + 1 : NULL;
    }
    *name = known->name.at;
}

const struct text *known_content(const struct known_reports *known) { return &known->content; }

void known_free(struct known_reports *known) {
    if (!known) return;
    vec_each (struct known_report, entry, &known->at) mem_free_string(entry->text);
    vec_free(&known->at);
    text_free(&known->content);
    text_free(&known->words);
    text_free(&known->name);
    vec_free(&known->expired);
    DELETE(known);
}

// ---- matching

static bool is_path(const char *pattern, const char *path) {
    bool same = fnmatch(pattern, path, 0) == 0;
    for (const char *at = path; !same && (at = strchr(at, '/'));) same = fnmatch(pattern, ++at, 0) == 0;
    return same;
}

static bool names(const struct known_report *entry, const struct finding *finding) {
    if (entry->fingerprint) return entry->fingerprint == finding->hash;
    const struct finding_frame *place = &finding->place;
    return (!entry->kind || !strcmp(entry->kind, finding->kind)) && is_path(entry->file, place->file) &&
           (!entry->line || entry->line == place->line) &&
           (!entry->function || fnmatch(entry->function, place->function, 0) == 0);
}

const char *known_match(const struct known_reports *known, const struct finding *finding) {
    vec_each (struct known_report, entry, &known->at)
        if (names(entry, finding)) return entry->text;
    return NULL;
}

const char *known_entry(const struct known_reports *known, uint32_t i) {
    return known && i < known->at.count ? known->at.at[i].text : NULL;
}
