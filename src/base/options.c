#include "base/options.h"

#include "base/checks.h"
#include "base/error.h"
#include "base/suggest.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>

struct options_parser {
    const struct option_table *table;
    const char *command;
    enum operand_style style;
    char **next;
    void *values;
    struct operands *operands;
    unsigned order;
};

static void *field(const struct options_parser *parser, const struct option *option) {
    return (char *)parser->values + option->offset;
}

unsigned option_arity(const struct option *option) {
    if (option->kind == OPTION_FLAG || option->kind == OPTION_SWITCH) return 0;
    unsigned words = 1;
    if (option->kind == OPTION_LIST)
        for (const char *p = option->metavar; *p; p++) words += *p == ' ';
    assert(words <= OPTION_ARITY);
    return words;
}

size_t option_choice(const char *choices, unsigned k, const char **start) {
    for (; k; k--) {
        choices = strchr(choices, '|');
        if (!choices) return 0;
        choices++;
    }
    *start = choices + (*choices == '~');
    return strcspn(*start, "|");
}

void option_add_choices(struct text *text, const char *choices) {
    for (const char *p = choices; *p; p++)
        if (*p != '~') text_add(text, *p == '|' ? ", " : "%c", *p);
}

static bool find_choice(const char *choices, const char *word, size_t length, unsigned *found) {
    const char *start;
    for (unsigned k = 0;; k++) {
        size_t size = option_choice(choices, k, &start);
        if (!size) return false;
        if (size == length && memcmp(start, word, length) == 0) {
            *found = k;
            return true;
        }
    }
}

// The option's name as the user writes it. The caller frees the text.
static struct text spelled(const char *name) {
    struct text text = {0};
    for (; *name; name++) text_add(&text, "%c", *name == '_' ? '-' : *name);
    return text;
}

static bool same_name(const char *field_name, const char *typed, size_t length) {
    for (size_t i = 0; i < length; i++)
        if (field_name[i] != (typed[i] == '-' ? '_' : typed[i]) || typed[i] == '_') return false;
    return field_name[length] == 0;
}

static bool bad_value(const struct options_parser *parser, const struct option *option, const char *value,
                      const char *wanted) {
    struct text usage = {0};
    option_add_usage(&usage, option);
    if (*value)
        user_error_at(parser->command, NULL, "%s: '%s' is not %s", usage.at, value, wanted);
    else
        user_error_at(parser->command, NULL, "%s: the value is missing; it should be %s", usage.at, wanted);
    text_free(&usage);
    return false;
}

static bool set_number(const struct options_parser *parser, const struct option *option, const char *value) {
    char *end = NULL;
    errno = 0;
    unsigned long long number = isdigit((unsigned char)value[0]) ? strtoull(value, &end, 0) : 0;
    if (!end || *end || errno || number < option->low || number > option->high) {
        struct text wanted = {0};
        if (option->high == UINT64_MAX && option->low == 0)
            text_add(&wanted, "a number");
        else if (option->high == UINT64_MAX)
            text_add(&wanted, "a number of at least %llu", (unsigned long long)option->low);
        else
            text_add(&wanted, "a number from %llu to %llu", (unsigned long long)option->low,
                     (unsigned long long)option->high);
        bad_value(parser, option, value, wanted.at);
        text_free(&wanted);
        return false;
    }
    *(uint64_t *)field(parser, option) = number;
    return true;
}

static bool set_seconds(const struct options_parser *parser, const struct option *option, const char *value) {
    static const struct {
        const char *suffix;
        double factor;
    } units[] = {{"", 1}, {"s", 1}, {"ms", 1e-3}, {"m", 60}, {"min", 60}, {"h", 3600}};
    char *end = NULL;
    double number = isdigit((unsigned char)value[0]) || value[0] == '.' ? strtod(value, &end) : 0;
    if (end && isfinite(number))
        for (unsigned i = 0; i < COUNT(units); i++)
            if (strcmp(end, units[i].suffix) == 0) {
                *(double *)field(parser, option) = number * units[i].factor;
                return true;
            }
    return bad_value(parser, option, value, "a time in seconds (or 200ms, 5m, 2h)");
}

static bool wrong_choice(const struct options_parser *parser, const struct option *option,
                         const char *value) {
    struct text wanted = {0};
    text_add(&wanted, option->kind == OPTION_SET ? "a list of " : "one of ");
    option_add_choices(&wanted, option->choices);
    if (option->kind == OPTION_SET) text_add(&wanted, "; all; none");
    bad_value(parser, option, value, wanted.at);
    text_free(&wanted);
    return false;
}

