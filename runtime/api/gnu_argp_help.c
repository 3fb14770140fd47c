// argp's messages: usage, the list of options, errors. The layout is GNU's: options from column 2, long ones without
// a letter from 6, descriptions from 29, lines of at most 79.
#include "include/gnu/argp.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum {
    SHORT_COLUMN = 2,
    LONG_COLUMN = 6,
    DOC_COLUMN = 29,
    USAGE_INDENT = 12,
    MARGIN = 79,
    MOST_OPTIONS = 512
};

struct entry { // an option with its aliases
    const struct argp_option *option;
    const struct argp *argp;
    int group;
    unsigned cluster, order; // cluster: number of the child with a header, 0: none
    const char *header;      // printed before the first option of a child
};

struct listing {
    struct entry entries[MOST_OPTIONS];
    unsigned count, clusters;
};

static const struct argp_option common[] = {{"help", '?', NULL, 0, "Give this help list", -1},
                                            {"usage", -3, NULL, 0, "Give a short usage message", 0},
                                            {0}};
static const struct argp_option version[] = {{"version", 'V', NULL, 0, "Print program version", -1}, {0}};

static bool is_end(const struct argp_option *option) {
    return !option->name && !option->key && !option->doc && !option->group;
}
static bool is_short(const struct argp_option *option) {
    return option->key > 0 && option->key < 256 && isprint(option->key);
}
static bool is_header(const struct argp_option *option) { return !option->name && !option->key; }

// Collects the options. An option without a group belongs to the group of the previous one; a header begins the next
// group.
static void collect(struct listing *listing, const struct argp *argp, const struct argp_option *options,
                    const char *header) {
    int group = 0;
    for (const struct argp_option *at = options; at && !is_end(at); at++) {
        if (at->flags & OPTION_ALIAS) continue;
        group = at->group ? at->group : is_header(at) ? group + 1 : group;
        if (listing->count == MOST_OPTIONS) return;
        listing->entries[listing->count] =
            (struct entry){at, argp, group, header ? listing->clusters : 0, listing->count, header};
        listing->count++;
    }
}

static void collect_tree(struct listing *listing, const struct argp *argp, const char *header) {
    if (header) listing->clusters++;
    collect(listing, argp, argp->options, header);
    for (const struct argp_child *child = argp->children; child && child->argp; child++)
        collect_tree(listing, child->argp, child->header);
}

// Returns the sort key of an option: its letter, else the first of its name.
static int letter(const struct argp_option *option) {
    const char *name = option->name ? option->name : "";
    if (option->flags & OPTION_DOC) return 256;
    return tolower(is_short(option) ? option->key : (unsigned char)*name);
}

static int compare(const void *a, const void *b) {
    const struct entry *x = a, *y = b;
    unsigned first = (unsigned)x->group, second = (unsigned)y->group; // negative ones come last
    if (first != second) return first < second ? -1 : 1;
    if (x->cluster != y->cluster) return x->cluster < y->cluster ? -1 : 1;
    bool heads[] = {is_header(x->option), is_header(y->option)};
    if (heads[0] != heads[1]) return heads[0] ? -1 : 1;
    int difference = letter(x->option) - letter(y->option);
    if (difference) return difference;
    return x->order < y->order ? -1 : x->order > y->order;
}

static struct listing *list_options(const struct argp *argp, unsigned flags) {
    struct listing *listing = calloc(1, sizeof *listing);
    if (!listing) return NULL;
    collect_tree(listing, argp, NULL);
    if (!(flags & ARGP_NO_HELP)) collect(listing, NULL, common, NULL);
    if (!(flags & ARGP_NO_HELP) && (argp_program_version || argp_program_version_hook))
        collect(listing, NULL, version, NULL);
    qsort(listing->entries, listing->count, sizeof *listing->entries, compare);
    return listing;
}

// ---- text in columns

static size_t pad(FILE *stream, size_t at, size_t column) {
    if (at >= column && at) {
        fputc('\n', stream);
        at = 0;
    }
    for (; at < column; at++) fputc(' ', stream);
    return column;
}

// Prints words from this column on. Returns the column after them.
static size_t flow(FILE *stream, const char *text, size_t length, size_t at, size_t indent) {
    for (size_t i = 0; i < length;) {
        if (text[i] == '\n') {
            fputc('\n', stream);
            for (at = 0; at < indent && i + 1 < length; at++) fputc(' ', stream);
            i++;
            continue;
        }
        size_t blanks = strspn(text + i, " "), word = strcspn(text + i + blanks, " \n");
        if (i + blanks > length) blanks = length - i;
        if (i + blanks + word > length) word = length - i - blanks;
        if (at > indent && at + blanks + word > MARGIN) {
            fputc('\n', stream);
            for (at = 0; at < indent; at++) fputc(' ', stream);
        } else {
            for (size_t k = 0; k < blanks; k++, at++) fputc(' ', stream);
        }
        fwrite(text + i + blanks, 1, word, stream);
        at += word;
        i += blanks + word;
    }
    return at;
}

static const char *filtered(const struct argp *argp, int key, const char *text) {
    return argp && argp->help_filter ? argp->help_filter(key, text, NULL) : text;
}

