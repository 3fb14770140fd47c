// Completion rules for bash, zsh and fish, from the tables of options: commands, their options, and the values of
// options that take one of several words or a file.
#include "cli/command.h"

#include <string.h>

static bool has_options(const struct command *command) { return command->options != NULL; }

static void add_dashed(struct text *text, const char *name) {
    for (; *name; name++) text_add(text, "%c", *name == '_' ? '-' : *name);
}

// Appends the words of a choice or set: "one two three".
static void add_choices(struct text *text, const struct option *option) {
    const char *start;
    size_t length;
    for (unsigned k = 0; (length = option_choice(option->choices, k, &start)); k++) {
        bool marked = *start == '~'; // not part of "all"
        text_add(text, "%s", k ? " " : "");
        text_add_bytes(text, start + marked, length - marked);
    }
    if (option->kind == OPTION_SET) text_add(text, " all none");
}

static void add_commands(struct text *text) {
    unsigned count;
    const struct command *const *commands = command_all(&count);
    for (unsigned i = 0; i < count; i++) text_add(text, "%s%s", i ? " " : "", commands[i]->name);
}

static bool is_named(const struct option *option, const char *metavar) {
    return option->metavar && !strcmp(option->metavar, metavar);
}

// Whether the option's value is the name of a file.
static bool takes_file(const struct option *option) {
    static const char *const metavars[] = {"FILE", "TEST", "PATH", "PROGRAM"};
    for (size_t i = 0; i < COUNT(metavars); i++)
        if (is_named(option, metavars[i])) return true;
    return false;
}

// ---- bash

static void add_bash_values(struct text *text, const struct option_table *table) {
    for (unsigned i = 0; i < table->count; i++) {
        const struct option *option = &table->at[i];
        if (option->choices) {
            text_add(text, "        --");
            add_dashed(text, option->name);
            text_add(text, ") %svalues='", option->kind == OPTION_SET ? "is_list=yes " : "");
            add_choices(text, option);
            text_add(text, "' ;;\n");
        } else if (is_named(option, "DIR")) {
            text_add(text, "        --");
            add_dashed(text, option->name);
            text_add(text, ") COMPREPLY=($(compgen -d -- \"$word\")); return ;;\n");
        }
    }
}

void completion_add_bash(struct text *text) {
    unsigned count;
    const struct command *const *commands = command_all(&count);
    text_add(text, "# bash completion for tamar\n_tamar() {\n"
                   "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} options= "
                   "values= is_list= "
                   "start= names=\n"
                   "    if [ \"$word\" = = ]; then word=; fi\n"
                   "    if [ \"$before\" = = ]; then before=${COMP_WORDS[COMP_CWORD-2]}; fi\n"
                   "    if [ \"$COMP_CWORD\" -eq 1 ]; then\n        COMPREPLY=($(compgen -W '");
    for (unsigned i = 0; i < count; i++) text_add(text, "%s ", commands[i]->name);
    text_add(text, "--help --version' -- \"$word\"))\n        return\n    fi\n"
                   "    case ${COMP_WORDS[1]} in\n");
    for (unsigned i = 0; i < count; i++) {
        text_add(text, "    %s) options='", commands[i]->name);
        if (has_options(commands[i])) options_add_words(text, commands[i]->options);
        text_add(text, "'");
        if (strcmp(commands[i]->name, "help") == 0) {
            text_add(text, " names='");
            add_commands(text);
            text_add(text, "'");
        }
        text_add(text, "\n        case $before in\n");
        if (has_options(commands[i])) add_bash_values(text, commands[i]->options);
        text_add(text, "        esac ;;\n");
    }
    text_add(text,
             "    esac\n"
             "    if [[ $word != -* ]]; then options=$names; fi\n" // else bash completes file names
             "    if [ \"$is_list\" ] && [[ $word = *,* ]]; then start=${word%%,*},; fi\n"
             "    COMPREPLY=($(compgen -P \"$start\" -W \"${values:-$options}\" -- \"${word#\"$start\"}\"))\n"
             "}\ncomplete -o default -F _tamar tamar\n");
}

// ---- zsh

// Escapes text for a specification of zsh's _arguments, in which brackets, colons and quotes have a meaning.
static void add_zsh_text(struct text *text, const char *plain) {
    for (; *plain && *plain != '\n'; plain++) {
        if (*plain == '\'')
            text_add(text, "'\\''");
        else if (strchr("[]:\\", *plain))
            text_add(text, "\\%c", *plain);
        else
            text_add(text, "%c", *plain);
    }
}

