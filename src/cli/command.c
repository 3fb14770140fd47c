#include "cli/command.h"

#include "base/error.h"
#include "cli/commands.h"

#include <stdio.h>

#define DECLARE(name) extern const struct command name##_command;
COMMANDS(DECLARE)
#define POINTER(name) &name##_command,
static const struct command *const commands[] = {COMMANDS(POINTER)};

const struct command *const *command_all(unsigned *count) {
    *count = COUNT(commands);
    return commands;
}

const struct command *command_find(const char *name) {
    for (unsigned i = 0; i < COUNT(commands); i++)
        if (strcmp(commands[i]->name, name) == 0) return commands[i];
    return NULL;
}

bool command_parse(const struct command *command, char **argv, void *values, struct operands *operands,
                   int *status) {
    *status = EXIT_USAGE;
    bool good = options_parse(command->options, command->name, command->style, argv, values, operands);
    if (good && !operands->help) return true;
    if (good) {
        struct text text = {0};
        command_add_help(&text, command);
        fputs(text.at, stdout);
        text_free(&text);
        *status = EXIT_OK;
    }
    options_free(command->options, values);
    operands_free(operands);
    return false;
}

static bool has_options(const struct command *command) { return command->options && command->options->count; }

static void add_usage(struct text *text, const struct command *command) {
    text_add(text, "tamar %s%s%s%s", command->name, has_options(command) ? " [options]" : "",
             *command->operands ? " " : "", command->operands);
}

void command_add_help(struct text *text, const struct command *command) {
    text_add(text, "usage: ");
    add_usage(text, command);
    text_add(text, "\n\n");
    options_add_wrapped(text, command->description, 0);
    if (!has_options(command)) return;
    text_add(text, command->groups ? "\n" : "\nOptions:\n");
    options_add_help(text, command->options, command->groups);
}

static const char man_head[] =
    ".TH TAMAR 1 \"\" \"%s\" \"User Commands\"\n"
    ".SH NAME\ntamar \\- finds the inputs that break a C program, and writes the tests that cover it\n"
    ".SH SYNOPSIS\n.B tamar\n.I COMMAND\n[options] ...\n"
    ".SH DESCRIPTION\n"
    "Tamar executes C programs symbolically: it explores their paths, bit-precisely, as the machine would "
    "take "
    "them,\n"
    "and writes an input for each. The commands:\n";

static const char man_tail[] =
    ".SH EXIT STATUS\n"
    ".TP\n0\nfinished, no bug found\n"
    ".TP\n1\nat least one bug found\n"
    ".TP\n2\nwrong usage or unusable input; the message says where, why, and what to do\n"
    ".TP\n3\na limit ended the run before all paths were explored, no bug found\n"
    ".TP\n4\na failure of Tamar itself; please report it\n"
    ".PP\n"
    "\\fBtamar exec\\fR ends with the exit status of the program, or with 125 when it found a bug.\n";

static void add_roff_paragraphs(struct text *text, const char *plain) {
    text_add(text, "\\&");
    for (; *plain; plain++) {
        if (plain[0] == '\n' && plain[1] == '\n') {
            text_add(text, "\n.PP\n\\&");
            plain++;
        } else if (*plain == '\n') {
            text_add(text, "\n\\&");
        } else {
            text_add(text, *plain == '-' ? "\\-" : *plain == '\\' ? "\\e" : "%c", *plain);
        }
    }
    text_add(text, "\n");
}

void commands_add_man(struct text *text) {
    text_add(text, man_head, version_line);
    for (unsigned i = 0; i < COUNT(commands); i++) {
        text_add(text, ".TP\n\\fB%s\\fR\n", commands[i]->name);
        add_roff_paragraphs(text, commands[i]->help);
    }
    for (unsigned i = 0; i < COUNT(commands); i++) {
        struct text usage = {0};
        add_usage(&usage, commands[i]);
        text_add(text, ".SH \"");
        for (const char *p = commands[i]->name; *p; p++) text_add(text, "%c", *p - 'a' + 'A');
        text_add(text, "\"\n\\fB");
        add_roff_paragraphs(text, usage.at);
        text_add(text, "\\fR\n.PP\n");
        add_roff_paragraphs(text, commands[i]->description);
        if (has_options(commands[i])) options_add_man(text, commands[i]->options);
        text_free(&usage);
    }
    text_add(text, "%s", man_tail);
}