// ---- the list

static size_t print_names(FILE *stream, const struct argp_option *first) {
    size_t at = 0;
    const char *argument = first->arg;
    const char *optional = first->flags & OPTION_ARG_OPTIONAL ? "[" : "";
    bool has_long = false;
    for (const struct argp_option *one = first; one == first || one->flags & OPTION_ALIAS; one++)
        has_long |= one->name != NULL;
    for (const struct argp_option *one = first; one == first || one->flags & OPTION_ALIAS; one++) {
        if (!is_short(one) || one->flags & OPTION_HIDDEN) continue;
        at += (size_t)fprintf(stream, at ? ", -%c" : "  -%c", one->key);
        if (argument && !has_long) at += (size_t)fprintf(stream, *optional ? "[%s]" : " %s", argument);
    }
    for (const struct argp_option *one = first; one == first || one->flags & OPTION_ALIAS; one++) {
        if (!one->name || one->flags & OPTION_HIDDEN) continue;
        if (first->flags & OPTION_DOC)
            at += (size_t)fprintf(stream, at ? ", %s" : "  %s", one->name);
        else if (at)
            at += (size_t)fprintf(stream, ", --%s", one->name);
        else
            at = pad(stream, 0, LONG_COLUMN) + (size_t)fprintf(stream, "--%s", one->name);
        if (argument) at += (size_t)fprintf(stream, *optional ? "[=%s]" : "=%s", argument);
    }
    return at;
}

static void print_options(FILE *stream, const struct listing *listing) {
    bool arguments = false;
    const struct entry *last = NULL;
    for (unsigned i = 0; i < listing->count; i++) {
        const struct entry *entry = &listing->entries[i];
        const struct argp_option *option = entry->option;
        if (option->flags & OPTION_HIDDEN) continue;
        bool other = !last || entry->cluster != last->cluster;
        if (last && (other || entry->group != last->group)) fputc('\n', stream);
        if (other && entry->header && *entry->header) fprintf(stream, " %s\n", entry->header);
        last = entry;
        if (is_header(option)) {
            fprintf(stream, " %s\n", option->doc);
            continue;
        }
        size_t at = print_names(stream, option);
        const char *doc = filtered(entry->argp, option->key, option->doc);
        if (doc && *doc) {
            at = pad(stream, at + 1 > DOC_COLUMN ? DOC_COLUMN + 1 : at, DOC_COLUMN);
            flow(stream, doc, strlen(doc), at, DOC_COLUMN);
        }
        fputc('\n', stream);
        arguments |= option->arg && option->name && is_short(option);
    }
    if (arguments)
        fputs("\nMandatory or optional arguments to long options are also mandatory or optional\nfor any "
              "corresponding short options.\n",
              stream);
}

// ---- usage

static size_t add_word(FILE *stream, size_t at, const char *word) {
    if (at + 1 + strlen(word) > MARGIN) at = pad(stream, MARGIN, USAGE_INDENT) - 1;
    return at + (size_t)fprintf(stream, at == USAGE_INDENT - 1 ? "%s" : " %s", word) +
           (at == USAGE_INDENT - 1);
}

static bool is_shown(const struct argp_option *option) {
    return !(option->flags & (OPTION_HIDDEN | OPTION_DOC | OPTION_NO_USAGE)) && !is_header(option);
}

static size_t print_option_usage(FILE *stream, const struct listing *listing, size_t at) {
    char word[256] = "[-";
    size_t letters = 2;
    for (unsigned i = 0; i < listing->count; i++) {
        const struct argp_option *option = listing->entries[i].option;
        if (is_shown(option) && is_short(option) && !option->arg && letters < sizeof word - 2)
            word[letters++] = (char)option->key;
    }
    strcpy(word + letters, "]");
    if (letters > 2) at = add_word(stream, at, word);
    for (unsigned i = 0; i < listing->count; i++) {
        const struct argp_option *option = listing->entries[i].option;
        if (!is_shown(option) || !is_short(option) || !option->arg) continue;
        snprintf(word, sizeof word, option->flags & OPTION_ARG_OPTIONAL ? "[-%c[%s]]" : "[-%c %s]",
                 option->key, option->arg);
        at = add_word(stream, at, word);
    }
    for (unsigned i = 0; i < listing->count; i++) {
        const struct argp_option *option = listing->entries[i].option;
        if (!is_shown(option) || !option->name) continue;
        const char *format = !option->arg                          ? "[--%s]"
                             : option->flags & OPTION_ARG_OPTIONAL ? "[--%s[=%s]]"
                                                                   : "[--%s=%s]";
        snprintf(word, sizeof word, format, option->name, option->arg);
        at = add_word(stream, at, word);
    }
    return at;
}

static size_t print_arguments(FILE *stream, const struct argp *argp, size_t at) {
    const char *text = filtered(argp, ARGP_KEY_HELP_ARGS_DOC, argp->args_doc);
    if (text && *text) {
        size_t length = strcspn(text, "\n"); // further lines are alternative usages
        fputc(' ', stream);
        at = flow(stream, text, length, at + 1, USAGE_INDENT);
    }
    for (const struct argp_child *child = argp->children; child && child->argp; child++)
        at = print_arguments(stream, child->argp, at);
    return at;
}

