#include "config/spec.h"

#include "base/arena.h"
#include "base/error.h"
#include "base/file.h"
#include "base/suggest.h"
#include "base/text.h"

#include <errno.h>
#include <stdlib.h>

#define MOST_SETTINGS 64

struct spec_reader {
    struct arena *arena;
    struct spec *spec;
    unsigned line;
    vec(const char *) words;
    bool failed;
};

static bool wrong(struct spec_reader *r, const char *remedy, const char *cause, const char *word) {
    struct text place = {0};
    text_add(&place, "%s:%u", r->spec->path, r->line);
    user_error_at(place.at, remedy, cause, word);
    text_free(&place);
    r->failed = true;
    return false;
}

// ---- words

static const char *add_word(struct spec_reader *r, const char *at) {
    struct text word = {0};
    bool quoted = false;
    for (; *at && (quoted || (*at != ' ' && *at != '\t')); at++) {
        if (*at == '"')
            quoted = !quoted;
        else if (quoted && *at == '\\' && at[1])
            text_add(&word, "%c", *++at);
        else
            text_add(&word, "%c", *at);
    }
    if (quoted) wrong(r, "A word that begins with \" ends with it.", "the quotes are not closed%s", "");
    vec_push(&r->words, arena_strdup(r->arena, word.at ? word.at : ""));
    text_free(&word);
    return at;
}

static void split(struct spec_reader *r, const char *line) {
    vec_clear(&r->words);
    for (const char *at = line; *at && !r->failed;) {
        if (*at == '#' && (at == line || at[-1] == ' ' || at[-1] == '\t')) return;
        if (*at == ' ' || *at == '\t' || *at == '\r')
            at++;
        else
            at = add_word(r, at);
    }
}

// ---- options

static bool parse_integer(const char *text, int64_t *value) {
    char *end;
    errno = 0;
    *value = strtoll(text, &end, 0);
    return *text && !*end && !errno;
}

static void add_setting(struct spec_option *option, const char *text, int64_t value) {
    vec_push(&option->settings, ((struct spec_setting){text, value}));
}

static void split_settings(struct spec_reader *r, struct spec_option *option, const char *list) {
    for (const char *at = list;; at++) {
        size_t length = strcspn(at, "|");
        char *text = arena_strdup(r->arena, at);
        text[length] = 0;
        add_setting(option, text, 0);
        at += length;
        if (!*at) break;
    }
}

static bool settings_differ(struct spec_reader *r, const struct spec_option *option) {
    if (option->settings.count < 2)
        return wrong(r, "Separate the values with |: a|b.", "'%s' has one value only", option->name);
    if (option->settings.count > MOST_SETTINGS)
        return wrong(r, "Give at most 64.", "'%s' has too many values", option->name);
    for (uint32_t i = 0; i < option->settings.count; i++)
        for (uint32_t k = 0; k < i; k++)
            if (!strcmp(option->settings.at[i].text, option->settings.at[k].text))
                return wrong(r, NULL, "the value '%s' is given twice", option->settings.at[i].text);
    return true;
}

static bool variable_type(struct spec_reader *r, struct spec_option *option, const char *type) {
    static const char remedy[] = "Give bool, int, LOW..HIGH, or values as 1|2|8.";
    const char *dots = strstr(type, "..");
    if (!strcmp(type, "bool")) {
        add_setting(option, "0", 0);
        add_setting(option, "1", 1);
        return true;
    }
    if (!strcmp(type, "int")) return option->open = true;
    if (dots) {
        char *low = arena_strdup(r->arena, type);
        low[dots - type] = 0;
        option->open = option->ranged = true;
        if (!parse_integer(low, &option->low) || !parse_integer(dots + 2, &option->high))
            return wrong(r, remedy, "'%s' is not a range of integers", type);
        return option->low < option->high || wrong(r, "The smaller end comes first.", "'%s' is empty", type);
    }
    split_settings(r, option, type);
    vec_each (struct spec_setting, setting, &option->settings)
        if (!parse_integer(setting->text, &setting->value))
            return wrong(r, remedy, "'%s' is not a type", type);
    return settings_differ(r, option);
}

