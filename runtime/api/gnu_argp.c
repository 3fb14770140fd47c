// argp as described in GNU's manual: parsing. The tree of parsers becomes a list, parents before
// their children. Options are looked up in the whole list; arguments are offered to each parser
// in turn. Words that are not options move after the options, unless ARGP_IN_ORDER is set.
#include "include/gnu/argp.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define WEAK __attribute__((weak)) // programs may define them
WEAK const char *argp_program_version, *argp_program_bug_address;
WEAK void (*argp_program_version_hook)(FILE *stream, struct argp_state *state);
WEAK error_t argp_err_exit_status = 64;

enum { KEY_USAGE = -3, KEY_NAME = -4, NO_SUCH_KEY = EBADF };

struct group {
    const struct argp *argp;
    struct group *parent;
    unsigned child; // its index among the children of its parent
    void *input, **child_inputs, *hook;
    unsigned arguments; // number of arguments that it took
};

struct parse {
    struct argp_state state;
    struct group *groups, builtin;
    unsigned count;
    int first_argument; // the words from here up to the next word to parse are arguments
};

// Options of every program.
static const struct argp_option help_options[] = {{"help", '?', NULL, 0, NULL, 0},
                                                  {"usage", KEY_USAGE, NULL, 0, NULL, 0},
                                                  {"program-name", KEY_NAME, "NAME", OPTION_HIDDEN, NULL, 0},
                                                  {"version", 'V', NULL, 0, NULL, 0},
                                                  {0}};

