// Prints a table of options: help, manual page, completion.
#include "base/options.h"

#define HELP_COLUMN 28
#define HELP_WIDTH  100

static void add_name(struct text *text, const char *name) {
    for (; *name; name++) text_add(text, "%c", *name == '_' ? '-' : *name);
}

// Whether a switch is printed as --no-NAME: it is on by default.
static bool shown_as_no(const struct option *option) {
    return option->kind == OPTION_SWITCH && strcmp(option->initial, "on") == 0;
}

void option_add_usage(struct text *text, const struct option *option) {
    if (option->letter) text_add(text, "-%c, ", option->letter);
    text_add(text, shown_as_no(option) ? "--no-" : "--");
    add_name(text, option->name);
    if (option_arity(option)) text_add(text, " %s", option->metavar);
}

static bool worth_saying(const struct option *option) {
    return option->initial && option->kind != OPTION_SWITCH && option->kind != OPTION_FLAG &&
           *option->initial && strcmp(option->initial, "0") != 0;
}

static void add_description(struct text *text, const struct option *option) {
    text_add(text, "%s", option->help);
    if (option->kind == OPTION_SET) {
        text_add(text, ": ");
        option_add_choices(text, option->choices);
        text_add(text, "; all; none");
    }
    if (option->kind == OPTION_LIST) text_add(text, "; may repeat");
    if (worth_saying(option)) text_add(text, " (default %s)", option->initial);
}

void options_add_wrapped(struct text *text, const char *words, unsigned indent) {
    size_t column = indent;
    while (*words) {
        size_t length = strcspn(words, " \n");
        if (column + length > HELP_WIDTH && column > indent) {
            text_add(text, "\n%*s", (int)indent, "");
            column = indent;
        }
        text_add_bytes(text, words, length);
        column += length;
        words += length;
        if (*words == '\n') {
            text_add(text, "\n%*s", words[1] && words[1] != '\n' ? (int)indent : 0, "");
            column = indent;
            words++;
        } else if (*words == ' ') {
            words++;
            if (column + 1 + strcspn(words, " \n") <= HELP_WIDTH) text_add(text, " ");
            column++;
        }
    }
    text_add(text, "\n");
}

static const char *title_at(const struct option_group *groups, const char *name) {
    for (; groups && groups->first; groups++)
        if (!strcmp(groups->first, name)) return groups->title;
    return NULL;
}

void options_add_help(struct text *text, const struct option_table *table,
                      const struct option_group *groups) {
    for (unsigned i = 0; i < table->count; i++) {
        struct text usage = {0}, description = {0};
        const char *title = title_at(groups, table->at[i].name);
        if (title) text_add(text, "%s%s:\n", i ? "\n" : "", title);
        text_add(&usage, table->at[i].letter ? "  " : "      ");
        option_add_usage(&usage, &table->at[i]);
        add_description(&description, &table->at[i]);
        if (usage.count + 2 <= HELP_COLUMN)
            text_add(text, "%-*s", HELP_COLUMN, usage.at);
        else
            text_add(text, "%s\n%*s", usage.at, HELP_COLUMN, "");
        options_add_wrapped(text, description.at, HELP_COLUMN);
        text_free(&usage);
        text_free(&description);
    }
}

// In roff a '-' is a hyphen, a line must not begin with '.' or "'", and '\' escapes.
static void add_roff(struct text *text, const char *plain) {
    for (; *plain; plain++) text_add(text, *plain == '-' ? "\\-" : *plain == '\\' ? "\\e" : "%c", *plain);
}

void options_add_man(struct text *text, const struct option_table *table) {
    for (unsigned i = 0; i < table->count; i++) {
        struct text usage = {0}, description = {0};
        option_add_usage(&usage, &table->at[i]);
        add_description(&description, &table->at[i]);
        text_add(text, ".TP\n\\fB");
        add_roff(text, usage.at);
        text_add(text, "\\fR\n\\&");
        add_roff(text, description.at);
        text_add(text, "\n");
        text_free(&usage);
        text_free(&description);
    }
}

void options_add_words(struct text *text, const struct option_table *table) {
    for (unsigned i = 0; i < table->count; i++) {
        if (table->at[i].letter) text_add(text, "-%c ", table->at[i].letter);
        text_add(text, shown_as_no(&table->at[i]) ? "--no-" : "--");
        add_name(text, table->at[i].name);
        text_add(text, " ");
    }
}