static bool preset(struct spec_reader *r, struct spec_option *option, const char *text) {
    option->has_preset = true;
    if (option->open)
        return parse_integer(text, &option->preset_value) || wrong(r, NULL, "'%s' is not an integer", text);
    for (uint32_t i = 0; i < option->settings.count; i++)
        if (!strcmp(option->settings.at[i].text, text)) {
            option->preset = i;
            return true;
        }
    return wrong(r, "Give one of the values.", "the default '%s' is not among the values", text);
}

// Parses the modifiers after the values: = DEFAULT, in FUNCTION.
static bool modifiers(struct spec_reader *r, struct spec_option *option, uint32_t from) {
    for (uint32_t i = from; i < r->words.count; i += 2) {
        const char *word = r->words.at[i], *value = i + 1 < r->words.count ? r->words.at[i + 1] : NULL;
        bool is_default = !strcmp(word, "="), is_place = !strcmp(word, "in") && option->kind == SPEC_VARIABLE;
        if ((!is_default && !is_place) || !value)
            return wrong(r, "After the values: = DEFAULT, and for a variable: in FUNCTION.",
                         "'%s' is not expected here", word);
        if (is_place) option->function = value;
        if (is_default && !preset(r, option, value)) return false;
    }
    return true;
}

static bool needs(struct spec_reader *r, uint32_t count, const char *usage) {
    return r->words.count >= count || wrong(r, usage, "'%s' needs more words", r->words.at[0]);
}

static bool read_variable(struct spec_reader *r, struct spec_option *option) {
    option->function = "main";
    if (!needs(r, 3, "variable NAME bool|int|LOW..HIGH|A|B [= DEFAULT] [in FUNCTION]")) return false;
    option->name = r->words.at[1];
    return variable_type(r, option, r->words.at[2]) && modifiers(r, option, 3);
}

static bool read_flag(struct spec_reader *r, struct spec_option *option) {
    if (!needs(r, 2, "flag WORD")) return false;
    option->name = r->words.at[1];
    add_setting(option, "", 0);
    add_setting(option, option->name, 1);
    return modifiers(r, option, 2);
}

static bool read_choice(struct spec_reader *r, struct spec_option *option) {
    if (!needs(r, 3, "choice NAME WORD|WORD|...")) return false;
    option->name = r->words.at[1];
    split_settings(r, option, r->words.at[2]);
    return settings_differ(r, option) && modifiers(r, option, 3);
}

static bool read_key(struct spec_reader *r, struct spec_option *option) {
    if (!needs(r, 4, "key FILE NAME VALUE|VALUE|... [= DEFAULT]")) return false;
    option->file = r->words.at[1];
    option->name = r->words.at[2];
    split_settings(r, option, r->words.at[3]);
    return settings_differ(r, option) && modifiers(r, option, 4);
}

static const struct {
    const char *word;
    enum spec_kind kind;
    bool (*read)(struct spec_reader *r, struct spec_option *option);
} kinds[] = {{"variable", SPEC_VARIABLE, read_variable},
             {"flag", SPEC_FLAG, read_flag},
             {"choice", SPEC_CHOICE, read_choice},
             {"key", SPEC_KEY, read_key}};

static bool read_option(struct spec_reader *r, unsigned kind) {
    struct spec_option option = {.kind = kinds[kind].kind, .line = r->line};
    bool good = kinds[kind].read(r, &option);
    vec_each (struct spec_option, other, &r->spec->options)
        if (good && !strcmp(other->name, option.name))
            good = wrong(r, "Each option has a name of its own.", "'%s' is given twice", option.name);
    vec_push(&r->spec->options, option);
    return good;
}