static void print_usage(FILE *stream, const struct argp *argp, const struct listing *listing,
                        const char *name, bool brief) {
    const char *other = argp->args_doc ? strchr(argp->args_doc, '\n') : NULL;
    size_t at = (size_t)fprintf(stream, "Usage: %s", name);
    at = brief ? add_word(stream, at, "[OPTION...]") : print_option_usage(stream, listing, at);
    print_arguments(stream, argp, at);
    fputc('\n', stream);
    for (; other; other = strchr(other + 1, '\n')) {
        at = (size_t)fprintf(stream, "  or:  %s [OPTION...] ", name);
        flow(stream, other + 1, strcspn(other + 1, "\n"), at, USAGE_INDENT);
        fputc('\n', stream);
    }
}

// Prints the text before or after the options: the halves of `doc` around a vertical tab.
static void print_doc(FILE *stream, const struct argp *argp, bool post, bool gap) {
    const char *tab = argp->doc ? strchr(argp->doc, '\v') : NULL;
    const char *text = post ? (tab ? tab + 1 : NULL) : argp->doc;
    size_t length = !text ? 0 : !post && tab ? (size_t)(tab - text) : strlen(text);
    char *copy = length ? strndup(text, length) : NULL;
    const char *shown = filtered(argp, post ? ARGP_KEY_HELP_POST_DOC : ARGP_KEY_HELP_PRE_DOC, copy);
    if (shown && *shown) {
        if (gap) fputc('\n', stream);
        flow(stream, shown, strlen(shown), 0, 0);
        if (shown[strlen(shown) - 1] != '\n') fputc('\n', stream);
    }
    if (shown != copy) free((char *)shown);
    free(copy);
    for (const struct argp_child *child = argp->children; child && child->argp; child++)
        print_doc(stream, child->argp, post, gap);
}

static void print_help(const struct argp *argp, unsigned parse_flags, FILE *stream, unsigned flags,
                       const char *name) {
    struct listing *listing = list_options(argp, parse_flags);
    if (!stream || !listing) return;
    if (flags & (ARGP_HELP_USAGE | ARGP_HELP_SHORT_USAGE))
        print_usage(stream, argp, listing, name, flags & ARGP_HELP_SHORT_USAGE);
    if (flags & ARGP_HELP_PRE_DOC) print_doc(stream, argp, false, false);
    if (flags & ARGP_HELP_SEE)
        fprintf(stream, "Try `%s --help' or `%s --usage' for more information.\n", name, name);
    if (flags & ARGP_HELP_LONG && listing->count) {
        fputc('\n', stream);
        print_options(stream, listing);
    }
    if (flags & ARGP_HELP_POST_DOC) print_doc(stream, argp, true, true);
    if (flags & ARGP_HELP_BUG_ADDR && argp_program_bug_address)
        fprintf(stream, "\nReport bugs to %s.\n", argp_program_bug_address);
    free(listing);
}

void argp_help(const struct argp *argp, FILE *stream, unsigned flags, char *name) {
    print_help(argp, 0, stream, flags, name);
}

void argp_state_help(const struct argp_state *state, FILE *stream, unsigned flags) {
    if (state && state->flags & ARGP_NO_ERRS) return;
    static const struct argp empty;
    print_help(state ? state->root_argp : &empty, state ? state->flags : 0, stream, flags,
               state ? state->name : program_invocation_short_name);
    if (state && state->flags & ARGP_NO_EXIT) return;
    if (flags & ARGP_HELP_EXIT_ERR) exit(argp_err_exit_status);
    if (flags & ARGP_HELP_EXIT_OK) exit(0);
}

void argp_usage(const struct argp_state *state) { argp_state_help(state, stderr, ARGP_HELP_STD_USAGE); }

void argp_error(const struct argp_state *state, const char *format, ...) {
    if (state && state->flags & ARGP_NO_ERRS) return;
    FILE *stream = state ? state->err_stream : stderr;
    va_list arguments;
    if (!stream) return;
    fprintf(stream, "%s: ", state ? state->name : program_invocation_short_name);
    va_start(arguments, format);
    vfprintf(stream, format, arguments);
    va_end(arguments);
    fputc('\n', stream);
    argp_state_help(state, stream, ARGP_HELP_STD_ERR);
}

void argp_failure(const struct argp_state *state, int status, int number, const char *format, ...) {
    if (state && state->flags & ARGP_NO_ERRS) return;
    FILE *stream = state ? state->err_stream : stderr;
    va_list arguments;
    if (!stream) return;
    fputs(state ? state->name : program_invocation_short_name, stream);
    if (format) {
        fputs(": ", stream);
        va_start(arguments, format);
        vfprintf(stream, format, arguments);
        va_end(arguments);
    }
    if (number) fprintf(stream, ": %s", strerror(number));
    fputc('\n', stream);
    if (status && !(state && state->flags & ARGP_NO_EXIT)) exit(status);
}