static void add_zsh_option(struct text *text, const struct option *option) {
    struct text usage = {0};
    option_add_usage(&usage, option);
    const char *dashes = strstr(usage.at, "--");
    text_add(text, "                '%s%.*s%s[", option->kind == OPTION_LIST ? "*" : "",
             (int)strcspn(dashes, " "), dashes, option_arity(option) ? "=" : "");
    add_zsh_text(text, option->help);
    text_add(text, "]");
    if (option_arity(option)) {
        text_add(text, ":");
        add_zsh_text(text, option->metavar);
        text_add(text, ":");
        if (option->kind == OPTION_SET) {
            text_add(text, " _values -s , ");
            add_zsh_text(text, option->metavar);
            text_add(text, " ");
            add_choices(text, option);
        } else if (option->choices) {
            text_add(text, "(");
            add_choices(text, option);
            text_add(text, ")");
        } else if (is_named(option, "DIR")) {
            text_add(text, "_files -/");
        } else if (takes_file(option)) {
            text_add(text, "_files");
        }
    }
    text_add(text, "' \\\n");
    text_free(&usage);
}

void completion_add_zsh(struct text *text) {
    unsigned count;
    const struct command *const *commands = command_all(&count);
    text_add(
        text,
        "#compdef tamar\n# zsh completion for tamar\n_tamar() {\n    local -a commands\n    commands=(\n");
    for (unsigned i = 0; i < count; i++) {
        text_add(text, "        '%s:", commands[i]->name);
        add_zsh_text(text, commands[i]->help);
        text_add(text, "'\n");
    }
    text_add(
        text,
        "    )\n    if (( CURRENT == 2 )); then\n        _describe command commands\n        return\n    fi\n"
        "    local command=$words[2]\n    shift words\n    (( CURRENT-- ))\n    case $command in\n");
    for (unsigned i = 0; i < count; i++) {
        if (!has_options(commands[i])) continue;
        text_add(text, "        %s)\n            _arguments -S \\\n", commands[i]->name);
        for (unsigned k = 0; k < commands[i]->options->count; k++)
            add_zsh_option(text, &commands[i]->options->at[k]);
        text_add(text, "                '*:");
        if (!strcmp(commands[i]->name, "help")) {
            text_add(text, "command:(");
            add_commands(text);
            text_add(text, ")' ;;\n");
        } else {
            text_add(text, "file:_files' ;;\n");
        }
    }
    text_add(text, "        *) _files ;;\n    esac\n}\n"
                   "if [ \"$funcstack[1]\" = _tamar ]; then _tamar \"$@\"; else compdef _tamar tamar; fi\n");
}

// ---- fish

static void add_fish_text(struct text *text, const char *plain) {
    text_add(text, "'");
    for (; *plain && *plain != '\n'; plain++) text_add(text, strchr("'\\", *plain) ? "\\%c" : "%c", *plain);
    text_add(text, "'");
}

static void add_fish_option(struct text *text, const char *command, const struct option *option) {
    struct text usage = {0};
    option_add_usage(&usage, option);
    const char *dashes = strstr(usage.at, "--") + 2;
    text_add(text, "complete -c tamar -n '__fish_seen_subcommand_from %s' -l %.*s", command,
             (int)strcspn(dashes, " "), dashes);
    if (option->letter) text_add(text, " -s %c", option->letter);
    if (option->choices) {
        bool is_list = option->kind == OPTION_SET;
        text_add(text, " -x -a '%s", is_list ? "(__fish_append , " : "");
        add_choices(text, option);
        text_add(text, "%s'", is_list ? ")" : "");
    } else if (is_named(option, "DIR")) {
        text_add(text, " -x -a '(__fish_complete_directories)'");
    } else if (option_arity(option)) {
        text_add(text, takes_file(option) ? " -r" : " -x");
    }
    text_add(text, " -d ");
    add_fish_text(text, option->help);
    text_add(text, "\n");
    text_free(&usage);
}

void completion_add_fish(struct text *text) {
    unsigned count;
    const struct command *const *commands = command_all(&count);
    text_add(text, "# fish completion for tamar\n");
    for (unsigned i = 0; i < count; i++) {
        text_add(text, "complete -c tamar -n __fish_use_subcommand -f -a %s -d ", commands[i]->name);
        add_fish_text(text, commands[i]->help);
        text_add(text, "\n");
        if (!has_options(commands[i])) continue;
        for (unsigned k = 0; k < commands[i]->options->count; k++)
            add_fish_option(text, commands[i]->name, &commands[i]->options->at[k]);
    }
    text_add(text, "complete -c tamar -n '__fish_seen_subcommand_from help' -f -a '");
    add_commands(text);
    text_add(text, "'\n");
}