// ---- tests

static bool read_test(struct spec_reader *r) {
    struct spec_test test = {.line = r->line};
    struct text number = {0};
    text_add(&number, "test%u", r->spec->tests.count + 1);
    test.name = arena_strdup(r->arena, number.at);
    text_free(&number);
    uint32_t i = 1;
    if (i < r->words.count && strlen(r->words.at[i]) > 1 &&
        r->words.at[i][strlen(r->words.at[i]) - 1] == ':') {
        char *name = arena_strdup(r->arena, r->words.at[i++]);
        name[strlen(name) - 1] = 0;
        test.name = name;
    }
    for (; i < r->words.count; i++) {
        const char *word = r->words.at[i];
        const char **file = !strcmp(word, "<") ? &test.input : !strcmp(word, "<>") ? &test.peers : NULL;
        if (!file && !test.input && !test.peers) {
            vec_push(&test.words, word);
        } else if (file && !*file && i + 1 < r->words.count) {
            *file = r->words.at[++i];
        } else {
            vec_free(&test.words);
            return wrong(r, "Write `< FILE` and `<> FILE` at the end, each once.",
                         file ? "one file is expected after '%s'" : "'%s' stands after a file", word);
        }
    }
    vec_push(&r->spec->tests, test);
    return true;
}

// ---- the file

static bool read_line(struct spec_reader *r, const char *line) {
    split(r, line);
    if (r->failed || !r->words.count) return !r->failed;
    const char *first = r->words.at[0];
    if (!strcmp(first, "test")) return read_test(r);
    struct suggestion nearest = {.typed = first};
    for (unsigned i = 0; i < COUNT(kinds); i++) {
        if (!strcmp(first, kinds[i].word)) return read_option(r, i);
        suggest_consider(&nearest, kinds[i].word);
    }
    suggest_consider(&nearest, "test");
    struct text remedy = {0};
    if (nearest.best) text_add(&remedy, "Did you mean %s? ", nearest.best);
    text_add(&remedy, "A line begins with variable, flag, choice, key or test.");
    wrong(r, remedy.at, "'%s' is not known", first);
    text_free(&remedy);
    return false;
}

bool spec_parse(struct arena *arena, struct spec *spec, const char *path, const char *text) {
    struct spec_reader r = {.arena = arena, .spec = spec};
    *spec = (struct spec){.path = path};
    for (const char *at = text; *at && !r.failed;) {
        size_t length = strcspn(at, "\n");
        char *line = arena_strdup(arena, at);
        line[length] = 0;
        r.line++;
        read_line(&r, line);
        at += length + (at[length] != 0);
    }
    vec_free(&r.words);
    if (r.failed) return false;
    if (!spec->options.count)
        user_error_at(path, "Add a line such as `variable verbose bool` or `flag -v`.", "no option is named");
    else if (!spec->tests.count)
        user_error_at(path, "Add a line such as `test small: -n 3 < input.txt`, or just `test`.",
                      "no test is named");
    return spec->options.count && spec->tests.count;
}

bool spec_read(struct arena *arena, struct spec *spec, const char *path) {
    *spec = (struct spec){.path = path};
    struct text text = {0};
    bool good = file_read(path, &text);
    if (!good)
        user_error_at(path, "Name the file with the options and tests.", "cannot be read: %s",
                      strerror(errno));
    if (good && text.count && memchr(text.at, 0, text.count))
        good = (user_error_at(path, NULL, "this is not text"), false);
    good = good && spec_parse(arena, spec, path, text.at ? text.at : "");
    text_free(&text);
    return good;
}

void spec_free(struct spec *spec) {
    vec_each (struct spec_option, option, &spec->options) vec_free(&option->settings);
    vec_each (struct spec_test, test, &spec->tests) vec_free(&test->words);
    vec_free(&spec->options);
    vec_free(&spec->tests);
}
