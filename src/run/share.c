#include "run/share.h"

#include "base/arena.h"
#include "base/error.h"
#include "cluster/parcel.h"
#include "run/jobs.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

struct share {
    struct starter *starter; // NULL: the sharing has it
    struct text parcel;
};

bool share_fits(const struct run_options *options, const char *alone, bool other_command, uint32_t *jobs) {
    const char *other = alone                   ? alone
                        : other_command         ? "this command"
                        : options->target.count ? "--target"
                        : options->solver_cache ? "--solver-cache"
                        : options->slice        ? "--slice"
                                                : NULL;
    *jobs = 1;
    if (other) {
        user_error_at("--workers", "Leave one of them out.", "%s works on one machine only", other);
        return false;
    }
    if (options->jobs && !strcmp(options->jobs, "0")) { // others do the work
        *jobs = 0;
        return true;
    }
    return !options->jobs || jobs_parse(options->jobs, jobs);
}

// Overwrites the password, which must not be in public text (the list of processes, program.json).
static void hide_password(const char *url) {
    const char *at = strrchr(url, '@'), *slashes = strstr(url, "//");
    char *colon = at && slashes ? strchr(slashes + 2, ':') : NULL;
    for (char *c = colon ? colon + 1 : NULL; c && c < at; c++) *c = '*';
}

struct share *share_open(const struct run_options *options, const char *version,
                         const struct explore_options *explore, const struct ir_program *program,
                         const struct text *bitcode, const char *name, const char **folder) {
    struct redis_address address;
    if (!redis_parse(options->workers, &address)) return NULL;
    hide_password(options->workers);
    struct share *share = NEW(struct share);
    struct front_options front = run_front_options(options);
    struct parcel_front how = {front.no_libc, front.allow_undefined, front.checks};
    struct starter_options starter = {.version = version,
                                      .program = bitcode,
                                      .parcel = &share->parcel,
                                      .timeout = (uint64_t)(options->worker_timeout * 1000)};
    if (parcel_write(&share->parcel, explore, &how, program, name) &&
        (share->starter = starter_open(&address, &starter)) && starter_examine(share->starter, folder))
        return share;
    share_free(share);
    return NULL;
}

bool share_joins(struct resumed *resumed, const char *folder, const char *out,
                 const struct ir_program *program, const struct text *bitcode) {
    char absolute[PATH_MAX];
    if (out && (!realpath(out, absolute) || strcmp(absolute, folder) != 0)) {
        user_error_at("--out", "Leave it out, or take another name for the run.",
                      "the run is in Redis already, with its results in %s", folder);
        return false;
    }
    if (resumed->arena) return true; // --resume of the same folder
    resumed->arena = arena_new();
    resumed->lock = -1;
    resumed->folder = arena_strdup(resumed->arena, folder);
    return resume_read(resumed, program, bitcode);
}

bool share_begin(struct share *share, const struct starter_begin *begin, struct sharing *sharing) {
    char absolute[PATH_MAX];
    struct starter_begin where = *begin;
    if (realpath(begin->folder, absolute)) where.folder = absolute;
    if (!starter_begin(share->starter, &where)) return false;
    *sharing = starter_sharing(share->starter);
    share->starter = NULL;
    return true;
}

void share_free(struct share *share) {
    if (!share) return;
    starter_free(share->starter);
    text_free(&share->parcel);
    DELETE(share);
}
