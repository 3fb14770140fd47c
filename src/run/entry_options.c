#include "run/entry_options.h"

#include "base/arena.h"
#include "base/error.h"

#include <string.h>

// Reports options that have no effect without --entry. Returns true if there are none.
static bool needs_entry(const struct run_options *options) {
    const char *given = options->sym_global.count     ? "--sym-global"
                        : options->entry_length.count ? "--entry-length"
                        : options->entry_null         ? "--entry-null"
                                                      : NULL;
    if (given) user_error_at(given, "Name the function with --entry FUNCTION.", "there is no --entry");
    return !given;
}

static bool read_length(struct arena *arena, const char *text, struct front_entry_length *length) {
    const char *equals = strchr(text, '=');
    if (!equals || equals == text || !equals[1]) {
        user_error_at("--entry-length",
                      "Write POINTER=LENGTH with the names of two parameters, POINTER=8 or POINTER=none.",
                      "'%s' does not say which pointer has which length", text);
        return false;
    }
    char *pointer = arena_strdup(arena, text);
    pointer[equals - text] = 0;
    *length = (struct front_entry_length){pointer, arena_strdup(arena, equals + 1)};
    return true;
}

const struct front_entry *entry_options(const struct run_options *options, struct arena *arena, bool *good) {
    *good = options->entry || needs_entry(options);
    if (!options->entry) return NULL;
    const char **globals = ARENA_ARRAY(arena, const char *, options->sym_global.count + 1);
    for (unsigned i = 0; i < options->sym_global.count; i++) globals[i] = options->sym_global.at[i].values[0];
    struct front_entry_length *lengths =
        ARENA_ARRAY(arena, struct front_entry_length, options->entry_length.count + 1);
    for (unsigned i = 0; i < options->entry_length.count && *good; i++)
        *good = read_length(arena, options->entry_length.at[i].values[0], &lengths[i]);
    struct front_entry *entry = ARENA_NEW(arena, struct front_entry);
    *entry = (struct front_entry){.function = options->entry,
                                  .globals = globals,
                                  .global_count = options->sym_global.count,
                                  .lengths = lengths,
                                  .length_count = options->entry_length.count,
                                  .elements = options->entry_size,
                                  .depth = options->entry_depth,
                                  .null = options->entry_null};
    return entry;
}