// Finds a word of a set, also by an earlier name.
static bool find_word(const char *choices, const char *word, size_t length, unsigned *k) {
    static const struct {
        const char *old, *name;
    } renamed[] = {{"persist", "search2"}, {"insist", "sat2"}, CHECK_EARLIER_NAMES};
    for (unsigned i = 0; i < COUNT(renamed); i++)
        if (length == strlen(renamed[i].old) && memcmp(word, renamed[i].old, length) == 0)
            return find_choice(choices, renamed[i].name, strlen(renamed[i].name), k);
    return find_choice(choices, word, length, k);
}

static bool set_set(const struct options_parser *parser, const struct option *option, const char *value) {
    uint64_t all = 0, bits = 0;
    const char *start;
    for (unsigned k = 0; option_choice(option->choices, k, &start); k++)
        if (start == option->choices || start[-1] != '~') all |= (uint64_t)1 << k;
    for (const char *p = value;; p++) {
        size_t length = strcspn(p, ",");
        unsigned k;
        if (length == 3 && memcmp(p, "all", 3) == 0)
            bits |= all;
        else if (length == 4 && memcmp(p, "none", 4) == 0)
            bits = 0;
        else if (find_word(option->choices, p, length, &k))
            bits |= (uint64_t)1 << k;
        else
            return wrong_choice(parser, option, value);
        p += length;
        if (!*p) break;
    }
    *(uint64_t *)field(parser, option) = bits;
    return true;
}

// Values called N, MIN or MAX must begin with a digit ("4", "1..8"). Otherwise, with a value missing, the program's
// name would be taken for it, and the error would be about a missing program.
static bool add_use(struct options_parser *parser, const struct option *option, const char *const *values) {
    struct option_list *list = field(parser, option);
    struct option_use use = {.order = parser->order};
    const char *called = option->metavar;
    for (unsigned i = 0; i < option_arity(option); i++) {
        size_t length = strcspn(called, " ");
        bool number = (length == 1 && *called == 'N') || (length == 3 && strncmp(called, "MIN", 3) == 0) ||
                      (length == 3 && strncmp(called, "MAX", 3) == 0);
        if (number && !isdigit((unsigned char)values[i][0]))
            return bad_value(parser, option, values[i], "a number");
        use.values[i] = values[i];
        called += length + 1;
    }
    vec_push(list, use);
    return true;
}

static bool set_switch(const struct options_parser *parser, const struct option *option, const char *value) {
    bool on = strcmp(value, "on") == 0;
    if (!on && strcmp(value, "off") != 0) return bad_value(parser, option, value, "on or off");
    *(bool *)field(parser, option) = on;
    return true;
}

static bool set(struct options_parser *parser, const struct option *option, const char *const *values) {
    unsigned choice;
    switch (option->kind) {
    case OPTION_FLAG: *(bool *)field(parser, option) = true; return true;
    case OPTION_SWITCH: return set_switch(parser, option, values[0]);
    case OPTION_NUMBER: return set_number(parser, option, values[0]);
    case OPTION_SECONDS: return set_seconds(parser, option, values[0]);
    case OPTION_TEXT: *(const char **)field(parser, option) = values[0]; return true;
    case OPTION_CHOICE:
        if (!find_choice(option->choices, values[0], strlen(values[0]), &choice))
            return wrong_choice(parser, option, values[0]);
        *(unsigned *)field(parser, option) = choice;
        return true;
    case OPTION_SET: return set_set(parser, option, values[0]);
    case OPTION_LIST: return add_use(parser, option, values);
    }
    return false;
}

static void set_defaults(struct options_parser *parser) {
    memset(parser->values, 0, parser->table->size);
    for (unsigned i = 0; i < parser->table->count; i++) {
        const struct option *option = &parser->table->at[i];
        if (!option->initial) continue;
        if (option->kind == OPTION_NUMBER && option->low > 0 && strcmp(option->initial, "0") == 0)
            continue; // a default of 0 below the range means "not given"
        bool good = set(parser, option, &option->initial);
        assert(good);
        (void)good;
    }
}

static const struct option *find(const struct options_parser *parser, const char *typed, size_t length) {
    for (unsigned i = 0; i < parser->table->count; i++)
        if (same_name(parser->table->at[i].name, typed, length)) return &parser->table->at[i];
    return NULL;
}

static bool unknown(const struct options_parser *parser, const char *word) {
    size_t length = strcspn(word, "=");
    size_t dashes = strspn(word, "-");
    struct text typed = {0}, remedy = {0};
    text_add_bytes(&typed, word + dashes, dashes < length ? length - dashes : 0);
    struct suggestion nearest = {.typed = typed.at};
    vec(struct text) names = {0};
    for (unsigned i = 0; i < parser->table->count; i++) {
        vec_push(&names, spelled(parser->table->at[i].name));
        suggest_consider(&nearest, vec_last(&names)->at);
    }
    if (nearest.best) text_add(&remedy, "Did you mean --%s? ", nearest.best);
    text_add(&remedy, "`tamar help %s` lists the options.", parser->command);
    user_error_at(parser->command, remedy.at, "unknown option %.*s", (int)length, word);
    vec_each (struct text, name, &names) text_free(name);
    vec_free(&names);
    text_free(&typed);
    text_free(&remedy);
    return false;
}

