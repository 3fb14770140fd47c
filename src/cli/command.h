// A command of `tamar`. To add one: write NAME_command.c that defines `const struct command NAME_command`, add it to
// commands.h and to meson.build. Its help, manual page section and completion are generated from the struct.
#ifndef TAMAR_COMMAND_H
#define TAMAR_COMMAND_H

#include "base/options.h"

struct command {
    const char *name;
    const char *help;                   // one line
    const char *operands;               // end of the usage line, such as "PROGRAM [-- ARGS...]"
    const char *description;            // paragraphs separated by "\n\n"
    const struct option_table *options; // NULL: none; `run` gets the words unparsed, --help included
    const struct option_group *groups;  // headings of the options in the help; NULL: none
    enum operand_style style;
    // `argv` holds the words after the command's name, NULL-terminated. Returns the exit status.
    int (*run)(const struct command *command, char **argv);
};

// Parses with the command's table. Returns false if the command ends with exit status *status (an error has been
// reported, or help was printed); values and operands have been freed then.
bool command_parse(const struct command *command, char **argv, void *values, struct operands *operands,
                   int *status);

const struct command *const *command_all(unsigned *count);
const struct command *command_find(const char *name);
void command_add_help(struct text *text, const struct command *command);
void commands_add_man(struct text *text);
// completion.c
void completion_add_bash(struct text *text);
void completion_add_zsh(struct text *text);
void completion_add_fish(struct text *text);

// The version, such as "tamar 0.1.0 (LLVM 19.1.7, ...)".
extern const char version_line[];

#endif
