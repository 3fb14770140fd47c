// `tamar help`: the list of commands, one command's options, the manual page, the shell completion.
#include "base/error.h"
#include "base/suggest.h"
#include "cli/command.h"
#include "search/search.h"

#include <stdio.h>
#include <string.h>

#define HELP_OPTIONS(X, T)                                                                                   \
    X(T, FLAG, man, 0, "print the manual page, in roff")                                                     \
    X(T, FLAG, markdown, 0, "print the reference of all commands, in Markdown")                              \
    X(T, CHOICE, completion, "none|bash|zsh|fish", "none", "print the completion rules for a shell")
OPTIONS_STRUCT(help_options, HELP_OPTIONS)
OPTIONS_TABLE(help_options, HELP_OPTIONS)

static void add_overview(struct text *text) {
    unsigned count;
    const struct command *const *commands = command_all(&count);
    text_add(text, "usage: tamar COMMAND [options] ...\n\n"
                   "Tamar finds the inputs that break a C program, and writes the tests that cover it.\n\n");
    for (unsigned i = 0; i < count; i++)
        text_add(text, "  tamar %-8s  %s\n", commands[i]->name, commands[i]->help);
    text_add(text, "\n`tamar help COMMAND` describes a command, `tamar help search` the strategies,\n"
                   "`tamar --version` names the versions.\n");
}

static void add_search(struct text *text) {
    options_add_wrapped(
        text,
        "--search EXPR says which state runs next. EXPR is one of these strategies; S, T, U and D "
        "stand for any of them, N and r for numbers. Examples: --search dfs, --search "
        "'batch(rr(rp,exe))'.\n\n",
        0);
    search_add_help(text);
}

static void add_markdown(struct text *text) {
    unsigned count;
    const struct command *const *commands = command_all(&count);
    text_add(text, "# Commands and options\n\nMade from the option tables by `scripts/update-docs`; do not "
                   "edit. The same "
                   "text is in `man tamar` and in `tamar help COMMAND`.\n\n| command | |\n| --- | --- |\n");
    for (unsigned i = 0; i < count; i++)
        text_add(text, "| [`tamar %s`](#tamar-%s) | %s |\n", commands[i]->name, commands[i]->name,
                 commands[i]->help);
    for (unsigned i = 0; i < count; i++) {
        text_add(text, "\n## tamar %s\n\n```text\n", commands[i]->name);
        command_add_help(text, commands[i]);
        text_add(text, "```\n");
    }
    text_add(text, "\n## Strategies of --search\n\n```text\n");
    add_search(text);
    text_add(text, "```\n");
}

static bool add_topic(struct text *text, const char *name) {
    const struct command *command = command_find(name);
    if (command) {
        command_add_help(text, command);
        return true;
    }
    if (!strcmp(name, "search")) {
        add_search(text);
        return true;
    }
    unsigned count;
    const struct command *const *commands = command_all(&count);
    struct suggestion nearest = {.typed = name};
    for (unsigned i = 0; i < count; i++) suggest_consider(&nearest, commands[i]->name);
    suggest_consider(&nearest, "search");
    struct text remedy = {0};
    if (nearest.best) text_add(&remedy, "Did you mean `tamar help %s`? ", nearest.best);
    text_add(&remedy, "`tamar help` lists the commands.");
    user_error_at("help", remedy.at, "there is no command or topic '%s'", name);
    text_free(&remedy);
    return false;
}

static void (*const completions[])(struct text *text) = {NULL, completion_add_bash, completion_add_zsh,
                                                         completion_add_fish};

static int run(const struct command *command, char **argv) {
    struct help_options options;
    struct operands operands;
    int status;
    if (!command_parse(command, argv, &options, &operands, &status)) return status;
    struct text text = {0};
    bool good = true;
    if (options.man)
        commands_add_man(&text);
    else if (options.markdown)
        add_markdown(&text);
    else if (options.completion)
        completions[options.completion](&text);
    else if (operands.words.count == 0)
        add_overview(&text);
    else
        for (unsigned i = 0; good && i < operands.words.count; i++)
            good = add_topic(&text, operands.words.at[i]);
    if (good) fputs(text.at, stdout);
    text_free(&text);
    options_free(command->options, &options);
    operands_free(&operands);
    return good ? EXIT_OK : EXIT_USAGE;
}

const struct command help_command = {
    .name = "help",
    .help = "describe a command and its options",
    .operands = "[COMMAND]",
    .description = "Lists the commands, or describes one of them with all its options.",
    .options = &help_options_table,
    .run = run,
};
