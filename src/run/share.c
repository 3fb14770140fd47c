#include "run/share.h"

#include "base/arena.h"
#include "base/error.h"
#include "cluster/parcel.h"
#include "run/jobs.h"
#include "run/known.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

struct share {
    struct starter *starter; // NULL: the sharing owns it
    struct text parcel;
};

bool share_fits(const struct run_options *options, const char *alone, uint32_t *jobs) {
    const char *other = alone                   ? alone
                        : options->solver_cache ? "--solver-cache"
                        : options->slice        ? "--slice"
                                                : NULL;
    *jobs = 1;
    if (other) {
        user_error_at("--workers", "Leave out one of them.", "%s works on one machine only", other);
        return false;
    }
    if (options->jobs && !strcmp(options->jobs, "0")) { // only other machines explore
        *jobs = 0;
        return true;
    }
    return !options->jobs || jobs_parse(options->jobs, jobs);
}

// Removes the password, which must not be in public text (the list of processes, program.json, the command that is
// suggested next). A user name stays, with stars for the password.
static void hide_password(char *url) {
    char *at = strrchr(url, '@'), *name = strstr(url, "//");
    char *colon = at && name ? strchr(name + 2, ':') : NULL;
    if (!colon || colon > at) return;
    if (colon > name + 2) {
        memset(colon + 1, '*', (size_t)(at - colon - 1));
        return;
    }
    size_t rest = strlen(at + 1);
    memmove(colon, at + 1, rest);
    memset(colon + rest, 0, strlen(colon + rest));
}

// Lists the lines to reach by the numbers of their marks. `kinds` gets the bugs that are wanted there.
static void list_targets(const struct target_set *set, struct parcel_front *how, int **kinds) {
    struct parcel_target *targets = ARENA_ARRAY(set->arena, struct parcel_target, set->lines.count);
    *kinds = ARENA_ARRAY(set->arena, int, set->lines.count);
    for (uint32_t i = 0; i < set->lines.count; i++) {
        targets[i] = (struct parcel_target){set->lines.at[i].file, set->lines.at[i].line};
        (*kinds)[i] = set->lines.at[i].kind;
    }
    how->targets = targets;
    how->target_count = set->lines.count;
}

static bool write_parcel(const struct share_run *run, struct text *to) {
    struct front_options front = run_front_options(run->options);
    struct parcel_front how = {
        .no_libc = front.no_libc, .allow_undefined = front.allow_undefined, .checks = front.checks};
    struct explore_options explore = *run->explore;
    struct text known = {0};
    int *kinds = NULL;
    if (run->targets) list_targets(run->targets, &how, &kinds);
    explore.target_kinds = kinds;
    if (run->known) {
        known_sent(run->known, &known, &how.known_name);
        how.known = known.at;
    }
    bool good = parcel_write(to, &explore, &how, run->program, run->name);
    text_free(&known);
    return good;
}

struct share *share_open(const struct share_run *run, const char **folder) {
    struct redis_address address;
    if (!redis_parse(run->options->workers, &address)) return NULL;
    hide_password((char *)run->options->workers);
    struct share *share = NEW(struct share);
    struct starter_options starter = {.version = run->version,
                                      .program = run->bitcode,
                                      .parcel = &share->parcel,
                                      .timeout = (uint64_t)(run->options->worker_timeout * 1000)};
    if (write_parcel(run, &share->parcel) && (share->starter = starter_open(&address, &starter)) &&
        starter_examine(share->starter, folder))
        return share;
    share_free(share);
    return NULL;
}

bool share_joins(struct resumed *resumed, const char *folder, const char *out,
                 const struct ir_program *program, const struct text *bitcode) {
    char absolute[PATH_MAX];
    if (out && (!realpath(out, absolute) || strcmp(absolute, folder) != 0)) {
        user_error_at("--out", "Leave it out, or use another name for the run.",
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