static error_t parse_builtin(int key, char *argument, struct argp_state *state) {
    bool has_version = argp_program_version || argp_program_version_hook;
    switch (key) {
    case '?': argp_state_help(state, state->out_stream, ARGP_HELP_STD_HELP); return 0;
    case KEY_USAGE: argp_state_help(state, state->out_stream, ARGP_HELP_USAGE | ARGP_HELP_EXIT_OK); return 0;
    case KEY_NAME: state->name = argument; return 0;
    case 'V':
        if (!has_version) return ARGP_ERR_UNKNOWN;
        if (argp_program_version_hook)
            argp_program_version_hook(state->out_stream, state);
        else
            fprintf(state->out_stream, "%s\n", argp_program_version);
        if (!(state->flags & ARGP_NO_EXIT)) exit(0);
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}
static const struct argp builtin = {.options = help_options, .parser = parse_builtin};

// ---- the list of parsers

static unsigned count_groups(const struct argp *argp) {
    unsigned count = 1;
    for (const struct argp_child *child = argp->children; child && child->argp; child++)
        count += count_groups(child->argp);
    return count;
}

static unsigned count_children(const struct argp *argp) {
    unsigned count = 0;
    for (const struct argp_child *child = argp->children; child && child->argp; child++) count++;
    return count;
}

static void add_groups(struct parse *parse, const struct argp *argp, struct group *parent, unsigned number) {
    struct group *group = &parse->groups[parse->count++];
    unsigned children = count_children(argp);
    *group = (struct group){.argp = argp, .parent = parent, .child = number};
    if (children) group->child_inputs = calloc(children, sizeof *group->child_inputs);
    for (unsigned i = 0; i < children; i++) add_groups(parse, argp->children[i].argp, group, i);
}

static error_t call(struct parse *parse, struct group *group, int key, char *argument) {
    struct argp_state *state = &parse->state;
    if (!group->argp->parser) return ARGP_ERR_UNKNOWN;
    state->hook = group->hook;
    state->input = group->input;
    state->child_inputs = group->child_inputs;
    state->arg_num = group->arguments;
    error_t error = group->argp->parser(key, argument, state);
    group->hook = state->hook;
    return error;
}

// Calls all parsers, children first or last; a parser that does not know the key is ignored.
static error_t call_all(struct parse *parse, int key, bool children_first) {
    error_t error = 0;
    for (unsigned i = 0; i < parse->count && !error; i++) {
        error = call(parse, &parse->groups[children_first ? parse->count - 1 - i : i], key, NULL);
        if (error == ARGP_ERR_UNKNOWN) error = 0;
    }
    return error;
}

static error_t begin(struct parse *parse, void *input) {
    error_t error = 0;
    for (unsigned i = 0; i < parse->count && !error; i++) {
        struct group *group = &parse->groups[i];
        group->input = group->parent ? group->parent->child_inputs[group->child] : input;
        // A parser without a function passes its input to its first child.
        if (!group->argp->parser && group->child_inputs) group->child_inputs[0] = group->input;
        error = call(parse, group, ARGP_KEY_INIT, NULL);
        if (error == ARGP_ERR_UNKNOWN) error = 0;
    }
    return error;
}

// ---- options

struct found {
    struct group *group;
    const struct argp_option *option; // for an alias: the original
    bool exact, several;
};

static bool is_end(const struct argp_option *option) {
    return !option->name && !option->key && !option->doc && !option->group;
}
static bool is_short(int key) { return key > 0 && key < 256 && isprint(key); }

static void look_in(struct group *group, struct found *found, const char *name, size_t length, int key) {
    const struct argp_option *real = NULL;
    for (const struct argp_option *at = group->argp->options; at && !is_end(at); at++) {
        if (!(at->flags & OPTION_ALIAS)) real = at;
        if (at->flags & OPTION_DOC || found->exact) continue;
        bool fits = name ? at->name && !strncmp(at->name, name, length) : at->key == key;
        if (!fits) continue;
        found->exact = !name || strlen(at->name) == length;
        found->several = !found->exact && found->option && found->option != real;
        found->group = group;
        found->option = real ? real : at;
    }
}

static struct found find_option(struct parse *parse, const char *name, size_t length, int key) {
    struct found found = {0};
    for (unsigned i = 0; i < parse->count; i++) look_in(&parse->groups[i], &found, name, length, key);
    if (!(parse->state.flags & ARGP_NO_HELP)) look_in(&parse->builtin, &found, name, length, key);
    return found;
}

static error_t complain(struct parse *parse, const char *format, const char *name, size_t length) {
    const struct argp_state *state = &parse->state;
    if (state->err_stream && !(state->flags & ARGP_NO_ERRS)) {
        fprintf(state->err_stream, "%s: ", state->name);
        fprintf(state->err_stream, format, (int)length, name);
        fputc('\n', state->err_stream);
    }
    return NO_SUCH_KEY;
}

static error_t use_option(struct parse *parse, const struct found *found, char *argument) {
    error_t error = call(parse, found->group, found->option->key, argument);
    if (error == ARGP_ERR_UNKNOWN && found->group != &parse->builtin) {
        argp_error(&parse->state, "(PROGRAM ERROR) Option should have been recognized!?");
        return EINVAL;
    }
    return error == ARGP_ERR_UNKNOWN ? NO_SUCH_KEY : error;
}

static error_t parse_long(struct parse *parse, char *word, const char *name) {
    struct argp_state *state = &parse->state;
    char *equals = strchr(name, '=');
    size_t length = equals ? (size_t)(equals - name) : strlen(name), whole = (size_t)(name - word) + length;
    struct found found = find_option(parse, name, length, 0);
    if (!found.option) return complain(parse, "unrecognized option '%.*s'", word, whole);
    if (found.several) return complain(parse, "option '%.*s' is ambiguous", word, whole);
    const char *wants = found.option->arg;
    if (equals && !wants) return complain(parse, "option '%.*s' doesn't allow an argument", word, whole);
    char *argument = equals ? equals + 1 : NULL;
    if (wants && !equals && !(found.option->flags & OPTION_ARG_OPTIONAL)) {
        if (state->next >= state->argc)
            return complain(parse, "option '%.*s' requires an argument", word, whole);
        argument = state->argv[state->next++];
    }
    return use_option(parse, &found, argument);
}

static error_t parse_shorts(struct parse *parse, char *word) {
    struct argp_state *state = &parse->state;
    error_t error = 0;
    for (char *at = word + 1; *at && !error; at++) {
        struct found found = find_option(parse, NULL, 0, (unsigned char)*at);
        if (!found.option || !is_short((unsigned char)*at))
            return complain(parse, "invalid option -- '%.*s'", at, 1);
        char *argument = NULL;
        if (found.option->arg) {
            bool rest = at[1] != 0;
            if (rest)
                argument = at + 1;
            else if (!(found.option->flags & OPTION_ARG_OPTIONAL)) {
                if (state->next >= state->argc)
                    return complain(parse, "option requires an argument -- '%.*s'", at, 1);
                argument = state->argv[state->next++];
            }
            return use_option(parse, &found, argument);
        }
        error = use_option(parse, &found, NULL);
    }
    return error;
}

// Moves an option's words before the arguments that preceded it.
static void move_up(struct parse *parse, int from) {
    char **argv = parse->state.argv;
    int to = parse->first_argument;
    if (to < from)
        for (; from < parse->state.next; from++, to++) {
            char *word = argv[from];
            memmove(argv + to + 1, argv + to, (size_t)(from - to) * sizeof *argv);
            argv[to] = word;
        }
    else
        to = parse->state.next;
    parse->first_argument = to;
}

// ---- arguments

static error_t parse_argument(struct parse *parse) {
    struct argp_state *state = &parse->state;
    error_t error = ARGP_ERR_UNKNOWN;
    for (unsigned i = 0; i < parse->count && error == ARGP_ERR_UNKNOWN; i++) {
        struct group *group = &parse->groups[i];
        int start = state->next++;
        error = call(parse, group, ARGP_KEY_ARG, state->argv[start]);
        if (error == ARGP_ERR_UNKNOWN) {
            state->next = start;
            error = call(parse, group, ARGP_KEY_ARGS, NULL);
            if (!error && state->next == start) state->next = state->argc;
        }
        if (!error && state->next > start) group->arguments += (unsigned)(state->next - start);
    }
    return error;
}

static error_t parse_arguments(struct parse *parse) {
    struct argp_state *state = &parse->state;
    error_t error = 0;
    while (!error && state->next < state->argc) error = parse_argument(parse);
    return error;
}

// Parses options up to the end or to "--"; with ARGP_IN_ORDER, also arguments.
static error_t parse_words(struct parse *parse) {
    struct argp_state *state = &parse->state;
    error_t error = 0;
    while (!error && state->next < state->argc) {
        int start = state->next;
        char *word = state->argv[start];
        bool is_option = word[0] == '-' && word[1];
        if (is_option) state->next++;
        if (is_option && !strcmp(word, "--")) {
            move_up(parse, start);
            state->quoted = state->next = parse->first_argument;
            return parse_arguments(parse);
        }
        if (is_option) {
            bool only_long = state->flags & ARGP_LONG_ONLY &&
                             find_option(parse, word + 1, strcspn(word + 1, "="), 0).option;
            error = word[1] == '-' ? parse_long(parse, word, word + 2)
                    : only_long    ? parse_long(parse, word, word + 1)
                                   : parse_shorts(parse, word);
            move_up(parse, start);
        } else if (state->flags & ARGP_NO_ARGS) {
            break;
        } else if (state->flags & ARGP_IN_ORDER) {
            error = parse_argument(parse);
            parse->first_argument = state->next;
        } else {
            state->next++; // handled later
        }
    }
    if (error || state->flags & (ARGP_NO_ARGS | ARGP_IN_ORDER)) return error;
    state->next = parse->first_argument;
    return parse_arguments(parse);
}

static error_t finish(struct parse *parse, error_t error, int *arg_index) {
    struct argp_state *state = &parse->state;
    if (!error && state->next == state->argc) {
        for (unsigned i = 0; i < parse->count && !error; i++)
            if (!parse->groups[i].arguments) {
                error = call(parse, &parse->groups[i], ARGP_KEY_NO_ARGS, NULL);
                if (error == ARGP_ERR_UNKNOWN) error = 0;
            }
        if (!error) error = call_all(parse, ARGP_KEY_END, true);
    } else if (error == ARGP_ERR_UNKNOWN && !arg_index) {
        argp_error(state, "Too many arguments");
    } else if (error == ARGP_ERR_UNKNOWN) {
        error = 0; // a caller that asks where the arguments begin handles the rest
    }
    if (arg_index) *arg_index = state->next;
    if (error == NO_SUCH_KEY) argp_state_help(state, state->err_stream, ARGP_HELP_STD_ERR);
    if (error)
        call_all(parse, ARGP_KEY_ERROR, false);
    else
        error = call_all(parse, ARGP_KEY_SUCCESS, true);
    call_all(parse, ARGP_KEY_FINI, true);
    return error == NO_SUCH_KEY || error == ARGP_ERR_UNKNOWN ? EINVAL : error;
}

error_t argp_parse(const struct argp *argp, int argc, char **argv, unsigned flags, int *arg_index,
                   void *input) {
    static const struct argp empty;
    const struct argp *root = argp ? argp : &empty;
    struct parse parse = {.builtin = {.argp = &builtin}};
    parse.groups = calloc(count_groups(root), sizeof *parse.groups);
    if (!parse.groups) return ENOMEM;
    add_groups(&parse, root, NULL, 0);
    char *slash = argc > 0 && argv[0] ? strrchr(argv[0], '/') : NULL;
    parse.state =
        (struct argp_state){.root_argp = root,
                            .argc = argc,
                            .argv = argv,
                            .next = flags & ARGP_PARSE_ARGV0 ? 0 : 1,
                            .flags = flags,
                            .name = flags & ARGP_PARSE_ARGV0 || argc < 1 ? program_invocation_short_name
                                    : slash                              ? slash + 1
                                                                         : argv[0],
                            .err_stream = stderr,
                            .out_stream = stdout,
                            .pstate = &parse};
    parse.first_argument = parse.state.next;
    error_t error = begin(&parse, input);
    if (!error) error = parse_words(&parse);
    error = finish(&parse, error, arg_index);
    for (unsigned i = 0; i < parse.count; i++) free(parse.groups[i].child_inputs);
    free(parse.groups);
    return error;
}

void *_argp_input(const struct argp *argp, const struct argp_state *state) {
    const struct parse *parse = state ? state->pstate : NULL;
    for (unsigned i = 0; parse && i < parse->count; i++)
        if (parse->groups[i].argp == argp) return parse->groups[i].input;
    return NULL;
}