// Whether a word in the position of a value is an option. Such a value must be written as --out=--help.
static bool is_option(const struct options_parser *parser, const char *word) {
    return word[0] == '-' && word[1] == '-' && (!word[2] || find(parser, word + 2, strcspn(word + 2, "=")));
}

static bool missing(const struct options_parser *parser, const struct option *option) {
    struct text usage = {0};
    option_add_usage(&usage, option);
    user_error_at(parser->command, NULL, "%s: the value is missing", usage.at);
    text_free(&usage);
    return false;
}

// `word` begins with "--" and has more.
static bool parse_long(struct options_parser *parser, const char *word) {
    const char *name = word + 2;
    size_t length = strcspn(name, "=");
    const char *values[OPTION_ARITY] = {NULL};
    unsigned count = 0;
    const struct option *option = find(parser, name, length);
    if (!option && length > 3 && strncmp(name, "no-", 3) == 0) {
        option = find(parser, name + 3, length - 3);
        if (option && option->kind == OPTION_SWITCH && !name[length])
            return set(parser, option, (const char *const[]){"off"});
        option = NULL;
    }
    if (!option) return unknown(parser, word);
    unsigned arity = option_arity(option);
    if (name[length]) {
        if (option->kind == OPTION_FLAG) {
            user_error_at(parser->command, NULL, "--%.*s takes no value", (int)length, name);
            return false;
        }
        values[count++] = name + length + 1;
    } else if (option->kind == OPTION_SWITCH) {
        values[count++] = "on";
    }
    // The value of "[PORT]" is optional: the next word is the value only if it is a number.
    bool optional = option->metavar && option->metavar[0] == '[' && !count;
    if (optional && (!*parser->next || !isdigit((unsigned char)**parser->next))) values[count++] = "";
    for (; count < arity; count++) {
        if (!*parser->next || is_option(parser, *parser->next)) return missing(parser, option);
        values[count] = *parser->next++;
    }
    return set(parser, option, values);
}

// Whether a compiler flag takes the next word as its value.
static bool takes_next_word(const char *flag) {
    static const char *const flags[] = {"-I",          "-D",
                                        "-U",          "-L",
                                        "-l",          "-x",
                                        "-include",    "-imacros",
                                        "-isystem",    "-iquote",
                                        "-idirafter",  "-Xclang",
                                        "-Xlinker",    "-isysroot",
                                        "-iprefix",    "-o",
                                        "-Xassembler", "-MF",
                                        "-MT",         "-MQ",
                                        "-mllvm",      "-Xpreprocessor"};
    for (unsigned i = 0; i < COUNT(flags); i++)
        if (strcmp(flag, flags[i]) == 0) return true;
    return false;
}

// `word` begins with one '-' and has more: a letter of an option, or a compiler flag.
static bool parse_short(struct options_parser *parser, const char *word) {
    if (find(parser, word + 1, strcspn(word + 1, "=")))
        return unknown(parser, word); // -max-time: one '-' too few
    for (unsigned i = 0; !word[2] && i < parser->table->count; i++)
        if (parser->table->at[i].letter && parser->table->at[i].letter == word[1]) {
            assert(parser->table->at[i].kind == OPTION_FLAG);
            return set(parser, &parser->table->at[i], NULL);
        }
    if (parser->style != OPERANDS_COMPILER) return unknown(parser, word);
    vec_push(&parser->operands->words, word);
    if (takes_next_word(word) && *parser->next) vec_push(&parser->operands->words, *parser->next++);
    return true;
}

bool options_parse(const struct option_table *table, const char *command, enum operand_style style,
                   char **argv, void *values, struct operands *operands) {
    struct options_parser parser = {table, command, style, argv, values, operands, 0};
    *operands = (struct operands){0};
    set_defaults(&parser);
    while (*parser.next) {
        const char *word = *parser.next++;
        bool good = true;
        if (strcmp(word, "--") == 0) {
            operands->separator = true;
            break;
        }
        if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0)
            operands->help = true;
        else if (word[0] == '-' && word[1] == '-')
            good = parse_long(&parser, word);
        else if (word[0] == '-' && word[1])
            good = parse_short(&parser, word);
        else
            vec_push(&operands->words, word);
        if (!good) return false;
        parser.order++;
    }
    operands->arguments = parser.next;
    while (parser.next[operands->argument_count]) operands->argument_count++;
    return true;
}

void options_free(const struct option_table *table, void *values) {
    for (unsigned i = 0; i < table->count; i++)
        if (table->at[i].kind == OPTION_LIST) {
            struct option_list *list = (void *)((char *)values + table->at[i].offset);
            vec_free(list);
        }
}

void operands_free(struct operands *operands) { vec_free(&operands->words); }
