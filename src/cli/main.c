// The entry: finds the command and calls it. `tamar-cc` is `tamar cc`.
#include "base/error.h"
#include "base/suggest.h"
#include "cli/command.h"

#include <signal.h>
#include <stdio.h>

static int unknown_command(const char *name) {
    unsigned count;
    const struct command *const *commands = command_all(&count);
    struct suggestion nearest = {.typed = name};
    for (unsigned i = 0; i < count; i++) suggest_consider(&nearest, commands[i]->name);
    struct text remedy = {0};
    if (nearest.best) text_add(&remedy, "Did you mean `tamar %s`? ", nearest.best);
    text_add(&remedy, "`tamar help` lists the commands.");
    user_error_at(NULL, remedy.at, "there is no command '%s'", name);
    text_free(&remedy);
    return EXIT_USAGE;
}

// A result that could not be written is not a success: a full disk or a closed pipe must not look like one.
static int checked(int status) {
    if (fflush(stdout) == 0 && !ferror(stdout)) return status;
    user_error_at(NULL, "Is the disk full?", "standard output could not be written");
    return status == EXIT_OK ? EXIT_INTERNAL : status;
}

static bool called_as_compiler(const char *name) {
    const char *slash = strrchr(name, '/');
    return strcmp(slash ? slash + 1 : name, "tamar-cc") == 0;
}

// A handler: SIG_IGN would be inherited by programs that are run natively.
static void write_fails(int number) {}

int main(int argc, char **argv) {
    signal(SIGXFSZ, write_fails); // a limit on the size of files is then a failing write, as a full disk is
    const struct command *command = argc && called_as_compiler(argv[0]) ? command_find("cc") : NULL;
    if (command) return command->run(command, argv + 1);
    if (argc < 2) {
        char *help[] = {NULL};
        command_find("help")->run(command_find("help"), help);
        return EXIT_USAGE;
    }
    if (strcmp(argv[1], "--version") == 0) {
        puts(version_line);
        return checked(EXIT_OK);
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) argv[1] = "help";
    command = command_find(argv[1]);
    if (!command) return unknown_command(argv[1]);
    return checked(command->run(command, argv + 2));
}
